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
from .group_bounds import begin_step, bound_block, least_gain, lowest_bound, note_gain, prefetch_block, units_below
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
def dense_gain(model: Model, grouped: Grouped, g: int) -> int:
    """What the dense features of a group bring."""
    blocks, total = grouped.blocks, 0
    b, i = g // SIZE, g % SIZE
    for j in range(blocks.columns[b]):
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
    groups, lengths = grouped.groups, grouped.lengths
    m = grouped.blocks.length[g // SIZE]
    now = grouped.scratch.penalty[m]
    dense, root, fresh = dense_gain(model, grouped, g), groups.first[g], -1
    while True:
        if shared:
            freshen_first(groups, g)
            if groups.size[g] == 0:
                gain = np.inf
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
    note_gain(groups, grouped.columns, grouped.blocks, g, gain)
    return best


@inlined
def gain_below(length_penalty: float, divisor: float, lowest: float) -> float:
    """A gain above this has a utility above the lowest."""
    gain = lowest * divisor - length_penalty
    return gain + abs(gain) * MARGIN + LEAST_MARGIN


@inlined
def search_block(model: Model, grouped: Grouped, progress: Progress, b: int, best: Best, column: int) -> Best:
    """Score the groups of a block that have the feature of a column; the best so far."""
    groups, blocks, columns, lengths, scratch = grouped
    m = blocks.length[b]
    now, divisor = scratch.penalty[m], lengths.divisor[m]
    least = bound_block(model, grouped, progress, b)
    enough = units_below(blocks, columns, b, gain_below(now, divisor, best.utility))
    bound, first, scored = blocks.bound[b], 0, 0
    if least <= enough:
        while bound[first] != least:
            first += 1
        for turn in range(-1, SIZE):  # the lowest bound first: it makes the others easier to pass over
            i = first if turn < 0 else turn
            if turn != first and bound[i] <= enough and groups.size[b * SIZE + i]:
                if column != ANY and blocks.count[b, column, i] == 0:
                    continue
                best = search_group(model, grouped, progress, b * SIZE + i, best, column != ANY)
                enough = units_below(blocks, columns, b, gain_below(now, divisor, best.utility))
                scored += 1
        if scored > FEW:
            blocks.features[b] = -1
        least = lowest_bound(blocks, b)
    blocks.reach[b] = least_gain(blocks, columns, b, least) / divisor
    return best


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
        set_penalty(model, grouped, progress, grouped.blocks.length[last])
        best = search_block(model, grouped, progress, last, best, column)
    return best


@inlined
def search_blocks(
    model: Model, grouped: Grouped, progress: Progress, begin: int, end: int, best: Best, column: int
) -> Best:
    """The best so far after some blocks; what is sure to hold nothing better, and what was searched at this step, is
    passed over."""
    blocks, lengths = grouped.blocks, grouped.lengths
    since, step = progress.features[0] - progress.epoch[0], progress.step[0]
    for b in range(begin, end):
        m = blocks.length[b]
        if lengths.tangent[m] - lengths.slope[m] * since + blocks.reach[b] > best.utility:
            continue
        if blocks.step[b] == step:
            continue
        prefetch_block(grouped.columns, blocks, min(b + 1, blocks.length.size - 1))
        set_penalty(model, grouped, progress, m)
        best = search_block(model, grouped, progress, b, best, column)
    return best


@inlined
def find_best(model: Model, grouped: Grouped, progress: Progress, last: int, column: int) -> Best:
    """The row with the lowest utility of all, or of those that have the feature of a column; its group is -1 if no row
    is left. `last` is the block of the last."""
    best = search_last_block(model, grouped, progress, last, column)
    return search_blocks(model, grouped, progress, 0, grouped.blocks.length.size, best, column)


@inlined
def search_pieces(model: Model, grouped: Grouped, progress: Progress, team: Team, thread: int, best: Best) -> Best:
    """The best so far after all the blocks that no other thread takes."""
    blocks, parts = grouped.blocks.length.size, threads(team)
    for other in range(parts):
        part = (thread + other) % parts
        first, end = blocks * part // parts, blocks * (part + 1) // parts
        begin = first + take_piece(team, part)
        while begin < end:
            best = search_blocks(model, grouped, progress, begin, min(begin + team.piece, end), best, ANY)
            begin = first + take_piece(team, part)
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
    rest = gain_of_rest(model, groups, at)
    dense = dense_gain(model, grouped, g)
    gain = (rest + dense) * UNIT
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
    note_gain(groups, grouped.columns, grouped.blocks, g, dense * UNIT + groups.top[g])
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
    if epoch_is_over(progress):
        begin_epoch(model, grouped.lengths, progress)
    progress.step[0] += 1
    begin_step(model, grouped.columns, grouped.blocks, progress)


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
