"""The exact search where lines share their words: templates, logs, characters.

There every pick changes the gain of nearly every row by nearly as much, so that gains computed earlier bound little,
and the heaps of exact.py rescore row after row. Here the gain of the features that rows share is computed again at each
step, once for all rows of a group, and the heap of a group goes by the gain of the rest, which stays true until one of
those few features is selected. groups.py says how all of it lies in memory.

A block of groups is scored in one pass, by parabolas that stay below the gains. The lowest score is a bound of the
block until it is scored again. So some blocks are passed over, and the search is exact: the lowest utility of all, ties
to the earlier line.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .entries import LEFT, LINE, span_at
from .exact import COARSE, LEAST_MARGIN, MARGIN, PLACE, epoch_is_over, present_penalty, set_tangents, sift
from .formulas import UNIT, Model, S, gain_of_word, utility
from .groups import (
    LANES,
    MAXIMA,
    RESTS,
    ROW,
    SIZE,
    Blocks,
    Columns,
    Grouped,
    Groups,
    Lengths,
    gain_of_rest,
    set_top,
    tag_of,
)
from .jit import inlined, kernel, multiply_add
from .log2 import LOG2E
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

LOOSE = 2.0**-17  # outweighs, relative to a sum of 64 terms, every rounding of single precision
ROUNDED = 2.0**-55  # and this the rounding of a gain to 2^-56,
RATIO = 2.0**-51  # and this, relative to p, that of the ratio whose logarithm it is


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
def below(p: float, had: int, smoothing: float, most: float) -> tuple[float, float]:
    """A parabola c (line + c bend) that is below what c more of a feature bring, for all whole c up to `most`.

    It meets the gain at 0, 1 and `most`. The third derivative of the gain is negative, so that in between it is above
    the parabola from 1 to `most`.
    """
    x, bits = 1.0 / (had + smoothing), p * LOG2E
    one = -bits * math.log1p(x)
    if most == 1.0:
        return one, 0.0
    bend = (-bits * math.log1p(most * x) / most - one) / (most - 1.0)
    return one - bend, bend


@inlined
def take_slopes(model: Model, columns: Columns) -> None:
    """What one more of each dense feature brings at this step."""
    mass = value = 0.0
    for k in range(columns.feature.size):
        v = columns.feature[k]
        if columns.parabola_at[k] != model.counts[v]:
            columns.parabola_at[k] = model.counts[v]
            for m in range(columns.largest[k] + 1):
                columns.parabola[k, m] = below(model.p[v], model.counts[v], model.smoothing[S], np.float64(MAXIMA[m]))
        mass += model.p[v]
        value += model.p[v] * columns.parabola[k, 0, 0]
    level = value / mass
    columns.level[0] = level
    for k in range(columns.feature.size):
        for m in range(columns.largest[k] + 1):
            most, bend = np.float64(MAXIMA[m]), columns.parabola[k, m, 1]
            line = columns.parabola[k, m, 0] - level
            size = most * (abs(line) + most * abs(bend))
            rounded = 4.0 * most * abs(level) * MARGIN + RATIO * model.p[columns.feature[k]] + ROUNDED
            columns.parabola_now[k, m] = line, bend, size * LOOSE + rounded


@inlined
def column_gain(model: Model, columns: Columns, k: int, c: int) -> int:
    """The gain of c more of a dense feature."""
    v = columns.feature[k]
    if columns.gain_at[k, c] != model.counts[v]:
        columns.gain_at[k, c] = model.counts[v]
        columns.gain[k, c] = gain_of_word(model, model.p[v], v, c)
    return columns.gain[k, c]


@inlined
def dense_gain(model: Model, grouped: Grouped, g: int) -> int:
    """What the dense features of a group bring."""
    blocks, total = grouped.blocks, 0
    b, i = g // SIZE, g % SIZE
    for j in range(blocks.columns[b]):
        k = np.int64(blocks.column[b, j])
        c = np.int64(blocks.count[b, k, i])
        if c:
            total += column_gain(model, grouped.columns, k, c)
    return total


@inlined
def parabola(columns: Columns, blocks: Blocks, b: int, j: int) -> tuple[int, float, float, float]:
    """The j-th column of a block, its parabola, and what rounding may take off that; behind the last, nothing."""
    if j >= blocks.columns[b]:
        return 0, np.float32(0.0), np.float32(0.0), np.float32(0.0)
    k = np.int64(blocks.column[b, j])
    now = columns.parabola_now[k, np.int64(blocks.maximum[b, k])]
    return k, now[0], now[1], now[2]


@inlined
def score_block(columns: Columns, blocks: Blocks, b: int) -> float:
    """For each group of a block, a bound of its dense gain less `level` for each dense feature; what that may be off
    by."""
    score = blocks.score
    for i in range(SIZE):
        score[i] = 0.0
    loose, count, j, number = np.float32(0.0), blocks.count[b], 0, blocks.columns[b]
    while j < number:  # four at once: the scores are read and written once for them
        k0, line0, bend0, loose0 = parabola(columns, blocks, b, j)
        k1, line1, bend1, loose1 = parabola(columns, blocks, b, j + 1)
        k2, line2, bend2, loose2 = parabola(columns, blocks, b, j + 2)
        k3, line3, bend3, loose3 = parabola(columns, blocks, b, j + 3)
        loose += (loose0 + loose1) + (loose2 + loose3)
        count0, count1, count2, count3 = count[k0], count[k1], count[k2], count[k3]
        for i in range(SIZE):
            c0, c1, c2, c3 = np.float32(count0[i]), np.float32(count1[i]), np.float32(count2[i]), np.float32(count3[i])
            total = multiply_add(c0, multiply_add(c0, bend0, line0), score[i])
            total = multiply_add(c1, multiply_add(c1, bend1, line1), total)
            total = multiply_add(c2, multiply_add(c2, bend2, line2), total)
            score[i] = multiply_add(c3, multiply_add(c3, bend3, line3), total)
        j += 4
    return np.float64(loose)


@inlined
def bound_block(columns: Columns, groups: Groups, blocks: Blocks, b: int) -> tuple[float, float]:
    """Bound the gain of every group of a block; the lowest, and how much is left to add for rounding."""
    loose = score_block(columns, blocks, b)
    level, begin, bound, lowest = columns.level[0], b * SIZE, blocks.bound, blocks.lowest
    for i in range(SIZE):  # where no row is left, the top is infinite
        bound[i] = np.float64(blocks.score[i]) + level * groups.total[begin + i] + groups.top[begin + i]
    for lane in range(LANES):
        lowest[lane] = np.inf
    for i in range(0, SIZE, LANES):
        for lane in range(LANES):
            lowest[lane] = bound[i + lane] if bound[i + lane] < lowest[lane] else lowest[lane]
    least = np.inf
    for lane in range(LANES):
        least = min(least, lowest[lane])
    return least, loose


@inlined
def gain_below(length_penalty: float, divisor: float, lowest: float, loose: float) -> float:
    """A gain above this has a utility above the lowest."""
    gain = lowest * divisor - length_penalty
    return gain + abs(gain) * MARGIN + LEAST_MARGIN + loose


@inlined
def earliest_of_equals(model: Model, grouped: Grouped, progress: Progress, g: int, dense: int, lowest: float) -> int:
    """Where in a group the earliest line is among those whose utility is that of the first: see exact.py."""
    groups, lengths = grouped.groups, grouped.lengths
    m, root, best = grouped.blocks.length[g // SIZE], groups.first[g], 0
    now, divisor = lengths.penalty[m], lengths.divisor[m]
    gain = (dense + groups.node[root, 0]) * UNIT
    if abs(gain) < COARSE and abs(now + gain) < COARSE:
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
def search_group(model: Model, grouped: Grouped, progress: Progress, g: int, best: Best) -> tuple[Best, float]:
    """Score the best row of a group, as far as it may be the best of all: the best so far, and a bound of the gains of
    this group."""
    groups, lengths = grouped.groups, grouped.lengths
    m = grouped.blocks.length[g // SIZE]
    dense, root, fresh = dense_gain(model, grouped, g), groups.first[g], -1
    while True:
        gain = (dense + groups.node[root, 0]) * UNIT
        reached = utility(lengths.penalty[m], gain, lengths.divisor[m])
        if reached > best.utility:
            break
        tag = groups.node[root, 1]
        at = tag & PLACE
        if at == fresh or groups.rest[at + RESTS] == 0:
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
    return best, gain


@inlined
def search_block(model: Model, grouped: Grouped, progress: Progress, b: int, best: Best) -> Best:
    """Score the groups of a block; the best so far."""
    groups, blocks, columns, lengths = grouped
    m = blocks.length[b]
    now, divisor = lengths.penalty[m], lengths.divisor[m]
    least, loose = bound_block(columns, groups, blocks, b)
    enough = gain_below(now, divisor, best.utility, loose)
    scored = np.inf
    if least <= enough and least < np.inf:
        first = 0
        while blocks.bound[first] != least:
            first += 1
        least = np.inf
        for turn in range(-1, SIZE):  # the lowest bound first: it makes the others easier to pass over
            i = first if turn < 0 else turn
            if turn != first:
                if blocks.bound[i] <= enough and blocks.bound[i] < np.inf:
                    best, gain = search_group(model, grouped, progress, b * SIZE + i, best)
                    scored = min(scored, gain)
                    enough = gain_below(now, divisor, best.utility, loose)
                else:
                    least = min(least, blocks.bound[i])
    least = min(least - loose, scored)
    blocks.reach[b] = (least + least * MARGIN - LEAST_MARGIN) / divisor
    return best


@inlined
def set_penalty(model: Model, lengths: Lengths, progress: Progress, m: int) -> None:
    """Compute the penalty of a length, once a step."""
    if lengths.penalty_step[m] != progress.step[0]:
        lengths.penalty_step[m] = progress.step[0]
        lengths.penalty[m] = present_penalty(model, lengths, progress, m)


@inlined
def find_best(model: Model, grouped: Grouped, progress: Progress, last: int) -> Best:
    """The row with the lowest utility of all; its group is -1 if no row is left. `last` is the block of the last."""
    blocks, lengths = grouped.blocks, grouped.lengths
    since = progress.features[0] - progress.epoch[0]
    best = Best(-1, 0, 0, np.inf)
    if last >= 0:
        set_penalty(model, lengths, progress, blocks.length[last])
        best = search_block(model, grouped, progress, last, best)
    for b in range(blocks.length.size):
        m = blocks.length[b]
        if lengths.tangent[m] - lengths.slope[m] * since + blocks.reach[b] > best.utility or blocks.reach[b] == np.inf:
            continue
        if b == last:
            continue
        set_penalty(model, lengths, progress, m)
        best = search_block(model, grouped, progress, b, best)
    return best


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
def pick_row(model: Model, grouped: Grouped, progress: Progress, log: PickLog, n: int, best: Best) -> None:
    """Pick the next line of a row."""
    groups, lengths = grouped.groups, grouped.lengths
    g, i, tag = best.group, best.node, best.tag
    m, root, row_data = grouped.blocks.length[g // SIZE], groups.first[g], groups.row_data
    at = tag & PLACE
    place = np.int64(groups.rest[at + ROW])
    begin, end = span_at(row_data, place)
    rest = gain_of_rest(model, groups, at)
    gain = (rest + dense_gain(model, grouped, g)) * UNIT
    word = best_word(model, row_data, begin, end)
    pick = Pick(tag >> 32, lengths.words[m], lengths.features[m], lengths.penalty[m], gain, word)
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


@kernel
def pick_from_groups(
    model: Model, grouped: Grouped, progress: Progress, log: PickLog, limits: PickLimits, few: int
) -> tuple[int, int]:
    """As exact.pick_lowest; gains do not get stale, but groups lose their rows: it also ends when `few` are left."""
    n, last = 0, -1
    begin_epoch(model, grouped.lengths, progress)
    while n < limits.picks:
        if grouped.groups.left[0] < few:
            return n, STALE
        if epoch_is_over(progress):
            begin_epoch(model, grouped.lengths, progress)
        progress.step[0] += 1
        take_slopes(model, grouped.columns)
        best = find_best(model, grouped, progress, last)
        if best.group < 0:
            return n, NO_LINE_LEFT
        last = best.group // SIZE
        if over_budget(progress, limits, grouped.lengths.words[grouped.blocks.length[last]]):
            return n, OVER_BUDGET
        pick_row(model, grouped, progress, log, n, best)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
