"""Runs Python examples, one JSON string per line, in one namespace; answers each with what it printed."""

from __future__ import annotations

import io
import json
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, TextIO


def serve() -> None:
    answers = sys.stdout
    names: dict[str, Any] = {"__name__": "__main__"}
    warnings.showwarning = show
    for line in sys.stdin:
        answers.write(json.dumps(run(json.loads(line), names)) + "\n")
        answers.flush()


def run(code: str, names: dict[str, Any]) -> tuple[str, bool]:
    written = io.StringIO()
    with redirect_stdout(written), redirect_stderr(written):
        try:
            exec(compile(code, "<example>", "exec"), names)
        except BaseException as error:
            print("".join(traceback.format_exception_only(error)), end="")
            return written.getvalue(), True
    return written.getvalue(), False


def show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning without the place, which readers do not have."""
    print(f"{category.__name__}: {message}", file=sys.stderr)


if __name__ == "__main__":
    serve()
