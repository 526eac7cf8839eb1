"""Lines in a given order: rank them so, or pick again what an earlier run has picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.entropy import State
from ..options.budget import NO_LIMIT
from .index import HasRows
from .search import Begun, Ranking, Task, begin, room_for, walk

if TYPE_CHECKING:
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows by themselves, as an index has them."""

    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]
    words: NDArray[np.uint32]
    features: NDArray[np.uint32]


def best_first(allowed: NDArray[np.bool_], score: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """The lines that may be picked by their scores, the highest first, ties to the earlier; in their order without."""
    lines = np.flatnonzero(allowed)
    return lines if score is None else lines[np.argsort(-score[lines], kind="stable")]


def follow(rows: HasRows, task: Task, order: NDArray[np.int64]) -> Ranking:
    """Pick lines in the order given, each scored as if it had been found; all of them must be allowed."""
    from .._kernels import entries
    from .._kernels.fixed_order import FixedOrder, pick_in_order
    from .._kernels.picking import PickLimits

    model, limits = task.state.model, task.limits
    fixed = FixedOrder(order, entries.Rows(rows.entry, rows.start, rows.entries), rows.words, rows.features)

    def pick(now: Now, log: PickLog, room: int) -> tuple[int, int]:
        return pick_in_order(model, fixed, now, log, PickLimits(room, limits.words, limits.patience))

    return walk(task, pick)


def replay(
    state: State, rows: HasRows, order: NDArray[np.int64], lines: NDArray[np.int64], words: NDArray[np.int64]
) -> Begun:
    """Pick rows again, so that a search can resume after them; `lines` are their numbers in AVAILABLE, `words` the
    words that they were picked for."""
    from .._kernels import entries
    from .._kernels.fixed_order import FixedOrder, pick_in_order
    from .._kernels.picking import PickLimits

    fixed = FixedOrder(order, entries.Rows(rows.entry, rows.start, rows.entries), rows.words, rows.features)
    now, log = begin(state), room_for(len(order))
    pick_in_order(state.model, fixed, now, log, PickLimits(len(order), NO_LIMIT, NO_LIMIT))
    return Begun(now, tuple(log._replace(line=lines, word=words)))
