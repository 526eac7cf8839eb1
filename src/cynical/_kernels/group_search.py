"""Where in groups of rows the best row is: see groups.py for how they are stored, and group_bounds.py for their bounds.

A block of groups is scored in one pass, by parabolas that stay below the gains. The lowest score is a bound of the
block until it is scored again. So some blocks are passed over, and the search is exact: the lowest utility of all, ties
to the earlier line.
"""

from __future__ import annotations

import numpy as np

from .entries import LEFT
from .exact import COARSE, LEAST_MARGIN, MARGIN, PLACE, present_penalty, sift
from .formulas import UNIT, Model, gain_of_word, utility
from .group_bounds import (
    bound_block,
    bound_with_common,
    least_gain,
    lowest_bound,
    note_gain,
    prefetch_block,
    prefetch_common,
    price_of,
    set_parabolas,
    units_below,
)
from .groups import RESTS, ROW, SIZE, Columns, Grouped, Groups, Scratch, gain_of_rest, set_top, tag_of
from .jit import inlined
from .picking import Progress
from .team import Best

ANY = -1  # in place of a column: rows need not have its feature
AHEAD = 4  # blocks from the one that is bounded to the one that is asked for
FEW = 2  # groups: if more of a block are scored, its bounds are not tight, and are computed from nothing next time


@inlined
def column_gain(model: Model, columns: Columns, scratch: Scratch, k: int, c: int) -> int:
    """The gain of c more of a dense feature."""
    v = columns.feature[k]
    if scratch.gain_at[k, c] != model.counts[v]:
        scratch.gain_at[k, c] = model.counts[v]
        scratch.gain[k, c] = gain_of_word(model, model.p[v], v, c)
    return scratch.gain[k, c]


@inlined
def gain_of_columns(model: Model, grouped: Grouped, g: int, begin: int, end: int) -> int:
    """What some of the dense features of a group bring: from one of its block's columns to another."""
    blocks, total = grouped.blocks, 0
    b, i = g // SIZE, g % SIZE
    for j in range(begin, end):
        k = np.int64(blocks.column[b, j])
        c = np.int64(blocks.count[b, k, i])
        if c:
            total += column_gain(model, grouped.columns, grouped.scratch, k, c)
    return total


@inlined
def is_coarse(length_penalty: float, gain: float) -> bool:
    """May gains that differ give one utility? See exact.py."""
    return not (abs(gain) < COARSE and abs(length_penalty + gain) < COARSE)


