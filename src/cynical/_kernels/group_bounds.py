"""A bound of the gain of every group, which one pick after the other raises: see groups.py for how groups are stored.

Bounds of a block are computed in two ways.

From nothing, by parabolas that stay below the gains, in single precision: a pass over all columns of the block.

From the bounds of an earlier step, by what the columns whose counts have changed since have lost: a pass over those
alone, in whole numbers. When the count of a feature grows from C to D, the gain of c more of it rises by some h(c) =
p log2((C + c + s) / (C + s)) - p log2((D + c + s) / (D + s)), which is 0 at 0 and concave. So up to the largest count
of the block it is above its chord, c h(largest) / largest. What a chord falls short of it adds up: when the features
selected have grown by some share, the bounds of a block are computed from nothing again.

Bounds are whole multiples of a unit above the lowest of the block. A chord is rounded down, so a sum of differences of
chords is too large by less than a unit for each feature of a row; as much is taken off.
"""

from __future__ import annotations

import math

import numpy as np

from .chunk import U64
from .exact import LEAST_MARGIN, MARGIN
from .formulas import BASE, Model, S, smoothing_of
from .groups import HISTORY, MAXIMA, SIZE, Blocks, Columns, Grouped, Groups, Scratch
from .jit import CACHE_LINE, inlined, multiply_add, prefetch, raise_lanes
from .log2 import LOG2E
from .picking import Progress

LOOSE = 2.0**-17  # outweighs, relative to a sum of 64 terms, every rounding of single precision
ROUNDED = 2.0**-55  # and this the rounding of a gain to 2^-56,
RATIO = 2.0**-51  # and this, relative to p, that of the ratio whose logarithm it is
LEAST_UNIT = 2.0**-48  # outweighs the sum of the two over a row
FAR = 1 << 30  # units: no group is counted as further from the lowest of its block
RISE = 1 << 29  # units: bounds that may have risen by more are computed from nothing
NARROW = 1 << 16


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
def average_gain(model: Model, columns: Columns) -> float:
    """What one more dense feature brings, on average."""
    mass = value = 0.0
    for k in range(columns.feature.size):
        v = columns.feature[k]
        p = model.p[v]
        mass += p
        value += p * below(p, model.counts[v], smoothing_of(model.smoothing[S], model.ngram_added, v), 1.0)[0]
    return value / mass


