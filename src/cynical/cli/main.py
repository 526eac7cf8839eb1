"""The command line: its commands, and how errors are reported."""

from __future__ import annotations

import os
import sys

import click

from ..errors import CynicalError, os_error, tell
from ..version import __version__
from .generate import Commands, meant

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
COMPLETE = "_CYNICAL_COMPLETE"  # how a shell asks for completions


def main() -> None:
    """Exit codes: 0 done, 2 a usage error, 130 Ctrl-C, 1 a bug."""
    try:
        if os.environ.get(COMPLETE):
            cli.main(prog_name="cynical", complete_var=COMPLETE)
        with cli.make_context("cynical", sys.argv[1:]) as context:  # click's own main has other exit codes
            cli.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes
        sys.exit(0)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _say("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        _say(_usage(error))
        sys.exit(2)
    except CynicalError as error:
        _say(error.message)
        sys.exit(2)
    except OSError as error:
        _say(os_error(error.filename, error).message)
        sys.exit(2)
    except MemoryError:
        _say("not enough memory; give a limit with --memory, pick from a part of AVAILABLE, or use a larger machine")
        sys.exit(2)
    finally:
        _give_up_notices()


def _give_up_notices() -> None:
    """Where nobody can hear what was said on standard error, Python complains when it flushes, unless it can."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _say(message: str) -> None:
    """One line on standard error, whatever a file name holds."""
    tell("cynical: " + " ".join(message.split()))


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    see = f"see {context.command_path if context else 'cynical'} --help"
    if isinstance(error, click.NoSuchOption):
        close = meant(error)
        return f"No such option: {error.option_name}" + (f"; did you mean {close}? Or {see}" if close else f"; {see}")
    message = error.format_message().rstrip(".")
    hint = "; quote a pattern such as 'pool/*.txt', or repeat the option for each file"
    hint = hint if "extra argument" in message else ""
    return f"{message} Or {see}" if message.endswith("?") else f"{message}{hint}; {see}"


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", message="cynical %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Pick the lines of a large corpus that teach a model most about the language you want.

    \b
    REPRESENTATIVE  the language you want to model, a small text
    AVAILABLE       the lines you can choose from, a large text
    JADED           the output: the best lines, best first, each with its value in bits

    \b
    First look:  cynical demo
    Main task:   cynical select -r task.txt -a pool.txt -o jaded.tsv
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
