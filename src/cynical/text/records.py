"""Records that are lines, of which one field is the text: JSON lines; and the whole record, fetched back.

The texts go into a spool, one a line (folded: see folding.py), so all that follows reads plain text.
What a record was is kept as lines too: those of the file itself where it can be sought, else in another spool.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError
from .checksum import Checksum
from .compression import blocks
from .folding import fold_all
from .kinds import BYTE_ORDER_MARK
from .many_files import LazyFile

LONG_NUMBER = re.compile(rb"\d{19}")  # may be beyond 64 bits
MOST_LINE = 1 << 29  # bytes
TEXT = "text"  # the field that is the text, if nobody says otherwise


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


def check_line(size: int, name: str) -> None:
    """Refuse a line of so many bytes that it is no text, before memory is used for it."""
    if size > MOST_LINE:
        raise CynicalError(f"{name}: a line of more than {MOST_LINE >> 20:,} MiB; is this text, one segment per line?")


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
    folded: bool = False  # was any text folded?
    checksum: Checksum = Checksum()  # of the file so far, decompressed

    def blocks(self, stream: BinaryIO) -> Iterator[bytes]:
        """The bytes of the file, some at a time."""
        line = 0
        for block in blocks(stream, self.name):
            self.checksum = self.checksum.update(block)
            newline = block.rfind(b"\n")
            line = line + len(block) if newline < 0 else len(block) - newline - 1
            check_line(line, self.name)
            yield block

    def add(self, texts: Sequence[str]) -> None:
        """Texts of records; TypeError if one is no string."""
        lines, folded = fold_all(texts)
        self.folded |= folded
        self.write(lines)
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
    raw: bytes | mmap.mmap | LazyFile = b""
    start: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    checksum: Checksum = Checksum()  # of the file, decompressed

    def lines(self, numbers: Sequence[int]) -> list[bytes]:
        """Records as they stand in the file (of CSV: as JSON lists)."""
        if isinstance(self.raw, LazyFile):
            return self._read(self.raw, np.asarray(numbers, np.int64))
        raw, made = self.raw, []
        for begin in self.start[np.asarray(numbers, np.int64)].tolist():
            end = raw.find(b"\n", begin)
            made.append(bytes(raw[begin : end if end >= 0 else len(raw)]).rstrip(b"\r"))
        return made

    def _read(self, file: LazyFile, numbers: NDArray[np.int64]) -> list[bytes]:
        """The same from a file of the user; behind a record there may be lines that were skipped."""
        ends = np.append(self.start[1:], file.size)
        held, first, last = file.spans(self.start[numbers], ends[numbers])
        file.check(self.checksum)
        view = memoryview(held.data)
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return [bytes(view[begin:end]).partition(b"\n")[0].rstrip(b"\r") for begin, end in spans]

    def rows(self, numbers: Sequence[int]) -> list[list[str]]:
        """The columns of records of a table."""
        if self.format == "csv":
            return [orjson.loads(line) for line in self.lines(numbers)]
        return [line.decode("utf-8", "replace").split("\t") for line in self.lines(numbers)]

    def dicts(self, numbers: Sequence[int]) -> list[dict[str, object]]:
        if self.format == "jsonl":
            return [load_json(line) for line in self.lines(numbers)]
        return [dict(zip(self.header, row, strict=False)) for row in self.rows(numbers)]

    def fields(self, numbers: Sequence[int], which: Field) -> list[object]:
        """One field of some records."""
        return [field_or_none(which, record) for record in self.dicts(numbers)]


def load_json(line: bytes) -> Any:
    """A record that is known to be JSON; whole numbers beyond 64 bits, floats to orjson, stay what they are."""
    if LONG_NUMBER.search(line):
        with contextlib.suppress(ValueError, RecursionError):  # thousands of digits, or of brackets
            return json.loads(line)
    return orjson.loads(line)


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
    for lines in line_groups(texts.blocks(stream)):
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


def line_groups(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
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
