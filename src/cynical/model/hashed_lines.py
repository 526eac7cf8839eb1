"""Lines as the hash buckets of their words and word pairs, made chunk by chunk: what dsir and the classifier see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..text.corpus import Chunk, Corpus
from ..text.reader import Words, read_all
from ..text.tokenizer import Tokenizer
from .random_numbers import mix


@dataclass(frozen=True, slots=True)
class HowToHash:
    """How a text becomes buckets."""

    tokenizer: Tokenizer
    buckets: int
    jobs: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class HashedLines:
    """The buckets of all lines, concatenated, and where those of each line end."""

    bucket: NDArray[np.uint32]
    end: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.end)

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.end, prepend=0)


class Featurizer:
    """One thread's memory for the features of a chunk."""

    def __init__(self, side: int, buckets: int) -> None:
        self._basis, self._buckets = basis_of(side), buckets
        self._bucket = np.zeros(0, np.uint32)

    def features(self, words: Words) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The buckets of a chunk's features, and where those of each line end."""
        from .._kernels.buckets import features_of_lines

        if len(self._bucket) < words.size + 1:  # every second byte may be a word, and that the end of a pair
            self._bucket = np.empty(words.size + 1, np.uint32)
        end = np.zeros(len(words.line_end), np.int64)
        written = features_of_lines(words.chunk, self._basis, self._buckets, self._bucket, end)
        return self._bucket[:written], end


class Weigher(Featurizer):
    """One thread's share of weighing lines: the sum of the weights of a line's buckets, and how many there are."""

    def __init__(self, side: int, weight: NDArray[np.float64]) -> None:
        super().__init__(side, len(weight))
        self._weight = weight
        self.pieces: list[tuple[int, NDArray[np.float64], NDArray[np.int64]]] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        self.pieces.append((chunk.number, *self.weigh(words)))

    def weigh(self, words: Words) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The same of the lines of one chunk."""
        from .._kernels.buckets import weigh_lines

        bucket, end = self.features(words)
        total = np.empty(len(end))
        weigh_lines(bucket, end, self._weight, total)
        return total, np.diff(end, prepend=0)


class _Keeper(Featurizer):
    """One thread's share of keeping all buckets, and how many of them each line has."""

    def __init__(self, side: int, buckets: int) -> None:
        super().__init__(side, buckets)
        self.pieces: list[tuple[int, NDArray[np.uint32], NDArray[np.int64]]] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        bucket, end = self.features(words)
        self.pieces.append((chunk.number, bucket.copy(), np.diff(end, prepend=0)))


Taker = TypeVar("Taker", Weigher, _Keeper)


def _read(
    sides: Sequence[Corpus], make: Callable[[int], Taker], how: HowToHash, role: str
) -> Iterator[tuple[NDArray[Any], NDArray[np.int64]]]:
    """For each side, what all chunks have, in their order."""
    for number, side in enumerate(sides):
        takers = read_all(side, how.tokenizer, how.jobs, how.progress, partial(make, number), role)
        pieces = sorted((piece for taker in takers for piece in taker.pieces), key=lambda piece: piece[0])
        none = np.zeros(0, np.uint32)
        parts = [np.concatenate([piece[part] for piece in pieces]) if pieces else none for part in (1, 2)]
        yield parts[0], parts[1].astype(np.int64)


def hash_lines_of(sides: Sequence[Corpus], how: HowToHash, role: str) -> HashedLines:
    """The buckets of every line, those of all its sides together."""
    bucket, sizes = zip(*_read(sides, lambda side: _Keeper(side, how.buckets), how, role), strict=True)
    line = np.concatenate([np.repeat(np.arange(len(size)), size) for size in sizes])
    return HashedLines(np.concatenate(bucket)[np.argsort(line, kind="stable")], np.cumsum(np.sum(sizes, axis=0)))


def weigh(
    sides: Sequence[Corpus], weight: NDArray[np.float64], how: HowToHash, role: str
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """By line, the sum of the weights of its buckets, of all sides together, and how many these are."""
    totals, sizes = zip(*_read(sides, lambda side: Weigher(side, weight), how, role), strict=True)
    return np.asarray(np.sum(totals, axis=0)), np.asarray(np.sum(sizes, axis=0))


def basis_of(side: int) -> np.uint64:
    """What the hashes of a side begin with: the same word is another one in another language."""
    from .._kernels.buckets import BASIS

    return BASIS if side == 0 else np.uint64(mix(np.array([side], np.uint64))[0])
