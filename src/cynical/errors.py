"""Usage errors, in the terms of the command line and of Python, and checks of single values.

Messages are written for the command line, with its options (`--max-copies`, `-r`). Python callers see the same message
with the names of parameters (`max_copies`, `representative`), and `--lines 5` as `lines=5`. Commands for a shell stay
as they are: what is in backquotes, and what begins with "cynical".
"""

from __future__ import annotations

import contextlib
import keyword
import math
import operator
import os
import re
import sys
import warnings
from collections.abc import Iterable
from typing import Any

LETTERS = {
    "-r": "representative",
    "-a": "available",
    "-u": "unadapted",
    "-s": "seed",
    "-t": "held_out",
    "-o": "output",
    "-j": "jobs",
}  # options with one letter, as parameters
CHOICES = frozenset({
    "all", "batch", "bilingual-moore-lewis", "both", "character", "characters", "classes", "classifier",
    "coverage", "csv", "document", "dsir", "entropy", "error", "exact", "full", "ids", "in-order", "jsonl",
    "kenlm", "line", "local", "longest", "model", "moore-lewis", "nfc", "nfkc", "own", "paragraph", "parquet",
    "pool", "random", "rank", "ray", "scores", "side", "skip", "text", "token", "tsv", "whitespace", "word",
    "words",
})  # words that are the value of an option when they follow one  # fmt: skip
SWITCHES = frozenset({"--overwrite"})  # options without a value that messages say how to turn on
_OPTION = re.compile(
    r"`[^`]*`|\bcynical [a-z]+ [^;,)]*|(?<![\w/.=-])(?P<option>--[a-z][a-z0-9]*(?:-[a-z0-9]+)*|-[a-z])(?![\w.=/-])"
    r"(?: (?P<value>\d[\d.]* [kMGT]i?B\b|'[^']*'(?:\"'\"'[^']*')*:?|"
    r"[^\s;,()'\"-](?:[^\s;,()'\"]|,\b)*)(?=[\s;,()'\"]|$)(?! times?\b))?"
    r"(?P<more>(?= --?[a-z]))?"
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
_NAMED = re.compile(r"[A-Z][A-Z0-9_]*")  # the name of a value: N, FILE


CHECK_CONNECTION = "check the address and the network connection"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def in_python(message: str) -> str:
    """A message with options as Python's parameters: `--max-copies 2` becomes `max_copies=2`, `-r` `representative`."""
    return _OPTION.sub(_argument, message)


def _argument(found: re.Match[str]) -> str:
    """An option, and the value that may follow it, as an argument of a call."""
    if found["option"] is None:
        return found[0]
    name, text = parameter(found["option"]), found["value"] or ""
    after = "," if found["more"] is not None else ""
    if found["option"] in SWITCHES:
        return f"{name}=True" + (f" {text}" if text else after)
    value = text.rstrip(":.")
    if text.endswith(":") or value in CHOICES or _NAMED.fullmatch(value) or re.search("[^a-z-]", value):
        return f"{name}={_literal(value)}{text[len(value) :]}{after}"
    return f"{name} {text}" if text else f"{name}{after}"


def _literal(value: str) -> str:
    """A value as Python writes it, or the values to choose from."""
    parts = value.split(",")
    if len(parts) > 1 and all(map(_NUMBER.fullmatch, parts)):
        return f"[{', '.join(parts)}]"
    if _NUMBER.fullmatch(value) or _NAMED.fullmatch(value):
        return value
    if not value.startswith("'"):
        return "|".join(f'"{one}"' for one in value.split("|"))
    plain = value[1:-1].replace("""'"'"'""", "'")  # as shlex.quote writes an apostrophe
    return repr(plain) if '"' in plain else f'"{plain}"'


def parameter(option: str) -> str:
    """What an option of the command line is called in Python."""
    if not option.startswith("--"):
        return LETTERS.get(option, option)
    name = option[2:].replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


MOST_WHOLE = 1 << 62  # no line, word or byte has a larger number; so sums of two fit 64 bits


class CynicalError(Exception):
    """A usage error, such as a wrong input or option or a full disk; the message says what was found, where, and what
    to do.

    `message` uses the option names of the command line, `str(error)` the parameter names of Python.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return in_python(self.message)


class CynicalWarning(UserWarning):
    """Something that a user should know, but that does not stop the run."""


def warn(notices: Iterable[str], stacklevel: int = 2) -> None:
    """Warn in Python's words; by default at the line that called the function that calls this."""
    for notice in notices:
        warnings.warn(in_python(notice), CynicalWarning, stacklevel=stacklevel + 1)


def os_error(path: object, error: OSError) -> CynicalError:
    """The sentence for a file that could not be opened, read or written; `path` is None if nobody knows which."""
    cause = error.__cause__  # what fsspec calls a missing file may be a connection that failed
    missing = isinstance(cause, FileNotFoundError) or getattr(cause, "status", None) == 404  # as HTTP says it
    if isinstance(error, FileNotFoundError) and isinstance(cause, Exception) and not missing:
        return _connection_error(path, cause)
    remedies = {
        "FileNotFoundError": "check the path",
        "IsADirectoryError": "give a file, or a pattern such as 'folder/*.txt'",
        "PermissionError": "check its permissions",
    }
    plain = "no such file" if isinstance(error, FileNotFoundError) else str(error) or type(error).__name__
    reason = (error.strerror or plain).lower()
    remedy = remedies.get(type(error).__name__, CHECK_CONNECTION if isinstance(error, ConnectionError) else None)
    if error.errno == 28:
        remedy = "free some space, or choose another folder"
    if error.errno == 24:
        remedy = "raise the limit with `ulimit -n`, or merge the files"
    return _sentence(path, reason, remedy)


def _connection_error(path: object, error: Exception) -> CynicalError:
    """What another machine, or the way to it, has said."""
    code = error.errno if isinstance(error, OSError) else None
    said = os.strerror(code) if code is not None and code > 0 else " ".join(str(error).split())[:120]
    return _sentence(path, said.lower() or type(error).__name__, CHECK_CONNECTION)


def _sentence(path: object, reason: str, remedy: str | None) -> CynicalError:
    return CynicalError(("" if path is None else f"{path}: ") + reason + (f"; {remedy}" if remedy else ""))


def tell(message: str) -> None:
    """Write a message to standard error, whatever a name in it holds; if that is closed, continue without."""
    with contextlib.suppress(OSError):
        if sys.stderr is not None:
            print(visible(message).encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)


def visible(text: str) -> str:
    """A text whose control characters, which a terminal would obey, are written out; line ends and tabs stay."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def number_of(number: int, what: str) -> str:
    """A number of things: "1 line", "2,000 lines"."""
    return f"{number:,} {what}{if_one(number, '', 's')}"


def if_one(number: int, one: str, more: str) -> str:
    """The word that fits a number of things: "is" or "are"."""
    return one if number == 1 else more


def whole(option: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """A whole number from `least` on; without a limit, one beyond all numbers is as large as numbers are."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # 1e7 is a whole number to people
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise CynicalError(f"{option} must be a whole number of at least {least}, found {value!r}")
    if most is not None and value > most:
        raise CynicalError(f"{option} must be at most {most:,}, found {value}")
    return operator.index(value) if most is not None else min(operator.index(value), MOST_WHOLE)


def positive(option: str, value: Any) -> float:
    """A number more than 0, however Python writes it."""
    try:
        short = str(value) if hasattr(value, "dtype") else value  # numpy's 0.1 of four bytes is 0.1 to people
        number = math.nan if isinstance(value, (bool, str)) else float(short)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise CynicalError(f"{option} must be a number greater than 0, found {value!r}")
    return number
