"""A number for each line of AVAILABLE: from a field of its records, from a file, or as it was given."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..options import Reading
from ..text.corpus import Part
from ..text.fields import Field
from ..text.paths import exists
from ..text.places import Places
from ..text.sources import open_corpus
from .shards import Each

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

BATCH = 1 << 16  # records whose fields are fetched together


def score_by_numbers(given: Any, available: Available, option: str, reading: Reading) -> None:
    """Have the lines of AVAILABLE scored by the numbers that an option gives them."""
    if isinstance(given, (str, Path)):
        if not (isinstance(given, Path) or "://" in given or exists(given)):
            available.tell(_score_by_field, str(given), option)
            return
        numbers = _in_file(given, available.contents.lines, option, reading)
    else:
        numbers = _given(given, available.contents.lines, option)
    available.tell(_score, Each(np.split(numbers, available.first[1:])))


def _score(shard: LocalAvailable, numbers: NDArray[np.float64]) -> None:
    shard.score = numbers


def _score_by_field(shard: LocalAvailable, key: str, option: str) -> None:
    shard.score = _in_field(key, shard.places[0], option)


def _given(given: Any, lines: int, option: str) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise CynicalError(
            f"{option}: expected a field, a file or a sequence of numbers, found {given!r:.60}"
        ) from None
    if numbers.shape != (lines,):
        raise CynicalError(f"{option}: {numbers.size:,} numbers for {lines:,} lines of AVAILABLE; give one for each")
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        raise CynicalError(
            f"{option}: line {wrong[0] + 1}: {numbers[wrong[0]]} is no number that lines can be ranked by"
        )
    return numbers


def _in_file(path: str | Path, lines: int, option: str, reading: Reading) -> NDArray[np.float64]:
    """A number on each line."""
    corpus = open_corpus(path, option, Reading(scratch=reading.scratch))
    out: list[float] = []
    for part in corpus.parts:
        for line in bytes(part.raw[part.begin : part.end]).splitlines():
            out.append(_number(line.decode("utf-8", "replace"), f"{option} {part.name} line {len(out) + 1}"))
    if len(out) != lines:
        raise CynicalError(
            f"{option} {corpus.name}: {len(out):,} numbers for {lines:,} lines of AVAILABLE; give one for each"
        )
    return np.array(out)


def _in_field(key: str, places: Places, option: str) -> NDArray[np.float64]:
    """A field of the records."""
    out: list[float] = []
    for part, lines in zip(places.corpus.parts, places.lines_by_file(), strict=True):
        if part.records is None:
            raise CynicalError(
                f"{option} {key}: no such file, and AVAILABLE has no fields: it is plain text; give a file"
            )
        for begin in range(0, lines, BATCH):
            numbers = range(begin, min(begin + BATCH, lines))
            values = part.records.fields(numbers, Field(key))
            out.extend(
                _value(part, number, value, f"{option} {key}") for number, value in zip(numbers, values, strict=True)
            )
    return np.array(out)


def _value(part: Part, number: int, value: object, option: str) -> float:
    assert part.records is not None
    where = f"{option}: {part.name} line {part.records.origin.file_lines([number])[0]}"
    if value is None:
        raise CynicalError(
            f"{where}: no such field, nor is there a file of that name; name a field that all records have"
        )
    return _number(value, where)


def _number(value: object, where: str) -> float:
    try:
        number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise CynicalError(f"{where}: expected a number, found {value!r:.60}")
    return number
