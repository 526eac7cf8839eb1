"""The paper's "good-enough sentences", "good-enough words" and "good-enough scoring".

The word with the best estimated gain leads; the pick is the line with the lowest delta among those that have it.
"""

from __future__ import annotations

from . import word_lists as inverted
from .search import Ranking, Task


def search(task: Task) -> Ranking:
    from .._kernels.word_first import pick_by_word

    return inverted.search(task, pick_by_word, by_length=True)
