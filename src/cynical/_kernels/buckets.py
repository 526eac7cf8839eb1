"""Words and word pairs in hash buckets.

A feature's bucket is the FNV-1a hash of its bytes, mixed and taken modulo the number of buckets; the bytes of a pair
are its two words with a space between them. So the hash of a pair continues that of its first word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunk import U64, Chunk, words_of
from .jit import inlined, kernel

BASIS, PRIME = U64(0xCBF29CE484222325), U64(0x100000001B3)
FIRST, SECOND = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
SPACE = U64(32)


@inlined
def continue_hash(h: np.uint64, text: NDArray[np.uint8], begin: int, end: int) -> np.uint64:
    """Continue the hash h with these bytes."""
    for k in range(begin, end):
        h = (h ^ U64(text[k])) * PRIME
    return h


@inlined
def bucket_of(h: np.uint64, buckets: int) -> int:
    """FNV's last bits depend on the last bits of the bytes alone, so all bits are mixed first."""
    h = (h ^ (h >> U64(30))) * FIRST
    h = (h ^ (h >> U64(27))) * SECOND
    return np.int64((h ^ (h >> U64(31))) % U64(buckets))


@kernel
def features_of_lines(
    chunk: Chunk, basis: np.uint64, buckets: int, bucket: NDArray[np.uint32], end: NDArray[np.int64]
) -> int:
    """Write the buckets of all words of a chunk, and of each pair after its second word; how many there are.

    `end` is, by line, where its features end. `basis` is what hashes begin with.
    """
    line, written = 0, 0
    last, pairs = basis, False  # the hash of the word before, if this line has one
    for b, e in words_of(chunk, 0):
        while b > chunk.line_end[line]:
            end[line] = written
            line, pairs = line + 1, False
        h = continue_hash(basis, chunk.text, b, e)
        bucket[written] = bucket_of(h, buckets)
        written += 1
        if pairs:
            bucket[written] = bucket_of(continue_hash((last ^ SPACE) * PRIME, chunk.text, b, e), buckets)
            written += 1
        last, pairs = h, True
    while line < end.size:
        end[line] = written
        line += 1
    return written


@kernel
def bucket_names(
    text: NDArray[np.uint8], start: NDArray[np.int64], basis: np.uint64, buckets: int, bucket: NDArray[np.int64]
) -> None:
    """The buckets of features whose bytes follow one another in `text`."""
    for i in range(bucket.size):
        bucket[i] = bucket_of(continue_hash(basis, text, start[i], start[i + 1]), buckets)


@kernel
def count_features(
    ids: NDArray[np.uint32],
    start: NDArray[np.int64],
    text: NDArray[np.uint8],
    word: NDArray[np.int64],
    basis: np.uint64,
    counts: NDArray[np.int64],
) -> None:
    """Count the buckets of lines whose words are numbers: word v is text[word[v] : word[v + 1]].

    Line i is ids[start[i] - start[0] : start[i + 1] - start[0]].
    """
    buckets = counts.size
    for line in range(start.size - 1):
        last = basis
        for i in range(start[line] - start[0], start[line + 1] - start[0]):
            begin, end = word[ids[i]], word[ids[i] + 1]
            if i > start[line] - start[0]:
                counts[bucket_of(continue_hash((last ^ SPACE) * PRIME, text, begin, end), buckets)] += 1
            last = continue_hash(basis, text, begin, end)
            counts[bucket_of(last, buckets)] += 1


@kernel
def count_buckets(bucket: NDArray[np.uint32], counts: NDArray[np.int64]) -> None:
    for i in range(bucket.size):
        counts[bucket[i]] += 1


@kernel
def weigh_lines(
    bucket: NDArray[np.uint32], end: NDArray[np.int64], weight: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """By line, the sum of its features' weights, added in their order."""
    i = 0
    for line in range(end.size):
        total = 0.0
        while i < end[line]:
            total += weight[bucket[i]]
            i += 1
        out[line] = total
