"""The exact search where lines share their words: templates, logs, characters.

There every pick changes the gain of nearly every row by nearly as much, so that gains computed earlier bound little,
and the heaps of exact.py rescore row after row. Here the gain of the features that rows share is computed again at each
step, once for all rows of a group, and the heap of a group goes by the gain of the rest, which stays true until one of
those few features is selected. groups.py describes the layout in memory.

A block of groups is scored in one pass, by parabolas that stay below the gains. The lowest score is a bound of the
block until it is scored again. So some blocks are passed over, and the search is exact: the lowest utility of all, ties
to the earlier line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .entries import LEFT, LINE, span_at
from .exact import COARSE, LEAST_MARGIN, MARGIN, PLACE, epoch_is_over, present_penalty, set_tangents, sift
from .formulas import UNIT, Model, gain_of_word, utility
from .group_bounds import (
    begin_step,
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
from .groups import (
    RESTS,
    ROW,
    SIZE,
    Columns,
    Grouped,
    Groups,
    Lengths,
    Scratch,
    gain_of_rest,
    set_top,
    tag_of,
)
from .jit import inlined, kernel
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
from .team import APART, LEADER, OVER, Team, begin_round, has_found, joins, leave_round, take_piece, threads, wait_while

ANY = -1  # in place of a column: rows need not have its feature
STEPS = 8  # after which tangents are drawn again: what they are too low by grows with the square of what was added
NO_TAG = (1 << 63) - 1  # later than all
AHEAD = 4  # blocks from the one that is bounded to the one that is asked for
FIRST = 8  # pieces that a thread takes before it searches their blocks
FEW = 2  # groups: if more of a block are scored, its bounds are not tight, and are computed from nothing next time


class Best(NamedTuple):
    """The best row so far: its group, which node of the group, the tag of that, and its utility."""

    group: int
    node: int
    tag: int
    utility: float


@inlined
def begin_epoch(model: Model, lengths: Lengths, progress: Progress) -> None:
    progress.epoch[0] = progress.features[0]
    set_tangents(model, lengths, progress)


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
def search_pieces(model: Model, grouped: Grouped, progress: Progress, team: Team, thread: int, best: Best) -> Best:
    """The best so far after all the pieces that no other thread takes.

    A piece is of blocks that are neighbours; pieces are taken in a mixed order. So the best of the first of them is a
    good one already, which spares a look at most of the others: only a few are taken before their promising blocks are
    searched.
    """
    blocks, parts, number, taken, few = grouped.blocks.length.size, threads(team), 0, 0, FIRST
    for other in range(parts):
        part = (thread + other) % parts
        at = part + parts * take_piece(team, part)
        while at < team.piece.size:
            begin = team.piece[at]
            number = find_promising(model, grouped, progress, begin, min(begin + team.blocks, blocks), best, number)
            taken += 1
            if taken >= few:
                best = search_promising(model, grouped, progress, number, best, ANY)
                best = told_by_others(team, thread, best)
                number, few = 0, 4 * few
            at = part + parts * take_piece(team, part)
    return search_promising(model, grouped, progress, number, best, ANY)


@inlined
def told_by_others(team: Team, thread: int, best: Best) -> Best:
    """Tell the other threads how good the best is, and hear of a better one: which, its thread knows."""
    team.reached[thread * APART] = best.utility
    for other in range(threads(team)):
        reached = team.reached[other * APART]
        if reached < best.utility:
            best = Best(-1, 0, NO_TAG, reached)
    return best


@inlined
def find_best_together(model: Model, grouped: Grouped, progress: Progress, team: Team, last: int) -> Best:
    """The same as find_best, by the leader of a team and its helpers."""
    best = search_last_block(model, grouped, progress, last, ANY)
    write_best(team, LEADER, best)
    begin_round(team)
    best = search_pieces(model, grouped, progress, team, LEADER, best)
    for thread in range(1, threads(team)):
        if has_found(team, thread):
            found = read_best(team, thread)
            if found.utility < best.utility or (found.utility == best.utility and found.tag < best.tag):
                best = found
    return best


@kernel
def help_to_find_best(model: Model, grouped: Grouped, progress: Progress, team: Team, thread: int) -> None:
    """A helper: round by round, look at what the others do not, until the search is over.

    `grouped` has scratch of this thread's own."""
    now = wait_while(team.round, 0, 0)
    while now != OVER:
        if joins(team, thread, now):
            best = search_pieces(model, grouped, progress, team, thread, read_best(team, LEADER))
            write_best(team, thread, best)
            leave_round(team, thread, now)
        now = wait_while(team.round, 0, now)


