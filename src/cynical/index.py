"""Index: AVAILABLE as sparse rows over the representative words, made in one pass.

What it takes, in bytes: 4 an entry (a word type of a line that the representative corpus has; 8 where a line has it
more than eight times), and 12 a line (4 its length in words, 4 its number of entries, 4 its place in the text). The
exact search lays the rows out anew, which takes 4 an entry and 24 a line (8 before the row, 16 its place in the heap),
while the index still stands; then the index's entries go. English lines of 26 words have 17 entries: 80 bytes a line
here, 92 in the search, beside 135 of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .classes import Tokens
from .corpus import Chunk, Corpus, Places
from .counts import Counts
from .errors import CynicalError
from .progress import Progress
from .reading import read_all
from .tokens import Tokenizer, Words

if TYPE_CHECKING:
    from ._kernels.rows import Scratch
    from ._kernels.words import Vocabulary


@dataclass(slots=True)
class Index:
    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]  # by line
    length: NDArray[np.uint32]  # by line, in words
    count: NDArray[np.int64]  # A: by representative word
    places: Places
    broken: int  # lines that are not UTF-8
    first_broken: int  # the first of them, from 0; -1 if there is none

    @property
    def lines(self) -> int:
        return len(self.length)

    @property
    def words(self) -> int:
        return int(self.length.sum(dtype=np.int64))

    @property
    def start(self) -> NDArray[np.int64]:
        """Where each row begins."""
        return _starts(self.entries)


def build(corpus: Corpus, tokenizer: Tokenizer, representative: Counts, jobs: int, progress: Progress) -> Index:
    vocabulary = representative.vocabulary
    takers = read_all(corpus, tokenizer, jobs, progress, lambda: _Indexer(vocabulary, len(representative)), "AVAILABLE")
    rows = sorted((row for taker in takers for row in taker.rows), key=lambda row: row.chunk.number)
    count = np.sum([taker.count for taker in takers], axis=0)
    length = _joined([row.length for row in rows], np.uint32)
    if not length.any():
        raise CynicalError(
            f"{corpus.name}: no word in the AVAILABLE text ({len(length)} lines); give a text with words"
        )
    lines_before, first_broken = 0, -1
    for row in rows:
        if first_broken < 0 <= row.first_broken:
            first_broken = lines_before + row.first_broken
        lines_before += len(row.length)
    entries = _joined([row.entries for row in rows], np.uint32)
    places = Places(corpus, [row.chunk for row in rows], [row.line_start for row in rows])
    broken = sum(row.broken for row in rows)
    pieces = [row.entry for row in rows]
    del rows
    for taker in takers:
        taker.rows.clear()
    return Index(_joined_freeing(pieces), entries, length, count, places, broken, first_broken)


def collapse_index(index: Index, words: int, tokens: Tokens) -> None:
    """Turn rows over words into rows over tokens, in place."""
    from ._kernels.rows import collapse_rows

    written = collapse_rows(index.entry, index.start, words, tokens.of_word, _scratch(len(tokens.names)), index.entries)
    index.entry = index.entry[:written]
    index.count = tokens.total(index.count)


@dataclass(slots=True)
class _Rows:
    """What one chunk holds."""

    chunk: Chunk
    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    length: NDArray[np.uint32]
    line_start: NDArray[np.uint32]
    broken: int
    first_broken: int


class _Indexer:
    """One thread's share of the reading."""

    def __init__(self, vocabulary: Vocabulary, words: int) -> None:
        self._vocabulary = vocabulary
        self._scratch = _scratch(words)
        self._entry = np.empty(0, np.uint32)
        self.count = np.zeros(words, np.int64)
        self.rows: list[_Rows] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        from ._kernels.rows import Found, read_rows

        most = len(words.text) // 2 + 1  # words in so many bytes
        if len(self._entry) < most:
            self._entry = np.empty(most, np.uint32)
        lines = len(words.line_end)
        found = Found(self._entry, np.zeros(lines, np.uint32), np.zeros(lines, np.uint32), self.count)
        written = read_rows(
            self._vocabulary, words.text, words.eight, words.blank, words.line_end, self._scratch, found
        )
        entry = self._entry[:written].copy()
        self.rows.append(
            _Rows(chunk, entry, found.entries, found.length, words.line_start, words.broken, words.first_broken)
        )


def _scratch(words: int) -> Scratch:
    from ._kernels.rows import Scratch

    return Scratch(np.full(words, -1, np.int64), np.zeros(words, np.int64), np.zeros(words, np.int64))


def _starts(sizes: NDArray[np.uint32]) -> NDArray[np.int64]:
    start = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, dtype=np.int64, out=start[1:])
    return start


def _joined(pieces: list[NDArray[np.uint32]], kind: type[np.uint32]) -> NDArray[np.uint32]:
    return np.concatenate(pieces) if pieces else np.zeros(0, kind)


def _joined_freeing(pieces: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """Concatenate, giving back each piece's memory as soon as it is copied."""
    out = np.empty(sum(len(piece) for piece in pieces), np.uint32)
    at = 0
    pieces.reverse()
    while pieces:
        piece = pieces.pop()
        out[at : at + len(piece)] = piece
        at += len(piece)
    return out
