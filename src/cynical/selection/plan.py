"""What a run will need, from a sample of AVAILABLE: memory, scratch disk, time.

Bytes are counted, not guessed (L lines, E entries of their rows, F features):

    reading      4 E + 40 L                     entries; what is known of lines, for a moment twice
    laying out   8 E + 84 L                     the rows as read and as laid; keys, orders and places to sort them
    word lists  16 E + 80 L                     of --strategy word and batch: the rows, and for each entry a node

beside what the process holds when AVAILABLE is read, 148 F for the model, and 12 F and 4 MB for each thread that reads.
Hashes of lines, for --exclude and the like, take 8 L more, n-grams 8 L, --exclude-ngrams L. What --exclude itself takes
is held when AVAILABLE is read: 8 bytes per line of it, and 12 to 20 per word with --exclude-ngrams. With --memory,
entries and rows can be in --scratch. `benchmarks/memory.py` compares these numbers with what runs take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..memory import Storage
from ..progress import Progress
from ..text.corpus import Corpus, Part
from .index import HowToRead, read_side

SAMPLE = 1 << 24  # bytes that are read
PIECES = 16  # places that a sample is read from
LATER = 10_000_000  # kernels that are loaded later, and what is written
MODEL = 148  # bytes per feature
SCRATCH, BUFFER = 12, 4_000_000  # of a thread that reads: bytes per feature, and others
PAGES = 100_000_000  # of mapped files, that are in memory while they are used
MANY_ROWS, LENGTHS = 32, 241 * 24  # words with more rows have heaps by length, for --strategy word: bytes per word


@dataclass(frozen=True, slots=True)
class Beside:
    """What a run holds beside AVAILABLE, and how it will search."""

    resident: int  # bytes when AVAILABLE is read
    features: int
    jobs: int
    strategy: str
    hashed: bool  # are copies of lines told apart?
    longer: bool  # are there n-grams?
    runs: bool = False  # are runs of words looked for?

    @property
    def base(self) -> int:
        of_features = (MODEL + SCRATCH * self.jobs) * self.features
        return self.resident + LATER + of_features + BUFFER * self.jobs

    @property
    def per_line(self) -> int:
        """Bytes that these options add for each line."""
        return 8 * self.hashed + 8 * self.longer + self.runs


@dataclass(frozen=True, slots=True)
class Plan:
    """AVAILABLE as a sample makes it look."""

    lines: int
    words: int
    entries: int
    size: int  # bytes of text
    ratio: float  # the whole, in samples
    beside: Beside

    @property
    def reading(self) -> int:
        return self.beside.base + 4 * self.entries + (40 + 2 * self.beside.per_line) * self.lines

    @property
    def laying_out(self) -> int:
        if self.beside.strategy != "exact":
            return self._lists + 4 * self.entries
        return self.beside.base + 8 * self.entries + (84 + self.beside.per_line) * self.lines

    @property
    def memory(self) -> int:
        return max(self.reading, self.laying_out)

    @property
    def least_memory(self) -> int:
        """With all in scratch that can be there; some mapped pages must be in memory while they are used."""
        held = self.beside.base + (70 + self.beside.per_line) * self.lines
        if self.beside.strategy != "exact":
            held = self._lists
        return min(held + PAGES, self.memory)

    @property
    def _lists(self) -> int:
        by_length = LENGTHS * min(self.beside.features, self.entries // MANY_ROWS)
        lists = 12 * self.entries + (80 + self.beside.per_line) * self.lines
        return self.beside.base + lists + (by_length if self.beside.strategy == "word" else 0)

    @property
    def scratch(self) -> int:
        """Bytes of files, where memory does not suffice."""
        return 8 * self.entries + 12 * self.lines if self.beside.strategy == "exact" else 4 * self.entries


def make_plan(sides: Sequence[Corpus], how: HowToRead) -> Plan:
    """Read a sample of each side that counts."""
    longer = how.tokenizer.ngrams > 1
    beside = Beside(
        how.storage.before, len(how.features), how.jobs, how.strategy, how.hashed, longer, how.runs is not None
    )
    samples = [sampled(side) for side in sides]
    indexes = [
        read_side(sample, side, replace(how, progress=Progress(), storage=Storage()))
        for side, sample in enumerate(samples)
    ]
    ratio = max(sides[0].size / max(samples[0].size, 1), 1.0)
    return Plan(
        lines=round(indexes[0].lines * ratio),
        words=round(sum(index.totals[0] for index in indexes) * ratio),
        entries=round(sum(int(index.entries.sum(dtype="int64")) for index in indexes) * ratio),
        size=sum(side.size for side in sides),
        ratio=ratio,
        beside=beside,
    )


def sampled(corpus: Corpus, most: int | None = None) -> Corpus:
    """Some lines from all over a corpus; all of a small one."""
    most = SAMPLE if most is None else most
    if corpus.size <= most:
        return corpus
    step, size = corpus.size // PIECES, most // PIECES
    parts: list[Part] = []
    before = 0
    for part in corpus.parts:
        length = part.end - part.begin
        for piece in range(-(-before // step), -(-(before + length) // step)):
            at = part.begin + piece * step - before
            begin = part.line_end(at) if at > part.begin else part.begin
            if begin < part.end:
                parts.append(replace(part, begin=begin, end=part.line_end(min(begin + size, part.end) - 1)))
        before += length
    return Corpus(corpus.name, parts)


def sampled_together(sides: Sequence[Corpus], most: int) -> list[Corpus]:
    """The same lines of all sides of a text: those at its beginning, where there are several sides."""
    if len(sides) == 1 or all(side.size <= most and not side.whole for side in sides):
        return [sampled(side, most) for side in sides]
    lines = min(sum(int(np.count_nonzero(text == 10)) for _, text in _begin_of(side, most)) for side in sides)
    return [_first_lines(side, most, lines) for side in sides]


def _begin_of(corpus: Corpus, most: int) -> Iterator[tuple[Part, NDArray[np.uint8]]]:
    """The parts at the beginning, and what they have of the first bytes."""
    for part in corpus.parts:
        yield part, part.text(part.begin, min(part.end, part.begin + max(most, 0)))
        most -= part.end - part.begin


def _first_lines(corpus: Corpus, most: int, lines: int) -> Corpus:
    parts = []
    for part, text in _begin_of(corpus, most):
        ends = np.flatnonzero(text == 10)[:lines]
        if len(ends):
            parts.append(replace(part, end=part.begin + int(ends[-1]) + 1))
        lines -= len(ends)
    return Corpus(corpus.name, parts)
