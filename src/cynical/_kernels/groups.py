"""Rows that share their frequent features, in groups: their layout in memory, and how it is built.

Some frequent features are *dense*: each has a column, and each row a count in every column. What else a row has is its
*rest*. Rows of one length whose dense counts are all equal form a group: their dense gain is one number. Groups of one
length are stored in blocks of SIZE, column by column, so that a block is scored by vector instructions.
grouped_exact.py searches them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import LEFT, LINE, decoded, span_at, write_entry
from .exact import sift
from .formulas import UNIT, Model, gain_of_row
from .jit import LANES, inlined, kernel
from .mix import hash_of

SIZE = LANES  # groups in a block
HISTORY = 64  # steps whose chords are kept
MOST = 254  # the largest dense count; a feature that a row has more often belongs to its rest
MAXIMA = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, MOST])  # of the counts of a column
ROW, RESTS, REST = 0, 1, 2  # the head of a rest: where the row is in row_data, entries of the rest; the head's size


class Columns(NamedTuple):
    """The dense features."""

    feature: NDArray[np.int64]
    parabola: NDArray[np.float64]  # (columns, MAXIMA, 2): below the gain for counts up to a maximum: see below(),
    parabola_at: NDArray[np.int64]  # by column: true if the feature had then been selected as often as now
    chord: NDArray[np.int64]  # (HISTORY, columns, MAXIMA): what a maximum brings, divided by it, in units, by step
    changed: NDArray[np.int64]  # by column: the step at which it last was another
    recent: NDArray[np.int64]  # how many columns are other ones than at the step before, and then which;
    change: NDArray[np.int64]  # (columns, MAXIMA): by how much, in this order
    largest: NDArray[np.int64]  # by column: which of the maxima its largest count is within
    usual: NDArray[np.float64]  # how many dense features a group has, on average
    unit: NDArray[np.float64]  # of whole numbers, in bits
    unit_features: NDArray[np.int64]  # selected when it was chosen
    growth: NDArray[np.int64]  # bounds are computed from nothing when the features have grown by 1 / growth
    common: NDArray[np.int64]  # how many columns, the last, are common: see group_bounds.py
    price_features: NDArray[np.int64]  # by price: lines of how many features it is for,
    price: NDArray[np.int64]  # (HISTORY, prices): what a common feature is counted as, in units, by step,
    least: NDArray[np.float64]  # and the least that the common features of any row bring beyond that, in bits


class Blocks(NamedTuple):
    """Groups of one length, SIZE to a block."""

    count: NDArray[np.uint8]  # (blocks, columns + 1, SIZE); the last: how many more common features than `fewest`
    maximum: NDArray[np.uint8]  # (blocks, columns + 1): which of MAXIMA the largest is within
    column: NDArray[np.uint8]  # (blocks, columns): the columns that some group of the block has,
    columns: NDArray[np.int64]  # how many these are,
    own: NDArray[np.int64]  # and how many of them, the first, are not common
    fewest: NDArray[np.float64]  # common features that every group has, or is taken to have, at least
    length: NDArray[np.int64]  # which length, of Lengths
    reach: NDArray[np.float64]  # a bound of its gains without the common columns, divided
    bound: NDArray[np.int32]  # (blocks, SIZE): a bound of each group's gain, see group_bounds.py, in units above
    base: NDArray[np.float64]  # this, in bits,
    step: NDArray[np.int64]  # at this step
    features: NDArray[np.int64]  # selected when the bounds were last computed from nothing; -1 if they must be
    risen: NDArray[np.int64]  # at most so much, in units, since then


class Groups(NamedTuple):
    """Group g is at g % SIZE in block g // SIZE; its rows have the nodes first[g] to first[g] + size[g], a heap."""

    row_data: NDArray[np.uint32]  # whole rows: see exact.Heaps
    line: NDArray[np.uint32]
    rest: NDArray[np.uint32]  # of each row: where the row is, how many entries its rest has, and these
    node: NDArray[np.int64]  # (rows, 2): the last known gain of the rest, and line << 32 | where the rest is
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    top: NDArray[np.float64]  # the last known gain of the rest of the first row, in bits; infinite if none is left
    total: NDArray[np.float64]  # all counts in columns that are not common together
    left: NDArray[np.int64]  # one number: rows that have lines left


