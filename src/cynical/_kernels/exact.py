"""The exact search: one heap of rows for each line length, and always the lowest utility of all.

The utility of a line is its delta or, per word, its delta divided by its words: the same divisor for all of a heap.

A gain only shrinks in size as counts grow, so a gain computed earlier bounds the gain now; the penalty depends on
nothing but the length. So the top gain of a heap and the penalty of its length bound the utility of every row in it.
A logarithm for every length at every step would be expensive. The penalty is convex in the number of features selected,
so its tangent, computed once in an epoch, stays below it. The heap with the lowest bound gets the true penalty, then
its top row is scored again, until the lowest bound is that of a row scored at this step: the true minimum, ties to the
earlier line. docs/contributing/kernels.md explains it at length.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .entries import LEFT, LINE, span_at
from .formulas import BASE, UNIT, Model, gain_of_row, penalty, penalty_slope, utility
from .jit import inlined, kernel, prefetch
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    STALE,
    Pick,
    PickLimits,
    PickLog,
    Progress,
    best_word,
    out_of_patience,
    over_budget,
    record,
)

MARGIN = 2.0**-49  # outweighs, relative to its terms, every rounding in a bound,
LEAST_MARGIN = 2.0**-50  # and this the rounding of 1 + w / W in a penalty, which is absolute
COARSE = 2.0**-5  # from here on a double, or its quotient, may be too coarse to tell gains that differ by a unit
PLACE = 0xFFFFFFFF  # the low half of a tag
GONE = np.int64(2**63 - 1)  # the gain of a row whose lines have all been picked
NONE, CLOSED = -1, -2  # what find_best says where it has no row
EPOCH = 512  # an epoch ends when the features selected have grown by 1/512: the tangent is then 4e-6 too low


class HasLengths(Protocol):
    """Heaps, or whatever else has a penalty for each length: see Heaps."""

    @property
    def features(self) -> NDArray[np.int64]: ...
    @property
    def divisor(self) -> NDArray[np.float64]: ...
    @property
    def tangent(self) -> NDArray[np.float64]: ...
    @property
    def slope(self) -> NDArray[np.float64]: ...


class Heaps(NamedTuple):
    """Rows of lines of equal length, in words and in features, share a heap: the nodes first[b] to first[b] + size[b].

    Equal lines share a row. A row is a head of three numbers, where its lines are in `line` (from the next one to be
    picked on), how many are left, and how many entries it has; then the entries. A node is the last known gain of a
    row and its tag, `line << 32 | place`: its next line, and where its head is in `row_data`, from base[b] on.
    """

    row_data: NDArray[np.uint32]
    line: NDArray[np.uint32]
    node: NDArray[np.int64]  # (rows, 2): gain, tag
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    base: NDArray[np.int64]  # where its rows begin in `row_data`, so that 32 bits say where each of them is
    features: NDArray[np.int64]  # of a line of this heap: what the penalty depends on
    words: NDArray[np.int64]
    cut: NDArray[np.float64]  # rows without a node have higher gains, in bits; infinite if there are none
    divisor: NDArray[np.float64]  # the words where utility is per word, else 1
    bound: NDArray[np.float64]  # a lower bound of the utility of every row; infinite if there is none
    block_lowest: NDArray[np.float64]  # the lowest bound of each block of heaps
    top_gain: NDArray[np.float64]  # the last known gain of the first row, in bits, or the cut if that is lower
    gain_bound: NDArray[np.float64]  # the same divided, and a margin lower
    tangent: NDArray[np.float64]  # the penalty when the epoch began, divided, and a margin lower,
    slope: NDArray[np.float64]  # and how much it falls with every feature since
    penalty: NDArray[np.float64]  # at this step, where `penalty_step` says so
    penalty_step: NDArray[np.int64]  # the step at which the penalty was last computed
    scored: NDArray[np.int64]  # the place of the row that was scored last at that step, or -1


@inlined
def before(gain: int, tag: int, other_gain: int, other_tag: int) -> bool:
    return gain < other_gain or (gain == other_gain and tag < other_tag)


@inlined
def sift(node: NDArray[np.int64], root: int, i: int, size: int, gain: int, tag: int) -> None:
    """Put a node at place i of the heap that begins at root, or below."""
    while True:
        c = 2 * i + 1
        if c >= size:
            break
        if c + 1 < size and before(node[root + c + 1, 0], node[root + c + 1, 1], node[root + c, 0], node[root + c, 1]):
            c += 1
        if not before(node[root + c, 0], node[root + c, 1], gain, tag):
            break
        node[root + i, 0], node[root + i, 1] = node[root + c, 0], node[root + c, 1]
        i = c
    node[root + i, 0], node[root + i, 1] = gain, tag


@inlined
def push(node: NDArray[np.int64], root: int, i: int, gain: int, tag: int) -> None:
    """Put a node into the heap that begins at root and has i others; there is room after them."""
    while i > 0:
        parent = root + (i - 1) // 2
        if not before(gain, tag, node[parent, 0], node[parent, 1]):
            break
        node[root + i, 0], node[root + i, 1] = node[parent, 0], node[parent, 1]
        i = (i - 1) // 2
    node[root + i, 0], node[root + i, 1] = gain, tag


@inlined
def tag_of(heaps: Heaps, b: int, place: int) -> int:
    return (np.int64(heaps.line[heaps.row_data[place + LINE]]) << 32) | (place - heaps.base[b])


@inlined
def place_of(heaps: Heaps, b: int, tag: int) -> int:
    return heaps.base[b] + (tag & PLACE)


@inlined
def gain_at(model: Model, heaps: Heaps, place: int) -> int:
    begin, end = span_at(heaps.row_data, place)
    return gain_of_row(model, heaps.row_data, begin, end)


@inlined
def set_bound(heaps: Heaps, b: int, bound: float) -> None:
    heaps.bound[b] = bound
    block = heaps.bound.size // heaps.block_lowest.size
    begin = b // block * block
    lowest = heaps.bound[begin]
    for i in range(begin + 1, begin + block):
        lowest = min(lowest, heaps.bound[i])
    heaps.block_lowest[b // block] = lowest


@inlined
def lowest_heap(heaps: Heaps) -> int:
    """The heap with the lowest bound."""
    block = heaps.bound.size // heaps.block_lowest.size
    best = 0
    for i in range(1, heaps.block_lowest.size):
        if heaps.block_lowest[i] < heaps.block_lowest[best]:
            best = i
    lowest, b = heaps.block_lowest[best], best * block
    while heaps.bound[b] != lowest:
        b += 1
    return b


@inlined
def present_penalty(model: Model, heaps: HasLengths, progress: Progress, b: int) -> float:
    return penalty(progress.features[0], heaps.features[b], model.smoothing[BASE])


@inlined
def epoch_is_over(progress: Progress) -> bool:
    return progress.features[0] - progress.epoch[0] > progress.features[0] // EPOCH


@inlined
def set_tangents(model: Model, heaps: HasLengths, progress: Progress) -> None:
    """Draw the tangents of an epoch that begins now."""
    selected, base = progress.features[0], model.smoothing[BASE]
    for b in range(heaps.features.size):
        cost = penalty(selected, heaps.features[b], base)
        heaps.tangent[b] = (cost - cost * MARGIN - LEAST_MARGIN) / heaps.divisor[b]
        heaps.slope[b] = penalty_slope(selected, heaps.features[b], base) / heaps.divisor[b]


@inlined
def tangent_bound(heaps: Heaps, b: int, since: int) -> float:
    """A bound of the utility of heap b when `since` features have been selected in this epoch."""
    return heaps.tangent[b] - heaps.slope[b] * since + heaps.gain_bound[b]


@inlined
def bound_all(heaps: Heaps, since: int) -> None:
    """Bounds for a new step, from the tangents."""
    block = heaps.bound.size // heaps.block_lowest.size
    for i in range(heaps.block_lowest.size):
        lowest = np.inf
        for b in range(i * block, (i + 1) * block):
            heaps.bound[b] = tangent_bound(heaps, b, since)
            lowest = min(lowest, heaps.bound[b])
        heaps.block_lowest[i] = lowest


@inlined
def set_top(heaps: Heaps, b: int) -> None:
    """Note the first row's gain; it will be scored again soon, so prefetch it."""
    gain = np.inf if heaps.size[b] == 0 else heaps.node[heaps.first[b], 0] * UNIT
    heaps.top_gain[b] = min(gain, heaps.cut[b])
    heaps.gain_bound[b] = (heaps.top_gain[b] + heaps.top_gain[b] * MARGIN) / heaps.divisor[b]
    if gain == np.inf:
        return
    place = place_of(heaps, b, heaps.node[heaps.first[b], 1])
    prefetch(heaps.row_data, place)
    prefetch(heaps.row_data, place + 16)


