"""Picks: a ranking as a page needs it, wherever the ranking is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.columns import FEATURE_ENTROPY
from ..jaded.jaded import Jaded
from ..jaded.summary import ModelStop, Summary
from ..jaded.summary_file import summary_path
from ..options import Reading, Recorded
from ..selection.rescore import read_with_bits
from ..text.paths import shown

MOST = 1e9  # bits: no entropy is as large
BATCH = 1 << 14  # rows looked at together
TEXT = "text"  # what the first side is called where its name does not tell
ROUNDING = 2e-8  # bits: what the digits of a file leave out


@dataclass(frozen=True, slots=True, eq=False)
class Picks:
    """A ranking: numbers by rank, and its texts, words and labels when somebody asks for some of them."""

    jaded: Jaded
    name: str  # for people
    path: str | None  # its file, if it is one

    def __len__(self) -> int:
        return len(self.jaded)

    @property
    def line(self) -> NDArray[np.int64]:
        """Positions in AVAILABLE, from 0."""
        return self.jaded.lines

    @property
    def delta(self) -> NDArray[np.float64]:
        return self.jaded.delta

    @property
    def penalty(self) -> NDArray[np.float64]:
        return self.jaded.penalty

    @property
    def gain(self) -> NDArray[np.float64]:
        return self.jaded.gain

    @property
    def entropy(self) -> NDArray[np.float64]:
        return self.jaded.entropy

    @property
    def feature_entropy(self) -> NDArray[np.float64] | None:
        return self.jaded.feature_entropy

    @property
    def words(self) -> NDArray[np.int64]:
        return self.jaded.words

    @property
    def before(self) -> float:
        """The entropy before the first pick; not a number if nobody knows it."""
        return self.jaded.entropy_before

    @property
    def summary(self) -> Summary | None:
        return self.jaded.found_summary

    @property
    def stop(self) -> int:
        """The stopping point: the summary's, if it still fits, else where the entropy is lowest."""
        return self.jaded.stop

    @property
    def model_stop(self) -> ModelStop | None:
        """The stopping point for a model, if it was looked for."""
        found = None if self.summary is None else self.summary.stop_for_model
        return found if found is not None and found.lines == self.stop else None

    @property
    def lowest(self) -> int:
        """Where the entropy of single words is lowest."""
        if self.model_stop is None:
            return self.stop
        return self.jaded.columns.lowest(self.before)

    @property
    def lowest_is_known(self) -> bool:
        return self.summary is not None and self.summary.stop.known

    @property
    def start(self) -> int:
        """Where to begin to look: at the end of the budget or, without one, at the stopping point."""
        budget = any(self.settings.get(name) is not None for name in ("lines", "words", "share", "money"))
        one_word = self.feature_entropy is None or self.model_stop is not None
        return self.stop if self.stop and one_word and not budget else len(self)

    @property
    def path_of_entropy(self) -> NDArray[np.float64]:
        """The entropy of n lines, from n = 0 on; where that is not known, that of the first pick stands for it."""
        before = self.before
        if math.isnan(before):
            before = float(self.entropy[0]) if len(self) else 0.0
        return np.concatenate([[before], self.entropy])

    @property
    def rises(self) -> int:
        """How many lines up to the lowest entropy raise it; delta says so, but where it is of n-grams too."""
        if self.feature_entropy is None:
            return int(np.count_nonzero(self.delta[: self.lowest] > 0))
        return int(np.count_nonzero(np.diff(self.path_of_entropy[: self.lowest + 1]) > ROUNDING))

    @property
    def sides(self) -> list[str]:
        """What its sides are called, that of AVAILABLE first; one if it has no other."""
        first = next(iter([] if self.summary is None else self.summary.available.sides), None)
        return [(first.replaces if first is not None else "") or TEXT, *self.jaded.content.sides]

    @property
    def counted(self) -> int:
        """How many sides count; they come first."""
        return 1 + (0 if self.summary is None else sum(side.counts for side in self.summary.available.sides))

    @property
    def settings(self) -> Recorded:
        return {} if self.summary is None else self.summary.settings

    def texts(self, rows: Sequence[int], side: int = 0) -> list[bytes]:
        """The texts of some ranks, from 0."""
        return self.jaded.content.texts(np.asarray(rows, np.int64), side)

    def best_words(self, rows: Sequence[int]) -> list[str]:
        """The words that gain most at some ranks, from 0."""
        return self.jaded.columns.best.take(np.asarray(rows, np.int64)).strings()

    def columns(self, key: str) -> list[str] | None:
        """A column or a field of its own, if it has it."""
        found: list[str] = []
        for begin in range(0, len(self), BATCH):
            here = self.jaded.content.fields(slice(begin, min(begin + BATCH, len(self))), key)
            if here is None:
                return None
            found += ["" if value is None else str(value) for value in here]
        return found or None

    def batches(self, sides: int = 1) -> Iterator[list[list[bytes]]]:
        """All texts of some sides, side by side, some at a time."""
        for begin in range(0, len(self), BATCH):
            rows = slice(begin, min(begin + BATCH, len(self)))
            yield [self.jaded.content.texts(rows, side) for side in range(sides)]


def read_picks(path: str | Path, reading: Reading | None = None) -> Picks:
    """A ranking in files, in any format."""
    jaded = read_with_bits(path, reading)
    _check_bits(jaded, path)
    return Picks(jaded, shown(Path(path).name), str(path))


def from_jaded(jaded: Jaded, name: str = "ranking", path: str | None = None) -> Picks:
    """A ranking in memory; `path` is where it was written as TSV, if it was."""
    return Picks(jaded, name, path)


def _check_bits(jaded: Jaded, path: str | Path) -> None:
    """Raise an error for numbers that no ranking has and no axis can show."""
    for name in ("entropy", "delta", "penalty", "gain", FEATURE_ENTROPY):
        bits = getattr(jaded, name)
        strange = np.flatnonzero([] if bits is None else ~(np.abs(bits) < MOST))
        if len(strange):
            row = int(strange[0])
            raise CynicalError(
                f"{path}: rank {row + 1:,} has the {name} {float(bits[row]):g}, which is impossible; the ranking is "
                "damaged: make it again"
            )
    if abs(jaded.entropy_before) >= MOST:
        raise CynicalError(
            f"{summary_path(path)}: the entropy before the first line is {jaded.entropy_before:g}, which is "
            "impossible; the summary is damaged: remove it, or make the ranking again"
        )
