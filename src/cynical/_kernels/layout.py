"""What a search begins with: the gains of all rows, which rows are equal, and the rows in the order of the search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunk import U64
from .entries import ENTRIES, HEAD, LEFT, LINE, Rows, copy_entries, span
from .formulas import Model, gain_of_row
from .jit import kernel
from .mix import MIX

MARK = 0xFFFFF  # the bits of a gain that hold a hash while rows are sorted: 2^-36 bit, which only moves rows a little


@kernel
def gains_of_rows(model: Model, rows: Rows, gain: NDArray[np.int64]) -> None:
    for row in range(gain.size):
        begin, end = span(rows, row)
        gain[row] = gain_of_row(model, rows.entry, begin, end)


@kernel
def mark_rows(rows: Rows, gain: NDArray[np.int64]) -> None:
    """Put a hash of a row into the last bits of its gain, so that sorting by gain brings equal rows together."""
    for row in range(gain.size):
        h = U64(rows.entries[row])
        begin, end = span(rows, row)
        for k in range(begin, end):
            h = (h ^ U64(rows.entry[k])) * MIX
            h ^= h >> U64(32)
        gain[row] = (gain[row] & ~np.int64(MARK)) | np.int64(h & U64(MARK))


@kernel
def find_copies(
    rows: Rows,
    size: NDArray[np.uint32] | NDArray[np.int64],
    order: NDArray[np.int64],
    key: NDArray[np.int64],
    first: NDArray[np.bool_],
) -> None:
    """For rows in the order of their keys: is a row the first of its kind? What follows it up to the next is a copy.

    `size` tells lines of different sizes apart, in the same order.
    """
    entry, start, entries = rows.entry, rows.start, rows.entries
    leader = 0
    for i in range(order.size):
        a, b = order[leader], order[i]
        equal = i > 0 and key[a] == key[b] and size[leader] == size[i] and entries[a] == entries[b]
        k = 0
        while equal and k < np.int64(entries[a]):
            equal = entry[start[a] + k] == entry[start[b] + k]
            k += 1
        first[i] = not equal
        if not equal:
            leader = i


@kernel
def lay_rows(
    rows: Rows,
    order: NDArray[np.int64],
    group: NDArray[np.int64],
    place: NDArray[np.int64],
    row_data: NDArray[np.uint32],
) -> None:
    """Copy the first row of each group of order[group[i]:group[i + 1]] to its place, after a head of three numbers:

    where its lines are in `order`, how many there are, and how many entries the row has.
    """
    for i in range(place.size - 1):
        at = place[i]
        row_data[at + LINE] = group[i]
        row_data[at + LEFT] = group[i + 1] - group[i]
        row_data[at + ENTRIES] = place[i + 1] - at - HEAD
        begin, end = span(rows, order[group[i]])
        copy_entries(rows.entry, begin, end, row_data, at + HEAD)
