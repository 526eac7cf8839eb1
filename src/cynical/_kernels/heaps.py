"""The exact search: one heap of rows for each line length, and always the lowest delta of all.

A gain only shrinks in size as counts grow, so a gain computed earlier bounds the gain now; the penalty depends on
nothing but the length. So a heap's top gain and its length's penalty bound the delta of every row in it. A logarithm
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
COARSE = 0.125  # from here on a double is too coarse to tell gains that differ by a unit
PLACE = 0xFFFFFFFF  # the low half of a node's second number
GONE = np.int64(2**63 - 1)  # the gain of a row whose lines have all been picked
EPOCH = 512  # an epoch ends when the words selected have grown by 1/512: the tangent is then 4e-6 too low


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
    length: NDArray[np.int64]
    bound: NDArray[np.float64]  # a lower bound of the delta of every row; infinite if there is none
    lowest: NDArray[np.float64]  # the lowest bound of each block of heaps
    top: NDArray[np.float64]  # the last known gain of the first row, in bits
    tangent: NDArray[np.float64]  # the penalty when the epoch began,
    slope: NDArray[np.float64]  # and how much of it every word since takes off
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
def begin_epoch(model: Model, heaps: Heaps, words: int) -> None:
    base = model.smoothing[1]
    for b in range(heaps.size.size):
        length = heaps.length[b]
        heaps.tangent[b] = penalty(words, length, model)
        heaps.slope[b] = LOG2E * length / ((words + base) * (words + base + length))


@inlined
def bound_all(heaps: Heaps, words_since: int) -> None:
    """Bounds for a new step, from the tangents."""
    block = heaps.bound.size // heaps.lowest.size
    for i in range(heaps.lowest.size):
        lowest = np.inf
        for b in range(i * block, (i + 1) * block):
            penalty_at_least = heaps.tangent[b] - heaps.slope[b] * words_since
            margin = (heaps.tangent[b] - heaps.top[b]) * MARGIN + LEAST_MARGIN
            heaps.bound[b] = penalty_at_least + heaps.top[b] - margin
            lowest = min(lowest, heaps.bound[b])
        heaps.lowest[i] = lowest


@inlined
def set_top(heaps: Heaps, b: int) -> None:
    """Note the first row's gain; it will be scored again soon, so have it brought nearer."""
    if heaps.size[b] == 0:
        heaps.top[b] = np.inf
        return
    heaps.top[b] = heaps.node[heaps.first[b], 0] * UNIT
    place = heaps.node[heaps.first[b], 1] & PLACE
    prefetch(heaps.laid, place)
    prefetch(heaps.laid, place + 16)


@inlined
def earliest_of_equals(model: Model, heaps: Heaps, progress: Progress, b: int) -> int:
    """Where in a heap the earliest line stands among those whose delta is that of the first.

    A heap goes by gain, so this is the first itself, but where numbers are so large that different gains round to one
    delta: at the very first picks."""
    root, delta, best = heaps.first[b], heaps.now[b] + heaps.top[b], 0
    if abs(heaps.top[b]) < COARSE and abs(delta) < COARSE:
        return best
    for i in range(1, heaps.size[b]):
        tag = heaps.node[root + i, 1]
        if tag < heaps.node[root + best, 1] and heaps.now[b] + heaps.node[root + i, 0] * UNIT <= delta:
            progress.since[0] += 1
            if heaps.now[b] + gain_at(model, heaps, tag & PLACE) * UNIT == delta:
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
    """The heap and the place in it of the line with the lowest delta of all; -1 if no row is left."""
    words = progress.seed[0] + progress.words[0]
    step = progress.step[0]
    best, best_delta, best_tag, best_place = -1, np.inf, 0, 0
    while True:
        b = front(heaps)
        if heaps.bound[b] > best_delta or heaps.bound[b] == np.inf:
            return best, best_place
        root = heaps.first[b]
        if heaps.sharp[b] != step:
            heaps.sharp[b], heaps.fresh[b] = step, -1
            heaps.now[b] = penalty(words, heaps.length[b], model)
            set_bound(heaps, b, heaps.now[b] + heaps.top[b])
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
            set_bound(heaps, b, heaps.now[b] + heaps.top[b])
            continue
        i = earliest_of_equals(model, heaps, progress, b)
        tag = heaps.node[root + i, 1]
        if heaps.bound[b] < best_delta or tag < best_tag:
            best, best_delta, best_tag, best_place = b, heaps.bound[b], tag, i
        set_bound(heaps, b, np.inf)


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
        words = progress.seed[0] + progress.words[0]
        if progress.step[0] == 0 or words - progress.epoch[0] > words // EPOCH:
            progress.epoch[0] = words
            begin_epoch(model, heaps, words)
        progress.step[0] += 1
        bound_all(heaps, words - progress.epoch[0])
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, DRY
        root, length = heaps.first[b], heaps.length[b]
        if progress.words[0] + length > budget:
            return n, OVER
        gain = bring_to_front(model, heaps, b, i)
        tag = heaps.node[root, 1]
        place = tag & PLACE
        begin = place + HEAD
        end = begin + np.int64(heaps.laid[place + ENTRIES])
        word = best_word(model, heaps.laid, begin, end)
        add_row(model, progress, heaps.laid, begin, end)
        record(progress, path, n, tag >> 32, length, heaps.now[b], gain * UNIT, word)
        n += 1
        heaps.laid[place + LINE] += 1
        heaps.laid[place + LEFT] -= 1
        if heaps.laid[place + LEFT]:
            sift(heaps.node, root, 0, heaps.size[b], gain, tag_of(heaps, place))
        else:
            heaps.size[b] -= 1
            last = root + heaps.size[b]
            if heaps.size[b]:
                sift(heaps.node, root, 0, heaps.size[b], heaps.node[last, 0], heaps.node[last, 1])
        set_top(heaps, b)
        if progress.words[0] - progress.lowest_words[0] > patience:
            return n, SATISFIED
    return n, FULL
