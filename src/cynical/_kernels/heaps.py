"""The exact search: one heap of rows for each line length, and always the lowest utility of all.

The utility of a line is its delta or, per word, its delta divided by its words: the same divisor for all of a heap.

A gain only shrinks in size as counts grow, so a gain computed earlier bounds the gain now; the penalty depends on
nothing but the length. So a heap's top gain and its length's penalty bound the utility of every row in it. A logarithm
for every length at every step would be dear; the penalty is convex in the number of words, so its tangent, drawn once
in an epoch, stays below it. When a heap comes to the front, its bound is sharpened with the true penalty, then its
top row is scored again, until the front is a row scored at this step: the true minimum, ties to the earlier line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import LOG2E, UNIT, Model, gain_of_row, penalty
from .jit import inlined, kernel, prefetch
from .path import DRY, FULL, OVER, SATISFIED, STALE, Path, Progress, add_row, best_word, record
from .rows import ENTRIES, HEAD, LEFT, LINE

MARGIN = 2.0**-49  # outweighs, relative to its terms, every rounding in a bound,
LEAST_MARGIN = 2.0**-50  # and this the rounding of 1 + w / W in a penalty, which is absolute
COARSE = 2.0**-5  # from here on a double, or its quotient, may be too coarse to tell gains that differ by a unit
PLACE = 0xFFFFFFFF  # the low half of a node's second number
GONE = np.int64(2**63 - 1)  # the gain of a row whose lines have all been picked
EPOCH = 512  # an epoch ends when the features selected have grown by 1/512: the tangent is then 4e-6 too low


class Heaps(NamedTuple):
    """Rows of equal length lie together, and so do the nodes of their heap, first[b] to first[b + 1].

    Equal lines share a row. A row is laid as three numbers, where its lines stand in `line` (from the next one to be
    picked on), how many are left, and how many entries it has; then the entries.
    """

    laid: NDArray[np.uint32]
    line: NDArray[np.uint32]
    node: NDArray[np.int64]  # (rows, 2): the last known gain, then line << 32 | where the row is laid
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    length: NDArray[np.int64]  # in features: what the penalty is for
    words: NDArray[np.int64]
    divisor: NDArray[np.float64]  # the words where utility is per word, else 1
    bound: NDArray[np.float64]  # a lower bound of the utility of every row; infinite if there is none
    lowest: NDArray[np.float64]  # the lowest bound of each block of heaps
    top: NDArray[np.float64]  # the last known gain of the first row, in bits
    reach: NDArray[np.float64]  # the same divided, and a margin lower
    tangent: NDArray[np.float64]  # the penalty when the epoch began, divided, and a margin lower,
    slope: NDArray[np.float64]  # and how much of it every feature since takes off
    now: NDArray[np.float64]  # the penalty at this step, where `sharp` says so
    sharp: NDArray[np.int64]  # the step at which the bound was last sharpened
    fresh: NDArray[np.int64]  # where the row is laid that was scored last at that step, or -1


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
def tag_of(heaps: Heaps, place: int) -> int:
    return (np.int64(heaps.line[heaps.laid[place + LINE]]) << 32) | place


@inlined
def gain_at(model: Model, heaps: Heaps, place: int) -> int:
    begin = place + HEAD
    return gain_of_row(model, heaps.laid, begin, begin + np.int64(heaps.laid[place + ENTRIES]))


@kernel
def score_rows(model: Model, heaps: Heaps, place: int, begin: int, end: int) -> None:
    """Give the rows begin to end, the first of them laid at `place`, their present gain, with nodes in row order."""
    for row in range(begin, end):
        if heaps.laid[place + LEFT] == 0:
            heaps.node[row, 0] = GONE
        else:
            heaps.node[row, 0] = gain_at(model, heaps, place)
            heaps.node[row, 1] = tag_of(heaps, place)
        place += HEAD + np.int64(heaps.laid[place + ENTRIES])


@kernel
def heapify(heaps: Heaps, begin: int, end: int) -> None:
    """Make heaps of the nodes in row order, without the rows that have been picked."""
    node = heaps.node
    for b in range(begin, end):
        root = heaps.first[b]
        size = 0
        for row in range(root, heaps.first[b + 1]):
            if node[row, 0] != GONE:
                node[root + size, 0], node[root + size, 1] = node[row, 0], node[row, 1]
                size += 1
        heaps.size[b] = size
        for i in range(size // 2 - 1, -1, -1):
            sift(node, root, i, size, node[root + i, 0], node[root + i, 1])


@inlined
def set_bound(heaps: Heaps, b: int, bound: float) -> None:
    heaps.bound[b] = bound
    block = heaps.bound.size // heaps.lowest.size
    begin = b // block * block
    lowest = heaps.bound[begin]
    for i in range(begin + 1, begin + block):
        lowest = min(lowest, heaps.bound[i])
    heaps.lowest[b // block] = lowest


@inlined
def front(heaps: Heaps) -> int:
    """The heap with the lowest bound."""
    block = heaps.bound.size // heaps.lowest.size
    best = 0
    for i in range(1, heaps.lowest.size):
        if heaps.lowest[i] < heaps.lowest[best]:
            best = i
    lowest, b = heaps.lowest[best], best * block
    while heaps.bound[b] != lowest:
        b += 1
    return b


@inlined
def begin_epoch(model: Model, heaps: Heaps, selected: int) -> None:
    base = model.smoothing[1]
    for b in range(heaps.size.size):
        length = heaps.length[b]
        cost = penalty(selected, length, model)
        heaps.tangent[b] = (cost - cost * MARGIN - LEAST_MARGIN) / heaps.divisor[b]
        heaps.slope[b] = LOG2E * length / ((selected + base) * (selected + base + length)) / heaps.divisor[b]


@inlined
def bound_all(heaps: Heaps, since: int) -> None:
    """Bounds for a new step, from the tangents."""
    block = heaps.bound.size // heaps.lowest.size
    for i in range(heaps.lowest.size):
        lowest = np.inf
        for b in range(i * block, (i + 1) * block):
            heaps.bound[b] = heaps.tangent[b] - heaps.slope[b] * since + heaps.reach[b]
            lowest = min(lowest, heaps.bound[b])
        heaps.lowest[i] = lowest


@inlined
def set_top(heaps: Heaps, b: int) -> None:
    """Note the first row's gain; it will be scored again soon, so have it brought nearer."""
    if heaps.size[b] == 0:
        heaps.top[b] = heaps.reach[b] = np.inf
        return
    heaps.top[b] = heaps.node[heaps.first[b], 0] * UNIT
    heaps.reach[b] = (heaps.top[b] + heaps.top[b] * MARGIN) / heaps.divisor[b]
    place = heaps.node[heaps.first[b], 1] & PLACE
    prefetch(heaps.laid, place)
    prefetch(heaps.laid, place + 16)


