"""The exact search with a limit on the words picked from each document: lines that no longer fit are skipped.

What a document may still give only falls. So a line that does not fit when it comes to the front never will, and the
best line is the first that fits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .exact import NONE, Heaps, begin_step, bring_to_front, find_best, leave_line, pick_line, place_of, set_top
from .formulas import Model
from .jit import inlined, kernel
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    STALE,
    PickLimits,
    PickLog,
    Progress,
    out_of_patience,
    over_budget,
)


class Documents(NamedTuple):
    """Which document each line is of, and how many words of each may still be picked; nothing if there is no limit."""

    of_line: NDArray[np.int64]
    left: NDArray[np.int64]


class SomeDocuments(NamedTuple):
    """The same of some lines and some documents, which have numbers in ascending order."""

    line: NDArray[np.int64]
    of_line: NDArray[np.int64]  # the number of its document
    number: NDArray[np.int64]
    left: NDArray[np.int64]


@inlined
def place_in(numbers: NDArray[np.int64], number: int) -> int:
    """Where a number is among others, which ascend and have it."""
    low, high = 0, numbers.size - 1
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def document_of(documents: SomeDocuments, line: int) -> int:
    """Where the document of a line is among those with numbers."""
    return place_in(documents.number, documents.of_line[place_in(documents.line, line)])


@kernel
def pick_within(
    model: Model,
    heaps: Heaps,
    progress: Progress,
    log: PickLog,
    limits: PickLimits,
    stale: int,
    documents: Documents,
) -> tuple[int, int]:
    """As exact.pick_lowest, of the lines that fit their documents."""
    for b in range(heaps.size.size):
        set_top(heaps, b)
    n = 0
    while n < limits.picks:
        if progress.rescored[0] > stale:
            return n, STALE
        begin_step(model, heaps, progress)
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, NO_LINE_LEFT if b == NONE else STALE
        document = documents.of_line[heaps.node[heaps.first[b] + i, 1] >> 32]
        if documents.left[document] < heaps.words[b]:
            gain = bring_to_front(model, heaps, b, i)
            leave_line(heaps, b, place_of(heaps, b, heaps.node[heaps.first[b], 1]), gain)
            continue
        if over_budget(progress, limits, heaps.words[b]):
            return n, OVER_BUDGET
        pick_line(model, heaps, progress, log, n, b, i)
        documents.left[document] -= heaps.words[b]
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
