"""The paper's "batch mode": of the A lines of the best word, score sqrt(A) and pick half as many."""

from __future__ import annotations

import math

from . import word_lists as inverted
from .search import PICKS, Ranking, Task


def search(task: Task) -> Ranking:
    from .._kernels.batches import pick_by_batch

    return inverted.search(task, pick_by_batch, by_length=False, room=max(PICKS, math.isqrt(task.index.lines)))