@inlined
def utility(heaps: Heaps, b: int, gain: float) -> float:
    """What decides between lines: the delta at this step of a line of heap b, or its delta per word."""
    return (heaps.now[b] + gain) / heaps.divisor[b]


@inlined
def earliest_of_equals(model: Model, heaps: Heaps, progress: Progress, b: int) -> int:
    """Where in a heap the earliest line stands among those whose utility is that of the first.

    A heap goes by gain, so this is the first itself, but where numbers are so large that different gains round to one
    utility: at the very first picks."""
    root, best = heaps.first[b], 0
    lowest = utility(heaps, b, heaps.top[b])
    if abs(heaps.top[b]) < COARSE and abs(heaps.now[b] + heaps.top[b]) < COARSE:
        return best
    for i in range(1, heaps.size[b]):
        tag = heaps.node[root + i, 1]
        if tag < heaps.node[root + best, 1] and utility(heaps, b, heaps.node[root + i, 0] * UNIT) <= lowest:
            progress.since[0] += 1
            if utility(heaps, b, gain_at(model, heaps, tag & PLACE) * UNIT) == lowest:
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
    heaps.node[root, 0], heaps.node[root, 1] = gain_at(model, heaps, tag & PLACE), tag
    return heaps.node[root, 0]


@inlined
def find_best(model: Model, heaps: Heaps, progress: Progress) -> tuple[int, int]:
    """The heap and the place in it of the line with the lowest utility of all; -1 if no row is left."""
    step = progress.step[0]
    best, lowest, best_tag, best_place = -1, np.inf, 0, 0
    while True:
        b = front(heaps)
        if heaps.bound[b] > lowest or heaps.bound[b] == np.inf:
            return best, best_place
        root = heaps.first[b]
        if heaps.sharp[b] != step:
            heaps.sharp[b], heaps.fresh[b] = step, -1
            heaps.now[b] = penalty(progress.features[0], heaps.length[b], model)
            set_bound(heaps, b, utility(heaps, b, heaps.top[b]))
            continue
        tag = heaps.node[root, 1]
        place = tag & PLACE
        if heaps.fresh[b] != place:
            gain = gain_at(model, heaps, place)
            progress.since[0] += 1
            if gain != heaps.node[root, 0]:
                sift(heaps.node, root, 0, heaps.size[b], gain, tag)
                set_top(heaps, b)
            heaps.fresh[b] = place
            set_bound(heaps, b, utility(heaps, b, heaps.top[b]))
            continue
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
def take_line(model: Model, heaps: Heaps, progress: Progress, path: Path, n: int, b: int, i: int) -> None:
    """Pick the next line of the row at place i of heap b, and write it down."""
    gain = bring_to_front(model, heaps, b, i)
    root, words, length, now = heaps.first[b], heaps.words[b], heaps.length[b], heaps.now[b]
    tag = heaps.node[root, 1]
    place = tag & PLACE
    begin = place + HEAD
    end = begin + np.int64(heaps.laid[place + ENTRIES])
    word = best_word(model, heaps.laid, begin, end)
    brings = add_row(model, progress, heaps.laid, begin, end)
    record(model, progress, path, n, tag >> 32, words, length, now, gain * UNIT, word, brings)
    heaps.laid[place + LINE] += 1
    heaps.laid[place + LEFT] -= 1
    if heaps.laid[place + LEFT]:
        sift(heaps.node, root, 0, heaps.size[b], gain, tag_of(heaps, place))
    else:
        drop_first(heaps, b)
    set_top(heaps, b)


@kernel
def pick(
    model: Model, heaps: Heaps, progress: Progress, path: Path, room: int, stale: int, budget: int, patience: int
) -> tuple[int, int]:
    """Pick until the path is full, `stale` rows were rescored, no row is left, the next would pass the budget of words,
    or `patience` words have brought no new low. How many were picked, and why it ended."""
    for b in range(heaps.size.size):
        set_top(heaps, b)
    n = 0
    while n < room:
        if progress.since[0] > stale:
            return n, STALE
        selected = progress.features[0]
        if progress.step[0] == 0 or selected - progress.epoch[0] > selected // EPOCH:
            progress.epoch[0] = selected
            begin_epoch(model, heaps, selected)
        progress.step[0] += 1
        bound_all(heaps, selected - progress.epoch[0])
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, DRY
        if progress.words[0] + heaps.words[b] > budget:
            return n, OVER
        take_line(model, heaps, progress, path, n, b, i)
        n += 1
        if progress.words[0] - progress.lowest_words[0] > patience:
            return n, SATISFIED
    return n, FULL
