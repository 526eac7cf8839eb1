"""N-grams over the words of a distribution, as numbers; in _kernels/ngrams.py is how they are found."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .hash_tables import GramTable

BOUNDARY, GRAM = 0xFFFFFFFF, 0x80000000  # as in _kernels/ngrams.py


@dataclass(frozen=True, eq=False)
class Grams:
    """How often each n-gram was seen: pairs in the order in which they first appear, then triples."""

    left: NDArray[np.uint32]  # what it begins with: a word's id, BOUNDARY, or for a triple GRAM | the number of a pair
    right: NDArray[np.uint32]  # its last word, or BOUNDARY
    count: NDArray[np.int64]
    sizes: tuple[int, ...]  # types of each order, from 2 on
    other: tuple[int, ...]  # by order: known only by their number

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Where each order begins and ends."""
        return list(itertools.pairwise(itertools.accumulate(self.sizes, initial=0)))


def inverse(order: NDArray[np.int64]) -> NDArray[np.int64]:
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


def in_order(table: GramTable, word: NDArray[np.int64], ngrams: int) -> Grams:
    """The n-grams of a table, pairs first, each order as it was first seen; `word` is what words are called now."""
    left, right, count, first = table.contents()
    long = _is_gram(left)
    order = np.lexsort((first, long))
    place = inverse(order)
    sizes = (len(order) - int(long.sum()), int(long.sum()))[: ngrams - 1]
    left, right = renamed(left[order], word, place), renamed(right[order], word, place)
    return Grams(left, right, count[order], sizes, (0,) * (ngrams - 1))


def fold(grams: Grams, below: int, word: NDArray[np.int64]) -> Grams:
    """Without n-grams seen less than `below` times; what is kept is made of what is kept: that was seen as often."""
    keep = grams.count >= below
    place = np.cumsum(keep) - 1
    sizes = tuple(int(keep[a:b].sum()) for a, b in grams.bounds)
    folded = (int(grams.count[a:b][~keep[a:b]].sum()) for a, b in grams.bounds)
    other = tuple(had + more for had, more in zip(grams.other, folded, strict=True))
    left, right = renamed(grams.left[keep], word, place), renamed(grams.right[keep], word, place)
    return Grams(left, right, grams.count[keep], sizes, other)


def _is_gram(part: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return np.asarray(((part & GRAM) != 0) & (part != BOUNDARY))


def renamed(part: NDArray[np.uint32], word: NDArray[np.int64], gram: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Parts of n-grams, where a word's id is now word[id], and an n-gram's number gram[number]."""
    out, long = part.astype(np.int64), _is_gram(part)
    plain = ~long & (part != BOUNDARY)
    out[plain] = word[out[plain]]
    out[long] = GRAM | gram[out[long] & ~GRAM]
    return out.astype(np.uint32)
