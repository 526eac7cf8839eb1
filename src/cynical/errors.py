"""What a user can put right."""

from __future__ import annotations


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
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    remedy = remedies.get(type(error).__name__)
    if error.errno == 28:
        remedy = "free some space or choose another folder"
    return CynicalError(f"{path}: {reason}" + (f"; {remedy}" if remedy else ""))
