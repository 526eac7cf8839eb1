"""The paper's "batch mode": of the A lines of the best word, score sqrt(A) and pick half as many."""

from __future__ import annotations

import math

from . import word_lists
from .available import LocalAvailable
from .search import PICKS, Ranking, Task


def search(available: LocalAvailable, task: Task) -> Ranking:
    from .._kernels.batch import pick_by_batch

    room = max(PICKS, math.isqrt(available.index.lines))
    return word_lists.search(available, task, pick_by_batch, by_length=False, room=room)
