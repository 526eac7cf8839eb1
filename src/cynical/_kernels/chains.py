"""Lines of equal words in a chain: by last known gain, ties to the earlier line.

A batch has at most one of them, the earliest that was scored. So only the first line of a chain has nodes in the heaps
of word_lists.py, and lines that are scored in one batch move together: they get the same gain, which no other line of
the chain exceeds, and go to its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import Rows, span
from .exact import before
from .jit import inlined, kernel

ALONE = 0  # in place of the number of a chain: the line has no copies
END = 0xFFFFFFFF  # in place of a line: there is none


class Chains(NamedTuple):
    """Line l is in the chain of[l]; chains have numbers from 1 on."""

    of: NDArray[np.uint32]
    next: NDArray[np.uint32]  # by line: the one after it
    front: NDArray[np.int64]  # by chain: the first line,
    back: NDArray[np.int64]  # the last,
    seam: NDArray[np.int64]  # and the last whose gain is not that of the back
    is_open: NDArray[np.bool_]  # have lines been taken out in this batch?


@inlined
def equal_rows(rows: Rows, a: int, b: int) -> bool:
    if rows.entries[a] != rows.entries[b]:
        return False
    begin, end = span(rows, a)
    away = rows.start[b] - begin
    for k in range(begin, end):
        if rows.entry[k] != rows.entry[k + away]:
            return False
    return True


@kernel
def link_lines(
    rows: Rows, gain: NDArray[np.int64], line: NDArray[np.int64], same: NDArray[np.uint64], chains: Chains
) -> None:
    """Make chains of these lines, which are given by `same`, then gain, then line.

    `same` is a hash: should lines of different rows have the same, they are in different chains."""
    number = 0
    for i in range(line.size):
        this, last = line[i], line[max(i - 1, 0)]
        if i > 0 and same[i] == same[i - 1] and equal_rows(rows, this, last):
            chains.next[last] = this
            if gain[this] != gain[last]:
                chains.seam[number] = last
        else:
            number += 1
            chains.front[number], chains.seam[number] = this, END
        chains.of[this], chains.back[number] = number, this


@inlined
def merge(chains: Chains, a: int, b: int) -> int:
    """Merge two pieces of a chain, each in the order of the lines and with END after its last; the first line."""
    if b < a:
        a, b = b, a
    first = last = a
    a = np.int64(chains.next[a])
    while a != END:
        if b < a:
            a, b = b, a
        chains.next[last] = a
        last = a
        a = np.int64(chains.next[a])
    chains.next[last] = b
    return first


@inlined
def take_out(chains: Chains, gain: NDArray[np.int64], chain: int, most: int, key: int, line: int) -> tuple[int, int]:
    """Take lines off the front of a chain: at least one, then as many as are before a line with this key.

    The first line of the piece, which is then in the order of the lines, and how many there are."""
    first = last = ahead = chains.front[chain]
    sorted_first, number = END, 0  # what is in order; the lines from first to last are, and are not merged with it yet
    while number < most and ahead != END and (number == 0 or before(gain[ahead], ahead, key, line)):
        if ahead < last:
            chains.next[last] = END
            sorted_first = first if sorted_first == END else merge(chains, sorted_first, first)
            first = ahead
        last = ahead
        if last == chains.seam[chain]:
            chains.seam[chain] = END
        ahead = np.int64(chains.next[last])
        number += 1
    chains.next[last] = END
    chains.front[chain] = ahead
    return first if sorted_first == END else merge(chains, sorted_first, first), number


@inlined
def set_gains(chains: Chains, gain: NDArray[np.int64], first: int) -> None:
    """Let all lines of a piece have the gain of the first."""
    line = np.int64(chains.next[first])
    while line != END:
        gain[line] = gain[first]
        line = np.int64(chains.next[line])


@inlined
def append(chains: Chains, gain: NDArray[np.int64], chain: int, first: int) -> None:
    """Put a piece into a chain; no line of the chain has a higher gain."""
    if first == END:
        return
    last = first
    while chains.next[last] != END:
        last = np.int64(chains.next[last])
    back, seam = chains.back[chain], chains.seam[chain]
    if chains.front[chain] == END:
        chains.front[chain], chains.back[chain] = first, last
    elif gain[back] < gain[first]:
        chains.next[back] = first
        chains.seam[chain], chains.back[chain] = back, last
    elif seam == END:
        chains.front[chain], chains.back[chain] = merge(chains, chains.front[chain], first), max(back, last)
    else:
        chains.next[seam] = merge(chains, np.int64(chains.next[seam]), first)
        chains.back[chain] = max(back, last)
