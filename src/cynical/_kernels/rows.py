"""AVAILABLE as sparse rows over the representative words.

A row lists the word types of a line. An entry below 8 V is `v + (c - 1) * V`: word v seen c <= 8 times, which is also
where its gain stands in `Model.gain`. An entry `v + 8 V` is followed by the number of times word v is seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import REPEATS, Model, gain_of_row
from .grams import BOUNDARY, GRAM, find_gram
from .jit import inlined, kernel
from .words import MIX, ONE, U64, ZERO, Vocabulary, find, key_of, lowest_bit

MARK = 0xFFFFF  # the bits of a gain that hold a hash while rows are sorted: 2^-36 bit, which only moves rows a little


LINE, LEFT, ENTRIES, HEAD = 0, 1, 2, 3  # what stands before a laid row's entries, and how much that is


class Scratch(NamedTuple):
    """A line's word types while it is read."""

    place: NDArray[np.int64]  # by word: where it stands in this line, or -1
    word: NDArray[np.int64]
    counts: NDArray[np.int64]


class Known(NamedTuple):
    """What is looked for in one side of a text."""

    vocabulary: Vocabulary
    grams: NDArray[np.uint64]  # the slots of n-grams (see grams.py)
    order: NDArray[np.int64]  # how long these are: 1 if there are none
    shift: NDArray[np.int64]  # what makes ids and numbers features: of words, pairs, triples


class Found(NamedTuple):
    """What a chunk's lines hold, and the counts of representative features in all chunks of one reader."""

    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]  # by line
    length: NDArray[np.uint32]  # by line, in words of any kind
    same: NDArray[np.uint64]  # by line, a hash of its words in their order; empty if nobody asks for it
    counts: NDArray[np.int64]  # by feature


@inlined
def write_row(scratch: Scratch, types: int, entry: NDArray[np.uint32], at: int) -> int:
    """Write a line's types as entries from `at` on, and clear the scratch; the end."""
    vocabulary = scratch.place.size
    for i in range(types):
        v, c = scratch.word[i], scratch.counts[i]
        scratch.place[v] = -1
        if c <= REPEATS:
            entry[at] = v + (c - 1) * vocabulary
        else:
            entry[at] = v + REPEATS * vocabulary
            at += 1
            entry[at] = c
        at += 1
    return at


@inlined
def take(scratch: Scratch, types: int, v: int, c: int) -> int:
    """Add c times word v to a line that has `types` types so far; how many it has now."""
    i = scratch.place[v]
    if i >= 0:
        scratch.counts[i] += c
        return types
    scratch.place[v] = types
    scratch.word[types] = v
    scratch.counts[types] = c
    return types + 1


@inlined
def take_grams(
    known: Known, scratch: Scratch, found: Found, types: int, last: int, before: int, v: int
) -> tuple[int, int]:
    """Take the pair and the triple that end with word v, or BOUNDARY; how many types there are, and the pair's number.

    `last` is the word before it and `before` the number of the pair before it, -1 if they are not looked for.
    """
    pair = -1
    if last >= 0 and v >= 0:
        pair, _ = find_gram(known.grams, last, v)
        if pair >= 0:
            types = take(scratch, types, pair + known.shift[1], 1)
            found.counts[pair + known.shift[1]] += 1
        if before >= 0 and known.order[0] > 2:
            triple, _ = find_gram(known.grams, GRAM | before, v)
            if triple >= 0:
                types = take(scratch, types, triple + known.shift[2], 1)
                found.counts[triple + known.shift[2]] += 1
    return types, pair


@inlined
def end_line(
    known: Known,
    scratch: Scratch,
    found: Found,
    line: int,
    length: int,
    types: int,
    last: int,
    before: int,
    same: np.uint64,
    written: int,
) -> int:
    """Write down a line of which all words have been read; where its entries end."""
    if known.order[0] > 1 and length:
        types, _ = take_grams(known, scratch, found, types, last, before, BOUNDARY)
    end = write_row(scratch, types, found.entry, written)
    found.entries[line], found.length[line] = end - written, length
    if found.same.size:
        found.same[line] = same
    return end