@inlined
def set_unit(model: Model, columns: Columns, blocks: Blocks, features: int) -> None:
    """Choose a unit: small, but such that a pick of usual length raises the bounds of rows of usual length by less than
    NARROW, which is quicker."""
    usual = columns.usual[0] * columns.usual[0] / (NARROW // 4)
    columns.unit[0] = max(-average_gain(model, columns) / (features + model.smoothing[BASE] + 1.0) * usual, LEAST_UNIT)
    columns.unit_features[0] = features
    columns.parabola_at[:] = -1
    blocks.features[:] = -1


@inlined
def begin_step(model: Model, columns: Columns, blocks: Blocks, progress: Progress) -> None:
    """Parabolas and chords as they are at this step."""
    step, features = progress.step[0], progress.features[0]
    if columns.unit[0] == 0.0 or features > 2 * columns.unit_features[0]:
        set_unit(model, columns, blocks, features)
    now, before, recent = columns.chord[step % HISTORY], columns.chord[(step - 1) % HISTORY], 0
    for k in range(columns.feature.size):
        v = columns.feature[k]
        if columns.parabola_at[k] == model.counts[v]:
            for m in range(columns.largest[k] + 1):
                now[k, m] = before[k, m]
            continue
        columns.parabola_at[k], columns.changed[k] = model.counts[v], step
        columns.recent[recent + 1] = k
        smoothing = smoothing_of(model.smoothing[S], model.ngram_added, v)
        for m in range(columns.largest[k] + 1):
            most = np.float64(MAXIMA[m])
            line, bend = below(model.p[v], model.counts[v], smoothing, most)
            columns.parabola[k, m] = line, bend
            now[k, m] = math.floor((line + most * bend) / columns.unit[0])
            columns.change[recent, m] = now[k, m] - before[k, m]
        recent += 1
    columns.recent[0] = recent


@inlined
def set_parabolas(model: Model, columns: Columns, scratch: Scratch, step: int) -> None:
    """Parabolas as score_block needs them, once a step."""
    if scratch.parabola_step[0] == step:
        return
    scratch.parabola_step[0] = step
    scratch.level[0] = level = average_gain(model, columns)
    for k in range(columns.feature.size):
        for m in range(columns.largest[k] + 1):
            most, bend = np.float64(MAXIMA[m]), columns.parabola[k, m, 1]
            line = columns.parabola[k, m, 0] - level
            size = most * (abs(line) + most * abs(bend))
            rounded = 4.0 * most * abs(level) * MARGIN + RATIO * model.p[columns.feature[k]] + ROUNDED
            scratch.parabola[k, m] = line, bend, size * LOOSE + rounded


@inlined
def parabola(blocks: Blocks, scratch: Scratch, b: int, j: int) -> tuple[int, float, float, float]:
    """The j-th column of a block, its parabola, and what rounding may take off that; after the last column, nothing."""
    if j >= blocks.columns[b]:
        return 0, np.float32(0.0), np.float32(0.0), np.float32(0.0)
    k = np.int64(blocks.column[b, j])
    now = scratch.parabola[k, np.int64(blocks.maximum[b, k])]
    return k, now[0], now[1], now[2]


@inlined
def score_block(blocks: Blocks, scratch: Scratch, b: int) -> float:
    """For each group of a block, a bound of its dense gain less `level` for each dense feature; what that may be off
    by."""
    score = scratch.score
    for i in range(SIZE):
        score[i] = 0.0
    loose, count, j, number = np.float32(0.0), blocks.count[b], 0, blocks.columns[b]
    while j < number:  # four at once: the scores are read and written once for them
        k0, line0, bend0, loose0 = parabola(blocks, scratch, b, j)
        k1, line1, bend1, loose1 = parabola(blocks, scratch, b, j + 1)
        k2, line2, bend2, loose2 = parabola(blocks, scratch, b, j + 2)
        k3, line3, bend3, loose3 = parabola(blocks, scratch, b, j + 3)
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
def bound_from_nothing(grouped: Grouped, b: int) -> None:
    """Bound the gain of every group of a block."""
    groups, blocks, columns, _, scratch = grouped
    loose = score_block(blocks, scratch, b)
    level, begin, bound, bits, least = scratch.level[0], b * SIZE, blocks.bound[b], scratch.bits, np.inf
    for i in range(SIZE):  # where no row is left, the top is infinite
        bits[i] = np.float64(scratch.score[i]) + level * groups.total[begin + i] + groups.top[begin + i]
        least = min(least, bits[i])
    least = 0.0 if least == np.inf else least
    per_unit = 1.0 / columns.unit[0]
    for i in range(SIZE):
        bound[i] = np.int32(min((bits[i] - least) * per_unit, np.float64(FAR)) - groups.total[begin + i]) - 2
    blocks.base[b] = least - loose
    blocks.risen[b] = 0


@inlined
def find_changes(columns: Columns, blocks: Blocks, scratch: Scratch, b: int, step: int) -> tuple[int, int]:
    """Which columns have changed since the last step of a block, in `added`, and what each raises a bound by for each
    count; how many these are, and the most that they may raise a bound by together."""
    since, maximum, added, change = blocks.step[b], blocks.maximum[b], scratch.added, scratch.change
    number = most = 0
    if since == step - 1:
        number = columns.recent[0]
        for j in range(number):
            added[j] = k = columns.recent[j + 1]
            m = U64(maximum[U64(k)])  # an index without a sign needs no look whether it counts from the end
            change[j] = more = columns.change[j, m]
            most += more * MAXIMA[m]
    else:
        now, before = columns.chord[step % HISTORY], columns.chord[since % HISTORY]
        for j in range(blocks.columns[b]):
            k = np.int64(blocks.column[b, j])
            if columns.changed[k] > since:
                m = np.int64(maximum[k])
                added[number] = k
                change[number] = more = now[k, m] - before[k, m]
                most += more * MAXIMA[m]
                number += 1
    return number, most


@inlined
def raise_narrow(blocks: Blocks, scratch: Scratch, b: int, number: int) -> int:
    """Raise the bounds of a block by what the columns add, less than NARROW together; the lowest."""
    begin = b * blocks.count.shape[1]
    return raise_lanes(blocks.bound[b], blocks.count, begin, scratch.added, scratch.change, number)


@inlined
def raise_wide(blocks: Blocks, scratch: Scratch, b: int, number: int) -> int:
    """The same for what may be more."""
    count, bound = blocks.count[b], blocks.bound[b]
    for j in range(number):
        counts, change = count[scratch.added[j]], scratch.change[j]
        for i in range(SIZE):
            bound[i] = np.int32(bound[i] + np.int32(counts[i]) * change)
    return lowest_bound(blocks, b)


@inlined
def lowest_bound(blocks: Blocks, b: int) -> int:
    bound, least = blocks.bound[b], np.int32(2 * FAR - 1)
    for i in range(SIZE):
        least = bound[i] if bound[i] < least else least
    return least


@inlined
def prefetch_block(columns: Columns, blocks: Blocks, b: int) -> None:
    """Ask for what raising the bounds of a block reads, which is not all in a row."""
    begin = b * blocks.count.shape[1]
    for j in range(columns.recent[0]):
        for at in range(0, SIZE, CACHE_LINE):
            prefetch(blocks.count, (begin + columns.recent[j + 1]) * SIZE + at)


@inlined
def bound_block(model: Model, grouped: Grouped, progress: Progress, b: int) -> int:
    """Bounds of a block as they are at this step; the lowest."""
    _, blocks, columns, _, scratch = grouped
    step, features = progress.step[0], blocks.features[b]
    grown = (progress.features[0] - features) * columns.growth[0]
    if features >= 0 and step - blocks.step[b] < HISTORY and grown <= features:
        number, most = find_changes(columns, blocks, scratch, b, step)
        blocks.step[b] = step
        blocks.risen[b] += most
        if blocks.risen[b] < RISE:
            return raise_narrow(blocks, scratch, b, number) if most < NARROW else raise_wide(blocks, scratch, b, number)
    blocks.step[b], blocks.features[b] = step, progress.features[0]
    set_parabolas(model, columns, scratch, step)
    bound_from_nothing(grouped, b)
    return lowest_bound(blocks, b)


@inlined
def note_gain(groups: Groups, columns: Columns, blocks: Blocks, g: int, gain: float) -> None:
    """The gain of a group is known; infinite if no row is left."""
    b, i = g // SIZE, g % SIZE
    units = min((gain - blocks.base[b]) / columns.unit[0], np.float64(FAR))
    blocks.bound[b, i] = np.int32(math.floor(units - groups.total[g])) - 2


@inlined
def units_below(blocks: Blocks, columns: Columns, b: int, gain: float) -> int:
    """Which bounds of a block may be of groups with this gain or a lower one: those up to what is returned."""
    units = (gain - blocks.base[b]) / columns.unit[0] + 1.0
    return np.int64(min(max(units, -np.float64(FAR)), np.float64(2 * FAR - 1)))


@inlined
def least_gain(blocks: Blocks, columns: Columns, b: int, least: int) -> float:
    """A bound of all gains of a block, at this step and later, given the lowest in units."""
    gain = blocks.base[b] + least * columns.unit[0]
    return gain - abs(gain) * MARGIN - LEAST_MARGIN
