"""Rows laid out, of which few are open: those that a search looks at until it comes to the others.

As lines are picked, penalties fall and gains shrink about alike, so utilities hardly move. But a bound, a gain of an
earlier count with the penalty of now, falls: in a given time by the same share of the penalty, whatever the length. So
a row is near the front if its utility is above the lowest by a small share of its penalty. Rows that are near are open
(see _kernels/opening.py), and are scored again when they come to the front. Rows are scored in three ways:

    one by one        when they come to the front: the core waits for memory
    all open rows     in one pass on all cores, when many of them are stale
    all rows          in one pass on all cores, when closed rows may come first; then others are opened

The more rows are open, the more often one comes to the front, and the later a closed one does. How many are opened is
adapted so that neither costs much more than the other.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._kernels.exact import Heaps
    from .._kernels.formulas import Model
    from .._kernels.picking import Progress as Now

LEAST_STALE = 1024  # rows that are scored one by one before a pass: calling a kernel has its price too
OPEN = 16  # one row in 16 is open at first,
FEWEST = 256  # and later at least one in 256
LEAST_OPEN = 1 << 12
# What a row costs, in rows of a pass over all: scored alone, by how many bytes all rows have, since the core waits for
# memory the longer the less of it is in its caches (measured with 250,000 to 10 million lines); and with all open rows.
ALONE = ((1 << 25, 16), (1 << 29, 32), (1 << 63, 64))
TOGETHER = 2
SAMPLE = 1 << 13  # rows from which cuts are chosen


@dataclass(slots=True, eq=False)
class LaidOut:
    """Rows by length and first gain, so that what is near in a heap is near in memory; equal lines share a row."""

    heaps: Heaps
    starts: NDArray[np.int64]  # where the rows of each heap begin, and where the last ends
    parts: NDArray[np.int64]  # for each thread its first row, and the row after the last
    places: NDArray[np.int64]  # where those rows begin
    sample: NDArray[np.int64]  # where some rows begin, from all over,
    sample_heap: NDArray[np.int64]  # and which heaps they are of
    stale: int = LEAST_STALE  # rows that may be scored one by one before the next refresh
    _alone: int = ALONE[0][1]
    _wanted: int = 0  # rows to be open
    _spent: int = 0  # since all rows were scored
    _features: int = -1  # selected at the last refresh
    _keep: int = 0  # features up to which no fewer rows are wanted
    _all_open: bool = True

    @property
    def rows(self) -> int:
        return int(self.parts[-1])

    def refresh(self, model: Model, now: Now, pool: ThreadPoolExecutor, everything: bool = False) -> None:
        """Score the open rows again or, where closed ones may come first, all; `everything`: all in any case."""
        features, rescored = int(now.features[0]), int(now.rescored[0])
        stuck, stale = features == self._features, rescored > self.stale
        self._features = features
        self._spent += self._alone * rescored
        if stale and not (everything or stuck or self._all_open or self._spent > 2 * self.rows):
            self._score_open(model, pool)
        else:
            self._adapt(features, stuck, stale)
            self._set_cuts(model, features)
            self._open(model, pool)
        open_rows = int(self.heaps.size.sum())
        self.stale = max(min(8 * open_rows, self.rows) // self._alone, LEAST_STALE)

    def _adapt(self, features: int, stuck: bool, stale: bool) -> None:
        """Choose how many rows to open: more if the last pass over all rows was not long ago, fewer if much was spent
        since, but not before twice as much has been selected as when too few were open."""
        if self._wanted == 0:
            self._wanted = self.rows // OPEN
        elif stuck or (not stale and self._spent < self.rows):
            self._wanted, self._keep = min(2 * self._wanted, self.rows), 2 * features
        elif stale and features > self._keep:
            self._wanted = max(self._wanted // 2, self.rows // FEWEST)
        self._wanted = max(self._wanted, LEAST_OPEN)
        self._spent = 0

    def _set_cuts(self, model: Model, features: int) -> None:
        """Between open and closed rows, as a sample of them is now."""
        from .._kernels.formulas import BASE
        from .._kernels.opening import gains_at

        heaps, heap, bins = self.heaps, self.sample_heap, len(self.heaps.size)
        gain = np.empty(len(heap))
        gains_at(model, heaps, self.sample, gain)
        left = int(np.isfinite(gain).sum())
        nth = self._wanted * len(heap) // max(self.rows, 1)
        self._all_open = nth >= left
        if self._all_open:
            heaps.cut[:] = np.inf
            return
        divisor = heaps.divisor[:bins]
        penalty = np.log1p(heaps.features / (features + model.smoothing[BASE])) / np.log(2.0)
        utility = (penalty[heap] + gain) / divisor[heap]
        lowest = min(utility.min(), ((penalty + heaps.top_gain[:bins]) / divisor).min())
        above = (utility - lowest) * divisor[heap] / penalty[heap]
        cut = lowest * divisor + (np.partition(above, nth)[nth] - 1) * penalty
        heaps.cut[:bins] = np.where(cut < 0, cut, np.inf)

    def _open(self, model: Model, pool: ThreadPoolExecutor) -> None:
        from .._kernels.opening import build_heaps, open_rows

        heaps, parts, jobs = self.heaps, self.parts, len(self.places)
        opened = np.zeros((jobs, len(heaps.size)), np.int64)

        def score(job: int) -> None:
            open_rows(model, heaps, int(self.places[job]), int(parts[job]), int(parts[job + 1]), opened[job])

        bins = np.append(np.searchsorted(heaps.first[:-1], parts[:-1]), len(heaps.size)).tolist()
        _on_all(pool, jobs, score)
        _on_all(pool, jobs, lambda job: build_heaps(heaps, parts, opened, bins[job], bins[job + 1]))

    def _score_open(self, model: Model, pool: ThreadPoolExecutor) -> None:
        from .._kernels.opening import score_open

        jobs = len(self.places)
        self._spent += TOGETHER * int(self.heaps.size.sum())
        _on_all(pool, jobs, lambda job: score_open(model, self.heaps, job, jobs))


def _on_all(pool: ThreadPoolExecutor, jobs: int, work: Callable[[int], None]) -> None:
    list(pool.map(work, range(jobs)))


def laid_out(heaps: Heaps, place: NDArray[np.int64], jobs: int) -> LaidOut:
    """Nothing is open yet; `place` says of each row where it begins."""
    rows = len(place) - 1
    parts = np.linspace(0, rows, jobs + 1).astype(np.int64)
    some = np.arange(0, rows, max(-(-rows // SAMPLE), 1))
    heap = np.searchsorted(heaps.first, some, side="right") - 1
    alone = next(price for size, price in ALONE if heaps.row_data.nbytes < size)
    return LaidOut(heaps, place[heaps.first], parts, place[parts[:-1]], place[some], heap, _alone=alone)
