"""Index: AVAILABLE as sparse rows over the representative words, made in one pass.

What it takes, in bytes: 4 per entry (a word type of a line that the representative corpus has; 8 where a line has it
more than eight times), and 20 per line (4 its length in words, 4 its number of entries, 8 where they begin, 4 its place
in the text). The exact search lays the rows out again, equal ones once, which takes 4 per entry, 28 per row (12 before
it, 16 in the heap) and 4 per line; for a moment both exist, then the index keeps 12 per line. English lines of 26 words
have 17 entries: 88 bytes per line here and 100 in the search, 3.4 and 3.8 per word, beside 135 and 5.2 of text.

Entries go straight to their place in one array that is as large as the text allows. Only what is written takes memory;
between chunks there are gaps. Should a tokenizer make more of a chunk than there is room for, its entries are kept
separately until everything is read. Where both sides of a text count, each is read so, and then joined into rows over
both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ..memory import Appended, Scalar, Storage, reserved
from ..model.classes import Tokens
from ..model.counts import Counts
from ..model.known import ENTRIES, kernel_known, scratch_for
from ..model.overlap import Runs
from ..model.target import Features
from ..progress import Progress
from ..text.corpus import Chunk, Corpus
from ..text.places import Places, locate
from ..text.reader import Words, read_all
from ..text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from .._kernels.index import Known, Scratch


class HasRows(Protocol):
    """Rows of entries, one for each line."""

    @property
    def entry(self) -> NDArray[np.uint32]: ...
    @property
    def start(self) -> NDArray[np.int64]: ...
    @property
    def entries(self) -> NDArray[np.uint32]: ...
    @property
    def words(self) -> NDArray[np.uint32]: ...
    @property
    def features(self) -> NDArray[np.uint32]: ...


@dataclass(slots=True)
class Index:
    entry: NDArray[np.uint32]
    start: NDArray[np.int64]  # by line, where its entries begin
    entries: NDArray[np.uint32]  # by line, how many it has
    words: NDArray[np.uint32]  # by line, its length in words, those of all sides together
    features: NDArray[np.uint32]  # by line, its length in words and n-grams; the same array where there are only words
    same: NDArray[np.uint64]  # by line, a hash of its words in their order; empty unless asked for (8 bytes per line)
    source: NDArray[np.uint64]  # the same of the first side alone
    shares_run: NDArray[np.bool_]  # by line, has its first side a run of words that is never to be picked? if asked for
    count: NDArray[np.int64]  # A: by representative feature
    totals: list[int]  # of each order
    places: tuple[Places, ...]  # by side, of which the first is AVAILABLE itself
    broken: int  # lines that are not UTF-8
    first_broken: str  # the first of them
    of_sides: tuple[NDArray[np.uint32], ...]  # by side, then by line, its length in words; until lines were chosen

    @property
    def lines(self) -> int:
        return len(self.words)

    def release(self) -> None:
        """Give up the rows, but not what is known of the lines."""
        self.entry, self.start = np.zeros(0, np.uint32), np.zeros(0, np.int64)


class HowToTokenize(Protocol):
    """How a text becomes words."""

    @property
    def tokenizer(self) -> Tokenizer: ...
    @property
    def jobs(self) -> int: ...
    @property
    def progress(self) -> Progress: ...


@dataclass(frozen=True, slots=True)
class HowToOpen:
    """The same, before anything is known of rows."""

    tokenizer: Tokenizer
    jobs: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class HowToRead:
    """How a text becomes rows."""

    tokenizer: Tokenizer
    features: Features  # that the rows are over
    jobs: int
    progress: Progress
    hashed: bool = False  # hash lines, so that copies can be told?
    runs: Runs | None = None  # of words, that are looked for on the first side
    storage: Storage = field(default_factory=Storage)
    role: str = "AVAILABLE"
    strategy: str = "exact"  # how lines will be searched, for a plan
    aligned: bool = False  # are sides known to have the same lines?


def hash_lines(corpus: Corpus, tokenizer: Tokenizer, jobs: int, progress: Progress, role: str) -> NDArray[np.uint64]:
    """For each line a hash of its words in their order, as `Index.source` has it; 0 for lines without words."""
    nothing = Features([Counts.from_pairs([], tokenizer.signature)])
    how = HowToRead(replace(tokenizer, ngrams=1), nothing, jobs, progress, hashed=True, role=role)
    return read_side(corpus, 0, how).same


def read_side(corpus: Corpus, side: int, how: HowToRead) -> Index:
    """One side of a text as rows over the features of that side."""
    ngrams, storage = how.tokenizer.ngrams, how.storage
    room = _Room(ENTRIES[ngrams], how.tokenizer.growth)
    spool = storage.entries() if storage.spills else None
    most = corpus.size + len(corpus.parts)  # bytes; between small files there may be one more
    entry = reserved(room.of(most) + 2 * corpus.most_chunks + 1 if spool is None else 1, np.uint32)
    known = kernel_known(how.features.sides[side], how.features.shifts(side))
    features = len(how.features)

    def make() -> _Indexer:
        count, runs = np.zeros(features, np.int64), how.runs if side == 0 else None
        return _Indexer(known, scratch_for(features), count, entry, room, how.hashed, runs, spool)

    takers = read_all(corpus, how.tokenizer, how.jobs, how.progress, make, how.role)
    rows = sorted((row for taker in takers for row in taker.rows), key=lambda row: row.chunk.number)
    words = _joined(rows, "words", np.uint32)
    places = locate(corpus, [(row.chunk, row.line_start, row.last_end) for row in rows])
    lines_before, first_broken = 0, ""
    for row in rows:
        if row.first_broken >= 0 and not first_broken:
            first_broken = places.name_of(lines_before + row.first_broken)
        lines_before += len(row.words)
        row.line_start = np.zeros(0, np.uint32)
    hashes, entries = _joined(rows, "same", np.uint64), _joined(rows, "entries", np.uint32)
    begins = [room.place(row.chunk) if row.begin is None else row.begin for row in rows]
    if spool is not None:
        entry = spool.array()
    elif any(row.apart is not None for row in rows):
        entry, begins = _put_together(entry, rows, begins)
    start, line = np.empty(len(words), np.int64), 0
    for begin, row in zip(begins, rows, strict=True):
        start[line : line + len(row.entries)] = begin + sum_before(row.entries)
        line += len(row.entries)
    total, with_words = int(words.sum(dtype=np.int64)), int(np.count_nonzero(words))
    return Index(
        entry,
        start,
        entries,
        words,
        words if ngrams == 1 else words * np.uint32(ngrams) + (words > 0),
        hashes,
        hashes,
        _joined(rows, "shares_run", np.bool_),
        np.sum([taker.count for taker in takers], axis=0),
        [total, total + with_words, total][:ngrams],
        (places,),
        sum(row.broken for row in rows),
        first_broken,
        (words,),
    )


def add_prior(index: Index, features: int, prior: NDArray[np.uint32], storage: Storage) -> None:
    """Give each row its prior, as one feature more."""
    from .._kernels.entries import Rows
    from .._kernels.index import add_priors

    entries = index.entries + np.uint32(2)
    start = sum_before(entries)
    out = storage.array(int(entries.sum(dtype=np.int64)), np.uint32)
    add_priors(Rows(index.entry, index.start, index.entries), features, prior, out, start)
    index.entry, index.start, index.entries = out, start, entries


def collapse_index(index: HasRows, words: int, tokens: Tokens) -> None:
    """Turn rows over features into rows over tokens, in place."""
    from .._kernels.entries import Rows
    from .._kernels.index import collapse_rows

    scratch = scratch_for(len(tokens))
    collapse_rows(Rows(index.entry, index.start, index.entries), words, tokens.of_word, scratch)


@dataclass(slots=True)
class _Rows:
    """What one chunk holds."""

    chunk: Chunk
    entries: NDArray[np.uint32]
    words: NDArray[np.uint32]
    same: NDArray[np.uint64]
    shares_run: NDArray[np.bool_]
    line_start: NDArray[np.uint32]
    last_end: int
    broken: int
    first_broken: int
    apart: NDArray[np.uint32] | None  # its entries, if they found no room
    begin: int | None  # where they are stored, if that is in a file


@dataclass(frozen=True, slots=True)
class _Room:
    """How many entries a text can have."""

    share: Fraction  # of a byte, where there is white space between words
    growth: int  # what is kept free for the white space that a tokenizer adds

    def of(self, size: int) -> int:
        """What is kept free for this many bytes."""
        return size * self.growth * self.share.numerator // self.share.denominator

    def place(self, chunk: Chunk) -> int:
        """Where a chunk's entries begin: after the maximum number of entries before it."""
        return self.of(chunk.offset) + 2 * chunk.number

    def kept(self, chunk: Chunk) -> int:
        return self.of(chunk.end - chunk.begin) + 2

    def needed(self, words: Words) -> int:
        return words.size * self.share.numerator // self.share.denominator + 2