@inlined
def utility_of_gain(heaps: Heaps, b: int, gain: float) -> float:
    """The utility at this step of a line of heap b that has this gain."""
    return utility(heaps.penalty[b], gain, heaps.divisor[b])


@inlined
def top_utility(heaps: Heaps, b: int) -> float:
    """The same for the last known gain of the first row."""
    return utility_of_gain(heaps, b, heaps.top_gain[b])


@inlined
def earliest_of_equals(model: Model, heaps: Heaps, progress: Progress, b: int) -> int:
    """Where in a heap the earliest line is among those whose utility is that of the first.

    A heap is ordered by gain, so this is the first itself, unless numbers are so large that different gains round to
    one utility: at the very first picks."""
    root, best = heaps.first[b], 0
    lowest = top_utility(heaps, b)
    if abs(heaps.top_gain[b]) < COARSE and abs(heaps.penalty[b] + heaps.top_gain[b]) < COARSE:
        return best
    for i in range(1, heaps.size[b]):
        tag = heaps.node[root + i, 1]
        if tag < heaps.node[root + best, 1] and utility_of_gain(heaps, b, heaps.node[root + i, 0] * UNIT) <= lowest:
            progress.rescored[0] += 1
            if utility_of_gain(heaps, b, gain_at(model, heaps, place_of(heaps, b, tag)) * UNIT) == lowest:
                best = i
    return best


