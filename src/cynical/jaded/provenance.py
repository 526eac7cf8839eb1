"""Provenance: what a ranking's summary says of the files it was made from, and of how they were read.

A summary may come from others, with the ranking. It may name files, which are used only if they are still as large as
they were; it may not name code to run.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import CynicalError
from ..text.sources import Reading
from ..text.tokenizer import Tokenizer

CODE = "python:"  # tokenizers that are functions of a module


def tokenizer_then(
    summary: dict[str, Any] | None, name: str | None, normalize: str | None, lowercase: bool | None
) -> Tokenizer:
    """As the ranking was made, but for what is said now."""
    then = (summary or {}).get("settings") or {}
    was = str(then.get("tokenizer") or "whitespace")
    if name is None and was.startswith(CODE):
        raise CynicalError(
            f"the ranking was made with --tokenizer {was}, which runs code; "
            f"give --tokenizer {was} yourself if you trust it"
        )
    return Tokenizer(
        was if name is None else name,
        bool(then.get("lowercase")) if lowercase is None else lowercase,
        normalize=then.get("normalize") if normalize is None else normalize,
    )


def reading_then(summary: dict[str, Any] | None, reading: Reading) -> Reading:
    """How the files that a summary names were read, but for what is said now."""
    then = (summary or {}).get("reading") or {}
    key = reading.text_key if reading.text_key is not None else then.get("text_key")
    return replace(reading, text_key=key, bad_records=then.get("bad_records") or reading.bad_records)


def representative_files(summary: dict[str, Any] | None) -> list[list[Path]]:
    """The files of each target, if a summary names them and all are still there as they were."""
    known = (summary or {}).get("representative") or {}
    targets = [one.get("files") or [] for one in known.get("targets") or [known]]
    there = bool(targets) and all(targets) and all(is_there(file) for files in targets for file in files)
    return [[Path(file["path"]) for file in files] for files in targets] if there else []


def available_files(summary: dict[str, Any] | None) -> list[Path]:
    """The same of AVAILABLE."""
    files = ((summary or {}).get("available") or {}).get("files") or []
    return [Path(file["path"]) for file in files] if all(map(is_there, files)) else []


def all_files(summary: dict[str, Any] | None) -> list[str]:
    """Whatever files it names, to be spared by outputs."""
    found = [*representative_files(summary), available_files(summary)]
    return [str(path) for paths in found for path in paths]


def is_there(file: dict[str, Any]) -> bool:
    """Is a file that a summary names still as large as it was?"""
    path = Path(file["path"])
    try:
        return path.is_file() and path.stat().st_size == file["bytes"]
    except OSError:
        return False