@dataclass(slots=True)
class _Indexer:
    """One thread's share of the reading."""

    known: Known
    scratch: Scratch
    count: NDArray[np.int64]
    entry: NDArray[np.uint32]
    room: _Room
    hashed: bool
    runs: Runs | None
    spool: Appended | None
    rows: list[_Rows] = field(default_factory=list)

    def take(self, chunk: Chunk, words: Words) -> None:
        from .._kernels.index import Found, read_rows

        lines, place, kept = len(words.line_end), self.room.place(chunk), self.room.kept(chunk)
        fits = self.spool is None and self.room.needed(words) <= kept
        entry = self.entry[place : place + kept]
        if not fits:
            entry = np.empty(self.room.needed(words), np.uint32)
        same = np.zeros(lines if self.hashed else 0, np.uint64)
        found = Found(entry, np.zeros(lines, np.uint32), np.zeros(lines, np.uint32), same, self.count)
        written = read_rows(self.known, words.chunk, self.scratch, found)
        self.rows.append(
            _Rows(
                chunk,
                found.entries,
                found.words,
                found.same,
                np.zeros(0, np.bool_) if self.runs is None else self.runs.of_chunk(words),
                words.line_start,
                words.last_end,
                words.broken,
                words.first_broken,
                None if fits or self.spool is not None else entry[:written].copy(),
                None if self.spool is None else self.spool.append(entry[:written]),
            )
        )


