"""Records that are lines: JSON lines, CSV and TSV, of which one field is the text; and the whole record, fetched back.

The texts go into a spool, one a line (a newline within a text is a space there), so all that follows reads plain text.
What a record was is kept as lines too: those of the file itself where it can be sought, else in another spool.
"""

from __future__ import annotations

import csv
import io
import mmap
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError
from .compression import blocks
from .kinds import BYTE_ORDER_MARK

TEXT = "text"  # the field that is the text, if nobody says otherwise
LARGEST_CELL = (1 << 31) - 1  # characters of a CSV file
BATCH = 1 << 13  # rows of a CSV file whose texts are written together


@dataclass(frozen=True, slots=True)
class Field:
    """Which field of a record is meant: a name (dots lead into nested records), or the number of a column from 1 on."""

    key: str

    @property
    def path(self) -> list[str]:
        return self.key.split(".")

    def of(self, record: object) -> object:
        """The field of a record; KeyError if there is none."""
        if isinstance(record, dict) and self.key in record:
            return record[self.key]
        for name in self.path:
            if not isinstance(record, dict) or name not in record:
                raise KeyError(self.key)
            record = record[name]
        return record

    def place(self, header: Sequence[str], name: str) -> int:
        """The column that is meant, of those in a table's header."""
        if len(set(header)) < len(header):
            twice = next(one for one in header if list(header).count(one) > 1)
            raise CynicalError(f"{name}: two columns are called {twice!r}; call one of them something else")
        if self.key in header:
            return list(header).index(self.key)
        raise CynicalError(f"{name}: no column {self.key!r}; it has {', '.join(header)}: name one with --text-key")


class BadRecordError(Exception):
    """A record that cannot be used: what is wrong with it."""


@dataclass(slots=True)
class Texts:
    """What was taken out of a file so far."""

    name: str
    skip: bool  # bad records are skipped, not errors
    write: Callable[[bytes], None]  # where the texts go
    number: int = 0
    bad: int = 0
    first_bad: str = ""
    several_lines: bool = False  # does any text hold a newline?

    def add(self, texts: Sequence[str]) -> None:
        """Texts of records; TypeError if one is no string."""
        if not texts:
            return
        joined = "\n".join(texts)
        if joined.count("\n") != len(texts) - 1:
            self.several_lines = True
            joined = "\n".join([text.replace("\n", " ") for text in texts])
        self.write(joined.encode("utf-8", "surrogateescape") + b"\n")
        self.number += len(texts)

    def refuse(self, line: int, what: str) -> None:
        """A bad record is an error, or skipped and counted."""
        said = f"{self.name} line {line}: {what}"
        if not self.skip:
            raise CynicalError(f"{said}; mend it, or give --bad-records skip")
        self.bad += 1
        self.first_bad = self.first_bad or said


@dataclass(slots=True)
class LineRecords:
    """Records that are lines: of JSON, of a TSV file, or rows of a CSV file written as JSON."""

    format: str
    header: list[str]
    text: Field
    raw: bytes | mmap.mmap = b""
    start: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def lines(self, numbers: Sequence[int]) -> list[bytes]:
        """Records as they stand in the file (of CSV: as JSON lists)."""
        raw, made = self.raw, []
        for begin in self.start[np.asarray(numbers, np.int64)].tolist():
            end = raw.find(b"\n", begin)
            made.append(bytes(raw[begin : end if end >= 0 else len(raw)]).rstrip(b"\r"))
        return made

    def rows(self, numbers: Sequence[int]) -> list[list[str]]:
        """The columns of records of a table."""
        if self.format == "csv":
            return [orjson.loads(line) for line in self.lines(numbers)]
        return [line.decode("utf-8", "replace").split("\t") for line in self.lines(numbers)]

    def dicts(self, numbers: Sequence[int]) -> list[dict[str, object]]:
        if self.format == "jsonl":
            return [orjson.loads(line) for line in self.lines(numbers)]
        return [dict(zip(self.header, row, strict=False)) for row in self.rows(numbers)]

    def fields(self, numbers: Sequence[int], which: Field) -> list[object]:
        """One field of some records."""
        return [field_or_none(which, record) for record in self.dicts(numbers)]


def field_or_none(which: Field, record: object) -> object:
    """The field of a record, or None if there is none."""
    try:
        return which.of(record)
    except KeyError:
        return None


def read_json_lines(stream: BinaryIO, which: Field, texts: Texts, keep: Callable[[bytes], None] | None) -> list[int]:
    """Take the texts out; where each record begins. `keep` gets the lines, where they cannot be read again."""
    key, at, line = which.key, 0, 0
    starts: list[int] = []
    good: Sequence[int]
    plain = "." not in key
    for lines in _line_groups(blocks(stream, texts.name)):
        if keep is not None:
            keep(b"\n".join(lines) + b"\n")
        mark = len(BYTE_ORDER_MARK) if not line and lines[0].startswith(BYTE_ORDER_MARK) else 0
        if mark:
            at, lines[0] = mark, lines[0][mark:]
        try:
            if not plain:
                raise KeyError
            found = [orjson.loads(raw)[key] for raw in lines]
            texts.add(found)
            good = range(len(lines))
        except (ValueError, KeyError, TypeError):
            good = _one_by_one(lines, which, texts, line)
        lengths = np.cumsum([0, *(len(raw) + 1 for raw in lines)]) + at
        starts.extend(lengths[good].tolist())
        at, line = int(lengths[-1]), line + len(lines)
    return starts