@inlined
def earliest_of_equals(model: Model, grouped: Grouped, progress: Progress, g: int, dense: int, lowest: float) -> int:
    """Where in a group the earliest line is among those whose utility is that of the first: see exact.py."""
    groups, lengths = grouped.groups, grouped.lengths
    m, root, best = grouped.blocks.length[g // SIZE], groups.first[g], 0
    now, divisor = grouped.scratch.penalty[m], lengths.divisor[m]
    if not is_coarse(now, (dense + groups.node[root, 0]) * UNIT):
        return best
    for i in range(1, groups.size[g]):
        tag = groups.node[root + i, 1]
        if tag < groups.node[root + best, 1]:
            if utility(now, (dense + groups.node[root + i, 0]) * UNIT, divisor) <= lowest:
                progress.rescored[0] += 1
                if utility(now, (dense + gain_of_rest(model, groups, tag & PLACE)) * UNIT, divisor) == lowest:
                    best = i
    return best


@inlined
def search_group(model: Model, grouped: Grouped, progress: Progress, g: int, best: Best, shared: bool) -> Best:
    """Score the best row of a group, as far as it may be the best of all: the best so far.

    `shared` says that rows are also picked elsewhere."""
    groups, blocks, lengths = grouped.groups, grouped.blocks, grouped.lengths
    b, root, fresh = g // SIZE, groups.first[g], -1
    m = blocks.length[b]
    now = grouped.scratch.penalty[m]
    own = gain_of_columns(model, grouped, g, 0, blocks.own[b])
    dense = own + gain_of_columns(model, grouped, g, blocks.own[b], blocks.columns[b])
    while True:
        if shared:
            freshen_first(groups, g)
            if groups.size[g] == 0:
                break
        gain = (dense + groups.node[root, 0]) * UNIT
        reached = utility(now, gain, lengths.divisor[m])
        if reached > best.utility:
            break
        tag = groups.node[root, 1]
        at = tag & PLACE
        if at == fresh or groups.rest[at + RESTS] == 0:
            if shared and is_coarse(now, gain):
                freshen_all(groups, g)
            i = earliest_of_equals(model, grouped, progress, g, dense, reached)
            tag = groups.node[root + i, 1]
            if reached < best.utility or tag < best.tag:
                best = Best(g, i, tag, reached)
            break
        fresh = at
        rest = gain_of_rest(model, groups, at)
        progress.rescored[0] += 1
        if rest != groups.node[root, 0]:
            sift(groups.node, root, 0, groups.size[g], rest, tag)
    set_top(groups, g)
    note_gain(grouped, g, own * UNIT + groups.top[g], price_of(grouped.columns, lengths.at_price[m], progress.step[0]))
    return best


@inlined
def gain_below(length_penalty: float, divisor: float, lowest: float) -> float:
    """A gain above this has a utility above the lowest."""
    gain = lowest * divisor - length_penalty
    return gain + abs(gain) * MARGIN + LEAST_MARGIN


@inlined
def bound_again(model: Model, grouped: Grouped, progress: Progress, b: int) -> None:
    """Bounds of a block as they are at this step."""
    set_reach(grouped, b, bound_block(model, grouped, progress, b))


@inlined
def search_block(model: Model, grouped: Grouped, progress: Progress, b: int, best: Best, column: int) -> Best:
    """Score the groups of a block that have the feature of a column; the best so far. Its bounds are of this step."""
    groups, blocks, columns, lengths, scratch = grouped
    m = blocks.length[b]
    set_penalty(model, grouped, progress, m)
    now, divisor = scratch.penalty[m], lengths.divisor[m]
    if columns.common[0]:
        set_parabolas(model, columns, scratch, progress.step[0])
        least = bound_with_common(grouped, b, price_of(columns, lengths.at_price[m], progress.step[0]))
        bound, more = scratch.bound, -scratch.level[0] * blocks.fewest[b]
    else:
        least, bound, more = lowest_bound(blocks, b), blocks.bound[b], 0.0
    enough, first, scored = units_below(blocks, columns, b, gain_below(now, divisor, best.utility) + more), 0, 0
    if least > enough:
        return best
    while bound[first] != least:
        first += 1
    for turn in range(-1, SIZE):  # the lowest bound first: it makes the others easier to pass over
        i = first if turn < 0 else turn
        if turn != first and bound[i] <= enough and groups.size[b * SIZE + i]:
            if column != ANY and blocks.count[b, column, i] == 0:
                continue
            best = search_group(model, grouped, progress, b * SIZE + i, best, column != ANY)
            enough = units_below(blocks, columns, b, gain_below(now, divisor, best.utility) + more)
            scored += 1
    if scored > FEW:
        blocks.features[b] = -1
    set_reach(grouped, b, lowest_bound(blocks, b))
    return best


@inlined
def set_reach(grouped: Grouped, b: int, least: int) -> None:
    """Note a bound of the gains of a block, given the lowest in units."""
    blocks = grouped.blocks
    blocks.reach[b] = least_gain(blocks, grouped.columns, b, least) / grouped.lengths.divisor[blocks.length[b]]


@inlined
def set_penalty(model: Model, grouped: Grouped, progress: Progress, m: int) -> None:
    """Compute the penalty of a length, once a step."""
    scratch = grouped.scratch
    if scratch.penalty_step[m] != progress.step[0]:
        scratch.penalty_step[m] = progress.step[0]
        scratch.penalty[m] = present_penalty(model, grouped.lengths, progress, m)


@inlined
def search_last_block(model: Model, grouped: Grouped, progress: Progress, last: int, column: int) -> Best:
    """The best row of the block of the last pick, where a good one is likely; none at the first pick."""
    best = Best(-1, 0, 0, np.inf)
    if last >= 0:
        bound_again(model, grouped, progress, last)
        best = search_block(model, grouped, progress, last, best, column)
    return best


@inlined
def bound_of_block(grouped: Grouped, b: int) -> float:
    """A bound of the utility of all rows of a block at this step, from what is known of it."""
    blocks, lengths = grouped.blocks, grouped.lengths
    m = blocks.length[b]
    return lengths.sure[m] + blocks.reach[b] - lengths.price[m] * blocks.fewest[b]


@inlined
def find_promising(
    model: Model, grouped: Grouped, progress: Progress, begin: int, end: int, best: Best, number: int
) -> int:
    """Find the blocks that may have a better row than the best so far, by bounds of this step; how many there are now.
    What was searched at this step is passed over."""
    blocks, scratch = grouped.blocks, grouped.scratch
    for b in range(begin, min(begin + AHEAD, end)):
        if bound_of_block(grouped, b) <= best.utility:
            prefetch_block(grouped.columns, blocks, b)
    for b in range(begin, end):
        ahead = b + AHEAD
        if ahead < end and bound_of_block(grouped, ahead) <= best.utility:
            prefetch_block(grouped.columns, blocks, ahead)
        if bound_of_block(grouped, b) > best.utility or blocks.step[b] == progress.step[0]:
            continue
        bound_again(model, grouped, progress, b)
        promise = bound_of_block(grouped, b)
        if promise <= best.utility:
            scratch.promising[number], scratch.promise[number] = b, promise
            number += 1
    return number


@inlined
def search_promising(model: Model, grouped: Grouped, progress: Progress, number: int, best: Best, column: int) -> Best:
    """The best so far after the blocks that were found promising, the most promising first."""
    scratch, first = grouped.scratch, 0
    for n in range(number):
        first = n if scratch.promise[n] < scratch.promise[first] else first
    for turn in range(-1 if number else 0, number):
        n = first if turn < 0 else turn
        if n + 1 < number:
            prefetch_common(grouped.columns, grouped.blocks, scratch.promising[n + 1])
        if turn != first and scratch.promise[n] <= best.utility:
            best = search_block(model, grouped, progress, scratch.promising[n], best, column)
    return best


@inlined
def find_best(model: Model, grouped: Grouped, progress: Progress, last: int, column: int) -> Best:
    """The row with the lowest utility of all, or of those that have the feature of a column; its group is -1 if no row
    is left. `last` is the block of the last."""
    best = search_last_block(model, grouped, progress, last, column)
    number = find_promising(model, grouped, progress, 0, grouped.blocks.length.size, best, 0)
    return search_promising(model, grouped, progress, number, best, column)


@inlined
def remove_node(groups: Groups, g: int, i: int) -> None:
    """Take the node at place i off the heap of a group."""
    root = groups.first[g]
    groups.size[g] -= 1
    end = root + groups.size[g]
    while i > 0:  # let its ancestors come down, then fill the first place
        parent = (i - 1) // 2
        groups.node[root + i, 0], groups.node[root + i, 1] = (
            groups.node[root + parent, 0],
            groups.node[root + parent, 1],
        )
        i = parent
    if groups.size[g]:
        sift(groups.node, root, 0, groups.size[g], groups.node[end, 0], groups.node[end, 1])


@inlined
def freshen_first(groups: Groups, g: int) -> None:
    """Let the first node of a group be one whose row has lines left, with the next of these; rows are picked elsewhere
    too."""
    root = groups.first[g]
    while groups.size[g]:
        at = groups.node[root, 1] & PLACE
        if groups.row_data[np.int64(groups.rest[at + ROW]) + LEFT] == 0:
            remove_node(groups, g, 0)
        elif groups.node[root, 1] != tag_of(groups, at):
            sift(groups.node, root, 0, groups.size[g], groups.node[root, 0], tag_of(groups, at))
        else:
            return


@inlined
def freshen_all(groups: Groups, g: int) -> None:
    """The same for all nodes of a group."""
    root, kept = groups.first[g], 0
    for i in range(groups.size[g]):
        at = groups.node[root + i, 1] & PLACE
        if groups.row_data[np.int64(groups.rest[at + ROW]) + LEFT]:
            groups.node[root + kept, 0], groups.node[root + kept, 1] = groups.node[root + i, 0], tag_of(groups, at)
            kept += 1
    groups.size[g] = kept
    for i in range(kept // 2 - 1, -1, -1):
        sift(groups.node, root, i, kept, groups.node[root + i, 0], groups.node[root + i, 1])
