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

Some columns may be *common*: what these bring is bounded for all rows at once. At any price of a feature, they bring at
least the sum of the lowest c price + gain(c) of each, less the price of as many as the row has. So the bound of a row
is that of its other columns less this price, and the bound with all columns is only computed where that is too low.
"""

from __future__ import annotations

import math

import numpy as np

from .chunk import U64
from .exact import LEAST_MARGIN, MARGIN
from .formulas import BASE, Model, S, smoothing_of
from .groups import HISTORY, MAXIMA, MOST, SIZE, Blocks, Columns, Grouped, Lengths, Scratch
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
NEAR = 0.125  # from here on the series of a logarithm would need more terms


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
    blocks.reach[:] = -np.inf  # another unit may round a price up


@inlined
def least_at(model: Model, columns: Columns, price: float) -> float:
    """The least that the common features of a row can bring, if each of them in it costs a price.

    For a feature that is the lowest of c price - bits log(1 + c / C), c not negative: bits (1 - y + log y) with y =
    price C / bits where that is below 1, else 0. Where y is near 1, the series of the logarithm is enough, with a
    remainder that is larger than its own."""
    total = 0.0
    for k in range(columns.feature.size - columns.common[0], columns.feature.size):
        v = columns.feature[k]
        bits = model.p[v] * LOG2E
        y = price * (model.counts[v] + smoothing_of(model.smoothing[S], model.ngram_added, v)) / bits
        w = 1.0 - y
        if w > NEAR:
            total += bits * (w + math.log(y) * (1.0 + MARGIN))
        elif w > 0.0:
            total -= bits * w * w * (1.0 / 2.0 + w * (1.0 / 3.0 + w / (4.0 * y)))
        total -= bits * MARGIN
    return total


@inlined
def set_prices(model: Model, columns: Columns, lengths: Lengths, progress: Progress) -> None:
    """Prices of common features as they are at this step: what one more feature adds to the penalty of a line."""
    now, since = columns.price[progress.step[0] % HISTORY], progress.features[0] - progress.epoch[0]
    selected = progress.features[0] + model.smoothing[BASE]
    for a in range(columns.least.size):
        now[a] = columns.least[a] = 0
        if columns.common[0]:
            price = LOG2E / (selected + columns.price_features[a])
            now[a] = max(np.int64(np.rint(price / columns.unit[0])), 1)
            columns.least[a] = least_at(model, columns, now[a] * columns.unit[0])
    for m in range(lengths.features.size):
        a, divisor = lengths.at_price[m], lengths.divisor[m]
        lengths.sure[m] = lengths.tangent[m] - lengths.slope[m] * since + columns.least[a] / divisor
        lengths.price[m] = now[a] * columns.unit[0] / divisor


@inlined
def begin_step(model: Model, columns: Columns, blocks: Blocks, lengths: Lengths, progress: Progress) -> None:
    """Parabolas, chords and prices as they are at this step."""
    step, features = progress.step[0], progress.features[0]
    if columns.unit[0] == 0.0 or features > 2 * columns.unit_features[0]:
        set_unit(model, columns, blocks, features)
    now, before, recent = columns.chord[step % HISTORY], columns.chord[(step - 1) % HISTORY], 0
    own = columns.feature.size - columns.common[0]
    for k in range(columns.feature.size):
        v = columns.feature[k]
        if columns.parabola_at[k] == model.counts[v]:
            if k < own:
                for m in range(columns.largest[k] + 1):
                    now[k, m] = before[k, m]
            continue
        columns.parabola_at[k], columns.changed[k] = model.counts[v], step
        smoothing = smoothing_of(model.smoothing[S], model.ngram_added, v)
        for m in range(columns.largest[k] + 1):
            most = np.float64(MAXIMA[m])
            line, bend = below(model.p[v], model.counts[v], smoothing, most)
            columns.parabola[k, m] = line, bend
            if k < own:
                now[k, m] = math.floor((line + most * bend) / columns.unit[0])
                columns.change[recent, m] = now[k, m] - before[k, m]
        if k < own:
            columns.recent[recent + 1] = k
            recent += 1
    columns.recent[0] = recent
    set_prices(model, columns, lengths, progress)


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
def parabola(blocks: Blocks, scratch: Scratch, b: int, j: int, end: int) -> tuple[int, float, float, float]:
    """The j-th column of a block, its parabola, and what rounding may take off that; after the last column, nothing."""
    if j >= end:
        return 0, np.float32(0.0), np.float32(0.0), np.float32(0.0)
    k = np.int64(blocks.column[b, j])
    now = scratch.parabola[k, np.int64(blocks.maximum[b, k])]
    return k, now[0], now[1], now[2]


@inlined
def score_block(blocks: Blocks, scratch: Scratch, b: int, begin: int, end: int) -> float:
    """For each group of a block, a bound of what some of its columns bring less `level` for each feature; what that may
    be off by."""
    score = scratch.score
    for i in range(SIZE):
        score[i] = 0.0
    loose, count, j = np.float32(0.0), blocks.count[b], begin
    while j < end:  # four at once: the scores are read and written once for them
        k0, line0, bend0, loose0 = parabola(blocks, scratch, b, j, end)
        k1, line1, bend1, loose1 = parabola(blocks, scratch, b, j + 1, end)
        k2, line2, bend2, loose2 = parabola(blocks, scratch, b, j + 2, end)
        k3, line3, bend3, loose3 = parabola(blocks, scratch, b, j + 3, end)
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
def bound_from_nothing(grouped: Grouped, b: int, price: float) -> None:
    """Bound what the columns that are not common bring to every group of a block, less the price of the common ones."""
    groups, blocks, columns, _, scratch = grouped
    loose = score_block(blocks, scratch, b, 0, blocks.own[b])
    level, begin, bound, bits = scratch.level[0], b * SIZE, blocks.bound[b], scratch.bits
    number = blocks.count[b, columns.feature.size]
    for i in range(SIZE):  # where no row is left, the top is infinite
        more = level * groups.total[begin + i] - price * number[i]
        bits[i] = np.float64(scratch.score[i]) + more + groups.top[begin + i]
    half = SIZE // 2
    for i in range(half):  # as vectors, which one number after another would not be
        scratch.lower[i] = bits[i] if bits[i] < bits[i + half] else bits[i + half]
    while half > 1:
        half //= 2
        for i in range(half):
            scratch.lower[i] = (
                scratch.lower[i] if scratch.lower[i] < scratch.lower[i + half] else scratch.lower[i + half]
            )
    least = 0.0 if scratch.lower[0] == np.inf else scratch.lower[0]
    per_unit = 1.0 / columns.unit[0]
    for i in range(SIZE):
        bound[i] = np.int32(min((bits[i] - least) * per_unit, np.float64(FAR)) - groups.total[begin + i]) - 2
    blocks.base[b] = least - loose
    blocks.risen[b] = 0


@inlined
def bound_with_common(grouped: Grouped, b: int, price: float) -> int:
    """Bounds that know the common columns too, in `scratch`; the lowest. To them `level` is to be added for each of the
    fewest common features."""
    _, blocks, columns, _, scratch = grouped
    loose = score_block(blocks, scratch, b, blocks.own[b], blocks.columns[b])
    bound, number, level = blocks.bound[b], blocks.count[b, columns.feature.size], scratch.level[0]
    per_unit, rest = np.float32(1.0 / columns.unit[0]), np.float32(price + level)
    off = np.float32((loose + abs(price + level) * MOST * LOOSE) / columns.unit[0] + 2.0)
    least, far, lowest = np.int32(2 * FAR - 1), np.float32(FAR // 2), np.int32(-2 * FAR)
    for i in range(SIZE):
        units = multiply_add(rest, np.float32(number[i]), scratch.score[i]) * per_unit
        units = min(units - abs(units) * np.float32(LOOSE) - off, far)
        scratch.bound[i] = bound[i] + np.int32(units) if units > -far else lowest
        least = min(least, scratch.bound[i])
    return least


@inlined
def find_changes(columns: Columns, blocks: Blocks, scratch: Scratch, b: int, a: int, step: int) -> tuple[int, int]:
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
        for j in range(blocks.own[b]):
            k = np.int64(blocks.column[b, j])
            if columns.changed[k] > since:
                m = np.int64(maximum[k])
                added[number] = k
                change[number] = more = now[k, m] - before[k, m]
                most += more * MAXIMA[m]
                number += 1
    if columns.common[0]:
        added[number] = k = columns.feature.size
        change[number] = more = columns.price[since % HISTORY, a] - columns.price[step % HISTORY, a]
        most += more * MAXIMA[np.int64(maximum[k])]
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
    for at in range(0, SIZE, CACHE_LINE):
        prefetch(blocks.count, (begin + columns.feature.size) * SIZE + at)
    for at in range(0, SIZE, CACHE_LINE // 4):
        prefetch(blocks.bound, b * SIZE + at)


@inlined
def prefetch_common(columns: Columns, blocks: Blocks, b: int) -> None:
    """Ask for the common columns of a block."""
    begin = b * blocks.count.shape[1]
    for k in range(columns.feature.size - columns.common[0], columns.feature.size):
        for at in range(0, SIZE, CACHE_LINE):
            prefetch(blocks.count, (begin + k) * SIZE + at)


@inlined
def bound_block(model: Model, grouped: Grouped, progress: Progress, b: int) -> int:
    """Bounds of a block as they are at this step, in which the common columns count as their price; the lowest."""
    _, blocks, columns, lengths, scratch = grouped
    step, features, a = progress.step[0], blocks.features[b], lengths.at_price[blocks.length[b]]
    grown = (progress.features[0] - features) * columns.growth[0]
    if features >= 0 and step - blocks.step[b] < HISTORY and grown <= features:
        number, most = find_changes(columns, blocks, scratch, b, a, step)
        blocks.step[b] = step
        blocks.risen[b] += most
        if blocks.risen[b] < RISE:
            return raise_narrow(blocks, scratch, b, number) if most < NARROW else raise_wide(blocks, scratch, b, number)
    blocks.step[b], blocks.features[b] = step, progress.features[0]
    set_parabolas(model, columns, scratch, step)
    bound_from_nothing(grouped, b, price_of(columns, a, step))
    return lowest_bound(blocks, b)


@inlined
def price_of(columns: Columns, a: int, step: int) -> float:
    return columns.price[step % HISTORY, a] * columns.unit[0]


@inlined
def note_gain(grouped: Grouped, g: int, gain: float, price: float) -> None:
    """What the rest and the columns of a group that are not common bring is known; infinite if no row is left."""
    groups, blocks, columns, _, _ = grouped
    b, i = g // SIZE, g % SIZE
    partial = gain - price * blocks.count[b, columns.feature.size, i]
    units = min((partial - blocks.base[b]) / columns.unit[0], np.float64(FAR))
    blocks.bound[b, i] = np.int32(math.floor(units - groups.total[g])) - 2


@inlined
def units_below(blocks: Blocks, columns: Columns, b: int, gain: float) -> int:
    """Which bounds of a block may be of groups with this gain or a lower one: those up to what is returned."""
    units = (gain - blocks.base[b]) / columns.unit[0] + 1.0
    return np.int64(min(max(units, -np.float64(FAR)), np.float64(2 * FAR - 1)))


@inlined
def least_gain(blocks: Blocks, columns: Columns, b: int, least: int) -> float:
    """A bound of all gains of a block without its common columns, given the lowest in units. It stays one: neither
    gains nor prices get better."""
    gain = blocks.base[b] + least * columns.unit[0]
    return gain - abs(gain) * MARGIN - LEAST_MARGIN
