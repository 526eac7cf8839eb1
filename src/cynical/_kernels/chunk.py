"""A chunk of text: where its lines end, and where its words begin and end.

A chunk is a uint8 array whose length is a multiple of 64, padded with spaces (see Reader in text/tokenizer.py), and the
same memory as uint64, so that one operation looks at eight bytes. White space is kept as one bit per byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import inlined, kernel

U64 = np.uint64
ZERO, ONE, SEVEN = U64(0), U64(1), U64(7)
TOP = U64(0x8080808080808080)  # the top bit of each of eight bytes
LOW = U64(0x7F7F7F7F7F7F7F7F)
EVERY = U64(0x0101010101010101)
GATHER = U64(0x0102040810204080)  # multiplies eight flags into the top byte
ALL = U64(0xFFFFFFFFFFFFFFFF)
SPACES = U64(0x2020202020202020)
TABS = U64(0x7777777777777777)  # low + this reaches the top bit from byte 9 on
SHIFTS = U64(0x7272727272727272)  # and this from byte 14 on
NEWLINES = U64(0x0A0A0A0A0A0A0A0A)
DE_BRUIJN = U64(0x03F79D71B4CB0A89)


def _bit_positions() -> NDArray[np.int64]:
    table = np.zeros(64, np.int64)
    for bit in range(64):
        table[((int(DE_BRUIJN) << bit) & (2**64 - 1)) >> 58] = bit
    return table


BIT = _bit_positions()


class Chunk(NamedTuple):
    text: NDArray[np.uint8]
    eight: NDArray[np.uint64]  # the same bytes
    blank: NDArray[np.uint64]  # one bit per byte: is it white space? One group of 64 more than the text, all blank
    line_end: NDArray[np.int64]


@inlined
def lowest_bit(x: np.uint64) -> int:
    return BIT[((x & (~x + ONE)) * DE_BRUIJN) >> U64(58)]


@inlined
def equal_bytes(x: np.uint64, repeated: np.uint64) -> np.uint64:
    """The top bit of each byte of x that equals the repeated byte."""
    y = x ^ repeated
    return ~(((y & LOW) + LOW) | y) & TOP


@inlined
def wide_space(text: NDArray[np.uint8], i: int) -> int:
    """The length in bytes of the white space beyond ASCII that begins at i, or 0."""
    a, b = text[i], text[i + 1]
    if a == 0xC2:
        return 2 if b == 0x85 or b == 0xA0 else 0
    c = text[i + 2]
    if a == 0xE1:
        return 3 if b == 0x9A and c == 0x80 else 0
    if a == 0xE2:
        if b == 0x80:
            return 3 if 0x80 <= c <= 0x8A or c == 0xA8 or c == 0xA9 or c == 0xAF else 0
        return 3 if b == 0x81 and c == 0x9F else 0
    return 3 if a == 0xE3 and b == 0x80 and c == 0x80 else 0


@kernel
def find_white_space(
    text: NDArray[np.uint8], eight: NDArray[np.uint64], blank: NDArray[np.uint64], line_end: NDArray[np.int64]
) -> tuple[int, bool]:
    """Set a bit of `blank` for each byte of white space, list the newlines; how many, and is any byte beyond ASCII?"""
    lines, high = 0, ZERO
    blank[:-1] = ZERO
    blank[-1] = ALL
    for group in range(blank.size - 1):
        bits, newlines = ZERO, ZERO
        for j in range(8):
            x = eight[8 * group + j]
            low = x & LOW
            other = (low ^ SPACES) + LOW
            control = (low + TABS) & ~(low + SHIFTS)
            white = ((~other | control) & ~x & TOP) >> SEVEN
            bits |= ((white * GATHER) >> U64(56)) << U64(8 * j)
            newlines |= (((equal_bytes(x, NEWLINES) >> SEVEN) * GATHER) >> U64(56)) << U64(8 * j)
            if x & TOP:
                high |= x & TOP
                wide = equal_bytes(x, U64(0xC2) * EVERY) | equal_bytes(x, U64(0xE1) * EVERY)
                wide |= equal_bytes(x, U64(0xE2) * EVERY) | equal_bytes(x, U64(0xE3) * EVERY)
                while wide:
                    i = 64 * group + 8 * j + (lowest_bit(wide) >> 3)
                    wide &= wide - ONE
                    for k in range(i, i + wide_space(text, i)):
                        blank[k >> 6] |= ONE << U64(k & 63)
        blank[group] |= bits
        while newlines:
            line_end[lines] = 64 * group + lowest_bit(newlines)
            lines += 1
            newlines &= newlines - ONE
    return lines, high != ZERO


@inlined
def words_of(chunk: Chunk, begin: int) -> Iterator[tuple[int, int]]:
    """Where each word begins and ends, from position `begin` on: the one walk over a chunk's words."""
    blank, b = chunk.blank, 0
    word_before = ZERO  # 1 while the byte before the group belongs to a word
    for group in range(begin >> 6, blank.size):
        word = ~blank[group]
        if group == begin >> 6:
            word &= ALL << U64(begin & 63)
        edge = word ^ ((word << ONE) | word_before)
        word_before = word >> U64(63)
        while edge:
            bit = lowest_bit(edge)
            at = 64 * group + bit
            edge &= edge - ONE
            if (word >> U64(bit)) & ONE:
                b = at
            else:
                yield b, at
