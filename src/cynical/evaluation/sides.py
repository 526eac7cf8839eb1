"""The sides of parallel text that are measured, each on a held-out text in its language and with its own model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, number_of
from ..model.kneser_ney import BESIDES
from ..model.sequences import Sequences
from ..options import Measure
from ..progress import Progress
from . import blending
from .divergence import Divergence
from .language_models import language_model
from .prefixes import HeldOut
from .records import MeasuredText, Point, rounded
from .resampling import Sums, units_of

BOTH = "both"


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What a selection says, budget by budget."""

    points: list[Point]
    sums: list[Sums]
    reductions: list[float | None]  # of KL


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side: what is chosen from, and what judges."""

    place: int  # 0 is AVAILABLE, 1 the first side that goes along
    name: str | None  # of a side that goes along
    pool: Sequences
    types: int  # of the pool
    judge: HeldOut
    held_out: MeasuredText
    divergence: Divergence | None  # None where REPRESENTATIVE does not have this side

    def measure(self, text: Sequences, cuts: Sequence[int], how: HowToMeasure) -> Selection:
        """What the first lines of a text say, for each number of lines; these must grow."""
        size = max(self.types, len(np.unique(text.ids))) + BESIDES
        points, sums = [], []
        with language_model(how.measure, self.judge.text, self.judge.types, size, how.scratch) as model:
            for one in self.judge.measure(text, cuts, model, how.progress):
                points.append(one.point)
                sums.append(np.add.reduceat(self.judge.sums(one), how.units, axis=1))
        nothing: list[float | None] = [None] * len(cuts)
        return Selection(points, sums, nothing if self.divergence is None else self.divergence.reductions(text, cuts))


@dataclass(frozen=True, slots=True)
class HowToMeasure:
    measure: Measure
    units: NDArray[np.int64]  # of the held-out lines: see resampling.py
    scratch: str | Path | None
    progress: Progress


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """All sides that are judged."""

    each: list[Side]
    chosen: str | None  # what was asked for

    @property
    def words(self) -> int:
        return sum(side.pool.words for side in self.each)

    @property
    def types(self) -> int:
        return sum(side.types for side in self.each)

    @property
    def held_out(self) -> MeasuredText:
        """As a record: the words of all sides."""
        return joined([side.held_out for side in self.each])

    def units(self) -> NDArray[np.int64]:
        """Where the runs of lines begin that samples are drawn from."""
        return units_of(np.sum([side.judge.text.lengths for side in self.each], axis=0))

    def divisors(self, units: NDArray[np.int64]) -> Sums:
        """What sums are divided by."""
        whole = np.sum([side.judge.divisors() for side in self.each], axis=0)
        return np.asarray(np.add.reduceat(whole, units, axis=1))

    def take(self, lines: NDArray[np.int64]) -> list[Sequences]:
        """Some lines of AVAILABLE, in the order given, by side."""
        return [side.pool.take(lines) for side in self.each]

    def measure(self, texts: Sequence[Sequences], cuts: Sequence[int], how: HowToMeasure) -> Selection:
        """What the first lines of a text say, which is given by side."""
        with how.progress.stage("evaluate"):
            by_side = [side.measure(text, cuts, how) for side, text in zip(self.each, texts, strict=True)]
        judges = [side.judge for side in self.each]
        points = [blending.of_sides(points, judges) for points in zip(*(one.points for one in by_side), strict=True)]
        sums = [np.sum(sums, axis=0) for sums in zip(*(one.sums for one in by_side), strict=True)]
        found = zip(*(one.reductions for one in by_side), strict=True)
        return Selection(points, sums, [_mean(one) for one in found])


def _mean(reductions: Sequence[float | None]) -> float | None:
    known = [one for one in reductions if one is not None]
    return rounded(float(np.mean(known))) if known else None


def joined(texts: Sequence[MeasuredText]) -> MeasuredText:
    """The sides of a text as one."""
    if len(texts) == 1:
        return texts[0]
    return texts[0].replaced(
        name=", ".join(text.name for text in texts),
        words=sum(text.words for text in texts),
        types=sum(text.types for text in texts),
        mean_length=sum(text.mean_length for text in texts),
    )


def places(side: str | None, columns: Sequence[str], given: int, counted: int) -> list[int]:
    """Which sides are judged: 0 is AVAILABLE. `given` is how many sides the held-out text has, 0 if there is none."""
    names = ", ".join([*columns, BOTH])
    if side is None and given > 1:
        side = BOTH
    if side is None:
        return [0]
    if not columns:
        raise CynicalError(f"--side {side}: AVAILABLE has one side; give the other side with --with FILE")
    if side == BOTH:
        if given == 1:
            raise CynicalError("--side both: HELDOUT has one side; give the other side with --held-out-with FILE")
        if not given and counted == 1:
            raise CynicalError(
                "--side both: REPRESENTATIVE has one side; give the other side with --representative-with"
            )
        if given > 1 + len(columns):
            raise CynicalError(
                f"--held-out-with was given {number_of(given - 1, 'time')}, but --with "
                f"{number_of(len(columns), 'time')}; give both for each side"
            )
        return list(range(given or counted))
    if side not in columns:
        raise CynicalError(f"--side {side}: AVAILABLE does not have this side; choose from {names}")
    if given > 1:
        raise CynicalError(f"--side {side}: one side is measured, but --held-out-with was given; omit one of them")
    place = 1 + list(columns).index(side)
    if not given and place >= counted:
        raise CynicalError(f"--side {side}: the held-out text of this side is missing; give it with -t")
    return [place]
