"""python -m cynical, and the command of the same name."""

import signal


def run() -> None:
    """Ctrl-C while modules are imported ends the process without a traceback; from then on, main has an answer."""
    quiet = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else somebody has other wishes
    if quiet:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli.main import main

    if quiet:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


if __name__ == "__main__":
    run()
