"""The walk along a given order: no line is looked for, but each is scored as if it had been found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import UNIT, Model, gain_of_row, penalty
from .jit import kernel
from .path import DRY, FULL, OVER, Path, Progress, add_row, best_word, record


class Given(NamedTuple):
    """Lines in their order, and by line what the index has."""

    order: NDArray[np.int64]
    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]
    words: NDArray[np.uint32]
    length: NDArray[np.uint32]  # in features


@kernel
def follow(model: Model, given: Given, progress: Progress, path: Path, room: int, budget: int) -> tuple[int, int]:
    """Pick the lines that come next until the path is full, none is left, or the next would pass the budget of words;
    how many, and why it ended."""
    n = 0
    while n < room:
        if progress.picks[0] == given.order.size:
            return n, DRY
        line = given.order[progress.picks[0]]
        words, length = np.int64(given.words[line]), np.int64(given.length[line])
        if progress.words[0] + words > budget:
            return n, OVER
        begin = given.start[line]
        end = begin + np.int64(given.entries[line])
        now = penalty(progress.features[0], length, model)
        gain = gain_of_row(model, given.entry, begin, end) * UNIT
        word = best_word(model, given.entry, begin, end)
        brings = add_row(model, progress, given.entry, begin, end)
        record(model, progress, path, n, line, words, length, now, gain, word, brings)
        n += 1
    return n, FULL
