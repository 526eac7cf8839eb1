"""A number for each line of AVAILABLE: from a field of its records, from a file, or as it was given.

The highest are the best, except where they are bits that a line would change the entropy by, as `cynical score` writes
them: of files named .scores and of fields named delta, bits_per_word or gain the lowest are. `lowest:` or `highest:`
before the name says it.
"""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.content import PREFIX
from ..jaded.summary_file import read_summary
from ..options import Reading
from ..options.corpora import DIRECTIONS, direction_of
from ..text.compression import inner_suffix
from ..text.corpus import Part
from ..text.fields import Field
from ..text.paths import exists
from ..text.places import Places
from ..text.sources import open_corpus
from .shards import Each

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

BATCH = 1 << 16  # records whose fields are fetched together
BITS = ("delta", "bits_per_word", "gain")  # fields that `cynical score` adds, of which the lowest are the best
SCORES = ".scores"


class Given(NamedTuple):
    sign: int  # -1 where the lowest numbers are the best
    notices: list[str]  # which numbers are the best, where that was not said


def score_by_numbers(given: Any, available: Available, option: str, reading: Reading) -> Given:
    """Have the lines of AVAILABLE scored by the numbers that an option gives them; where the lowest are the best, with
    the opposite sign."""
    if not isinstance(given, (str, Path)):
        numbers = _given(given, available.contents.lines, option)
        _share_out(numbers, available)
        return Given(
            1, [f"{option}: the highest numbers are the best; negate them if the lowest are, as with a Scorer"]
        )
    name, said = direction_of(given) if isinstance(given, str) else (given, "")
    is_file = isinstance(name, Path) or "://" in name or exists(name)
    best = said or (_best_in_file(str(name)) if is_file else _best_in_field(str(name)))
    lowest = best == "lowest"
    if is_file:
        numbers = _in_file(name, available.contents.lines, option, reading)
        _share_out(-numbers if lowest else numbers, available)
    else:
        available.tell(_score_by_field, str(name), option, lowest)
    sign = -1 if lowest else 1
    if said:
        return Given(sign, [])
    why = ": they are bits, as `cynical score` writes them" if lowest else ""
    other = DIRECTIONS[lowest]
    quoted, override = shlex.quote(str(name)), shlex.quote(f"{other}:{name}")
    notice = f"{option} {quoted}: the {best} numbers are the best{why}; {option} {override} takes the {other}"
    return Given(sign, [notice])


def _best_in_file(name: str) -> str:
    """Which numbers of a file are the best: of a ranking, those that its method says."""
    summary = read_summary(name) if inner_suffix(name) == SCORES else None
    lowest = inner_suffix(name) == SCORES and (summary is None or summary.method == "cynical")
    return "lowest" if lowest else "highest"


def _best_in_field(key: str) -> str:
    return "lowest" if key.rpartition(".")[2].removeprefix(PREFIX) in BITS else "highest"


def _share_out(numbers: NDArray[np.float64], available: Available) -> None:
    available.tell(_score, Each(np.split(numbers, available.first[1:])))


def _score(shard: LocalAvailable, numbers: NDArray[np.float64]) -> None:
    shard.score = numbers


def _score_by_field(shard: LocalAvailable, key: str, option: str, lowest: bool) -> None:
    numbers = _in_field(key, shard.places[0], option)
    shard.score = -numbers if lowest else numbers


def _given(given: Any, lines: int, option: str) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise CynicalError(
            f"{option}: expected a field, a file or a sequence of numbers, found {given!r:.60}"
        ) from None
    if numbers.shape != (lines,):
        raise CynicalError(
            f"{option}: {numbers.size:,} numbers for {lines:,} lines of AVAILABLE; give one number per line"
        )
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        raise CynicalError(
            f"{option}: line {wrong[0] + 1}: {numbers[wrong[0]]} cannot be used for ranking; give a finite number"
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
            f"{option} {corpus.name}: {len(out):,} numbers for {lines:,} lines of AVAILABLE; give one number per line"
        )
    return np.array(out)


def _in_field(key: str, places: Places, option: str) -> NDArray[np.float64]:
    """A field of the records."""
    out: list[float] = []
    for part, lines in zip(places.corpus.parts, places.lines_by_file(), strict=True):
        if part.records is None:
            raise CynicalError(f"{option} {key}: no such file, and AVAILABLE is plain text without fields; give a file")
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
            f"{where}: neither a field nor a file of this name exists; give a field that all records have, or a file"
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