def _one_by_one(lines: Sequence[bytes], which: Field, texts: Texts, before: int) -> list[int]:
    """The same with a look at each, when one of them is not as it should be; which were good."""
    good, found = [], []
    for place, raw in enumerate(lines):
        if not raw.strip():
            continue
        try:
            found.append(_text_of(raw, which))
            good.append(place)
        except BadRecordError as error:
            texts.refuse(before + place + 1, str(error))
    texts.add(found)
    return good


def _text_of(raw: bytes, which: Field) -> str:
    try:
        record = orjson.loads(raw)
    except ValueError as error:
        raise BadRecordError(f"not JSON ({str(error).partition(':')[0]})") from None
    if not isinstance(record, dict):
        raise BadRecordError(f"expected a JSON object, found {type(record).__name__}")
    try:
        text = which.of(record)
    except KeyError:
        raise BadRecordError(
            f"no field {which.key!r}; it has {', '.join(record) or 'none'} (--text-key names the text)"
        ) from None
    if not isinstance(text, str):
        raise BadRecordError(f"field {which.key!r} is {kind_of_value(text)}, not a string")
    return text


def kind_of_value(value: object) -> str:
    """What a JSON value is, for a message."""
    names = {"NoneType": "null", "int": "a number", "float": "a number", "dict": "an object", "list": "a list"}
    return names.get(type(value).__name__, f"a {type(value).__name__}")


def read_tsv(
    stream: BinaryIO, which: Field, texts: Texts, keep: Callable[[bytes], None] | None
) -> tuple[list[int], list[str]]:
    """Take a column out of lines with tabs; where each record begins, and the header."""
    starts: list[int] = []
    header: list[str] = []
    place, at, line, width = _number(which), 0, 0, 0
    for lines in _line_groups(blocks(stream, texts.name)):
        if keep is not None:
            keep(b"\n".join(lines) + b"\n")
        found: list[str] = []
        for raw in lines:
            line += 1
            row = (raw.removeprefix(BYTE_ORDER_MARK) if line == 1 else raw).rstrip(b"\r").split(b"\t")
            if line == 1 and place is None:
                header = [name.decode("utf-8", "replace").removeprefix("\ufeff") for name in row]
                place = which.place(header, texts.name)
            elif header and len(row) > len(header):
                texts.refuse(line, f"expected {len(header)} columns, found {len(row)}")
            elif raw.rstrip(b"\r"):
                width = max(width, len(row))
                if len(row) <= (place or 0):
                    texts.refuse(line, f"expected at least {(place or 0) + 1} columns, found {len(row)}")
                else:
                    found.append(row[place or 0].decode("utf-8", "surrogateescape"))
                    starts.append(at)
            at += len(raw) + 1
        texts.add(found)
    return starts, header or [str(number + 1) for number in range(width)]


def read_csv(
    stream: BinaryIO, which: Field, texts: Texts, keep: Callable[[bytes], None]
) -> tuple[list[int], list[str]]:
    """Take a column out of rows with commas and quotes; where each record begins among the kept, and the header."""
    with large_cells():
        return _read_csv(stream, which, texts, keep)


@contextmanager
def large_cells() -> Iterator[None]:
    """Let csv read cells of any size, as a cell may be a document. Its limit is the whole process's: put it back.

    Of several threads in here the first raises the limit, and the last puts it back.
    """
    with _cells.lock:
        if not _cells.readers:
            _cells.before = csv.field_size_limit(LARGEST_CELL)
        _cells.readers += 1
    try:
        yield
    finally:
        with _cells.lock:
            _cells.readers -= 1
            if not _cells.readers:
                csv.field_size_limit(_cells.before)


@dataclass(slots=True)
class _Cells:
    """Who needs large cells at the moment, and what the limit was before."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    readers: int = 0
    before: int = 0


_cells = _Cells()


def _read_csv(
    stream: BinaryIO, which: Field, texts: Texts, keep: Callable[[bytes], None]
) -> tuple[list[int], list[str]]:
    starts: list[int] = []
    header: list[str] = []
    place, at, width = _number(which), 0, 0
    lines = io.TextIOWrapper(io.BufferedReader(_Raw(blocks(stream, texts.name))), "utf-8-sig", "surrogateescape", "")
    reader = csv.reader(lines, strict=True)
    found: list[str] = []
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            texts.refuse(reader.line_num, f"not CSV ({error})")
            continue
        if row is None:
            break
        if not header and place is None:
            header = row
            place = which.place(header, texts.name)
            continue
        if not row:
            continue
        if len(row) <= (place or 0) or (header and len(row) > len(header)):
            texts.refuse(reader.line_num, f"expected {len(header) or (place or 0) + 1} columns, found {len(row)}")
            continue
        width = max(width, len(row))
        found.append(row[place or 0])
        line = orjson.dumps([_clean(cell) for cell in row], option=orjson.OPT_APPEND_NEWLINE)
        keep(line)
        starts.append(at)
        at += len(line)
        if len(found) >= BATCH:
            texts.add(found)
            found = []
    texts.add(found)
    return starts, header or [str(number + 1) for number in range(width)]


def _clean(cell: str) -> str:
    """What JSON can write."""
    return cell.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _number(which: Field) -> int | None:
    """A column given by its number, from 1 on; then there is no header."""
    if which.key.isdecimal() and int(which.key) >= 1:
        return int(which.key) - 1
    return None


def _line_groups(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Whole lines, as many at a time as there are in a piece; a long line is put together once."""
    waiting: list[bytes] = []
    for piece in pieces:
        if b"\n" not in piece:
            waiting.append(piece)
            continue
        lines = b"".join([*waiting, piece]).split(b"\n")
        waiting = [lines.pop()]
        yield lines
    rest = b"".join(waiting)
    if rest:
        yield [rest]


class _Raw(io.RawIOBase):
    """Pieces of bytes as a file that can be read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = piece
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size
