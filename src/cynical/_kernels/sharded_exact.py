"""The exact search over several shards, in rounds.

A shard gives away the best row that it has at the present counts and those that may come next, and says of the others,
for each heap, which (last known gain, line) comes first: what it holds back. The rows given away are kept in a pool,
from which lines are picked for as long as the next one comes before every line that is held back: gains only shrink in
size, so a pair of an earlier count is a bound now. Then the next round begins.

Which rows may come next? The utility at the front hardly moves, but the bounds of what is held back fall with their
penalties, those of long lines most. So rows are given away in the order of their utility at a larger number of
selected features, the one that the next round is expected to begin with.

Where a document may give only a share of its words, a line that does not fit its document any more is passed over,
wherever it is: what a shard gives away first fits, so the best line of all is among what is given away.

Equal utilities go to the earlier line. Where numbers are so large that different gains may round to one utility, what
is held back names the earliest line of all gains that are so close: at the very first picks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .documents import Documents, SomeDocuments, document_of
from .entries import ENTRIES, HEAD, LEFT, LINE, copy_entries, span_at
from .exact import (
    COARSE,
    GONE,
    NONE,
    Heaps,
    bound_all,
    bring_to_front,
    drop_first,
    epoch_is_over,
    find_best,
    gain_at,
    leave_line,
    lowest_heap,
    pick_line,
    place_of,
    present_penalty,
    push,
    set_bound,
    set_tangents,
    set_top,
    tag_of,
    tangent_bound,
    top_utility,
)
from .formulas import UNITS, Model, refresh_word
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

CLOSE = 2.0**-50  # gains that differ by more, relative to the whole sum, do not round to one utility


class Popped(NamedTuple):
    """Rows that left their heaps, best first."""

    place: NDArray[np.int64]  # where the head of the row is
    gain: NDArray[np.int64]
    heap: NDArray[np.int64]


@kernel
def recount(model: Model, feature: NDArray[np.int64], count: NDArray[np.int64]) -> None:
    """Set the counts of some features."""
    for i in range(feature.size):
        model.counts[feature[i]] = count[i]
        refresh_word(model, feature[i])


@inlined
def bound_again(heaps: Heaps, step: int) -> None:
    """Bounds for the same step, at the begin of an epoch, once more: the true ones where they are known."""
    block = heaps.bound.size // heaps.block_lowest.size
    for i in range(heaps.block_lowest.size):
        lowest = np.inf
        for b in range(i * block, (i + 1) * block):
            if b < heaps.size.size and heaps.penalty_step[b] == step:
                heaps.bound[b] = top_utility(heaps, b)
            else:
                heaps.bound[b] = tangent_bound(heaps, b, 0)
            lowest = min(lowest, heaps.bound[b])
        heaps.block_lowest[i] = lowest


@kernel
def pop_rows(
    model: Model, heaps: Heaps, progress: Progress, popped: Popped, stale: int, documents: Documents
) -> tuple[int, int]:
    """Take the rows of the lowest utility out of their heaps, until there is no room, no row, or more than `stale` rows
    were scored again; how many, and why it ended. The first line of each fits its document."""
    for b in range(heaps.size.size):
        set_top(heaps, b)
    set_tangents(model, heaps, progress)
    progress.step[0] += 1
    bound_all(heaps, 0)
    n = 0
    while n < popped.place.size:
        if progress.rescored[0] > stale:
            return n, STALE
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, NO_LINE_LEFT if b == NONE else STALE
        gain = bring_to_front(model, heaps, b, i)
        tag = heaps.node[heaps.first[b], 1]
        place = place_of(heaps, b, tag)
        if documents.left.size and documents.left[documents.of_line[tag >> 32]] < heaps.words[b]:
            leave_line(heaps, b, place, gain)
        else:
            popped.gain[n], popped.place[n], popped.heap[n] = gain, place, b
            drop_first(heaps, b)
            set_top(heaps, b)
            n += 1
        bound_again(heaps, progress.step[0])
    return n, FULL


@kernel
def give_rows(heaps: Heaps, place: NDArray[np.int64], row_data: NDArray[np.uint32], line: NDArray[np.uint32]) -> None:
    """Copy rows with their lines, and keep none of these; in the copy, rows point into `line`."""
    at, lines = 0, 0
    for i in range(place.size):
        k = place[i]
        left, first = np.int64(heaps.row_data[k + LEFT]), heaps.row_data[k + LINE]
        begin, end = span_at(heaps.row_data, k)
        row_data[at + LINE], row_data[at + LEFT], row_data[at + ENTRIES] = lines, left, end - begin
        at = copy_entries(heaps.row_data, begin, end, row_data, at + HEAD)
        for j in range(left):
            line[lines + j] = heaps.line[first + j]
        heaps.row_data[k + LINE] += left
        heaps.row_data[k + LEFT] = 0
        lines += left


@kernel
def take_back(
    model: Model, heaps: Heaps, place: NDArray[np.int64], left: NDArray[np.int64], heap: NDArray[np.int64]
) -> None:
    """Put rows back into their heaps, with the last `left` of the lines that were given away."""
    for i in range(place.size):
        k, b = place[i], heap[i]
        heaps.row_data[k + LINE] -= left[i]
        heaps.row_data[k + LEFT] += left[i]
        push(heaps.node, heaps.first[b], heaps.size[b], gain_at(model, heaps, k), tag_of(heaps, b, k))
        heaps.size[b] += 1


@inlined
def nearness(gain: int, cost: float) -> int:
    """How much gains may differ, from this one on, and yet make the same utility at this penalty or a lower one."""
    if abs(gain) < COARSE * UNITS and cost < COARSE:
        return 0
    return np.int64((abs(gain) + cost * UNITS) * CLOSE) + 1


@kernel
def hold_back(model: Model, heaps: Heaps, progress: Progress, gain: NDArray[np.int64], line: NDArray[np.int64]) -> None:
    """For each heap the lowest last known gain, and the earliest line that has it; GONE if the heap is empty.

    Of rows without a node only the cut is known: their line might be any."""
    for b in range(heaps.size.size):
        root = heaps.first[b]
        cut = GONE if heaps.cut[b] == np.inf else np.int64(np.floor(heaps.cut[b] * UNITS))
        if heaps.size[b] == 0 or cut <= heaps.node[root, 0]:
            gain[b], line[b] = cut, 0
            continue
        gain[b], line[b] = heaps.node[root, 0], heaps.node[root, 1] >> 32
        near = nearness(gain[b], present_penalty(model, heaps, progress, b))
        if near:
            for i in range(root + 1, root + heaps.size[b]):
                if heaps.node[i, 0] - gain[b] <= near:
                    line[b] = min(line[b], heaps.node[i, 1] >> 32)
            if cut != GONE and cut - gain[b] <= near:
                line[b] = 0


@kernel
def join_held(model: Model, held: Heaps, progress: Progress, gain: NDArray[np.int64], line: NDArray[np.int64]) -> None:
    """Make of what is held back, by who holds it and by heap, one pair for each heap."""
    for b in range(held.size.size):
        lowest = GONE
        for shard in range(gain.shape[0]):
            lowest = min(lowest, gain[shard, b])
        held.size[b] = lowest != GONE
        if held.size[b] == 0:
            continue
        near, earliest = nearness(lowest, present_penalty(model, held, progress, b)), GONE
        for shard in range(gain.shape[0]):
            if gain[shard, b] != GONE and gain[shard, b] - lowest <= near:
                earliest = min(earliest, line[shard, b])
        held.node[b, 0], held.node[b, 1] = lowest, earliest << 32


@kernel
def push_rows(heaps: Heaps, place: NDArray[np.int64], gain: NDArray[np.int64], heap: NDArray[np.int64]) -> None:
    """Put rows into their heaps, which have room for them."""
    for row in range(place.size):
        b = heap[row]
        push(heaps.node, heaps.first[b], heaps.size[b], gain[row], tag_of(heaps, b, place[row]))
        heaps.size[b] += 1


@inlined
def comes_first(model: Model, held: Heaps, progress: Progress, lowest: float, line: int) -> bool:
    """Does a line of this utility come before every line that is held back?"""
    step = progress.step[0]
    bound_all(held, progress.features[0] - progress.epoch[0])
    while True:
        b = lowest_heap(held)
        if held.bound[b] > lowest or held.bound[b] == np.inf:
            return True
        if held.penalty_step[b] != step:
            held.penalty_step[b] = step
            held.penalty[b] = present_penalty(model, held, progress, b)
            set_bound(held, b, top_utility(held, b))
        elif held.bound[b] < lowest or held.node[b, 1] >> 32 < line:
            return False
        else:
            set_bound(held, b, np.inf)


@kernel
def pick_from_pool(
    model: Model,
    pool: Heaps,
    held: Heaps,
    progress: Progress,
    log: PickLog,
    limits: PickLimits,
    sure: int,
    documents: SomeDocuments,
) -> tuple[int, int]:
    """As `exact.pick_lowest`, as long as the best of the pool comes before what is held back; then the pool is stale.

    `sure` says of how many lines that needs no proof: one, right after a round, which has brought the best of every
    shard. Lines that do not fit their documents are passed over.
    """
    n, holds = 0, False
    for b in range(pool.size.size):
        set_top(pool, b)
        set_top(held, b)
        holds = holds or held.size[b] > 0
    while n < limits.picks:
        if n == 0 or epoch_is_over(progress):
            progress.epoch[0] = progress.features[0]
            set_tangents(model, pool, progress)
            set_tangents(model, held, progress)
        progress.step[0] += 1
        bound_all(pool, progress.features[0] - progress.epoch[0])
        b, i = find_best(model, pool, progress)
        if b < 0:
            return n, STALE if holds else NO_LINE_LEFT
        line = pool.node[pool.first[b] + i, 1] >> 32
        if sure == 0 and not comes_first(model, held, progress, top_utility(pool, b), line):
            return n, STALE
        sure = 0
        document = document_of(documents, line) if documents.left.size else -1
        if document >= 0 and documents.left[document] < pool.words[b]:
            gain = bring_to_front(model, pool, b, i)
            leave_line(pool, b, place_of(pool, b, pool.node[pool.first[b], 1]), gain)
            continue
        if over_budget(progress, limits, pool.words[b]):
            return n, OVER_BUDGET
        pick_line(model, pool, progress, log, n, b, i)
        if document >= 0:
            documents.left[document] -= pool.words[b]
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
