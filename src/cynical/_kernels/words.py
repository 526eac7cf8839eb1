"""Bytes to words to ids: where words begin and end, and a hash table that tells them apart by their bytes.

A chunk of text is a uint8 array whose length is a multiple of 64, padded with spaces (see Reader in tokens.py),
and the same memory as uint64: eight bytes are looked at with one operation. Word separators are a bit a byte.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import inlined, kernel, prefetch

U64 = np.uint64
ZERO, ONE, SEVEN, EIGHT = U64(0), U64(1), U64(7), U64(8)
TOP = U64(0x8080808080808080)  # the top bit of each of eight bytes
LOW = U64(0x7F7F7F7F7F7F7F7F)
EVERY = U64(0x0101010101010101)
GATHER = U64(0x0102040810204080)  # multiplies eight flags into the top byte
ALL = U64(0xFFFFFFFFFFFFFFFF)
SPACES = U64(0x2020202020202020)
TABS = U64(0x7777777777777777)  # low + this reaches the top bit from byte 9 on
SHIFTS = U64(0x7272727272727272)  # and this from byte 14 on
NEWLINES = U64(0x0A0A0A0A0A0A0A0A)
PADDING = 16  # bytes that may be looked at behind a word
MIX, MIX_LONG = U64(0x9E3779B97F4A7C15), U64(0xD6E8FEB86659FD93)
DE_BRUIJN = U64(0x03F79D71B4CB0A89)


def _bit_positions() -> NDArray[np.int64]:
    table = np.zeros(64, np.int64)
    for bit in range(64):
        table[((int(DE_BRUIJN) << bit) & (2**64 - 1)) >> 58] = bit
    return table


BIT = _bit_positions()


class Vocabulary(NamedTuple):
    """An open-addressing table of words and, by id, their bytes and counts.

    `slot` holds for each slot the word's key (its bytes if there are at most eight, else their hash) and
    `id + 1 << 32 | length` (0 if empty). `size` is [types, bytes used in arena].
    """

    slot: NDArray[np.uint64]  # (slots, 2), a power of two
    arena: NDArray[np.uint8]  # the words' bytes, one after another, and PADDING behind the last
    eight: NDArray[np.uint64]  # the same bytes
    start: NDArray[np.int64]  # where a word's bytes begin; one more than there are words
    counts: NDArray[np.int64]
    first: NDArray[np.int64]  # where the word was first seen
    size: NDArray[np.int64]


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
def separate(
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
def eight_bytes(eight: NDArray[np.uint64], at: int) -> np.uint64:
    """The eight bytes that begin at any position."""
    shift = U64((at & 7) << 3)
    return (eight[at >> 3] >> shift) | ((eight[(at >> 3) + 1] << ONE) << (U64(63) - shift))


@inlined
def key_of(eight: NDArray[np.uint64], begin: int, length: int) -> np.uint64:
    """The word itself if it has at most eight bytes, else a hash of all of them."""
    if length <= 8:
        return eight_bytes(eight, begin) & (ALL >> U64(64 - 8 * length))
    h = ZERO
    at, left = begin, length
    while left > 8:
        h = (h ^ eight_bytes(eight, at)) * MIX_LONG
        h ^= h >> U64(32)
        at += 8
        left -= 8
    h = (h ^ (eight_bytes(eight, at) & (ALL >> U64(64 - 8 * left)))) * MIX_LONG
    return h ^ (h >> U64(29))


@inlined
def first_slot(key: np.uint64, length: int, slots: int) -> int:
    h = (key ^ U64(length)) * MIX
    return np.int64((h ^ (h >> U64(32))) & U64(slots - 1))


@inlined
def same_bytes(arena: NDArray[np.uint64], a: int, text: NDArray[np.uint64], b: int, length: int) -> bool:
    at = 0
    while length - at > 8:
        if eight_bytes(arena, a + at) != eight_bytes(text, b + at):
            return False
        at += 8
    differ = eight_bytes(arena, a + at) ^ eight_bytes(text, b + at)
    return differ & (ALL >> U64(64 - 8 * (length - at))) == ZERO


@inlined
def find(vocabulary: Vocabulary, eight: NDArray[np.uint64], begin: int, length: int, key: np.uint64) -> tuple[int, int]:
    """The word's id (-1 if it is new) and its slot (the empty one if it is new)."""
    slot = vocabulary.slot
    slots = slot.shape[0]
    at = first_slot(key, length, slots)
    while True:
        held = slot[at, 1]
        if held == ZERO:
            return -1, at
        if slot[at, 0] == key and (held & U64(0xFFFFFFFF)) == U64(length):
            v = np.int64(held >> U64(32)) - 1
            if length <= 8 or same_bytes(vocabulary.eight, vocabulary.start[v], eight, begin, length):
                return v, at
        at = (at + 1) & (slots - 1)