@inlined
def bring_to_front(model: Model, heaps: Heaps, b: int, i: int) -> int:
    """Let the node at place i lead its heap, for the moment before it is picked; its gain."""
    root = heaps.first[b]
    tag = heaps.node[root + i, 1]
    while i > 0:
        parent = (i - 1) // 2
        heaps.node[root + i, 0], heaps.node[root + i, 1] = heaps.node[root + parent, 0], heaps.node[root + parent, 1]
        i = parent
    heaps.node[root, 0], heaps.node[root, 1] = gain_at(model, heaps, place_of(heaps, b, tag)), tag
    return heaps.node[root, 0]


@inlined
def find_best(model: Model, heaps: Heaps, progress: Progress) -> tuple[int, int]:
    """The heap and the place in it of the line with the lowest utility of all; NONE if no row is left, CLOSED if it may
    be one without a node."""
    step = progress.step[0]
    best, lowest, best_tag, best_place = NONE, np.inf, 0, 0
    while True:
        b = lowest_heap(heaps)
        if heaps.bound[b] > lowest or heaps.bound[b] == np.inf:
            return best, best_place
        root = heaps.first[b]
        if heaps.penalty_step[b] != step:
            heaps.penalty_step[b], heaps.scored[b] = step, -1
            heaps.penalty[b] = present_penalty(model, heaps, progress, b)
            set_bound(heaps, b, top_utility(heaps, b))
            continue
        if heaps.top_gain[b] == heaps.cut[b]:
            return CLOSED, 0
        tag = heaps.node[root, 1]
        place = place_of(heaps, b, tag)
        if heaps.scored[b] != place:
            gain = gain_at(model, heaps, place)
            progress.rescored[0] += 1
            if gain != heaps.node[root, 0]:
                sift(heaps.node, root, 0, heaps.size[b], gain, tag)
                set_top(heaps, b)
            heaps.scored[b] = place
            set_bound(heaps, b, top_utility(heaps, b))
            continue
        if utility_of_gain(heaps, b, heaps.cut[b]) == heaps.bound[b]:
            return CLOSED, 0
        i = earliest_of_equals(model, heaps, progress, b)
        tag = heaps.node[root + i, 1]
        if heaps.bound[b] < lowest or tag < best_tag:
            best, lowest, best_tag, best_place = b, heaps.bound[b], tag, i
        set_bound(heaps, b, np.inf)


@inlined
def drop_first(heaps: Heaps, b: int) -> None:
    """Take the first node off a heap."""
    root = heaps.first[b]
    heaps.size[b] -= 1
    last = root + heaps.size[b]
    if heaps.size[b]:
        sift(heaps.node, root, 0, heaps.size[b], heaps.node[last, 0], heaps.node[last, 1])


@inlined
def leave_line(heaps: Heaps, b: int, place: int, gain: int) -> None:
    """Let the first row of heap b, which is at `place`, resume with the line after its next one."""
    heaps.row_data[place + LINE] += 1
    heaps.row_data[place + LEFT] -= 1
    if heaps.row_data[place + LEFT]:
        sift(heaps.node, heaps.first[b], 0, heaps.size[b], gain, tag_of(heaps, b, place))
    else:
        drop_first(heaps, b)
    set_top(heaps, b)


@inlined
def pick_line(model: Model, heaps: Heaps, progress: Progress, log: PickLog, n: int, b: int, i: int) -> None:
    """Pick the next line of the row at place i of heap b."""
    gain = bring_to_front(model, heaps, b, i)
    root, row_data = heaps.first[b], heaps.row_data
    tag = heaps.node[root, 1]
    place = place_of(heaps, b, tag)
    begin, end = span_at(row_data, place)
    word = best_word(model, row_data, begin, end)
    pick = Pick(tag >> 32, heaps.words[b], heaps.features[b], heaps.penalty[b], gain * UNIT, word)
    record(model, progress, log, n, pick, row_data, begin, end)
    leave_line(heaps, b, place, gain)


@inlined
def begin_step(model: Model, heaps: Heaps, progress: Progress) -> None:
    """Bound the utilities of all heaps again, after a pick."""
    if progress.step[0] == 0 or epoch_is_over(progress):
        progress.epoch[0] = progress.features[0]
        set_tangents(model, heaps, progress)
    progress.step[0] += 1
    bound_all(heaps, progress.features[0] - progress.epoch[0])


@kernel
def pick_lowest(
    model: Model, heaps: Heaps, progress: Progress, log: PickLog, limits: PickLimits, stale: int
) -> tuple[int, int]:
    """Pick the line with the lowest utility, again and again, until a limit is reached, no row is left, or more than
    `stale` rows were scored again. How many were picked, and why it ended."""
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
        if over_budget(progress, limits, heaps.words[b]):
            return n, OVER_BUDGET
        pick_line(model, heaps, progress, log, n, b, i)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
