"""Growing hash tables of words, by their bytes, and of n-grams, by their numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..memory import longer

TYPES = 1 << 14  # that a table has room for at first
MOST_GRAMS = (1 << 31) - 2  # as many can be numbered


class WordTable:
    """Words by their bytes; a word's id is the order in which it came."""

    def __init__(self, types: int | None = None, size: int = 1 << 17) -> None:
        from .._kernels.vocabulary import Vocabulary

        types = TYPES if types is None else types
        self.vocabulary = Vocabulary(
            np.zeros((_slots(types), 2), np.uint64),
            *_bytes(size),
            np.zeros(types + 2, np.int64),
            np.zeros(types + 1, np.int64),
            np.zeros(types + 1, np.int64),
            np.zeros(2, np.int64),
        )

    @classmethod
    def of(cls, blob: NDArray[np.uint8], start: NDArray[np.int64]) -> WordTable:
        """A table of different words, in their order."""
        table, number = cls(len(start) - 1, len(blob)), np.arange(len(start) - 1, dtype=np.int64)
        table.add(blob, start, np.zeros(len(number), np.int64), number)
        return table

    def __len__(self) -> int:
        return int(self.vocabulary.size[0])

    def grow(self, length: int) -> None:
        """Make room for twice as many words, one of them of this length."""
        from .._kernels import vocabulary as kernels

        old = self.vocabulary
        types, used = 2 * len(old.counts), int(old.size[1])
        slot = np.zeros((2 * len(old.slot), 2), np.uint64)
        kernels.rehash(old, slot)
        arena, eight = _bytes(max(2 * len(old.arena), used + 2 * length))
        arena[:used] = old.arena[:used]
        self.vocabulary = kernels.Vocabulary(
            slot,
            arena,
            eight,
            longer(old.start, types + 1),
            longer(old.counts, types),
            longer(old.first, types),
            old.size,
        )

    def add(
        self, blob: NDArray[np.uint8], start: NDArray[np.int64], count: NDArray[np.int64], first: NDArray[np.int64]
    ) -> None:
        """Add to the counts of words, as first seen there."""
        from .._kernels import vocabulary as kernels

        text, eight = _aligned(blob)
        begin = 0
        while (begin := kernels.merge(self.vocabulary, text, eight, start, count, first, begin)) >= 0:
            self.grow(int(start[begin + 1] - start[begin]))

    def find(self, blob: NDArray[np.uint8], start: NDArray[np.int64]) -> NDArray[np.int64]:
        """The id of each word, or -1."""
        from .._kernels import vocabulary as kernels

        found = np.empty(len(start) - 1, np.int64)
        kernels.look_up(self.vocabulary, _aligned(blob)[1], start, found)
        return found

    def contents(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The words' bytes, where each begins, their counts, and where each was first seen."""
        held, types = self.vocabulary, len(self)
        return held.arena[: int(held.size[1])], held.start[: types + 1], held.counts[:types], held.first[:types]


class GramTable:
    """N-grams by what they begin with and their last word (see _kernels/ngrams.py)."""

    def __init__(self, types: int | None = None) -> None:
        from .._kernels.ngrams import Grams

        types = TYPES if types is None else types
        self.grams = Grams(
            np.zeros((_slots(types + 2), 2), np.uint64),
            np.zeros(types + 2, np.uint32),
            np.zeros(types + 2, np.uint32),
            np.zeros(types + 2, np.int64),
            np.zeros(types + 2, np.int64),
            np.zeros(1, np.int64),
        )

    def __len__(self) -> int:
        return int(self.grams.size[0])

    def grow(self) -> None:
        from .._kernels import ngrams as kernels

        old = self.grams
        if 2 * len(old.counts) >= MOST_GRAMS:
            raise CynicalError(
                f"more than {MOST_GRAMS // 2:,} different n-grams; give a smaller text, or a lower --ngrams"
            )
        slot = np.zeros((2 * len(old.slot), 2), np.uint64)
        kernels.rehash_grams(old.slot, slot)
        size = 2 * len(old.counts)
        self.grams = kernels.Grams(
            slot,
            longer(old.left, size),
            longer(old.right, size),
            longer(old.counts, size),
            longer(old.first, size),
            old.size,
        )

    def add(
        self,
        left: NDArray[np.uint32],
        right: NDArray[np.uint32],
        count: NDArray[np.int64],
        first: NDArray[np.int64],
        words: NDArray[np.int64],
    ) -> None:
        """Count n-grams over words that are called `words` here."""
        from .._kernels.ngrams import merge_grams

        number, begin = np.empty(len(left), np.int64), 0
        while (begin := merge_grams(self.grams, left, right, count, first, words, number, begin)) >= 0:
            self.grow()

    def contents(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
        """What each begins with, its last word, its count, and where it was first seen."""
        held, size = self.grams, len(self)
        return held.left[:size], held.right[:size], held.counts[:size], held.first[:size]


def _slots(types: int) -> int:
    return 1 << max(int(2 * types).bit_length(), 4)


def _bytes(size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Memory as bytes and as numbers of eight bytes, with room to read after the last."""
    from .._kernels.vocabulary import PADDING

    eight = np.zeros((size + PADDING + 7) // 8, np.uint64)
    return eight.view(np.uint8), eight


def _aligned(blob: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    text, eight = _bytes(len(blob))
    text[: len(blob)] = blob
    return text, eight
