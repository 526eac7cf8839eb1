"""Lines in a given order: rank them so, or pick again what an earlier run has picked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.entropy import State
from ..options.budget import NO_LIMIT
from .index import HasRows
from .order import OrderedRows
from .search import Begun, Ranking, Task, begin, room_for, walk

if TYPE_CHECKING:
    from .._kernels.fixed_order import FixedOrder
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


def follow(task: Task, coming: Iterator[OrderedRows]) -> Ranking:
    """Pick lines in the order in which they come, each scored as if it had been found; all of them must be allowed."""
    from .._kernels.fixed_order import pick_in_order
    from .._kernels.picking import FULL, NO_LINE_LEFT, PickLimits

    model, limits = task.state.model, task.limits
    held: list[tuple[NDArray[np.int64], FixedOrder]] = []  # the numbers of lines, and their rows

    def pick(now: Now, log: PickLog, room: int) -> tuple[int, int]:
        if not held:
            rows = next(coming, None)
            if rows is None:
                return 0, NO_LINE_LEFT
            held.append((rows.line, _fixed(rows, np.arange(len(rows)), int(now.picks[0]))))
        lines, fixed = held[0]
        made, why = pick_in_order(model, fixed, now, log, PickLimits(room, limits.words, limits.patience))
        log.line[:made] = lines[log.line[:made]]
        if why == NO_LINE_LEFT:
            held.clear()
        return made, FULL if why == NO_LINE_LEFT else why

    return walk(task, pick)


def _fixed(rows: HasRows, order: NDArray[np.int64], before: int) -> FixedOrder:
    """Rows in their order, after this many picks."""
    from .._kernels.entries import Rows
    from .._kernels.fixed_order import FixedOrder

    held = Rows(rows.entry, rows.start, rows.entries)
    return FixedOrder(order, np.array([before]), held, rows.words, rows.features)


def replay(
    state: State, rows: HasRows, order: NDArray[np.int64], lines: NDArray[np.int64], words: NDArray[np.int64]
) -> Begun:
    """Pick rows again, so that a search can resume after them; `lines` are their numbers in AVAILABLE, `words` the
    words that they were picked for."""
    from .._kernels.fixed_order import pick_in_order
    from .._kernels.picking import PickLimits

    now, log = begin(state), room_for(len(order))
    pick_in_order(state.model, _fixed(rows, order, 0), now, log, PickLimits(len(order), NO_LIMIT, NO_LIMIT))
    return Begun(now, tuple(log._replace(line=lines, word=words)))
