"""Picks in a fixed order: no line is searched for, but each is scored as if it had been found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import Rows, span
from .formulas import BASE, UNIT, Model, gain_of_row, penalty
from .jit import kernel
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OVER_BUDGET,
    Pick,
    PickLimits,
    PickLog,
    Progress,
    best_word,
    over_budget,
    record,
)


class FixedOrder(NamedTuple):
    """Lines in their order, and by line what the index has."""

    order: NDArray[np.int64]
    before: NDArray[np.int64]  # picks that came before the first of them
    rows: Rows
    words: NDArray[np.uint32]
    features: NDArray[np.uint32]


@kernel
def pick_in_order(
    model: Model, fixed: FixedOrder, progress: Progress, log: PickLog, limits: PickLimits
) -> tuple[int, int]:
    """Pick the lines that come next; how many, and why it ended. Patience does not matter here."""
    n = 0
    while n < limits.picks:
        place = progress.picks[0] - fixed.before[0]
        if place == fixed.order.size:
            return n, NO_LINE_LEFT
        line = fixed.order[place]
        words, features = np.int64(fixed.words[line]), np.int64(fixed.features[line])
        if over_budget(progress, limits, words):
            return n, OVER_BUDGET
        begin, end = span(fixed.rows, line)
        cost = penalty(progress.features[0], features, model.smoothing[BASE])
        gain = gain_of_row(model, fixed.rows.entry, begin, end) * UNIT
        word = best_word(model, fixed.rows.entry, begin, end)
        record(model, progress, log, n, Pick(line, words, features, cost, gain, word), fixed.rows.entry, begin, end)
        n += 1
    return n, FULL
