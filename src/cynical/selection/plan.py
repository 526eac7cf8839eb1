"""What a run will need, from a sample of AVAILABLE: memory, scratch disk, time.

Bytes are counted, not guessed (L lines, E entries of their rows, R rows that differ):

    reading     4 E + 32 L                     entries; what is known of lines, for a moment twice
    laying out  8 E + 96 L                     the rows as read and as laid; keys, orders and places to sort them
    searching   4 E + 28 R + 28 L              the rows as laid with their heads and heaps; what stays known of lines

and 250 MB for Python, numba and the model. With --memory, entries and rows can be in --scratch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..memory import Storage
from ..progress import Progress
from ..text.corpus import Corpus, Part
from .index import HowToRead, read_side

SAMPLE = 1 << 24  # bytes that are read
PIECES = 16  # from so many places
BASE = 250_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """AVAILABLE as a sample makes it look."""

    lines: int
    words: int
    entries: int
    size: int  # bytes of text
    ratio: float  # the whole, in samples
    hashed: bool  # are copies of lines told apart?

    @property
    def reading(self) -> int:
        return BASE + 4 * self.entries + (32 + 16 * self.hashed) * self.lines

    @property
    def laying_out(self) -> int:
        return BASE + 8 * self.entries + (96 + 8 * self.hashed) * self.lines

    @property
    def memory(self) -> int:
        return max(self.reading, self.laying_out)

    @property
    def least_memory(self) -> int:
        """With all in scratch that can be there; some mapped pages must be in memory while they are used."""
        return BASE + (68 + 8 * self.hashed) * self.lines + min(8 * self.entries, 100_000_000)

    @property
    def scratch(self) -> int:
        """Bytes of files, where memory does not suffice."""
        return 8 * self.entries + 12 * self.lines


def make_plan(sides: Sequence[Corpus], how: HowToRead) -> Plan:
    """Read a sample of each side that counts."""
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
        hashed=how.hashed,
    )


def sampled(corpus: Corpus) -> Corpus:
    """Some lines from all over a corpus; all of a small one."""
    if corpus.size <= SAMPLE:
        return corpus
    step, size = corpus.size // PIECES, SAMPLE // PIECES
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
