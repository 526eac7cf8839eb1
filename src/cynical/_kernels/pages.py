"""Rows in pages, KINDS to a page: how they are laid out for a search by tables. See paged_exact.py for the search.

Where lines share their words, a pick changes the gain of nearly every row, so each pick takes a bound of every row from
nothing. A row is some codes of six bits: what it has of a frequent feature, or of two or three rare ones together. A
table says what each of the 64 kinds of a code costs at least, as a number of eight bits, and one instruction looks up a
code of a whole page. The sum of what is found is a bound of the utility of a row.

Lengths that are near each other are a *band*, which has tables of its own. Its rows are in the order of the rare
features that they have, so that the rows of a page often share some: the *head* of a page says which, and heads are
looked up in the same way, those of KINDS pages (a *sheet*) at once. A page is passed over if its head already costs too
much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import U64
from .entries import LEFT, decoded, span_at
from .formulas import UNIT, Model, gain_of_row, ready_gain
from .jit import KINDS, inlined, kernel
from .mix import hash_of

MOST = 255  # counts are kept up to here; a row with as many of a feature is large, whatever that feature's kinds
NORM, FIRST, LENGTH, REST = 0, 1, -2, -1  # which code of a page is which; those of columns are between
OTHERS = 3  # codes that are not of columns
FOUR, EIGHT = 4, 8  # counts of a rare feature that are told apart, if three or two of them share a code
PARTS = 3  # features in a code, at most
SHARED = 3  # rare features that a head names, at most,
HEADS = SHARED + 1  # after the least norm of its page
HAS_SCARCE, LARGE = 1, 2  # groups of rows with bands of their own; see find_apart
NOTHING = KINDS - 1  # in place of a length: no row; in place of a feature in a head: none


class Codes(NamedTuple):
    """What the codes of a page say. A *column* is a feature whose counts are in codes; the frequent ones come first.
    The last column is no feature: it counts what no other column does."""

    feature: NDArray[np.int64]  # by column; -1 for the last
    kinds: NDArray[np.int64]  # by column: counts below this are told apart: KINDS, 8 or 4
    part: NDArray[np.int64]  # (codes, PARTS): columns, whose counts are digits, the lowest first; -1 for none
    frequent: NDArray[np.int64]  # how many columns are frequent: each has a code of its own, and is in the norm
    norm: NDArray[np.float64]  # by kind: the least norm of a row; see norms
    rest: NDArray[np.float64]  # by kind: the most that a row gains by features without a column, in bits, negative


class Bands(NamedTuple):
    """Lengths that are near each other, from length[begin[a]] up to length[end[a]]."""

    length: NDArray[np.int64]  # in the order of their features: which of Lengths
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    middle: NDArray[np.float64]  # of the features of its rows
    large: NDArray[np.bool_]  # its rows have some count that their codes cannot tell from larger ones; other rows not
    top: NDArray[np.int64]  # (bands, columns): the largest count


class Lengths(NamedTuple):
    """What lines of one length, in words and in features, share."""

    features: NDArray[np.int64]
    words: NDArray[np.int64]
    divisor: NDArray[np.float64]  # the words where utility is per word, else 1


class Pages(NamedTuple):
    """The rows."""

    row_data: NDArray[np.uint32]  # whole rows: see exact.Heaps
    line: NDArray[np.uint32]
    place: NDArray[np.int64]  # by page, KINDS: where each row is in row_data,
    length: NDArray[np.int32]  # and which length it has
    code: NDArray[np.uint8]  # by page, codes_of, KINDS
    head: NDArray[np.uint8]  # by sheet, HEADS, KINDS
    first: NDArray[np.int64]  # by sheet, and one more: its first page
    band: NDArray[np.int64]  # by sheet
    left: NDArray[np.int64]  # one number: rows that have lines left
    lately: NDArray[np.int64]  # picks, and about how many rows they scored


@inlined
def codes_of(codes: Codes) -> int:
    """How many codes a page has."""
    return codes.part.shape[0] + OTHERS


@inlined
def kind_of_length(i: int, number: int) -> int:
    """What the i-th of a number of lengths is in a code: neighbours share one if there are more than kinds."""
    return i * NOTHING // max(number, NOTHING)


class Split(NamedTuple):
    """The rows that have lines left, in the order of row_data."""

    place: NDArray[np.int64]
    count: NDArray[np.uint8]  # (rows, columns)
    gain: NDArray[np.float64]  # what the row brings, in bits,
    rest: NDArray[np.float64]  # and what of it is brought by features without a column
    code: NDArray[np.uint64]  # a hash of the counts


@kernel
def split_rows(
    model: Model, row_data: NDArray[np.uint32], end: int, column_of: NDArray[np.int64], split: Split
) -> None:
    """Count what each row has of the columns; the last of these is left to count_others."""
    place = row = 0
    while place < end:
        begin, stop = span_at(row_data, place)
        if row_data[place + LEFT]:
            rest = 0
            split.count[row] = 0
            for v, c in decoded(row_data, begin, stop, column_of.size):
                k = column_of[v]
                if k >= 0:
                    split.count[row, k] = min(c, MOST)
                else:
                    rest += ready_gain(model, v, c)
            split.place[row], split.code[row], split.rest[row] = place, hash_of(split.count[row]), rest * UNIT
            split.gain[row] = gain_of_row(model, row_data, begin, stop) * UNIT
            row += 1
        place = stop


@kernel
def count_others(count: NDArray[np.uint8], features: NDArray[np.int64]) -> None:
    """The last column: the features of each row that no other column has counted, words of no feature too.

    Where another count is too large to be kept it is taken to be 0, which bounds it."""
    last = count.shape[1] - 1
    for row in range(count.shape[0]):
        others = features[row]
        for k in range(last):
            others -= np.int64(count[row, k])
            if count[row, k] == MOST:
                others = 0
                break
        count[row, last] = min(max(others, 0), MOST)


@kernel
def count_larger(
    count: NDArray[np.uint8], four: NDArray[np.int64], eight: NDArray[np.int64], total: NDArray[np.int64]
) -> None:
    """By column: how many rows have FOUR or more, and EIGHT or more; and all counts together."""
    for row in range(count.shape[0]):
        for k in range(count.shape[1]):
            c = np.int64(count[row, k])
            four[k] += c >= FOUR
            eight[k] += c >= EIGHT
            total[k] += c


@kernel
def put_in_order(count: NDArray[np.uint8], column: NDArray[np.int64], work: NDArray[np.uint8]) -> None:
    """Put the columns in this order; `work` has room for a row."""
    for row in range(count.shape[0]):
        for k in range(column.size):
            work[k] = count[row, k]
        for k in range(column.size):
            count[row, k] = work[column[k]]


@kernel
def find_apart(
    count: NDArray[np.uint8], kinds: NDArray[np.int64], scarce: NDArray[np.int64], group: NDArray[np.int64]
) -> None:
    """Which rows have bands apart from those of the others: rows that have a scarce column, since they decide what the
    best row may cost at most, and large ones."""
    for row in range(count.shape[0]):
        group[row] = 0
        for i in range(scarce.size):
            if count[row, scarce[i]]:
                group[row] = HAS_SCARCE
        for k in range(count.shape[1]):
            if np.int64(count[row, k]) >= kinds[k]:
                group[row] = LARGE


@kernel
def code_lengths(i: NDArray[np.int64], number: NDArray[np.int64], code: NDArray[np.uint8]) -> None:
    """See kind_of_length."""
    for row in range(i.size):
        code[row] = kind_of_length(i[row], number[row])


@kernel
def largest(count: NDArray[np.uint8], band: NDArray[np.int64], top: NDArray[np.int64]) -> None:
    """The largest count of each column in each band."""
    for row in range(count.shape[0]):
        for k in range(count.shape[1]):
            top[band[row], k] = max(top[band[row], k], np.int64(count[row, k]))


@kernel
def norms(
    count: NDArray[np.uint8],
    features: NDArray[np.int64],
    p: NDArray[np.float64],
    norm: NDArray[np.float64],
) -> None:
    """How far the counts of the frequent columns, of these probabilities, are from those of a usual row as long."""
    for row in range(count.shape[0]):
        total = 0.0
        for k in range(p.size):
            away = np.float64(count[row, k]) - features[row] * p[k]
            total += away * away / p[k]
        norm[row] = np.sqrt(total)


@kernel
def signatures(count: NDArray[np.uint8], order: NDArray[np.int64], digits: int, signature: NDArray[np.uint64]) -> None:
    """By row, the first columns in an order that it has: a number, higher for those that come later or are fewer."""
    for row in range(count.shape[0]):
        number, made = U64(0), 0
        for i in range(order.size):
            if made < digits and count[row, order[i]]:
                number, made = number << U64(7) | U64(i), made + 1
        while made < digits:
            number, made = number << U64(7) | U64(127), made + 1
        signature[row] = number


@kernel
def rearrange(codes: Codes, pages: Pages, order: NDArray[np.int64], lines: NDArray[np.uint8]) -> None:
    """Put the codes of all pages into another order; `lines` has room for those of a page."""
    number = codes.part.shape[0]
    for page in range(pages.place.size // KINDS):
        at = (page * codes_of(codes) + FIRST) * KINDS
        for i in range(number * KINDS):
            lines[i] = pages.code[at + i]
        for q in range(number):
            for i in range(KINDS):
                pages.code[at + q * KINDS + i] = lines[order[q] * KINDS + i]


@inlined
def digits_of(codes: Codes, count: NDArray[np.uint8], row: int, q: int) -> int:
    """A code of a row; the largest counts that can be told apart stand for larger ones."""
    code, times = 0, 1
    for j in range(PARTS):
        k = codes.part[q, j]
        if k >= 0:
            code += min(np.int64(count[row, k]), codes.kinds[k] - 1) * times
            times *= codes.kinds[k]
    return code


@kernel
def fill_pages(
    codes: Codes,
    split: Split,
    order: NDArray[np.int64],
    lane: NDArray[np.int64],
    other: NDArray[np.uint8],
    length: NDArray[np.int64],
    pages: Pages,
) -> None:
    """Write each row, in this order, where it is to be. `other` has its codes that are not of columns: that of the
    norm, then the last ones, from the end."""
    number = codes_of(codes)
    for page in range(pages.place.size // KINDS):
        for i in range(number * KINDS):
            pages.code[page * number * KINDS + i] = 0
        for i in range(KINDS):
            pages.code[(page * number + number + LENGTH) * KINDS + i] = NOTHING
    for i in range(order.size):
        row, page, j = order[i], lane[i] // KINDS, lane[i] % KINDS
        pages.place[lane[i]], pages.length[lane[i]] = split.place[row], length[row]
        at = page * number * KINDS + j
        for q in range(OTHERS):  # by their names: NORM, and from the end
            pages.code[at + (q if q == NORM else number - q) * KINDS] = other[row, q]
        for q in range(codes.part.shape[0]):
            pages.code[at + (FIRST + q) * KINDS] = digits_of(codes, split.count, row, q)


@kernel
def fill_heads(
    codes: Codes,
    count: NDArray[np.uint8],
    order: NDArray[np.int64],
    begin: NDArray[np.int64],
    rare: NDArray[np.int64],
    pages: Pages,
) -> None:
    """The heads of all pages: page n has the rows from order[begin[n]] on. Rare columns are named by where they are in
    `rare`, the first that all rows of the page have."""
    number = codes_of(codes)
    for sheet in range(pages.band.size):
        for page in range(pages.first[sheet], pages.first[sheet + 1]):
            at = sheet * HEADS * KINDS + page - pages.first[sheet]
            least = np.int64(KINDS)
            for i in range(begin[page + 1] - begin[page]):
                least = min(least, np.int64(pages.code[(page * number + NORM) * KINDS + i]))
            pages.head[at] = least
            named = 0
            for n in range(min(rare.size, NOTHING)):
                has = named < SHARED
                for i in range(begin[page], begin[page + 1]):
                    has = has and count[order[i], rare[n]] > 0
                if has:
                    named += 1
                    pages.head[at + named * KINDS] = n
            while named < SHARED:
                named += 1
                pages.head[at + named * KINDS] = NOTHING