@kernel
def read_rows(
    known: Known,
    eight: NDArray[np.uint64],
    blank: NDArray[np.uint64],
    line_end: NDArray[np.int64],
    scratch: Scratch,
    found: Found,
) -> int:
    """Turn the lines of a chunk into rows; how many entries there are."""
    line, length, types, written = 0, 0, 0, 0
    same, hashed = ZERO, found.same.size > 0
    longer, last, before = known.order[0] > 1, BOUNDARY, -1
    word_before = ZERO
    b = 0
    for group in range(blank.size):
        word = ~blank[group]
        edge = word ^ ((word << ONE) | word_before)
        word_before = word >> U64(63)
        while edge:
            bit = lowest_bit(edge)
            at = 64 * group + bit
            edge &= edge - ONE
            if (word >> U64(bit)) & ONE:
                b = at
                continue
            while b > line_end[line]:
                written = end_line(known, scratch, found, line, length, types, last, before, same, written)
                line, length, types, last, before, same = line + 1, 0, 0, BOUNDARY, -1, ZERO
            length += 1
            key = key_of(eight, b, at - b)
            if hashed:
                same = (same ^ key) * MIX
                same = (same ^ (same >> U64(32))) + U64(at - b)  # the length tells NULs at the end of a word
            v, _ = find(known.vocabulary, eight, b, at - b, key)
            if v >= 0:
                types = take(scratch, types, v + known.shift[0], 1)
                found.counts[v + known.shift[0]] += 1
            if longer:
                types, before = take_grams(known, scratch, found, types, last, before, v)
                last = v
    while line < line_end.size:
        written = end_line(known, scratch, found, line, length, types, last, before, same, written)
        line, length, types, last, before, same = line + 1, 0, 0, BOUNDARY, -1, ZERO
    return written


@kernel
def join_rows(
    entry: tuple[NDArray[np.uint32], ...],
    start: tuple[NDArray[np.int64], ...],
    entries: tuple[NDArray[np.uint32], ...],
    joined: NDArray[np.uint32],
    begin: NDArray[np.int64],
) -> None:
    """Write the rows of two sides one behind the other; `begin` is where the row of each line goes."""
    for line in range(begin.size):
        at = begin[line]
        for side in range(2):
            k = start[side][line]
            for e in range(k, k + np.int64(entries[side][line])):
                joined[at] = entry[side][e]
                at += 1


@kernel
def collapse_rows(
    entry: NDArray[np.uint32],
    start: NDArray[np.int64],
    entries: NDArray[np.uint32],
    words: int,
    token: NDArray[np.int64],
    scratch: Scratch,
) -> int:
    """Rewrite rows over words as rows over tokens, in place and without gaps; how many entries there are.

    In place works because a row over tokens never is longer: a token seen more than eight times needs two entries, but
    then it stands for two words or more, or for one that had two entries itself.
    """
    written = 0
    for row in range(entries.size):
        types, k = 0, start[row]
        end = k + np.int64(entries[row])
        while k < end:
            e = np.int64(entry[k])
            c = e // words + 1
            if c > REPEATS:
                k += 1
                c = np.int64(entry[k])
            types = take(scratch, types, token[e % words], c)
            k += 1
        start[row] = written
        written = write_row(scratch, types, entry, written)
        entries[row] = written - start[row]
    return written


@kernel
def gains_of_rows(
    model: Model,
    entry: NDArray[np.uint32],
    start: NDArray[np.int64],
    entries: NDArray[np.uint32],
    gain: NDArray[np.int64],
) -> None:
    for row in range(gain.size):
        gain[row] = gain_of_row(model, entry, start[row], start[row] + np.int64(entries[row]))


@kernel
def mark_rows(
    entry: NDArray[np.uint32], start: NDArray[np.int64], entries: NDArray[np.uint32], gain: NDArray[np.int64]
) -> None:
    """Put a hash of a row into the last bits of its gain, so that sorting by gain brings equal rows together."""
    for row in range(gain.size):
        h = U64(entries[row])
        for k in range(start[row], start[row] + np.int64(entries[row])):
            h = (h ^ U64(entry[k])) * MIX
            h ^= h >> U64(32)
        gain[row] = (gain[row] & ~np.int64(MARK)) | np.int64(h & U64(MARK))


@kernel
def find_copies(
    entry: NDArray[np.uint32],
    start: NDArray[np.int64],
    entries: NDArray[np.uint32],
    size: NDArray[np.uint32] | NDArray[np.int64],
    order: NDArray[np.int64],
    key: NDArray[np.int64],
    first: NDArray[np.bool_],
) -> None:
    """For rows in the order of their keys: is a row the first of its kind? What follows it up to the next is a copy.

    `size` tells lengths apart, in the same order.
    """
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
    entry: NDArray[np.uint32],
    start: NDArray[np.int64],
    order: NDArray[np.int64],
    group: NDArray[np.int64],
    place: NDArray[np.int64],
    laid: NDArray[np.uint32],
) -> None:
    """Copy the first row of each group of order[group[i]:group[i + 1]] to its place, behind three numbers:

    where its lines stand in `order`, how many there are, and how many entries it has.
    """
    for i in range(place.size - 1):
        k, at = start[order[group[i]]], place[i]
        laid[at + LINE] = group[i]
        laid[at + LEFT] = group[i + 1] - group[i]
        laid[at + ENTRIES] = place[i + 1] - at - HEAD
        for e in range(at + HEAD, place[i + 1]):
            laid[e] = entry[k]
            k += 1
