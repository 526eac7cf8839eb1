"""python -m cynical, and the command of the same name."""

import os
import signal
from types import FrameType


def run() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody has other wishes
        signal.signal(signal.SIGINT, interrupt)
    from .cli.main import main

    main()


def interrupt(number: int, frame: FrameType | None) -> None:
    """What Ctrl-C does: KeyboardInterrupt. Within an import, which could not be taken up again and where a module in C
    may crash, it ends the process at once, with the same words and code."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os.write(2, b"cynical: interrupted\n")
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


if __name__ == "__main__":
    run()
