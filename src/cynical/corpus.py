"""Where lines come from and how one is fetched back.

A corpus is one or more parts (files, standard input, strings in memory), each a run of bytes, mostly a memory map. It
is read in chunks of whole lines. Of each line only its place within its chunk is kept: 4 bytes a line.
"""

from __future__ import annotations

import glob
import mmap
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from .errors import CynicalError, os_error, tell

CHUNK = 1 << 20  # bytes: with its words' bits it fits a core's own cache
BLOCK = 1 << 14  # bytes in which a line's end is looked for
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FOREIGN = {
    b"\x1f\x8b": "unpack it first, or give <(gzip -dc FILE) in its place",
    b"\x28\xb5\x2f\xfd": "unpack it first, or give <(zstd -dc FILE) in its place",
    b"\xfd7zXZ\x00": "unpack it first, or give <(xz -dc FILE) in its place",
    b"BZh": "unpack it first, or give <(bzip2 -dc FILE) in its place",
    b"PK\x03\x04": "unpack it first, or give <(unzip -p FILE) in its place",
    b"PAR1": "take the text out of the Parquet file first",
    b"\xff\xfe": "convert it first: iconv -f UTF-16 -t UTF-8 FILE",
    b"\xfe\xff": "convert it first: iconv -f UTF-16 -t UTF-8 FILE",
}  # how files begin that are taken for text by mistake
_taken = False  # standard input, by a corpus


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    name: str
    raw: bytes | mmap.mmap
    begin: int  # behind a byte-order mark
    file: BinaryIO | None = None  # what is mapped, to read from front to back: that is quicker than through the map

    @property
    def text(self) -> NDArray[np.uint8]:
        return np.frombuffer(self.raw, np.uint8)

    def line_end(self, begin: int) -> int:
        """Behind the first newline from `begin` on, or the end; not through the map, whose pages would stay."""
        if self.file is None or not hasattr(os, "pread"):
            return self.raw.find(b"\n", begin) + 1 or len(self.raw)
        while begin < len(self.raw) and (block := os.pread(self.file.fileno(), BLOCK, begin)):
            newline = block.find(b"\n")
            if newline >= 0:
                return begin + newline + 1
            begin += len(block)
        return len(self.raw)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines of one part: bytes begin to end."""

    number: int
    offset: int  # bytes of the corpus before it
    part: Part
    begin: int
    end: int

    def copy_to(self, text: NDArray[np.uint8]) -> None:
        """Copy the bytes into memory of the right size."""
        file = self.part.file
        if file is None or not hasattr(os, "preadv"):
            text[:] = self.part.text[self.begin : self.end]
            return
        done, view = 0, memoryview(text.data)
        while done < len(text):
            size = os.preadv(file.fileno(), [view[done:]], self.begin + done)
            if size == 0:
                raise CynicalError(f"{self.part.name}: became shorter while it was read; try again when it is complete")
            done += size


class Corpus:
    """The lines of some parts, one after another."""

    def __init__(self, name: str, parts: Sequence[Part]) -> None:
        self.name = name
        self.parts = tuple(parts)

    @property
    def size(self) -> int:
        """Bytes of text."""
        return sum(len(part.raw) - part.begin for part in self.parts)

    @property
    def files(self) -> list[dict[str, Any]]:
        """What tells this corpus from others: where its parts are, and their sizes."""
        return [
            {"path": part.name if part.file is None else str(Path(part.name).absolute()), "bytes": len(part.raw)}
            for part in self.parts
        ]

    def chunks(self) -> Iterator[Chunk]:
        number = offset = 0
        for part in self.parts:
            begin = part.begin
            while begin < len(part.raw):
                end = part.line_end(begin + CHUNK - 1)
                yield Chunk(number, offset, part, begin, end)
                number, offset, begin = number + 1, offset + end - begin, end

    @property
    def most_chunks(self) -> int:
        return self.size // CHUNK + len(self.parts)

    @classmethod
    def of(cls, source: Source, role: str) -> Corpus:
        """A path, '-', a list of paths, or an iterable of strings (those are lines); a corpus is itself."""
        if isinstance(source, Corpus):
            return source
        if isinstance(source, (str, Path)):
            return cls.from_paths([source])
        if isinstance(source, (bytes, bytearray)) or not isinstance(source, Iterable):
            raise CynicalError(
                f"{role}: expected a path, a list of paths or an iterable of strings, found {type(source).__name__}"
            )
        items = list(source)
        paths = [item for item in items if isinstance(item, Path)]
        if paths and len(paths) == len(items):
            return cls.from_paths(paths)
        return cls.from_lines(items, role)

    @classmethod
    def from_paths(cls, paths: Sequence[str | Path]) -> Corpus:
        files = [file for path in paths for file in expand(path)]
        return cls(", ".join(_shown(path) for path in paths), [_open(file) for file in files])

    @classmethod
    def from_lines(cls, lines: Sequence[object], role: str) -> Corpus:
        """Strings in memory; a newline inside one is a space like any other."""
        if lines and len(lines) < 100 and all(isinstance(line, str) and _is_file(line) for line in lines):
            raise CynicalError(f"{role}: strings in a list are lines, but {lines[0]!r} is a file; wrap it in Path")
        encoded = bytearray()
        for number, line in enumerate(lines, 1):
            if not isinstance(line, str):
                raise CynicalError(f"{role}: line {number} is a {type(line).__name__}; give strings, or Path objects")
            try:
                encoded += line.replace("\n", " ").encode("utf-8", "surrogateescape") + b"\n"
            except UnicodeEncodeError as error:
                raise CynicalError(f"{role}: line {number} cannot be written as UTF-8 ({error.reason})") from None
        return cls(f"{len(lines)} strings", [Part(f"{role} in memory", bytes(encoded), 0)])


Source = Corpus | str | Path | Sequence[Path] | Iterable[str]


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113 - any string may come here, also one that no path can be


def _shown(path: str | Path) -> str:
    """A file name that can be written anywhere, whatever its bytes are."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def expand(path: str | Path) -> list[str]:
    """The files that a glob stands for, sorted; a path that exists stands for itself."""
    name = str(path)
    if name == "-" or Path(name).exists() or not glob.has_magic(name):
        return [name]
    matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    found = [file for file in matches if not Path(file).is_dir()]
    if not found:
        raise CynicalError(f"{name}: no file matches this pattern; check it, and quote it so that the shell leaves it")
    return found


