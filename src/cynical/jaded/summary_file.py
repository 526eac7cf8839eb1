"""The file of a summary, next to its ranking, and how it is read back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import orjson

from ..errors import CynicalError, os_error
from ..options.settings import check_recorded
from ..text.compression import exists_remotely, open_stream
from ..text.paths import is_remote
from .names import whole_name
from .summary import Summary

PARTS = ("available", "entropy", "search", "stop")  # that every summary has had


def summary_path(path: str | Path) -> str:
    """Where the summary of a ranking is; `path` may be a pattern of its shards."""
    return f"{whole_name(path)}.json"


def read_summary(path: str | Path) -> Summary | None:
    """The summary beside a ranking; None if there is none, or another file in its place."""
    return load_summary(summary_path(path))


def summary_of_file(path: str) -> Summary | None:
    """The summary beside a file, if it is not that of shards with such a name."""
    summary = load_summary(f"{path}.json")
    return None if summary is None or path not in summarized(f"{path}.json", summary) else summary


def summarized(beside: str, summary: Summary) -> list[str]:
    """The files of the ranking that a summary is beside."""
    folder, slash, name = beside.removesuffix(".json").rpartition("/")
    return [folder + slash + one for one in ([shard.name for shard in summary.shards] or [name])]


def load_summary(beside: str) -> Summary | None:
    """A summary by its own name."""
    try:
        if is_remote(beside) and not exists_remotely(beside):
            return None
        with open_stream(beside) as file:
            found = orjson.loads(file.read())
    except (CynicalError, FileNotFoundError, ValueError) as error:
        if isinstance(error, CynicalError) and not isinstance(error.__cause__, FileNotFoundError):
            raise
        return None
    except OSError as error:
        raise os_error(beside, error) from error
    ours = isinstance(found, dict) and "cynical" in found
    if not ours or not all(isinstance(found.get(part), dict) for part in PARTS):
        return None
    if "schema" not in found:
        found |= {"signature": None, "text_signature": found.get("signature")}
    try:
        summary = Summary.from_dict(found)
        check_recorded(summary.settings)
    except (msgspec.ValidationError, CynicalError) as error:
        raise CynicalError(
            f"{beside}: the summary is damaged ({error}); remove it, or make the ranking again"
        ) from None
    return summary
