"""What the codes of a page cost at least: the tables in which a search looks them up. See pages.py.

A row may be better than the best known one, of utility u, if

    penalty(length) - u divisor + gain <= 0.

At any price of a feature, the sum of all terms stays the same if each feature is charged the price and the penalty is
less by the price of the whole length. So a column costs f(c) = c price + gain(c) for a count of c, and a length costs
penalty - u divisor - price features. With the price that one more feature adds to the penalty, f is lowest where the
selection comes to the proportions of REPRESENTATIVE. All tables are above the lowest of each, so their numbers are
small and have no sign. A unit is what the best row may cost at most, divided by MOST_UNITS; numbers are rounded down.

f is convex, f(c) = c price - bits ln(1 + c / C), where C is the count now. For small c / C the logarithm is bounded by
the first three terms of its series.

The **norm** stands for all frequent columns before they are looked up. Each f is at least curvature / 2 (c - free)^2
above its lowest, which is at `free`. So if the curvature times p is at least k for each, all of them together cost at
least k / 2 times the square of a distance: that of the row from `free`, with 1 / p as weights. It is at least the norm
of the row, its distance from a usual row as long, less the distance of the usual row from `free`, which is the same for
all rows as long.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .exact import MARGIN
from .formulas import BASE, Model, S, smoothing_of
from .group_bounds import LEAST_UNIT
from .jit import KINDS, inlined
from .log2 import LOG2E
from .pages import (
    EIGHT,
    FIRST,
    FOUR,
    HEADS,
    LENGTH,
    NORM,
    NOTHING,
    REST,
    SHARED,
    Bands,
    Codes,
    Lengths,
    codes_of,
    kind_of_length,
)
from .picking import Progress

MOST_UNITS = 240  # what the best row may cost at most,
LIMIT = 241  # with what rounding may add
DEAD = 255  # what no row has
SERIES = 1.0 / 8.0  # up to this c / C three terms of a gain are near enough,
NEAR = 1.0 / 64.0  # up to here four terms of the penalty are;
LOOSE = 2.0**-20  # this outweighs, relative to their terms, every rounding of single precision


class Tables(NamedTuple):
    """What a thread knows at this step."""

    table: NDArray[np.uint8]  # by band, codes_of, KINDS: in units above the lowest
    head: NDArray[np.uint8]  # by band, HEADS, KINDS
    made: NDArray[np.int64]  # by band: the step at which its tables were made
    is_open: NDArray[np.bool_]  # by band: may it have a better row?
    per_bit: NDArray[np.float64]  # by band: units to a bit of utility, of the row with the fewest words,
    best: NDArray[np.float64]  # and the utility of the best row when its tables were made
    step: NDArray[np.int64]  # at which the next four were computed
    bits: NDArray[np.float64]  # by column: p / ln 2
    had: NDArray[np.float64]  # by column: C
    series: NDArray[np.float64]  # (columns, 3): what three terms multiply c, its square and its cube by
    gain: NDArray[np.float64]  # (columns, KINDS): a bound of the gain of a rare column, by count
    cost: NDArray[np.float64]  # (columns, KINDS): what a count costs at the price of a band
    lowest: NDArray[np.float64]  # by column
    free: NDArray[np.float64]  # by column: where it is lowest
    units: NDArray[np.float32]  # (columns, KINDS): the cost of a rare column, in units above its lowest
    of_length: NDArray[np.float64]  # by length, in the order of bands: what it costs


@inlined
def begin_tables(model: Model, codes: Codes, tables: Tables, step: int) -> None:
    """What all bands need of the columns, once a step."""
    if tables.step[0] == step:
        return
    tables.step[0] = step
    for k in range(codes.feature.size - 1):
        v = codes.feature[k]
        had = model.counts[v] + smoothing_of(model.smoothing[S], model.ngram_added, v)
        bits = model.p[v] * LOG2E
        tables.bits[k], tables.had[k] = bits, had
        tables.series[k, 0] = line = bits / had
        tables.series[k, 1] = bend = line / had / 2.0
        tables.series[k, 2] = bend / had * (2.0 / 3.0)
        if k >= codes.frequent[0]:
            for c in range(codes.kinds[k]):
                tables.gain[k, c] = least_gain(tables, k, np.float64(c))


@inlined
def least_gain(tables: Tables, k: int, c: float) -> float:
    """A bound of the gain of c more of a column."""
    if c <= SERIES * tables.had[k]:
        line, bend, cube = tables.series[k]
        return -c * (line - c * (bend - c * cube)) * (1.0 + MARGIN)
    return -tables.bits[k] * math.log(1.0 + c / tables.had[k]) * (1.0 + MARGIN)


@inlined
def set_rare(codes: Codes, bands: Bands, tables: Tables, a: int, k: int, price: float) -> None:
    """The costs of a rare column. In a band of large rows the last is that of all larger counts too."""
    kinds = codes.kinds[k]
    lowest, cost, gain, top = 0.0, tables.cost[k], tables.gain[k], min(bands.top[a, k], kinds - 1)  # of none
    for c in range(kinds):
        cost[c] = c * price + gain[c]
    if bands.large[a]:
        free = tables.bits[k] / price - tables.had[k]
        if free > kinds - 1:
            cost[kinds - 1] = free * price + least_gain(tables, k, free)
    for c in range(1, top + 1):
        lowest = min(lowest, cost[c])
    tables.lowest[k] = lowest - abs(lowest) * MARGIN


@inlined
def set_frequent(codes: Codes, bands: Bands, tables: Tables, a: int, k: int, price: float) -> None:
    """Where the cost of a frequent column is lowest, and the lowest."""
    free = max(tables.bits[k] / price - tables.had[k], 0.0)
    if not bands.large[a]:
        free = min(free, np.float64(bands.top[a, k]))
    tables.free[k] = free
    charged = free * price
    tables.lowest[k] = min(charged + least_gain(tables, k, free), 0.0) - charged * MARGIN


@inlined
def in_table(units: float) -> int:
    """As the number of a table."""
    return np.uint8(min(max(units, np.float64(0.0)), np.float64(DEAD)))


@inlined
def write_frequent(bands: Bands, tables: Tables, a: int, k: int, at: int, price: float, per_unit: float) -> None:
    """The table of a frequent column."""
    table, top, lowest = tables.table[at : at + KINDS], np.float64(KINDS - 1), tables.lowest[k]
    if top > SERIES * tables.had[k]:
        for c in range(KINDS):
            table[c] = in_table((c * price + least_gain(tables, k, np.float64(c)) - lowest) * per_unit)
    else:
        line, bend, cube = price - tables.series[k, 0], tables.series[k, 1], tables.series[k, 2]
        most = np.float64(bands.top[a, k])
        size = most * (abs(line) + most * (bend + most * cube)) + abs(lowest)
        off = np.float32((lowest + size * LOOSE) * per_unit)
        by_1, by_2, by_3 = np.float32(line * per_unit), np.float32(bend * per_unit), np.float32(cube * per_unit)
        for c in range(KINDS):
            x = np.float32(c)
            units = x * (by_1 + x * (by_2 - x * by_3)) - off
            table[c] = np.uint8(min(max(units, np.float32(0.0)), np.float32(DEAD)))
    if bands.large[a] and tables.free[k] > KINDS - 1:
        table[KINDS - 1] = 0


@inlined
def set_units(codes: Codes, bands: Bands, tables: Tables, a: int, k: int, per_unit: float) -> float:
    """The costs of a rare column in units; the least of those for a count of one or more."""
    units, cost, lowest = tables.units[k], tables.cost[k], tables.lowest[k]
    for c in range(codes.kinds[k]):
        above = max((cost[c] - lowest) * per_unit, np.float64(0.0))
        units[c] = np.float32(min(above, np.float64(DEAD)))
    least = units[1]
    for c in range(2, min(bands.top[a, k], codes.kinds[k] - 1) + 1):
        least = min(least, units[c])
    return least


@inlined
def write_rare(codes: Codes, tables: Tables, q: int, at: int) -> None:
    """The table of a code of some rare columns."""
    first, second, third = codes.part[q]
    table, units, most = tables.table[at : at + KINDS], tables.units, np.float32(DEAD)
    if second < 0:
        for c in range(codes.kinds[first]):
            table[c] = np.uint8(units[first, c])
    elif codes.kinds[first] == EIGHT:
        for high in range(EIGHT):
            for low in range(EIGHT):
                table[high * EIGHT + low] = np.uint8(min(units[first, low] + units[second, high], most))
    else:
        for high in range(FOUR):
            for middle in range(FOUR):
                more = units[second, middle] + (units[third, high] if third >= 0 else np.float32(0.0))
                for low in range(FOUR):
                    table[(high * FOUR + middle) * FOUR + low] = np.uint8(min(units[first, low] + more, most))


@inlined
def write_norm(
    model: Model, codes: Codes, bands: Bands, lengths: Lengths, tables: Tables, a: int, at: int, per_unit: float
) -> None:
    """The table of the norm: what all frequent columns cost together. Nothing is known of large rows."""
    curvature = np.inf if codes.frequent[0] and not bands.large[a] else 0.0
    table = tables.table[at : at + KINDS]
    for k in range(codes.frequent[0]):
        most = tables.had[k] + bands.top[a, k]
        curvature = min(curvature, model.p[codes.feature[k]] * tables.bits[k] / (most * most))
    away = 0.0
    for m in (bands.length[bands.begin[a]], bands.length[bands.end[a] - 1]):  # it is convex in the length
        total = 0.0
        for k in range(codes.frequent[0]):
            p = model.p[codes.feature[k]]
            difference = lengths.features[m] * p - tables.free[k]
            total += difference * difference / p
        away = max(away, math.sqrt(total) * (1.0 + MARGIN))
    half = 0.5 * curvature * (1.0 - MARGIN) * per_unit
    for kind in range(KINDS):
        nearest = max(codes.norm[kind] - away, np.float64(0.0))
        table[kind] = in_table(half * nearest * nearest)


@inlined
def least_penalty(selected: float, features: int) -> float:
    """A bound of the penalty of a number of features: log2(1 + features / selected)."""
    x = features / selected
    if x < NEAR:
        return LOG2E * x * (1.0 - x * (1.0 / 2.0 - x * (1.0 / 3.0 - x / 4.0))) * (1.0 - MARGIN)
    return LOG2E * math.log(1.0 + x) * (1.0 - MARGIN) - LEAST_UNIT


@inlined
def set_lengths(
    bands: Bands, lengths: Lengths, tables: Tables, a: int, selected: float, best: float, price: float
) -> float:
    """What the lengths of a band cost, if no row of a utility above the best is asked for; the least."""
    least = divisor = np.inf
    for i in range(bands.begin[a], bands.end[a]):
        m = bands.length[i]
        divisor = min(divisor, lengths.divisor[m])
        charged, worth = price * lengths.features[m], best * lengths.divisor[m]
        cost = least_penalty(selected, lengths.features[m]) - worth - charged - (abs(worth) + charged) * MARGIN
        tables.of_length[i] = cost
        least = min(least, cost)
    tables.per_bit[a] = divisor
    return least


@inlined
def write_lengths(codes: Codes, bands: Bands, tables: Tables, a: int, at: int, least: float, per_unit: float) -> None:
    """The tables of lengths, and of what is gained without a column."""
    first, number = bands.begin[a], bands.end[a] - bands.begin[a]
    length, rest = at + (codes_of(codes) + LENGTH) * KINDS, at + (codes_of(codes) + REST) * KINDS
    for kind in range(KINDS):
        tables.table[length + kind] = DEAD
    for i in range(number):
        kind = kind_of_length(i, number)
        above = in_table((tables.of_length[first + i] - least) * per_unit) if per_unit > 0.0 else np.uint8(0)
        tables.table[length + kind] = min(tables.table[length + kind], above)
    most = bands.top[a, codes.feature.size]
    for kind in range(most + 1):
        above = codes.rest[kind] - codes.rest[most]
        tables.table[rest + kind] = in_table(above * per_unit)


@inlined
def limit_of(tables: Tables, a: int, best: float) -> int:
    """What a row of a band costs at most, in units, if it is not worse than the best row."""
    if tables.per_bit[a] == 0.0:  # no row was known
        return LIMIT
    better = (tables.best[a] - best) * tables.per_bit[a] if best < tables.best[a] else 0.0
    return LIMIT - np.int64(min(better * (1.0 - MARGIN), np.float64(LIMIT)))


@inlined
def bound_of(tables: Tables, a: int, units: int) -> float:
    """A bound of the utility of a row of a band that costs so much, LIMIT at most."""
    if tables.per_bit[a] == 0.0:
        return -np.inf
    bound = tables.best[a] - (LIMIT - units) / tables.per_bit[a]
    return bound - abs(bound) * MARGIN


@inlined
def make_tables(
    model: Model,
    codes: Codes,
    bands: Bands,
    lengths: Lengths,
    tables: Tables,
    rare: NDArray[np.int64],
    progress: Progress,
    a: int,
    best: float,
) -> None:
    """The tables of a band at this step, if a row of this utility is known."""
    number, selected = codes.part.shape[0], progress.features[0] + model.smoothing[BASE]
    begin_tables(model, codes, tables, progress.step[0])
    tables.made[a] = progress.step[0]
    price = LOG2E / (selected + bands.middle[a])
    least = set_lengths(bands, lengths, tables, a, selected, best, price)
    base = codes.rest[bands.top[a, codes.feature.size]] - LEAST_UNIT + least
    for k in range(codes.feature.size):
        if k < codes.frequent[0]:
            set_frequent(codes, bands, tables, a, k, price)
        else:
            set_rare(codes, bands, tables, a, k, price)
        base += tables.lowest[k]
    tables.is_open[a] = not base > 0.0
    if base > 0.0:
        return
    is_known = base > -np.inf  # some row is; else nothing costs too much
    per_unit = MOST_UNITS / max(-base, LEAST_UNIT) if is_known else 0.0
    tables.per_bit[a] *= per_unit
    tables.best[a] = best
    at, head = a * codes_of(codes) * KINDS, a * HEADS * KINDS
    write_lengths(codes, bands, tables, a, at, least, per_unit)
    write_norm(model, codes, bands, lengths, tables, a, at + NORM * KINDS, per_unit)
    tables.head[head + KINDS + NOTHING] = 0
    for n in range(rare.size):
        units = set_units(codes, bands, tables, a, rare[n], per_unit)
        if n < NOTHING:
            tables.head[head + KINDS + n] = np.uint8(units)
    for q in range(number):
        k, to = codes.part[q, 0], at + (FIRST + q) * KINDS
        if k < codes.frequent[0]:
            write_frequent(bands, tables, a, k, to, price, per_unit)
        else:
            write_rare(codes, tables, q, to)
    for kind in range(KINDS):
        tables.head[head + kind] = tables.table[at + NORM * KINDS + kind]
        for j in range(2, 1 + SHARED):
            tables.head[head + j * KINDS + kind] = tables.head[head + KINDS + kind]