def _put_together(
    entry: NDArray[np.uint32], rows: Sequence[_Rows], begins: Sequence[int]
) -> tuple[NDArray[np.uint32], list[int]]:
    """All entries without gaps, and where those of each chunk begin."""
    sizes = [int(row.entries.sum(dtype=np.int64)) for row in rows]
    of_chunks = [
        entry[begin : begin + size] if row.apart is None else row.apart
        for row, begin, size in zip(rows, begins, sizes, strict=True)
    ]
    return np.concatenate(of_chunks), np.cumsum([0, *sizes[:-1]]).tolist()


def gather_entries(rows: HasRows, lines: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The entries of some lines, row by row."""
    entries = rows.entries[lines].astype(np.int64)
    first = np.cumsum(entries) - entries
    return rows.entry[np.repeat(rows.start[lines] - first, entries) + np.arange(int(entries.sum()))]


def sum_before(sizes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The sum of all sizes before each."""
    return np.cumsum(sizes, dtype=np.int64) - sizes


def _joined(rows: Sequence[_Rows], name: str, dtype: type[Scalar]) -> NDArray[Scalar]:
    """What all chunks have of something by line, in one array; from now on a chunk's own is a part of that."""
    out, at = np.empty(sum(len(getattr(row, name)) for row in rows), dtype), 0
    for row in rows:
        end = at + len(getattr(row, name))
        out[at:end] = getattr(row, name)
        setattr(row, name, out[at:end])
        at = end
    return out
