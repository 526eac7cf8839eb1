"""Picks: what a page needs of a ranking, wherever the ranking is: a TSV file, JSON lines, or in memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.formats import PREFIX
from ..jaded.jaded import Jaded
from ..jaded.summary import Recorded, Summary, read_summary, summary_path
from ..jaded.tsv import FEATURE_ENTROPY, WORD, Ranking, lowest
from ..progress import Progress
from ..text.compression import inner_suffix
from ..text.escapes import unescape as unescape_word
from ..text.kinds import SUFFIXES
from ..text.paths import shown
from ..text.records import Field, LineRecords
from ..text.sources import Reading, open_corpus

MOST = 1e9  # bits: no entropy is as large
BATCH = 1 << 14  # rows looked at together
ROUNDING = 2e-8  # bits: what the digits of a file leave out
FIELDS = ("line", "delta", "penalty", "gain", "entropy", "words")
FEATURE_ENTROPY_FIELD = PREFIX + FEATURE_ENTROPY
WHOLE = ("line", "words")  # from 1 on


@dataclass(frozen=True, slots=True, eq=False)
class Picks:
    """A ranking: numbers by rank, and its texts, words and labels when somebody asks for some of them."""

    name: str  # for people
    path: str | None  # its file, if it is one
    kind: str  # tsv or jsonl
    line: NDArray[np.int64]  # in AVAILABLE, from 0
    delta: NDArray[np.float64]
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]
    words: NDArray[np.int64]
    feature_entropy: NDArray[np.float64] | None
    before: float  # the entropy before the first pick; not a number if nobody knows it
    summary: Summary | None
    texts: Callable[[Sequence[int]], list[bytes]] = field(repr=False)  # of some ranks, from 0
    best_words: Callable[[Sequence[int]], list[str]] = field(repr=False)
    columns: Callable[[str], list[str] | None] = field(repr=False)  # a column or field of its own, if it has it

    def __len__(self) -> int:
        return len(self.line)

    @property
    def stop(self) -> int:
        """The stopping point: the summary's, if it still fits, else where the entropy is lowest."""
        if self.summary is not None and self.summary.stop.lines <= len(self):
            return self.summary.stop.lines
        return lowest(self.before, self.entropy)

    @property
    def stop_is_known(self) -> bool:
        return self.summary is not None and self.summary.stop.known

    @property
    def path_of_entropy(self) -> NDArray[np.float64]:
        """The entropy of n lines, from n = 0 on; where that is not known, that of the first pick stands for it."""
        before = self.before
        if math.isnan(before):
            before = float(self.entropy[0]) if len(self) else 0.0
        return np.concatenate([[before], self.entropy])

    @property
    def rises(self) -> int:
        """How many lines up to the stopping point raise the entropy; delta says so, but where it is of n-grams too."""
        if self.feature_entropy is None:
            return int(np.count_nonzero(self.delta[: self.stop] > 0))
        return int(np.count_nonzero(np.diff(self.path_of_entropy[: self.stop + 1]) > ROUNDING))

    @property
    def sides_count(self) -> bool:
        """Do words of another side than the first count?"""
        return self.summary is not None and any(side.counts for side in self.summary.available.sides)

    @property
    def settings(self) -> Recorded:
        return {} if self.summary is None else self.summary.settings

    def batches(self) -> Iterator[list[bytes]]:
        """All texts, some at a time; one line each."""
        for begin in range(0, len(self), BATCH):
            texts = self.texts(range(begin, min(begin + BATCH, len(self))))
            yield [text.replace(b"\n", b" ") for text in texts]


def read_picks(path: str | Path, reading: Reading | None = None) -> Picks:
    """A Jaded file, TSV or JSON lines, packed or not."""
    kind = SUFFIXES.get(inner_suffix(path), "tsv")
    if kind in ("csv", "parquet"):
        raise CynicalError(f"{path}: a report is made from .tsv or .jsonl; let cynical select write one of these")
    made = _of_records(path, reading or Reading()) if kind == "jsonl" else _of_table(path)
    _check_bits(made, path)
    return made


def _check_bits(picks: Picks, path: str | Path) -> None:
    """Refuse what no ranking has, and no axis has room for."""
    for name in ("entropy", "delta", "penalty", "gain", FEATURE_ENTROPY):
        bits = getattr(picks, name)
        strange = np.flatnonzero([] if bits is None else ~(np.abs(bits) < MOST))
        if len(strange):
            row = int(strange[0])
            raise CynicalError(
                f"{path}: rank {row + 1:,} has the {name} {float(bits[row]):g}, and no text costs as many bits; "
                "the ranking is damaged, make it anew"
            )
    if abs(picks.before) >= MOST:
        raise CynicalError(
            f"{summary_path(path)}: an entropy of {picks.before:g} before the first line, and no text costs as many "
            "bits; the summary is damaged, remove it or make the ranking anew"
        )


