"""The exact search where lines share their words: templates, logs, characters.

There every pick changes the gain of nearly every row by nearly as much, so that gains computed earlier bound little,
and the heaps of exact.py rescore row after row. Here the gain of the features that rows share is computed again at each
step, once for all rows of a group, and the heap of a group goes by the gain of the rest, which stays true until one of
those few features is selected. groups.py describes the layout in memory.

group_search.py finds the best row of some blocks. Here several threads do so for one pick, which is then made.
"""

from __future__ import annotations

import numpy as np

from .entries import LEFT, LINE, span_at
from .exact import PLACE, epoch_is_over, set_tangents, sift
from .formulas import UNIT, Model
from .group_bounds import begin_step, note_gain, price_of
from .group_search import (
    ANY,
    find_promising,
    gain_of_columns,
    remove_node,
    search_last_block,
    search_promising,
    set_penalty,
)
from .groups import ROW, SIZE, Grouped, Lengths, gain_of_rest, set_top, tag_of
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
from .team import (
    LEADER,
    OVER,
    Best,
    Team,
    begin_round,
    best_of_all,
    joins,
    leave_round,
    read_best,
    take_piece,
    threads,
    told_by_others,
    wait_while,
    write_best,
)

STEPS = 8  # after which tangents are drawn again: what they are too low by grows with the square of what was added
FIRST = 8  # pieces that a thread takes before it searches their blocks


@inlined
def begin_epoch(model: Model, lengths: Lengths, progress: Progress) -> None:
    progress.epoch[0] = progress.features[0]
    set_tangents(model, lengths, progress)


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
def find_best_together(model: Model, grouped: Grouped, progress: Progress, team: Team, last: int) -> Best:
    """The same as find_best, by the leader of a team and its helpers."""
    best = search_last_block(model, grouped, progress, last, ANY)
    write_best(team, LEADER, best)
    begin_round(team)
    return best_of_all(team, search_pieces(model, grouped, progress, team, LEADER, best))


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
