"""The exact search in rounds, for lines that several shards hold.

A shard gives away the rows with the lowest utility of all that it has at the present counts, and says of the others,
for each length, which (last known gain, line) comes first: what it holds back. The rows given away wait in a pool, from
which lines are picked for as long as the next one comes before all that is held back: gains only shrink in size, so a
pair of an earlier count is a bound now. Then the next round begins.

Equal utilities go to the earlier line. Where numbers are so large that different gains may round to one utility, what
is held back names the earliest line of all gains that are so close: at the very first picks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import UNITS, Model, penalty, refresh_word
from .heaps import (
    COARSE,
    EPOCH,
    GONE,
    PLACE,
    Heaps,
    before,
    begin_epoch,
    bound_all,
    bring_to_front,
    drop_first,
    find_best,
    front,
    set_bound,
    set_top,
    tag_of,
    take_line,
    utility,
)
from .jit import inlined, kernel
from .path import DRY, FULL, OVER, SATISFIED, STALE, Path, Progress
from .rows import ENTRIES, HEAD, LEFT, LINE

CLOSE = 2.0**-50  # gains that differ by more, relative to all that is added up, do not round to one utility


class Popped(NamedTuple):
    """Rows that left their heaps, best first."""

    place: NDArray[np.int64]  # where the row is laid
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
    """Bounds for the same step once more, the true ones where they are known."""
    block = heaps.bound.size // heaps.lowest.size
    for i in range(heaps.lowest.size):
        lowest = np.inf
        for b in range(i * block, (i + 1) * block):
            if b < heaps.size.size and heaps.sharp[b] == step:
                heaps.bound[b] = utility(heaps, b, heaps.top[b])
            else:
                heaps.bound[b] = heaps.tangent[b] + heaps.reach[b]
            lowest = min(lowest, heaps.bound[b])
        heaps.lowest[i] = lowest


@kernel
def pop_rows(model: Model, heaps: Heaps, progress: Progress, popped: Popped, stale: int) -> tuple[int, int]:
    """Take the rows of the lowest utility out of their heaps, until there is no room, no row, or `stale` rows were
    rescored; how many, and why it ended."""
    selected = progress.features[0]
    for b in range(heaps.size.size):
        set_top(heaps, b)
    begin_epoch(model, heaps, selected)
    progress.step[0] += 1
    bound_all(heaps, 0)
    for n in range(popped.place.size):
        if progress.since[0] > stale:
            return n, STALE
        b, i = find_best(model, heaps, progress)
        if b < 0:
            return n, DRY
        popped.gain[n] = bring_to_front(model, heaps, b, i)
        popped.place[n], popped.heap[n] = heaps.node[heaps.first[b], 1] & PLACE, b
        drop_first(heaps, b)
        set_top(heaps, b)
        bound_again(heaps, progress.step[0])
    return popped.place.size, FULL


@kernel
def give_rows(heaps: Heaps, place: NDArray[np.int64], laid: NDArray[np.uint32], line: NDArray[np.uint32]) -> None:
    """Copy rows with their lines, and keep none of them; in `laid`, rows point into `line`."""
    at, lines = 0, 0
    for i in range(place.size):
        k = place[i]
        entries, left, first = np.int64(heaps.laid[k + ENTRIES]), np.int64(heaps.laid[k + LEFT]), heaps.laid[k + LINE]
        laid[at + LINE], laid[at + LEFT], laid[at + ENTRIES] = lines, left, entries
        for e in range(entries):
            laid[at + HEAD + e] = heaps.laid[k + HEAD + e]
        for j in range(left):
            line[lines + j] = heaps.line[first + j]
        heaps.laid[k + LEFT] = 0
        at += HEAD + entries
        lines += left


@inlined
def nearness(gain: int, now: float) -> int:
    """How much gains may differ, from this one on, and yet make the same utility at this penalty or a lower one."""
    if abs(gain) < COARSE * UNITS and now < COARSE:
        return 0
    return np.int64((abs(gain) + now * UNITS) * CLOSE) + 1


@kernel
def hold_back(model: Model, heaps: Heaps, progress: Progress, gain: NDArray[np.int64], line: NDArray[np.int64]) -> None:
    """For each heap the lowest last known gain, and the earliest line that has it; GONE if the heap is empty."""
    for b in range(heaps.size.size):
        root = heaps.first[b]
        if heaps.size[b] == 0:
            gain[b], line[b] = GONE, 0
            continue
        gain[b], line[b] = heaps.node[root, 0], heaps.node[root, 1] >> 32
        near = nearness(gain[b], penalty(progress.features[0], heaps.length[b], model))
        if near:
            for i in range(root + 1, root + heaps.size[b]):
                if heaps.node[i, 0] - gain[b] <= near:
                    line[b] = min(line[b], heaps.node[i, 1] >> 32)


@kernel
def join_held(model: Model, held: Heaps, progress: Progress, gain: NDArray[np.int64], line: NDArray[np.int64]) -> None:
    """Make of what each shard holds back, by shard and heap, one pair for each heap."""
    for b in range(held.size.size):
        lowest = GONE
        for shard in range(gain.shape[0]):
            lowest = min(lowest, gain[shard, b])
        held.size[b] = lowest != GONE
        if held.size[b] == 0:
            continue
        near, earliest = nearness(lowest, penalty(progress.features[0], held.length[b], model)), GONE
        for shard in range(gain.shape[0]):
            if gain[shard, b] != GONE and gain[shard, b] - lowest <= near:
                earliest = min(earliest, line[shard, b])
        held.node[b, 0], held.node[b, 1] = lowest, earliest << 32


@kernel
def push_rows(heaps: Heaps, place: NDArray[np.int64], gain: NDArray[np.int64], heap: NDArray[np.int64]) -> None:
    """Put rows into their heaps, which have room for them."""
    node = heaps.node
    for row in range(place.size):
        root, i, tag = heaps.first[heap[row]], heaps.size[heap[row]], tag_of(heaps, place[row])
        heaps.size[heap[row]] += 1
        while i > 0:
            parent = root + (i - 1) // 2
            if not before(gain[row], tag, node[parent, 0], node[parent, 1]):
                break
            node[root + i, 0], node[root + i, 1] = node[parent, 0], node[parent, 1]
            i = (i - 1) // 2
        node[root + i, 0], node[root + i, 1] = gain[row], tag


@inlined
def comes_first(model: Model, held: Heaps, progress: Progress, lowest: float, line: int) -> bool:
    """Does a line of this utility come before all that is held back?"""
    step, selected = progress.step[0], progress.features[0]
    bound_all(held, selected - progress.epoch[0])
    while True:
        b = front(held)
        if held.bound[b] > lowest or held.bound[b] == np.inf:
            return True
        if held.sharp[b] != step:
            held.sharp[b] = step
            held.now[b] = penalty(selected, held.length[b], model)
            set_bound(held, b, utility(held, b, held.top[b]))
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
    path: Path,
    room: int,
    sure: int,
    budget: int,
    patience: int,
) -> tuple[int, int]:
    """As `heaps.pick`, for as long as the best of the pool comes before what is held back; then the pool is stale.

    `sure` says how many picks need no such proof: one, right after a round, which has brought the best of every shard.
    """
    n, holds = 0, False
    for b in range(pool.size.size):
        set_top(pool, b)
        set_top(held, b)
        holds = holds or held.size[b] > 0
    while n < room:
        selected = progress.features[0]
        if n == 0 or selected - progress.epoch[0] > selected // EPOCH:
            progress.epoch[0] = selected
            begin_epoch(model, pool, selected)
            begin_epoch(model, held, selected)
        progress.step[0] += 1
        bound_all(pool, selected - progress.epoch[0])
        b, i = find_best(model, pool, progress)
        if b < 0:
            return n, STALE if holds else DRY
        at = pool.first[b]
        if n >= sure and not comes_first(
            model, held, progress, utility(pool, b, pool.top[b]), pool.node[at + i, 1] >> 32
        ):
            return n, STALE
        if progress.words[0] + pool.words[b] > budget:
            return n, OVER
        take_line(model, pool, progress, path, n, b, i)
        n += 1
        if progress.words[0] - progress.lowest_words[0] > patience:
            return n, SATISFIED
    return n, FULL