def from_jaded(jaded: Jaded, name: str = "ranking", path: str | None = None) -> Picks:
    """A ranking in memory; `path` is where it was written as TSV, if it was."""

    def columns(key: str) -> list[str] | None:
        found: list[str] = []
        for rows in jaded.slices():
            here = _field_of(jaded, rows, key)
            if here is None:
                return None
            found += here
        return found or None

    return Picks(
        name,
        path,
        "tsv",
        jaded.lines,
        jaded.delta,
        jaded.penalty,
        jaded.gain,
        jaded.entropy,
        jaded.words,
        jaded.feature_entropy,
        jaded.entropy_before,
        jaded.summary,
        lambda rows: (
            [text for row in rows for text in jaded.texts_of(0, slice(row, row + 1))]
            if not isinstance(rows, range)
            else jaded.texts_of(0, slice(rows.start, rows.stop))
        ),
        lambda rows: [jaded.best_words_of(slice(row, row + 1))[0] for row in rows],
        columns,
    )


def _field_of(jaded: Jaded, rows: slice, key: str) -> list[str] | None:
    """A field of the records that some picks were taken from; None if they have no such field."""
    places, lines = jaded.places[0], jaded.lines[rows]
    part, number = places.in_files(lines)
    made: list[str] = [""] * len(lines)
    for one in np.unique(part).tolist():
        records, here = places.corpus.parts[one].records, np.flatnonzero(part == one)
        values = [] if records is None else records.fields(number[here].tolist(), Field(key))
        if records is None or any(value is None for value in values):
            return None
        for place, value in zip(here.tolist(), values, strict=True):
            made[place] = str(value)
    return made


def _of_table(path: str | Path) -> Picks:
    summary = read_summary(path)
    ranking = Ranking(path, summary=summary)

    def columns(key: str) -> list[str] | None:
        name = next((one for one in (key, f"record_{key}") if one in ranking.names), None)
        return None if name is None else [cell.decode("utf-8", "replace") for cell in ranking.column(name)]

    return Picks(
        shown(Path(path).name),
        str(path),
        "tsv",
        ranking.lines - 1,
        ranking.delta,
        ranking.penalty,
        ranking.gain,
        ranking.entropy,
        ranking.words,
        ranking.feature_entropy,
        ranking.before if summary is None else summary.entropy.before,
        summary,
        lambda rows: list(ranking.texts_of(rows)),
        lambda rows: [_word(cell) for cell in ranking.cells(rows, WORD, False)],
        columns,
    )


def _word(cell: bytes) -> str:
    try:
        return unescape_word(cell).decode("utf-8", "replace")
    except ValueError:  # not written by us; shown as it is
        return cell.decode("utf-8", "replace")


def _number(value: Any, whole: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError
    if whole and not 1 <= value < 2**32:
        raise ValueError
    return float(value)


def _of_records(path: str | Path, reading: Reading) -> Picks:
    from ..text.places import find_lines

    summary = read_summary(path)
    corpus = open_corpus(str(path), "JADED", reading)
    records = corpus.parts[0].records
    assert isinstance(records, LineRecords)
    places = find_lines(corpus, 1, Progress(False), "JADED")
    rows = len(places)
    numbers = {name: np.zeros(rows) for name in FIELDS}
    features = np.full(rows, np.nan)
    for begin in range(0, rows, BATCH):
        here = range(begin, min(begin + BATCH, rows))
        for row, record in zip(here, records.dicts(here), strict=True):
            try:
                for name in FIELDS:
                    numbers[name][row] = _number(record[PREFIX + name], whole=name in WHOLE)
                if _number(record[PREFIX + "rank"], whole=True) != row + 1:
                    raise ValueError
                if FEATURE_ENTROPY_FIELD in record:
                    features[row] = _number(record[FEATURE_ENTROPY_FIELD], whole=False)
            except (KeyError, TypeError, ValueError):
                raise CynicalError(
                    f"{path} line {row + 1}: expected fields {PREFIX}rank (here {row + 1}), {PREFIX}line, "
                    f"{PREFIX}delta ...; give a file that cynical select -o OUT.jsonl has written, whole and in order"
                ) from None
    of_features = rows > 0 and not math.isnan(features[0])
    before = math.nan if of_features or not rows else float(numbers["entropy"][0] - numbers["delta"][0])

    def texts(wanted: Sequence[int]) -> list[bytes]:
        return places.texts(np.asarray(wanted, np.int64))

    def fields(wanted: Sequence[int], key: str) -> list[Any]:
        return records.fields(wanted, Field(key))

    def columns(key: str) -> list[str] | None:
        if not rows or fields([0], key)[0] is None:
            return None
        found = [
            value for begin in range(0, rows, BATCH) for value in fields(range(begin, min(begin + BATCH, rows)), key)
        ]
        return ["" if value is None else str(value) for value in found]

    return Picks(
        shown(Path(path).name),
        str(path),
        "jsonl",
        numbers["line"].astype(np.int64) - 1,
        numbers["delta"],
        numbers["penalty"],
        numbers["gain"],
        numbers["entropy"],
        numbers["words"].astype(np.int64),
        features if of_features else None,
        before if summary is None else summary.entropy.before,
        summary,
        texts,
        lambda wanted: [str(word) for word in fields(wanted, PREFIX + "word")],
        columns,
    )
