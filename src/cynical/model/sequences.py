"""Sequences: lines as runs of word numbers, which is everything that a language model needs of a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..text.corpus import Chunk, Corpus
from ..text.reader import Words, read_all
from ..text.tokenizer import Tokenizer
from .hash_tables import WordTable

PIECE = 1 << 22  # words that are counted at a time


@dataclass(frozen=True, slots=True)
class Sequences:
    """The words of all lines, concatenated; a line without words is empty."""

    ids: NDArray[np.uint32]
    start: NDArray[np.int64]  # of each line, and one more
    name: str = ""

    def __len__(self) -> int:
        return len(self.start) - 1

    @classmethod
    def of(cls, ids: NDArray[np.uint32], length: NDArray[np.integer[Any]], name: str = "") -> Sequences:
        start = np.zeros(len(length) + 1, np.int64)
        np.cumsum(length, out=start[1:])
        return cls(ids, start, name)

    @classmethod
    def joined(cls, texts: Iterable[Sequences], name: str = "") -> Sequences:
        """The lines of some texts, concatenated."""
        pieces = [(text.ids, text.lengths) for text in texts] or [(np.zeros(0, np.uint32), np.zeros(0, np.int64))]
        ids, lengths = (np.concatenate(column) for column in zip(*pieces, strict=True))
        return cls.of(ids, lengths, name)

    @property
    def words(self) -> int:
        return len(self.ids)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.start)

    @property
    def all(self) -> NDArray[np.int64]:
        return np.arange(len(self), dtype=np.int64)

    def take(self, lines: NDArray[np.int64]) -> Sequences:
        """Some lines, in the order given."""
        length = self.lengths[lines]
        new = np.cumsum(length) - length
        places = np.repeat(self.start[lines] - new, length) + np.arange(int(length.sum()))
        return Sequences.of(self.ids[places], length, self.name)

    def counts(self, types: int, begin: int = 0, end: int | None = None) -> NDArray[np.int64]:
        """How often each word is there, or in some of the words; numpy counts in 8 bytes, so piece by piece."""
        end, out = self.words if end is None else end, np.zeros(types, np.int64)
        for at in range(begin, end, PIECE):
            out += np.bincount(self.ids[at : min(at + PIECE, end)], minlength=types)
        return out


class Numbering:
    """Numbers words, over all the texts that it is given; nothing depends on the number that a word has."""

    def __init__(self) -> None:
        self.table = WordTable()

    def __len__(self) -> int:
        return len(self.table)

    def read(self, corpus: Corpus, tokenizer: Tokenizer, jobs: int, progress: Progress, role: str) -> Sequences:
        takers = read_all(corpus, tokenizer, jobs, progress, lambda: _Numberer(WordTable()), role)
        pieces = []
        for taker in takers:
            blob, start, count, first = taker.table.contents()
            self.table.add(blob, start, count, first)
            here = self.table.find(blob, start).astype(np.uint32)
            pieces += [(chunk, here[ids], length) for chunk, ids, length in taker.pieces]
        return _in_order(pieces, corpus.name)

    def read_known(self, corpus: Corpus, tokenizer: Tokenizer, jobs: int, progress: Progress, role: str) -> Sequences:
        """The same, but words that have no number yet do not get one: all of them are UNKNOWN."""
        takers = read_all(corpus, tokenizer, jobs, progress, lambda: _Numberer(self.table, closed=True), role)
        return _in_order([piece for taker in takers for piece in taker.pieces], corpus.name)


Piece = tuple[Chunk, NDArray[np.uint32], NDArray[np.uint32]]  # the words of a chunk, and the lengths of its lines


def _in_order(pieces: Sequence[Piece], name: str) -> Sequences:
    pieces = sorted(pieces, key=lambda piece: piece[0].number)
    none = np.zeros(0, np.uint32)
    ids, length = (np.concatenate([none, *(piece[part] for piece in pieces)]) for part in (1, 2))
    return Sequences.of(ids, length, name)


class _Numberer:
    """One thread's share of the reading."""

    def __init__(self, table: WordTable, closed: bool = False) -> None:
        self.table, self.closed = table, closed
        self.pieces: list[Piece] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        self.pieces.append((chunk, *numbered(self.table, words, self.closed)))


def numbered(table: WordTable, words: Words, closed: bool = False) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The numbers of a chunk's words, and the length of each line; a closed table takes no new words."""
    from .._kernels.sequences import number_lines

    ids = np.empty(len(words.text) // 2 + 1, np.uint32)  # of which only what is used takes memory
    state, length = np.zeros(3, np.int64), np.zeros(len(words.line_end), np.uint32)
    chunk = words.chunk
    while (begin := number_lines(table.vocabulary, chunk, closed, state, ids, length)) >= 0:
        table.grow(len(words.text) - begin if len(words.text) > 1 << 22 else 1 << 16)
    return ids[: int(state[1])].copy(), length