class Lengths(NamedTuple):
    """What lines of one length, in words and in features, share."""

    features: NDArray[np.int64]
    words: NDArray[np.int64]
    divisor: NDArray[np.float64]  # the words where utility is per word, else 1
    tangent: NDArray[np.float64]  # the penalty when the epoch began, divided, and a margin lower,
    slope: NDArray[np.float64]  # and how much it falls with every feature since
    at_price: NDArray[np.int64]  # which price of Columns
    sure: NDArray[np.float64]  # at this step: what a bound of the utility adds to that of the columns not common,
    price: NDArray[np.float64]  # and subtracts for each common feature


class Scratch(NamedTuple):
    """What a search writes down for itself: each thread has its own. (To Model.logs all write, the same numbers.)"""

    gain: NDArray[np.int64]  # (columns, MOST + 1): what a dense feature brings, by count,
    gain_at: NDArray[np.int64]  # true if the feature had then been selected as often as now
    penalty: NDArray[np.float64]  # by length,
    penalty_step: NDArray[np.int64]  # at this step
    level: NDArray[np.float64]  # one number: what one more dense feature brings, on average
    parabola: NDArray[np.float32]  # (columns, MAXIMA, 3): that of Columns less `level`, what rounding may take off,
    parabola_step: NDArray[np.int64]  # at this step
    score: NDArray[np.float32]  # of a block: the scores of its groups,
    bits: NDArray[np.float64]  # bounds of their gains,
    lower: NDArray[np.float64]  # the lower of two of these, and so on,
    bound: NDArray[np.int32]  # and bounds in units, with the common columns,
    promising: NDArray[np.int64]  # blocks that may have the best row,
    promise: NDArray[np.float64]  # and a bound of the utility of each,
    added: NDArray[np.int64]  # the columns that have changed,
    change: NDArray[np.int32]  # and what each raises a bound by, for each count


class Grouped(NamedTuple):
    """All of it."""

    groups: Groups
    blocks: Blocks
    columns: Columns
    lengths: Lengths
    scratch: Scratch


class Split(NamedTuple):
    """The rows that have lines left, in the order of row_data."""

    dense: NDArray[np.uint8]  # (rows, columns)
    rest: NDArray[np.uint32]
    at: NDArray[np.int64]  # where the rest of each row is
    code: NDArray[np.uint64]  # a hash of the dense counts


@kernel
def count_rows_with(row_data: NDArray[np.uint32], end: int, rows: NDArray[np.int64]) -> int:
    """How many rows that have lines left have each feature; how many there are."""
    place = left = 0
    while place < end:
        begin, stop = span_at(row_data, place)
        if row_data[place + LEFT]:
            left += 1
            for v, _ in decoded(row_data, begin, stop, rows.size):
                rows[v] += 1
        place = stop
    return left


@kernel
def split_rows(row_data: NDArray[np.uint32], end: int, column_of: NDArray[np.int64], split: Split) -> int:
    """Split each row into dense counts and the rest; how long the rests are in all."""
    place = row = at = 0
    while place < end:
        begin, stop = span_at(row_data, place)
        if row_data[place + LEFT]:
            to = at + REST
            split.dense[row] = 0
            for v, c in decoded(row_data, begin, stop, column_of.size):
                if column_of[v] >= 0 and c <= MOST:
                    split.dense[row, column_of[v]] = c
                else:
                    to = write_entry(split.rest, to, v, c, column_of.size)
            split.rest[at + ROW], split.rest[at + RESTS] = place, to - at - REST
            split.at[row] = at
            split.code[row] = hash_of(split.dense[row])
            at = to
            row += 1
        place = stop
    return at


@kernel
def find_groups(
    length: NDArray[np.int64], dense: NDArray[np.uint8], order: NDArray[np.int64], first: NDArray[np.bool_]
) -> None:
    """For rows in the order of length and code: does a group begin here?"""
    for i in range(1, order.size):
        a, b = order[i - 1], order[i]
        same = length[a] == length[b]
        k = 0
        while same and k < dense.shape[1]:
            same = dense[a, k] == dense[b, k]
            k += 1
        first[i] = not same


