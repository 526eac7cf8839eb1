"""What a user can put right."""

from __future__ import annotations

import contextlib
import sys


class CynicalError(Exception):
    """Input, an option or a disk that the user can put right: one sentence that says what, where and what to do."""


class CynicalWarning(UserWarning):
    """Something that a user should know but that stops nothing."""


def os_error(path: object, error: OSError) -> CynicalError:
    """The sentence for a file that could not be opened, read or written."""
    remedies = {
        "FileNotFoundError": "check the path",
        "IsADirectoryError": "give a file, or a glob such as 'folder/*.txt'",
        "PermissionError": "check its permissions",
    }
    plain = "no such file" if isinstance(error, FileNotFoundError) else str(error) or type(error).__name__
    reason = (error.strerror or plain).lower()
    remedy = remedies.get(type(error).__name__)
    if error.errno == 28:
        remedy = "free some space or choose another folder"
    if error.errno == 24:
        remedy = "allow more of them (ulimit -n 4096), or join the files"
    return CynicalError(f"{path}: {reason}" + (f"; {remedy}" if remedy else ""))


def tell(message: str) -> None:
    """Say something on standard error, whatever a file name in it holds; where nobody can hear it, continue."""
    with contextlib.suppress(OSError):
        if sys.stderr is not None:
            print(message.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)
