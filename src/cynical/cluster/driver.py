"""Driver: the search in rounds. Picks, their order and their scores are the same as on one machine.

In a round the shards learn what has been counted since, and give away their best rows. Picks are made from all rows
given away so far, for as long as the best of them comes before every row that a shard holds back. Right after a round
the best row of all is among them, so every round brings a pick, and mostly thousands. See _kernels/sharded_exact.py.

A round costs a message to each shard and back, so it should bring many picks. Shards give away what comes first when
as much has been selected as at the end of the round, if this round brings as much as the last one, in proportion.

What the driver keeps is bounded: rows that have been given away and drop in rank are returned to their shards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..selection.search import Ranking, Task, walk
from .candidates import Pool
from .messages import News, Offer, Request, bytes_of
from .workers import Workers

if TYPE_CHECKING:
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now

LEAST = 1024  # rows that are given away in a round, by all shards together,
LEAST_EACH, MOST = 32, 1 << 15  # and by one
OFFERED = 1 << 22  # numbers of 4 bytes that these rows have at most, all together,
KEPT = 1 << 22  # and those that are kept for the next round
FIRST_GROWTH = 1.2  # of what is selected, in the first round
LEAST_GROWTH, MOST_GROWTH = 1.001, 4.0


@dataclass(slots=True, eq=False)
class Driver:
    """A search that has begun."""

    task: Task
    workers: Workers
    pool: Pool
    after_round: Callable[[int], None] | None  # called with the number of each round that is over
    least: int  # rows that each shard gives away in a round
    _told: NDArray[np.int64]  # the counts that the shards know
    _counts_before: NDArray[np.int64]  # the counts when the search began
    _wanted: NDArray[np.int64]  # by shard, rows that it is asked for
    _used: NDArray[np.int64]  # by shard, picks since the last round
    _picked: list[NDArray[np.int64]] = field(default_factory=list)  # lines, since the last round
    _sure: int = 0
    _selected: float | None = None  # features when the last round began
    rounds: int = 0
    candidates: int = 0
    returned: int = 0  # rows that went back
    rescored: int = 0
    sent: int = 0  # bytes of the messages of all rounds

    def search(self) -> Ranking:
        return walk(self.task, self._pick, self._round)

    def learnt(self, shard: int) -> News:
        """What a shard that begins again must know."""
        counts = self.task.state.model.counts
        changed = np.flatnonzero(counts != self._counts_before)
        return News(changed.astype(np.uint32), counts[changed], 0)  # the round says how many there are in all

    def _pick(self, now: Now, log: PickLog, room: int) -> tuple[int, int]:
        from .._kernels.picking import PickLimits
        from .._kernels.sharded_exact import pick_from_pool

        pool, limits, sure = self.pool, self.task.limits, self._sure
        self._sure = 0
        model = self.task.state.model
        limited = PickLimits(room, limits.words, limits.patience)
        made, why = pick_from_pool(model, pool.heaps, pool.held, now, log, limited, sure, pool.documents)
        self._picked.append(log.line[:made].copy())
        shard = pool.shard_of(log.line[:made])
        self._used += np.bincount(shard, minlength=len(self.workers))
        self.workers.note_picks([log.line[:made][shard == one] - first for one, first in enumerate(pool.first)])
        return made, why

    def _round(self, now: Now) -> None:
        from .._kernels.sharded_exact import join_held

        model = self.task.state.model
        changed = np.flatnonzero(model.counts != self._told)
        news = News(changed.astype(np.uint32), model.counts[changed], int(now.features[0]))
        self._told[changed] = news.count
        horizon = self._horizon(news.features)
        self._adapt()
        words_left = self.pool.words_left(np.concatenate([np.zeros(0, np.int64), *self._picked]))
        self._picked = []
        returned = self.pool.trim(model, horizon, KEPT)
        numbers = OFFERED // len(self.workers)
        requests = [
            Request(news, left, back, wanted, numbers, horizon)
            for left, back, wanted in zip(words_left, returned, self._wanted.tolist(), strict=True)
        ]
        offers: list[Offer] = self.workers.offer(requests)
        self.pool.add(offers)
        join_held(model, self.pool.held, now, *self.pool.held_back(offers))
        self._sure = 1
        self.rounds += 1
        self.candidates += sum(len(offer.size) for offer in offers)
        self.returned += sum(len(back.place) for back in returned)
        self.rescored += sum(offer.rescored for offer in offers)
        self.sent += sum(map(bytes_of, (*requests, *offers)))
        if self.after_round is not None:
            self.after_round(self.rounds)

    def _horizon(self, features: int) -> int:
        """How many features the next round is expected to begin with, if what is selected grows as in the last one."""
        from .._kernels.formulas import BASE

        base = float(self.task.state.model.smoothing[BASE])
        selected, before = features + base, self._selected
        growth = FIRST_GROWTH if before is None else min(max(selected / before, LEAST_GROWTH), MOST_GROWTH)
        self._selected = selected
        return int(selected * growth - base)

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
    counts = task.state.model.counts
    return Driver(
        task,
        workers,
        pool,
        after_round,
        least,
        counts.copy(),
        counts.copy(),
        np.full(len(workers), least),
        np.zeros(len(workers), np.int64),
    )
