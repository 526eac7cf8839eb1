"""The paper's "good-enough sentences", "good-enough words" and "good-enough scoring".

The word with the best estimated gain leads; the pick is the line with the lowest delta among those that have it.
"""

from __future__ import annotations

from . import word_lists
from .available import LocalAvailable
from .search import Ranking, Task


def search(available: LocalAvailable, task: Task) -> Ranking:
    from .._kernels.word_first import pick_by_word

    return word_lists.search(available, task, pick_by_word, by_length=True)
