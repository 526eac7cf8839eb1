"""Words to ids: a hash table that tells words apart by their bytes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import ALL, ONE, U64, ZERO, Chunk, words_of
from .jit import inlined, kernel, prefetch
from .mix import slot_of

PADDING = 16  # bytes that may be read after the last word
AHEAD = 16  # words that are looked for in the meantime
MIX_LONG = U64(0xD6E8FEB86659FD93)


class Vocabulary(NamedTuple):
    """An open-addressing table of words and, by id, their bytes and counts.

    A slot is the word's key (its bytes if there are at most eight, else their hash) and
    `id + 1 << 32 | length` (0 if empty). `size` is [types, bytes used in arena].
    """

    slot: NDArray[np.uint64]  # (slots, 2), a power of two
    arena: NDArray[np.uint8]  # the words' bytes, one after another, then PADDING bytes
    eight: NDArray[np.uint64]  # the same bytes
    start: NDArray[np.int64]  # where a word's bytes begin; one more than there are words
    counts: NDArray[np.int64]
    first: NDArray[np.int64]  # where the word was first seen
    size: NDArray[np.int64]


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
    return slot_of(key ^ U64(length), slots)


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
def find_or_add(
    vocabulary: Vocabulary,
    text: NDArray[np.uint8],
    eight: NDArray[np.uint64],
    begin: int,
    length: int,
    key: np.uint64,
    first: int,
) -> int:
    """The id of a word, which is added where it is new; -1 if there is no room for it."""
    v, slot = find(vocabulary, eight, begin, length, key)
    if v >= 0:
        return v
    if not has_room(vocabulary, length):
        return -1
    return add(vocabulary, text, begin, length, key, slot, first)


@inlined
def count_waiting(
    vocabulary: Vocabulary,
    chunk: Chunk,
    waiting: NDArray[np.int64],
    keys: NDArray[np.uint64],
    number: int,
    base: int,
) -> int:
    """Count words whose slots have been prefetched; the position of the first that found no room, or -1."""
    for i in range(number):
        b, length = waiting[i, 0], waiting[i, 1]
        v = find_or_add(vocabulary, chunk.text, chunk.eight, b, length, keys[i], base + b)
        if v < 0:
            return b
        vocabulary.counts[v] += 1
    return -1


@kernel
def count_words(
    vocabulary: Vocabulary,
    chunk: Chunk,
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
    for b, e in words_of(chunk, begin):
        keys[number] = key_of(chunk.eight, b, e - b)
        waiting[number, 0], waiting[number, 1] = b, e - b
        prefetch(vocabulary.slot, 2 * first_slot(keys[number], e - b, vocabulary.slot.shape[0]))
        number += 1
        if number == keys.size:
            full = count_waiting(vocabulary, chunk, waiting, keys, number, base)
            if full >= 0:
                return full
            number = 0
    return count_waiting(vocabulary, chunk, waiting, keys, number, base)


@inlined
def prefetch_word(vocabulary: Vocabulary, eight: NDArray[np.uint64], start: NDArray[np.int64], i: int) -> None:
    """Have the slot of a word that will be looked up soon brought into the cache."""
    if i + 1 < start.size:
        b, length = start[i], start[i + 1] - start[i]
        prefetch(vocabulary.slot, 2 * first_slot(key_of(eight, b, length), length, vocabulary.slot.shape[0]))


@inlined
def empty_slot(slot: NDArray[np.uint64], at: int) -> int:
    """The first empty slot from `at` on."""
    while slot[at, 1] != ZERO:
        at = (at + 1) & (slot.shape[0] - 1)
    return at


@kernel
def rehash(vocabulary: Vocabulary, slot: NDArray[np.uint64]) -> None:
    """Move all words into a larger, empty table."""
    for old in range(vocabulary.slot.shape[0]):
        held = vocabulary.slot[old, 1]
        if held == ZERO:
            continue
        key = vocabulary.slot[old, 0]
        at = empty_slot(slot, first_slot(key, np.int64(held & U64(0xFFFFFFFF)), slot.shape[0]))
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
        prefetch_word(into, eight, start, i + AHEAD)
        b, length = start[i], start[i + 1] - start[i]
        v = find_or_add(into, words, eight, b, length, key_of(eight, b, length), first[i])
        if v < 0:
            return i
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
        prefetch_word(vocabulary, eight, start, i + AHEAD)
        b, length = start[i], start[i + 1] - start[i]
        found[i], _ = find(vocabulary, eight, b, length, key_of(eight, b, length))