def _open(path: str) -> Part:
    try:
        if path == "-":
            return _part("standard input", _spool(_standard_input()))
        file = Path(path).open("rb")  # noqa: SIM115 - it stays open as long as the part is used
        if Path(path).is_file() and os.fstat(file.fileno()).st_size:
            return _part(path, file)
        with file:  # a pipe, or a file of the system that does not know its size
            return _part(path, _spool(file))
    except OSError as error:
        raise os_error(path, error) from error


def _part(name: str, file: BinaryIO) -> Part:
    size = file.seek(0, os.SEEK_END)
    raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    for magic, remedy in FOREIGN.items():
        if raw[: len(magic)] == magic:
            raise CynicalError(f"{_shown(name)}: not plain UTF-8 text; {remedy}")
    return Part(_shown(name), raw, len(BYTE_ORDER_MARK) if raw[:3] == BYTE_ORDER_MARK else 0, file)


def _standard_input() -> BinaryIO:
    global _taken
    if sys.stdin is None:
        raise CynicalError("standard input is closed; give a file in place of -")
    if _taken:
        raise CynicalError("standard input can be read only once; put it into a file and name that")
    _taken = True
    if sys.stdin.isatty():
        tell("reading standard input; Ctrl-D ends it")
    return sys.stdin.buffer


def _spool(stream: BinaryIO) -> BinaryIO:
    """Keep what a pipe brings in a file without a name: lines must be fetched back later."""
    file = tempfile.TemporaryFile(prefix="cynical-")  # noqa: SIM115 - as above
    read = getattr(stream, "read1", stream.read)  # what there is, at once, so that Ctrl-C does not wait for more
    while block := read(CHUNK):
        file.write(block)
    file.flush()
    return cast(BinaryIO, file)


class Places:
    """Where each line of a corpus stands."""

    def __init__(self, corpus: Corpus, chunks: Sequence[tuple[Chunk, NDArray[np.uint32], int]]) -> None:
        """Chunks in order, each with where its lines begin and where its last one ends, counted from its own begin."""
        self.corpus = corpus
        number = {part: i for i, part in enumerate(corpus.parts)}
        self._part = np.array([number[chunk.part] for chunk, _, _ in chunks], np.int64)
        self._begin = np.array([chunk.begin for chunk, _, _ in chunks], np.int64)
        self._end = np.array([chunk.begin + end for chunk, _, end in chunks], np.int64)
        self._first = np.zeros(len(chunks) + 1, np.int64)
        np.cumsum([len(start) for _, start, _ in chunks], out=self._first[1:])
        self._start = np.concatenate([*(start for _, start, _ in chunks), np.zeros(1, np.uint32)])

    def __len__(self) -> int:
        return int(self._first[-1])

    def spans(self, lines: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For each line (counted from 0): its part, where it begins there, and where it ends."""
        chunk = np.searchsorted(self._first, lines, side="right") - 1
        part = self._part[chunk]
        begin = self._begin[chunk] + self._start[lines]
        last = lines + 1 == self._first[chunk + 1]
        end = np.where(last, self._end[chunk], self._begin[chunk] + self._start[lines + 1] - 1)
        for number in np.unique(part):
            text, here = self.corpus.parts[number].text, part == number
            carriage_return = text[np.maximum(end[here] - 1, 0)] == 13
            end[here] -= carriage_return & (end[here] > begin[here])
        return part, begin, end

    def lines_by_part(self) -> list[int]:
        """How many lines each part has."""
        lines = np.bincount(self._part, np.diff(self._first), len(self.corpus.parts))
        return [int(number) for number in lines]

    def texts(self, lines: NDArray[np.int64]) -> list[bytes]:
        """Some lines, as they are."""
        part, begin, end = self.spans(lines)
        raw = [part.raw for part in self.corpus.parts]
        return [raw[p][a:b] for p, a, b in zip(part.tolist(), begin.tolist(), end.tolist(), strict=True)]

    def name_of(self, line: int) -> str:
        """Where a line is, for a message: the file, and the line within it (from 1)."""
        chunk = int(np.searchsorted(self._first, line, side="right")) - 1
        part = int(self._part[chunk])
        first = int(self._first[int(np.flatnonzero(self._part == part)[0])])
        return f"{self.corpus.parts[part].name} line {line - first + 1}"
