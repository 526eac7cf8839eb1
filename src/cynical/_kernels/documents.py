"""The exact search where a document may give only so many words: what does not fit any more is passed over for good.

What a document may still give only falls. So a line that does not fit when it comes to the front never will, and the
best line is the first that fits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import LEFT, LINE
from .exact import (
    NONE,
    Heaps,
    bound_all,
    bring_to_front,
    drop_first,
    epoch_is_over,
    find_best,
    pick_line,
    place_of,
    set_tangents,
    set_top,
    sift,
    tag_of,
)
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
    """Which document each line is of, and how many words of each may still be picked."""

    of_line: NDArray[np.int64]
    left: NDArray[np.int64]


@inlined
def pass_over(model: Model, heaps: Heaps, b: int, i: int) -> None:
    """Leave out the next line of the row at place i of heap b."""
    gain = bring_to_front(model, heaps, b, i)
    root, row_data = heaps.first[b], heaps.row_data
    place = place_of(heaps, b, heaps.node[root, 1])
    row_data[place + LINE] += 1
    row_data[place + LEFT] -= 1
    if row_data[place + LEFT]:
        sift(heaps.node, root, 0, heaps.size[b], gain, tag_of(heaps, b, place))
    else:
        drop_first(heaps, b)
    set_top(heaps, b)


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
        if progress.step[0] == 0 or epoch_is_over(progress):
            progress.epoch[0] = progress.features[0]
            set_tangents(model, heaps, progress)
        progress.step[0] += 1
        bound_all(heaps, progress.features[0] - progress.epoch[0])
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, NO_LINE_LEFT if b == NONE else STALE
        document = documents.of_line[heaps.node[heaps.first[b] + i, 1] >> 32]
        if documents.left[document] < heaps.words[b]:
            pass_over(model, heaps, b, i)
            continue
        if over_budget(progress, limits, heaps.words[b]):
            return n, OVER_BUDGET
        pick_line(model, heaps, progress, log, n, b, i)
        documents.left[document] -= heaps.words[b]
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
