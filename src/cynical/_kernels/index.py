"""AVAILABLE as sparse rows over the representative features (see entries.py for how a row is written)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import U64, ZERO, Chunk, words_of
from .entries import Rows, copy_entries, decoded, span, write_entry
from .jit import inlined, kernel
from .mix import MIX
from .ngrams import BOUNDARY, GRAM, find_gram
from .vocabulary import Vocabulary, find, key_of


class Scratch(NamedTuple):
    """The features of a line while it is read."""

    place: NDArray[np.int32]  # by feature: where it is in the arrays below, counted from 1; 0 if it is not
    feature: NDArray[np.uint32]
    counts: NDArray[np.uint32]


class Known(NamedTuple):
    """What is looked for in one side of a text."""

    vocabulary: Vocabulary
    grams: NDArray[np.uint64]  # the slots of n-grams (see ngrams.py)
    order: NDArray[np.int64]  # how long these are: 1 if there are none
    shift: NDArray[np.int64]  # what makes ids and numbers features: of words, pairs, triples


class Found(NamedTuple):
    """What a chunk's lines hold, and the counts of representative features in all chunks of one reader."""

    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]  # by line
    words: NDArray[np.uint32]  # by line, of any kind
    same: NDArray[np.uint64]  # by line, a hash of its words in their order; empty if nobody asks for it
    counts: NDArray[np.int64]  # by feature


class LineSoFar(NamedTuple):
    """What has been read of a line."""

    words: int
    types: int  # features in the scratch
    last_word: int  # BOUNDARY at the beginning, -1 if it is not representative
    last_pair: int  # the number of the pair that ends with it, -1 if it is not representative
    same: np.uint64  # a hash of the words


@inlined
def write_row(scratch: Scratch, types: int, entry: NDArray[np.uint32], at: int) -> int:
    """Write a line's features as entries from `at` on, and clear the scratch; the end."""
    for i in range(types):
        v = np.int64(scratch.feature[i])
        scratch.place[v] = 0
        at = write_entry(entry, at, v, np.int64(scratch.counts[i]), scratch.place.size)
    return at


@inlined
def take(scratch: Scratch, types: int, v: int, c: int) -> int:
    """Add c times feature v to a line that has `types` features so far; how many it has now."""
    i = np.int64(scratch.place[v])
    if i:
        scratch.counts[i - 1] += np.uint32(c)
        return types
    scratch.place[v] = types + 1
    scratch.feature[types] = v
    scratch.counts[types] = c
    return types + 1


@inlined
def take_grams(known: Known, scratch: Scratch, found: Found, line: LineSoFar, types: int, v: int) -> tuple[int, int]:
    """Take the pair and the triple that end with word v, or BOUNDARY; the number of features, and of the pair."""
    pair = -1
    if line.last_word >= 0 and v >= 0:
        pair, _ = find_gram(known.grams, line.last_word, v)
        if pair >= 0:
            types = take(scratch, types, pair + known.shift[1], 1)
            found.counts[pair + known.shift[1]] += 1
        if line.last_pair >= 0 and known.order[0] > 2:
            triple, _ = find_gram(known.grams, GRAM | line.last_pair, v)
            if triple >= 0:
                types = take(scratch, types, triple + known.shift[2], 1)
                found.counts[triple + known.shift[2]] += 1
    return types, pair


@inlined
def begin_line() -> LineSoFar:
    return LineSoFar(0, 0, BOUNDARY, -1, ZERO)


@inlined
def end_line(known: Known, scratch: Scratch, found: Found, number: int, line: LineSoFar, written: int) -> int:
    """Write down a line of which all words have been read; where its entries end."""
    types = line.types
    if known.order[0] > 1 and line.words:
        types, _ = take_grams(known, scratch, found, line, types, BOUNDARY)
    end = write_row(scratch, types, found.entry, written)
    found.entries[number], found.words[number] = end - written, line.words
    if found.same.size:
        found.same[number] = line.same
    return end


@kernel
def read_rows(known: Known, chunk: Chunk, scratch: Scratch, found: Found) -> int:
    """Turn the lines of a chunk into rows; how many entries there are."""
    number, line, written = 0, begin_line(), 0
    hashed, longer = found.same.size > 0, known.order[0] > 1
    for b, e in words_of(chunk, 0):
        while b > chunk.line_end[number]:
            written = end_line(known, scratch, found, number, line, written)
            number, line = number + 1, begin_line()
        types, last_word, last_pair, same = line.types, line.last_word, line.last_pair, line.same
        key = key_of(chunk.eight, b, e - b)
        if hashed:
            same = (same ^ key) * MIX
            same = (same ^ (same >> U64(32))) + U64(e - b)  # the length tells NULs at the end of a word
        v, _ = find(known.vocabulary, chunk.eight, b, e - b, key)
        if v >= 0:
            types = take(scratch, types, v + known.shift[0], 1)
            found.counts[v + known.shift[0]] += 1
        if longer:
            types, last_pair = take_grams(known, scratch, found, line, types, v)
            last_word = v
        line = LineSoFar(line.words + 1, types, last_word, last_pair, same)
    while number < chunk.line_end.size:
        written = end_line(known, scratch, found, number, line, written)
        number, line = number + 1, begin_line()
    return written


@kernel
def join_rows(first: Rows, second: Rows, joined: NDArray[np.uint32], start: NDArray[np.int64]) -> None:
    """Write the rows of two sides one after the other; `start` is where the row of each line goes."""
    for line in range(start.size):
        begin, end = span(first, line)
        at = copy_entries(first.entry, begin, end, joined, start[line])
        begin, end = span(second, line)
        copy_entries(second.entry, begin, end, joined, at)


@kernel
def add_priors(
    rows: Rows, features: int, prior: NDArray[np.uint32], out: NDArray[np.uint32], start: NDArray[np.int64]
) -> None:
    """Write rows over features again with one feature more, the prior of each; `start` is where each goes."""
    for row in range(start.size):
        begin, end = span(rows, row)
        at = start[row]
        for v, c in decoded(rows.entry, begin, end, features):
            at = write_entry(out, at, v, c, features + 1)
        write_entry(out, at, features, np.int64(prior[row]), features + 1)


@kernel
def collapse_rows(rows: Rows, features: int, token: NDArray[np.int64], scratch: Scratch) -> int:
    """Rewrite rows over features as rows over tokens, in place and without gaps; how many entries there are.

    In place works because a row over tokens never has more entries: a token seen more than eight times needs two, but
    then it replaces two features or more, or one that had two entries itself.
    """
    written = 0
    for row in range(rows.entries.size):
        types = 0
        begin, end = span(rows, row)
        for v, c in decoded(rows.entry, begin, end, features):
            types = take(scratch, types, token[v], c)
        rows.start[row] = written
        written = write_row(scratch, types, rows.entry, written)
        rows.entries[row] = written - rows.start[row]
    return written