@inlined
def add(
    vocabulary: Vocabulary, text: NDArray[np.uint8], begin: int, length: int, key: np.uint64, at: int, first: int
) -> int:
    """A new word in an empty slot; there must be room for it."""
    v, used = vocabulary.size[0], vocabulary.size[1]
    vocabulary.slot[at, 0] = key
    vocabulary.slot[at, 1] = (U64(v + 1) << U64(32)) | U64(length)
    for k in range(length):
        vocabulary.arena[used + k] = text[begin + k]
    vocabulary.start[v + 1] = used + length
    vocabulary.first[v] = first
    vocabulary.counts[v] = 0
    vocabulary.size[0] = v + 1
    vocabulary.size[1] = used + length
    return v


@inlined
def has_room(vocabulary: Vocabulary, length: int) -> bool:
    types = vocabulary.size[0] + 1
    return (
        2 * types <= vocabulary.slot.shape[0]
        and types <= vocabulary.counts.size
        and vocabulary.size[1] + length + PADDING <= vocabulary.arena.size
    )


@inlined
def count_waiting(
    vocabulary: Vocabulary,
    text: NDArray[np.uint8],
    eight: NDArray[np.uint64],
    waiting: NDArray[np.int64],
    keys: NDArray[np.uint64],
    number: int,
    base: int,
) -> int:
    """Count words whose slots have been asked for; where the first is that found no room, or -1."""
    for i in range(number):
        b, length, key = waiting[i, 0], waiting[i, 1], keys[i]
        v, slot = find(vocabulary, eight, b, length, key)
        if v < 0:
            if not has_room(vocabulary, length):
                return b
            v = add(vocabulary, text, b, length, key, slot, base + b)
        vocabulary.counts[v] += 1
    return -1


@kernel
def count_words(
    vocabulary: Vocabulary,
    text: NDArray[np.uint8],
    eight: NDArray[np.uint64],
    blank: NDArray[np.uint64],
    waiting: NDArray[np.int64],
    keys: NDArray[np.uint64],
    begin: int,
    base: int,
) -> int:
    """Count the words from `begin` on; the position of the first that found no room, or -1 when all are counted.

    `base` is added to a position to say where a word was first seen. Words are looked up some at a time, so that their
    slots are on the way into the cache while the next words are found; `waiting` and `keys` have room for them.
    """
    number = 0
    word_before = ZERO  # 1 while the byte before the group belongs to a word
    b = 0
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
                continue
            keys[number] = key_of(eight, b, at - b)
            waiting[number, 0], waiting[number, 1] = b, at - b
            prefetch(vocabulary.slot, 2 * first_slot(keys[number], at - b, vocabulary.slot.shape[0]))
            number += 1
            if number == keys.size:
                full = count_waiting(vocabulary, text, eight, waiting, keys, number, base)
                if full >= 0:
                    return full
                number = 0
    return count_waiting(vocabulary, text, eight, waiting, keys, number, base)


@kernel
def rehash(vocabulary: Vocabulary, slot: NDArray[np.uint64]) -> None:
    """Move all words into a larger, empty table."""
    for old in range(vocabulary.slot.shape[0]):
        held = vocabulary.slot[old, 1]
        if held == ZERO:
            continue
        key = vocabulary.slot[old, 0]
        at = first_slot(key, np.int64(held & U64(0xFFFFFFFF)), slot.shape[0])
        while slot[at, 1] != ZERO:
            at = (at + 1) & (slot.shape[0] - 1)
        slot[at, 0], slot[at, 1] = key, held


@kernel
def merge(
    into: Vocabulary,
    words: NDArray[np.uint8],
    eight: NDArray[np.uint64],
    start: NDArray[np.int64],
    count: NDArray[np.int64],
    first: NDArray[np.int64],
    begin: int,
) -> int:
    """Add words with their counts; the number of the first that found no room, or -1."""
    for i in range(begin, count.size):
        b, length = start[i], start[i + 1] - start[i]
        key = key_of(eight, b, length)
        v, slot = find(into, eight, b, length, key)
        if v < 0:
            if not has_room(into, length):
                return i
            v = add(into, words, b, length, key, slot, first[i])
        into.counts[v] += count[i]
        into.first[v] = min(into.first[v], first[i])
    return -1


@kernel
def look_up(
    vocabulary: Vocabulary,
    eight: NDArray[np.uint64],
    start: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """The id of each word, or -1."""
    for i in range(found.size):
        b, length = start[i], start[i + 1] - start[i]
        found[i], _ = find(vocabulary, eight, b, length, key_of(eight, b, length))
