"""Follow an order that something else has decided, and score every line as it is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .search import Ranking, Task, walk

if TYPE_CHECKING:
    from .._kernels.path import Path
    from .._kernels.path import Progress as Now


def follow(task: Task, order: NDArray[np.int64]) -> Ranking:
    """Pick lines in the order given; all of them must be allowed."""
    from .._kernels import fixed_order as kernels

    index, model = task.index, task.state.model
    given = kernels.Given(order, index.entry, index.start, index.entries, index.length, index.features)

    def pick(now: Now, path: Path, room: int) -> tuple[int, int]:
        return kernels.follow(model, given, now, path, room, task.limits.words)

    return walk(task, pick)
