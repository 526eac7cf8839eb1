"""How a row is written: the word types (and n-grams) of a line, as uint32 entries.

With F features, an entry below 8 F is `v + (c - 1) * F`: the line has feature v c times, c <= 8. The entry is also the
index of its gain in `Model.gain`. An entry `v + 8 F` is followed by the number of times the line has feature v.

Where lines have a prior, the last feature of all is no feature: its "number of times" is the prior, in multiples of
2^-28 bit from ZERO_PRIOR on. So lines of other priors have other rows, and a row's gain has its prior in it.

In the exact search the entries of a row follow a head of three numbers: see `Heaps.row_data` in exact.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import inlined

REPEATS = 8  # a feature that a line has more often takes two numbers
ZERO_PRIOR = 1 << 31  # how a prior of 0 is written
LINE, LEFT, ENTRIES, HEAD = 0, 1, 2, 3  # the head of a row: its next line, how many are left, its entries; its size


class Rows(NamedTuple):
    """Row r is entry[start[r]:start[r] + entries[r]]."""

    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]


@inlined
def span(rows: Rows, row: int) -> tuple[int, int]:
    """Where the entries of a row begin and end."""
    begin = rows.start[row]
    return begin, begin + np.int64(rows.entries[row])


@inlined
def span_at(row_data: NDArray[np.uint32], place: int) -> tuple[int, int]:
    """The same of a row whose head is at `place`."""
    begin = place + HEAD
    return begin, begin + np.int64(row_data[place + ENTRIES])


@inlined
def decoded(entry: NDArray[np.uint32], begin: int, end: int, features: int) -> Iterator[tuple[int, int]]:
    """Each feature of a row, and how many times the line has it: the one decoding of entries."""
    k = begin
    while k < end:
        e = np.int64(entry[k])
        v, c = e % features, e // features + 1
        if c > REPEATS:
            k += 1
            c = np.int64(entry[k])
        k += 1
        yield v, c


@inlined
def write_entry(entry: NDArray[np.uint32], at: int, v: int, c: int, features: int) -> int:
    """Write that a line has feature v c times; where the next entry goes."""
    if c <= REPEATS:
        entry[at] = v + (c - 1) * features
        return at + 1
    entry[at] = v + REPEATS * features
    entry[at + 1] = c
    return at + 2


@inlined
def copy_entries(entry: NDArray[np.uint32], begin: int, end: int, out: NDArray[np.uint32], at: int) -> int:
    """Copy entries to `at`; where the next one goes."""
    for k in range(begin, end):
        out[at] = entry[k]
        at += 1
    return at