@kernel
def score_leaders(
    model: Model, row_data: NDArray[np.uint32], split: Split, leader: NDArray[np.int64], gain: NDArray[np.int64]
) -> None:
    """The gain of the leading row of each group."""
    for g in range(leader.size):
        begin, end = span_at(row_data, np.int64(split.rest[split.at[leader[g]] + ROW]))
        gain[g] = gain_of_row(model, row_data, begin, end)


@kernel
def fill_blocks(
    dense: NDArray[np.uint8],
    leader: NDArray[np.int64],
    place: NDArray[np.int64],
    blocks: Blocks,
    largest: NDArray[np.int64],
) -> int:
    """Put the dense counts of each group, those of its leading row, where the group is to be; the sum of all."""
    blocks.count[:], total = 0, 0
    for g in range(leader.size):
        b, i = place[g] // SIZE, place[g] % SIZE
        for k in range(dense.shape[1]):
            c = dense[leader[g], k]
            total += np.int64(c)
            blocks.count[b, k, i] = c
            while MAXIMA[blocks.maximum[b, k]] < c:
                blocks.maximum[b, k] += 1
    for b in range(blocks.columns.size):
        n = 0
        for k in range(dense.shape[1]):
            largest[k] = max(largest[k], blocks.maximum[b, k])
            if blocks.count[b, k].any():
                blocks.column[b, n] = k
                n += 1
        blocks.columns[b] = n
    return total


@kernel
def set_common(groups: Groups, blocks: Blocks, columns: Columns, common: int, number: NDArray[np.int64]) -> None:
    """Let the last columns be common, as many as are said; `number` is for SIZE numbers of its own."""
    own = columns.feature.size - common
    columns.common[0] = common
    columns.parabola_at[:] = -1  # chords of columns that were common are not known
    for b in range(blocks.columns.size):
        blocks.own[b] = 0
        while blocks.own[b] < blocks.columns[b] and blocks.column[b, blocks.own[b]] < own:
            blocks.own[b] += 1
        for i in range(SIZE):
            number[i], groups.total[b * SIZE + i] = 0, 0.0
        for j in range(blocks.columns[b]):
            count = blocks.count[b, blocks.column[b, j]]
            for i in range(SIZE):
                if j < blocks.own[b]:
                    groups.total[b * SIZE + i] += count[i]
                else:
                    number[i] += count[i]
        most, fewest = np.int64(0), np.int64(1 << 62)
        for i in range(SIZE):
            if groups.size[b * SIZE + i]:
                most, fewest = max(most, number[i]), min(fewest, number[i])
        fewest = max(min(fewest, most), most - MOST)
        blocks.fewest[b] = fewest  # to take it that a group has more lowers its bound
        for i in range(SIZE):
            blocks.count[b, columns.feature.size, i] = min(max(number[i] - fewest, 0), MOST)
        blocks.maximum[b, columns.feature.size] = 0
        while MAXIMA[blocks.maximum[b, columns.feature.size]] < most - fewest:
            blocks.maximum[b, columns.feature.size] += 1
        blocks.features[b], blocks.reach[b] = -1, -np.inf


@kernel
def fill_nodes(model: Model, groups: Groups, row: NDArray[np.int64], at: NDArray[np.int64]) -> None:
    """Score the rests of the rows, which are given in the order of their groups, and make heaps of them."""
    for i in range(row.size):
        groups.node[i, 0] = gain_of_rest(model, groups, at[row[i]])
        groups.node[i, 1] = tag_of(groups, at[row[i]])
    for g in range(groups.size.size):
        root, size = groups.first[g], groups.size[g]
        for i in range(size // 2 - 1, -1, -1):
            sift(groups.node, root, i, size, groups.node[root + i, 0], groups.node[root + i, 1])
        set_top(groups, g)


@inlined
def tag_of(groups: Groups, at: int) -> int:
    return (np.int64(groups.line[groups.row_data[np.int64(groups.rest[at + ROW]) + LINE]]) << 32) | at


@inlined
def gain_of_rest(model: Model, groups: Groups, at: int) -> int:
    begin = at + REST
    return gain_of_row(model, groups.rest, begin, begin + np.int64(groups.rest[at + RESTS]))


@inlined
def set_top(groups: Groups, g: int) -> None:
    groups.top[g] = groups.node[groups.first[g], 0] * UNIT if groups.size[g] else np.inf
