"""What a ranking was made from and how, as its summary says: the files that are still there, and how they were read."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import cast

from ..errors import CynicalError
from ..options import Reading, Rereading
from ..options.reading import OBJECT, BadRecords, InputFormat, Normalize, Unit, objects
from ..text.tokenizer import Tokenizer
from .summary import ReadAs, Summary, is_there

CODE = "python:"  # tokenizers that are functions of a module


def tokenizer_then(summary: Summary | None, now: Rereading) -> Tokenizer:
    """As the ranking was made, except for what is said now."""
    then = {} if summary is None else summary.settings
    was = str(then.get("tokenizer") or "whitespace")
    if now.tokenizer is None and was.startswith(OBJECT) and was not in objects:
        raise CynicalError(
            f"the ranking was made with {was}, an object of a Python program; pass that object as `tokenizer=` in "
            "Python"
        )
    if now.tokenizer is None and was.startswith(CODE):
        raise CynicalError(
            f"the ranking was made with --tokenizer {was}, which runs code; if you trust it, give --tokenizer {was}"
        )
    form = then.get("normalize") if now.normalize is None else now.normalize
    return Tokenizer(
        was if now.tokenizer is None else now.tokenizer,
        bool(then.get("lowercase")) if now.lowercase is None else now.lowercase,
        normalize=cast(Normalize | None, form),  # which is checked
    )


def reading_then(summary: Summary | None, reading: Reading) -> Reading:
    """How the files that a summary names were read, except what is said now."""
    then = ReadAs(bad_records=reading.bad_records) if summary is None else summary.reading
    told = reading.text_key is not None or reading.text_template is not None
    key, template = (reading.text_key, reading.text_template) if told else (then.text_key, then.text_template or None)
    unit = cast(Unit, then.unit) if then.unit and reading.unit == "document" else reading.unit
    format = reading.input_format if reading.input_format is not None else cast(InputFormat | None, then.input_format)
    bad_records: BadRecords = "skip" if then.bad_records == "skip" else "error"
    return replace(
        reading, text_key=key, text_template=template, unit=unit, bad_records=bad_records, input_format=format
    )


def representative_files(summary: Summary | None) -> list[list[list[Path]]]:
    """The files of each side of each target, if a summary names them and all are still there as they were."""
    if summary is None or summary.representative is None:
        return []
    targets = [one.paths for one in summary.representative.each]
    return targets if all(targets) else []


def available_files(summary: Summary | None) -> list[list[Path]]:
    """The same of AVAILABLE, for its first sides that count, as far as their files are there."""
    if summary is None:
        return []
    sides = [summary.available.files, *(side.files for side in summary.available.sides if side.counts)]
    there = itertools.takewhile(lambda files: files and all(map(is_there, files)), sides)
    return [[Path(file.path) for file in files] for files in there]


def all_files(summary: Summary | None) -> list[str]:
    """Whatever files it names, to be spared by outputs."""
    seed = [] if summary is None or summary.seed is None else summary.seed.paths
    targets = [paths for sides in representative_files(summary) for paths in sides]
    return [str(path) for paths in (*targets, *seed, *available_files(summary)) for path in paths]
