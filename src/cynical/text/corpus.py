"""Where lines come from.

A corpus is one or more parts (files, standard input, strings in memory), each a run of bytes, mostly a memory map. It
is read in chunks of whole lines.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, number_of
from ..records import Record
from .checksum import Checksum
from .folding import fold_bytes
from .given import MemoryRecords
from .kinds import is_counts, is_ranking
from .many_files import LazyFile, read_into
from .parquet import ParquetRecords
from .records import LineRecords, check_line

CHUNK = 1 << 20  # bytes: with its words' bits it fits a core's own cache
BLOCK = 1 << 14  # bytes in which a line's end is looked for
NEWLINE = 10
HEADER = 128  # bytes that tell a ranking, or counts, from text

Records = LineRecords | ParquetRecords | MemoryRecords


class File(Record):
    """Where a text was, and how large."""

    path: str
    bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A file or a text in memory; of records, what is taken for their text."""

    name: str
    raw: bytes | mmap.mmap | LazyFile
    begin: int  # after a byte-order mark
    end: int
    file: BinaryIO | LazyFile | None = None  # where it is to be read from, rather than through a map
    path: str | None = None  # where it is, if it is a file
    size: int = 0  # bytes of the file as it is there
    records: Records | None = None  # what the lines were taken from
    folded: bool = False  # are some of its lines folded texts? see folding.py
    bad: int = 0  # records that were skipped
    first_bad: str = ""

    @classmethod
    def in_memory(cls, name: str, text: bytes) -> Part:
        return cls(name, text, 0, len(text), size=len(text))

    @property
    def content(self) -> bytes | mmap.mmap:
        """All of it, without what else is in the same memory."""
        raw = self.raw.mapped() if isinstance(self.raw, LazyFile) else self.raw
        return raw if self.begin == 0 and self.end == len(raw) else bytes(raw[self.begin : self.end])

    @property
    def is_ranking(self) -> bool:
        """Is it a ranking, in place of text?"""
        return self.records is None and not self.folded and is_ranking(self._header)

    @property
    def is_counts(self) -> bool:
        """Are these counts, in place of text?"""
        return self.records is None and not self.folded and is_counts(self.name, self._header)

    @property
    def _header(self) -> bytes:
        return self.raw[self.begin : min(self.begin + HEADER, self.end)]

    def text(self, begin: int, end: int) -> NDArray[np.uint8]:
        """Some of its bytes."""
        if isinstance(self.raw, LazyFile):
            return np.frombuffer(self.raw[begin:end], np.uint8)
        return np.frombuffer(self.raw, np.uint8)[begin:end]

    def spans(
        self, first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
        """Memory that has some of its texts, and where each begins and ends there."""
        if isinstance(self.raw, LazyFile):
            return self.raw.spans(first, last)
        return np.frombuffer(self.raw, np.uint8), first, last

    @property
    def opened(self) -> BinaryIO | None:
        """Where it is to be read from; keep it as long as its descriptor is used."""
        return self.file.opened() if isinstance(self.file, LazyFile) else self.file

    def line_end(self, begin: int) -> int:
        """The place after the first newline from `begin` on, or the end; not through the map, whose pages would
        stay."""
        if begin >= self.end:
            return self.end
        file = self.opened
        if file is None:
            assert not isinstance(self.raw, LazyFile)
            return self.raw.find(b"\n", begin, self.end) + 1 or self.end
        block = bytearray(min(BLOCK, self.end - begin))
        while begin < self.end and (size := read_into(file, memoryview(block), begin)):
            newline = block.find(b"\n", 0, min(size, self.end - begin))
            if newline >= 0:
                return begin + newline + 1
            begin += size
        return self.end

    def continues(self, before: Part) -> bool:
        """Is it stored after the other one, in the same memory and from the next line on? So small files are."""
        if self.raw is not before.raw or isinstance(self.raw, LazyFile) or self.records is not None or self.folded:
            return False
        gap, plain = self.begin - before.end, before.records is None and not before.folded
        return plain and 0 <= gap <= 1 and before.end > before.begin and self.raw[self.begin - 1] == NEWLINE


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines of one part, or of some small ones that are stored one after another: bytes begin to end."""

    number: int
    offset: int  # bytes before it
    parts: Sequence[Part]
    begin: int
    end: int

    @property
    def part(self) -> Part:
        return self.parts[0]

    def by_part(self) -> Iterator[tuple[Part, slice]]:
        """Each part, and which bytes of the chunk are its own."""
        for part in self.parts:
            yield part, slice(max(part.begin, self.begin) - self.begin, min(part.end, self.end) - self.begin)

    def copy_to(self, text: NDArray[np.uint8]) -> None:
        """Copy the bytes into memory of the right size."""
        file = self.part.opened
        if file is None:
            text[:] = self.part.text(self.begin, self.end)
            return
        done, view = 0, memoryview(text.data)
        while done < len(text):
            size = read_into(file, view[done:], self.begin + done)
            if size == 0:
                raise CynicalError(
                    f"{self.part.name}: the file became shorter while it was read; run again when it is complete"
                )
            done += size


def skipped(bad: int, role: str, first: str) -> str:
    """A notice of records that were skipped."""
    return f"skipped {number_of(bad, 'bad record')} of {role}; the first: {first}"


class Corpus:
    """The lines of some parts, one after another."""

    def __init__(self, name: str, parts: Sequence[Part], read: Sequence[Checksum] = ()) -> None:
        self.name = name
        self.parts = tuple(parts)
        self.whole = 0  # of compressed files that were read in part: bytes of all their text, about
        self.read = read  # the checksums of the parts' text, once it was read
        self.with_returns: set[Part] | None = None  # once it was read: parts where a line ends in a carriage return
        self.remarks: list[str] = []  # what the user should know of it

    @property
    def checksums(self) -> list[Checksum]:
        """What tells the content of each part from others: of its records, else of its text, which must be read."""
        return [
            self.read[number] if part.records is None else part.records.checksum
            for number, part in enumerate(self.parts)
        ]

    def check_unchanged(self, parts: Iterable[int]) -> None:
        """See to it that these parts, if they are files of the user, still have the texts that were read."""
        for number in parts:
            part = self.parts[number]
            if isinstance(part.raw, LazyFile):
                part.raw.check(self.read[number] if self.read else Checksum(), part.begin, part.end)

    @classmethod
    def in_memory(cls, name: str, texts: Iterable[bytes]) -> Corpus:
        """Texts, whatever they hold."""
        lines, folded = fold_bytes(texts)
        return cls(name, [replace(Part.in_memory(name, lines), folded=folded)])

    @property
    def size(self) -> int:
        """Bytes of text."""
        return sum(part.end - part.begin for part in self.parts)

    @property
    def bad(self) -> int:
        """Records that were skipped."""
        return sum(part.bad for part in self.parts)

    @property
    def of_records(self) -> bool:
        """Are the texts those of records?"""
        return any(part.records is not None for part in self.parts)

    def notices(self, role: str) -> list[str]:
        """What the user should know of the corpus in its part in a run."""
        if not self.bad:
            return self.remarks
        first = next(part.first_bad for part in self.parts if part.bad)
        return [*self.remarks, skipped(self.bad, role, first)]

    @property
    def files(self) -> list[File]:
        """What tells this corpus from others: where its parts are, and their sizes."""
        return [
            File(path=part.name if part.path is None else part.path, bytes=part.size or len(part.raw))
            for part in self.parts
        ]

    def chunks(self) -> Iterator[Chunk]:
        number = offset = 0
        for parts in self._together():
            begin, last = parts[0].begin, parts[-1]
            while begin < last.end:
                end = last.line_end(begin + CHUNK - 1)
                check_line(end - begin - CHUNK, last.name)
                yield Chunk(number, offset, parts, begin, end)
                number, offset, begin = number + 1, offset + end - begin, end

    def _together(self) -> Iterator[list[Part]]:
        """The parts, small ones that are stored one after another together."""
        parts: list[Part] = []
        for part in self.parts:
            if parts and part.end - parts[0].begin <= CHUNK and part.continues(parts[-1]):
                parts.append(part)
                continue
            if parts:
                yield parts
            parts = [part]
        if parts:
            yield parts

    @property
    def most_chunks(self) -> int:
        return self.size // CHUNK + len(self.parts)