@inlined
def write_best(team: Team, thread: int, best: Best) -> None:
    at = thread * APART
    team.group[at], team.node[at], team.tag[at], team.utility[at] = best.group, best.node, best.tag, best.utility


@inlined
def read_best(team: Team, thread: int) -> Best:
    at = thread * APART
    return Best(team.group[at], team.node[at], team.tag[at], team.utility[at])


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
def pick_row(model: Model, grouped: Grouped, progress: Progress, log: PickLog, n: int, best: Best, word: int) -> int:
    """Pick the next line of a row, to which a word has led, or the best of the row if that is -1; where the row is."""
    groups, lengths = grouped.groups, grouped.lengths
    g, i, tag = best.group, best.node, best.tag
    m, root, row_data = grouped.blocks.length[g // SIZE], groups.first[g], groups.row_data
    at = tag & PLACE
    place = np.int64(groups.rest[at + ROW])
    begin, end = span_at(row_data, place)
    rest, b = gain_of_rest(model, groups, at), g // SIZE
    own = gain_of_columns(model, grouped, g, 0, grouped.blocks.own[b])
    gain = (rest + own + gain_of_columns(model, grouped, g, grouped.blocks.own[b], grouped.blocks.columns[b])) * UNIT
    price = price_of(grouped.columns, lengths.at_price[m], progress.step[0])
    if word < 0:
        word = best_word(model, row_data, begin, end)
    pick = Pick(tag >> 32, lengths.words[m], lengths.features[m], grouped.scratch.penalty[m], gain, word)
    record(model, progress, log, n, pick, row_data, begin, end)
    row_data[place + LINE] += 1
    row_data[place + LEFT] -= 1
    if row_data[place + LEFT]:
        groups.node[root + i, 1] = tag_of(groups, at)  # a later line than those around it; its last known gain stays
        sift(groups.node, root, i, groups.size[g], groups.node[root + i, 0], groups.node[root + i, 1])
    else:
        groups.left[0] -= 1
        remove_node(groups, g, i)
    set_top(groups, g)
    note_gain(grouped, g, own * UNIT + groups.top[g], price)
    return place


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


@inlined
def begin_search(model: Model, grouped: Grouped, progress: Progress) -> None:
    """Bounds as they are at this step, which begins."""
    if epoch_is_over(progress) or progress.step[0] % STEPS == 0:
        begin_epoch(model, grouped.lengths, progress)
    progress.step[0] += 1
    begin_step(model, grouped.columns, grouped.blocks, grouped.lengths, progress)


@kernel
def pick_from_groups(
    model: Model, grouped: Grouped, progress: Progress, log: PickLog, limits: PickLimits, few: int, team: Team
) -> tuple[int, int]:
    """As exact.pick_lowest; gains do not get stale, but groups lose their rows: it also ends when `few` are left. The
    caller leads the team."""
    n, last = 0, -1
    begin_epoch(model, grouped.lengths, progress)
    while n < limits.picks:
        if grouped.groups.left[0] < few:
            return n, STALE
        begin_search(model, grouped, progress)
        best = find_best_together(model, grouped, progress, team, last)
        if best.group < 0:
            return n, NO_LINE_LEFT
        last = best.group // SIZE
        if over_budget(progress, limits, grouped.lengths.words[grouped.blocks.length[last]]):
            return n, OVER_BUDGET
        set_penalty(model, grouped, progress, grouped.blocks.length[last])
        pick_row(model, grouped, progress, log, n, best, -1)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
