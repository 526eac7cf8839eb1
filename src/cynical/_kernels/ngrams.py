"""N-grams as numbers: a pair is two words, a triple a pair and a word.

So one table tells all orders apart: its key is what an n-gram begins with and its last word. What it begins with is a
word, the boundary of a line, or the number of a shorter n-gram with the bit GRAM set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import U64, ZERO, Chunk, words_of
from .jit import inlined, kernel
from .mix import slot_of
from .vocabulary import Vocabulary, empty_slot, find_or_add, key_of

BOUNDARY = 0xFFFFFFFF
GRAM = 0x80000000


class Grams(NamedTuple):
    """A table of n-grams that grows; an n-gram's number is the order in which it came."""

    slot: NDArray[np.uint64]  # (slots, 2), a power of two: left << 32 | right, then the number + 1 (0 if empty)
    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    counts: NDArray[np.int64]
    first: NDArray[np.int64]  # where it was first seen
    size: NDArray[np.int64]


@inlined
def find_slot(slot: NDArray[np.uint64], left: int, right: int) -> int:
    """The slot of an n-gram, or the empty one where it would be."""
    slots = slot.shape[0]
    key = (U64(left) << U64(32)) | U64(right)
    at = slot_of(key, slots)
    while slot[at, 1] != ZERO and slot[at, 0] != key:
        at = (at + 1) & (slots - 1)
    return at


@inlined
def find_gram(slot: NDArray[np.uint64], left: int, right: int) -> tuple[int, int]:
    """An n-gram's number (-1 if it is new) and its slot (the empty one if it is new)."""
    at = find_slot(slot, left, right)
    return np.int64(slot[at, 1]) - 1, at


@inlined
def count_gram(grams: Grams, left: int, right: int, times: int, first: int) -> int:
    """Count an n-gram, for which there must be room; its number."""
    g, at = find_gram(grams.slot, left, right)
    if g < 0:
        g = grams.size[0]
        grams.slot[at, 0] = (U64(left) << U64(32)) | U64(right)
        grams.slot[at, 1] = U64(g + 1)
        grams.left[g], grams.right[g] = left, right
        grams.counts[g], grams.first[g] = 0, first
        grams.size[0] = g + 1
    grams.counts[g] += times
    grams.first[g] = min(grams.first[g], first)
    return g


@inlined
def has_room_for_grams(grams: Grams) -> bool:
    """For two more: a word ends a pair and a triple."""
    number = grams.size[0] + 2
    return 2 * number <= grams.slot.shape[0] and number <= grams.counts.size


@kernel
def number_words(
    vocabulary: Vocabulary, chunk: Chunk, base: int, state: NDArray[np.int64], ids: NDArray[np.uint32]
) -> int:
    """Count the words and write their numbers, with a boundary before and after every line that has any.

    `state` is where to resume, how many numbers have been written, and the line. The position of the first word that
    found no room, or -1 when all are counted.
    """
    begin, written, line = state[0], state[1], state[2]
    for b, e in words_of(chunk, begin):
        key = key_of(chunk.eight, b, e - b)
        v = find_or_add(vocabulary, chunk.text, chunk.eight, b, e - b, key, base + b)
        if v < 0:
            state[0], state[1], state[2] = b, written, line
            return b
        vocabulary.counts[v] += 1
        if b > chunk.line_end[line] or written == 0:
            while b > chunk.line_end[line]:
                line += 1
            ids[written] = BOUNDARY
            written += 1
        ids[written] = v
        written += 1
    if written:
        ids[written] = BOUNDARY
        written += 1
    state[1] = written
    return -1


@kernel
def count_grams(grams: Grams, ids: NDArray[np.uint32], order: int, begin: int, base: int) -> int:
    """Count the pairs, and if `order` says so the triples, that end from `begin` on; where there was no room, or -1."""
    before = -1  # the number of the pair that ends one word earlier
    if begin > 1:
        before, _ = find_gram(grams.slot, np.int64(ids[begin - 2]), np.int64(ids[begin - 1]))
    for i in range(begin, ids.size):
        if not has_room_for_grams(grams):
            return i
        left, right = np.int64(ids[i - 1]), np.int64(ids[i])
        pair = count_gram(grams, left, right, 1, base + i)
        if order > 2 and left != BOUNDARY:
            count_gram(grams, GRAM | before, right, 1, base + i)
        before = pair
    return -1


@inlined
def translated(part: int, words: NDArray[np.int64], grams: NDArray[np.int64]) -> int:
    """What a part of an n-gram is elsewhere; -1 if it is unknown there."""
    if part == BOUNDARY:
        return BOUNDARY
    if part & GRAM:
        g = grams[part & ~GRAM]
        return GRAM | g if g >= 0 else -1
    return words[part]


@kernel
def merge_grams(
    into: Grams,
    left: NDArray[np.uint32],
    right: NDArray[np.uint32],
    counts: NDArray[np.int64],
    first: NDArray[np.int64],
    words: NDArray[np.int64],
    number: NDArray[np.int64],
    begin: int,
) -> int:
    """Add n-grams, shorter ones before those that begin with them; `words` is what the words are called in `into`.

    Fills in the number of each; the first that found no room, or -1.
    """
    for i in range(begin, left.size):
        if not has_room_for_grams(into):
            return i
        a, b = translated(np.int64(left[i]), words, number), translated(np.int64(right[i]), words, number)
        number[i] = count_gram(into, a, b, counts[i], first[i])
    return -1


@kernel
def find_grams(
    slot: NDArray[np.uint64],
    left: NDArray[np.uint32],
    right: NDArray[np.uint32],
    words: NDArray[np.int64],
    number: NDArray[np.int64],
) -> None:
    """As `merge_grams`, but n-grams that are not there yet get -1."""
    for i in range(left.size):
        a, b = translated(np.int64(left[i]), words, number), translated(np.int64(right[i]), words, number)
        number[i] = -1
        if a >= 0 and b >= 0:
            number[i], _ = find_gram(slot, a, b)


@kernel
def rehash_grams(old: NDArray[np.uint64], slot: NDArray[np.uint64]) -> None:
    """Move all n-grams into a larger, empty table."""
    for i in range(old.shape[0]):
        if old[i, 1] != ZERO:
            at = empty_slot(slot, slot_of(old[i, 0], slot.shape[0]))
            slot[at, 0], slot[at, 1] = old[i, 0], old[i, 1]
