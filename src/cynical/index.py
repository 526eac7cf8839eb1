"""Index: AVAILABLE as sparse rows over the representative words, made in one pass.

What it takes, in bytes: 4 an entry (a word type of a line that the representative corpus has; 8 where a line has it
more than eight times), and 20 a line (4 its length in words, 4 its number of entries, 8 where they begin, 4 its place
in the text). The exact search lays the rows out anew, equal ones once, which takes 4 an entry, 28 a row (12 before it,
16 in the heap) and 4 a line; for a moment both stand, then the index keeps 12 a line. English lines of 26 words have
17 entries: 88 bytes a line here and 100 in the search, 3.4 and 3.8 a word, beside 135 and 5.2 of text.

Entries go straight to their place in one array that is as large as the text allows, two bytes of text an entry. Only
what is written takes memory; between chunks there are gaps.
"""

from __future__ import annotations

import mmap
import sys
from dataclasses import dataclass
from functools import partial
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


MAP_NORESERVE = 0x4000  # Linux; Python has no name for it before 3.13


@dataclass(slots=True)
class Index:
    entry: NDArray[np.uint32]
    start: NDArray[np.int64]  # by line
    entries: NDArray[np.uint32]  # by line
    length: NDArray[np.uint32]  # by line, in words
    same: NDArray[np.uint64]  # by line, a hash of its words in their order; empty unless asked for (8 bytes a line)
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

    def release(self) -> None:
        """Give up the rows, but not what is known of the lines."""
        self.entry, self.start = np.zeros(0, np.uint32), np.zeros(0, np.int64)


def build(
    corpus: Corpus, tokenizer: Tokenizer, representative: Counts, jobs: int, progress: Progress, same: bool = False
) -> Index:
    """Read AVAILABLE once; `same` asks for hashes that tell copies."""
    vocabulary, entry = representative.vocabulary, _reserve(corpus.size // 2 + corpus.most_chunks + 1)
    make = partial(_Indexer, vocabulary, len(representative), entry, same)
    takers = read_all(corpus, tokenizer, jobs, progress, make, "AVAILABLE")
    rows = sorted((row for taker in takers for row in taker.rows), key=lambda row: row.chunk.number)
    length = _joined([row.length for row in rows])
    if not length.any():
        raise CynicalError(
            f"{corpus.name}: no word in the AVAILABLE text ({len(length)} lines); give a text with words"
        )
    lines_before, first_broken = 0, -1
    for row in rows:
        if first_broken < 0 <= row.first_broken:
            first_broken = lines_before + row.first_broken
        lines_before += len(row.length)
    return Index(
        entry,
        np.concatenate([_place(row.chunk) + _before(row.entries) for row in rows]),
        _joined([row.entries for row in rows]),
        length,
        np.concatenate([row.same for row in rows]),
        np.sum([taker.count for taker in takers], axis=0),
        Places(corpus, [(row.chunk, row.line_start, row.last_end) for row in rows]),
        sum(row.broken for row in rows),
        first_broken,
    )


def collapse_index(index: Index, words: int, tokens: Tokens) -> None:
    """Turn rows over words into rows over tokens, in place."""
    from ._kernels.rows import collapse_rows

    scratch = _scratch(len(tokens.names))
    collapse_rows(index.entry, index.start, index.entries, words, tokens.of_word, scratch)
    index.count = tokens.total(index.count)


@dataclass(slots=True)
class _Rows:
    """What one chunk holds."""

    chunk: Chunk
    entries: NDArray[np.uint32]
    length: NDArray[np.uint32]
    same: NDArray[np.uint64]
    line_start: NDArray[np.uint32]
    last_end: int
    broken: int
    first_broken: int


class _Indexer:
    """One thread's share of the reading."""

    def __init__(self, vocabulary: Vocabulary, words: int, entry: NDArray[np.uint32], same: bool) -> None:
        self._vocabulary = vocabulary
        self._same = same
        self._scratch = _scratch(words)
        self._entry = entry
        self.count = np.zeros(words, np.int64)
        self.rows: list[_Rows] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        from ._kernels.rows import Found, read_rows

        lines, place = len(words.line_end), _place(chunk)
        entry = self._entry[place : place + (chunk.end - chunk.begin + 1) // 2]
        same = np.zeros(lines if self._same else 0, np.uint64)
        found = Found(entry, np.zeros(lines, np.uint32), np.zeros(lines, np.uint32), same, self.count)
        read_rows(self._vocabulary, words.text, words.eight, words.blank, words.line_end, self._scratch, found)
        self.rows.append(
            _Rows(
                chunk,
                found.entries,
                found.length,
                found.same,
                words.line_start,
                words.last_end,
                words.broken,
                words.first_broken,
            )
        )


def _place(chunk: Chunk) -> int:
    """Where a chunk's entries begin: behind as many as there can be before it."""
    return chunk.offset // 2 + chunk.number


def _reserve(entries: int) -> NDArray[np.uint32]:
    """Room that takes memory only where it is written to."""
    if sys.platform != "linux":
        return np.empty(entries, np.uint32)
    room = mmap.mmap(-1, 4 * entries, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
    room.madvise(mmap.MADV_NOHUGEPAGE)  # a large page would fill the gaps
    return np.frombuffer(room, np.uint32)


def _scratch(words: int) -> Scratch:
    from ._kernels.rows import Scratch

    return Scratch(np.full(words, -1, np.int64), np.zeros(words, np.int64), np.zeros(words, np.int64))


def _before(sizes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The sum of all sizes before each."""
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _joined(pieces: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    return np.concatenate(pieces) if pieces else np.zeros(0, np.uint32)
