"""Driver: the search in rounds. Picks, their order and their scores are those of a search in one place.

In a round the shards learn what has been counted since, and give away their best rows. Picks are made from all rows
given away so far, for as long as the best of them comes before all that any shard holds back. Right after a round the
best row of all is among them, so every round brings a pick, and mostly hundreds. See _kernels/sharded_exact.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..selection.search import Ranking, Task, walk
from .candidates import Pool
from .messages import News
from .workers import Workers

if TYPE_CHECKING:
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now

LEAST = 256  # rows that are given away in a round, by all shards together,
LEAST_EACH, MOST = 16, 1 << 15  # and by one


@dataclass(slots=True, eq=False)
class Driver:
    """A search that has begun."""

    task: Task
    workers: Workers
    pool: Pool
    after_round: Callable[[int], None] | None  # called with the number of each round that is over
    least: int  # rows that each shard gives away in a round
    _told: NDArray[np.int64]  # the counts that the shards know
    _wanted: NDArray[np.int64]  # by shard, rows that it is asked for
    _used: NDArray[np.int64]  # by shard, picks since the last round
    _sure: int = 0
    rounds: int = 0
    candidates: int = 0
    rescored: int = 0

    def search(self) -> Ranking:
        return walk(self.task, self._pick, self._round)

    def _pick(self, now: Now, log: PickLog, room: int) -> tuple[int, int]:
        from .._kernels.picking import PickLimits
        from .._kernels.sharded_exact import pick_from_pool

        pool, limits, sure = self.pool, self.task.limits, self._sure
        self._sure = 0
        model = self.task.state.model
        limited = PickLimits(room, limits.words, limits.patience)
        made, why = pick_from_pool(model, pool.heaps, pool.held, now, log, limited, sure)
        self._used += np.bincount(pool.shard_of(log.line[:made]), minlength=len(self.workers))
        return made, why

    def _round(self, now: Now) -> None:
        from .._kernels.sharded_exact import join_held

        model = self.task.state.model
        changed = np.flatnonzero(model.counts != self._told)
        news = News(changed, model.counts[changed], int(now.features[0]))
        self._told[changed] = news.count
        self._adapt()
        offers = self.workers.offer(news, self._wanted.tolist())
        self.pool.add(offers)
        join_held(model, self.pool.held, now, *self.pool.held_back(offers))
        self._sure = 1
        self.rounds += 1
        self.candidates += sum(len(offer.size) for offer in offers)
        self.rescored += sum(offer.rescored for offer in offers)
        if self.after_round is not None:
            self.after_round(self.rounds)

    def _adapt(self) -> None:
        """Ask a shard for twice as much where most of it was used, for half where little was: the best lines may all be
        in one place, and what is given away but not picked has to be kept here."""
        if self.rounds:
            more, less = 4 * self._used > 3 * self._wanted, 3 * self._used < self._wanted
            self._wanted[more] *= 2
            self._wanted[less] //= 2
            self._wanted = np.clip(self._wanted, self.least, MOST)
        self._used = np.zeros(len(self.workers), np.int64)


def start(task: Task, workers: Workers, pool: Pool, after_round: Callable[[int], None] | None = None) -> Driver:
    """A search that has picked nothing, or what an earlier run has."""
    least = max(LEAST // len(workers), LEAST_EACH)
    return Driver(
        task,
        workers,
        pool,
        after_round,
        least,
        task.state.model.counts.copy(),
        np.full(len(workers), least),
        np.zeros(len(workers), np.int64),
    )
