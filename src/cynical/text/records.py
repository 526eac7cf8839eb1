"""Records that are lines, with a text in them: JSON lines; and the whole record, fetched back.

The texts go into a spool, one per line (folded: see folding.py), so everything that follows reads plain text.
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
from .fields import Field, NoTextError, TextKey, field_or_none
from .kinds import BYTE_ORDER_MARK
from .many_files import LazyFile
from .units import Origin, Origins

LONG_NUMBER = re.compile(rb"\d{19}")  # may be beyond 64 bits
MOST_LINE = 1 << 29  # bytes


def check_line(size: int, name: str) -> None:
    """Raise an error for a line too long to be text, before memory is used for it."""
    if size > MOST_LINE:
        raise CynicalError(
            f"{name}: a line is longer than {MOST_LINE >> 20:,} MiB; check that this is text with one segment per line"
        )


@dataclass(slots=True)
class Texts:
    """What was taken out of a file so far."""

    name: str
    skip: bool  # bad records are skipped, not errors
    write: Callable[[bytes], None]  # where the texts go
    origins: Origins  # where they come from
    decompressed: bool = False  # is the file that is read? else it is looked at
    bad: int = 0
    first_bad: str = ""
    folded: bool = False  # was any text folded?
    before: int = 0  # lines of the file before those that are read now
    checksum: Checksum = Checksum()  # of the file so far, decompressed

    def blocks(self, stream: BinaryIO) -> Iterator[bytes]:
        """The bytes of the file, some at a time."""
        line = 0
        for block in [stream.read()] if self.decompressed else blocks(stream, self.name):
            self.checksum = self.checksum.update(block)
            newline = block.rfind(b"\n")
            line = line + len(block) if newline < 0 else len(block) - newline - 1
            check_line(line, self.name)
            yield block

    def add(self, texts: Sequence[str], file_lines: Iterable[int]) -> None:
        """Texts of records, and where these are in the file; TypeError if one is no string."""
        lines, folded = self.origins.fold(texts, file_lines)
        self.folded |= folded
        self.write(lines)

    def refuse(self, line: int, what: str) -> None:
        """A bad record is an error, or skipped and counted."""
        said = f"{self.name} line {self.before + line}: {what}"
        if not self.skip:
            raise CynicalError(f"{said}; fix it, or skip such records with --bad-records skip")
        self.bad += 1
        self.first_bad = self.first_bad or said


@dataclass(slots=True)
class LineRecords:
    """Records that are lines: of JSON, of a TSV file, or rows of a CSV file written as JSON."""

    format: str
    header: list[str]
    text: TextKey
    raw: bytes | mmap.mmap | LazyFile = b""
    start: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # by record
    origin: Origin = Origin()
    checksum: Checksum = Checksum()  # of the file, decompressed

    def lines(self, numbers: Sequence[int]) -> list[bytes]:
        """The records of some lines, as they are in the file (of CSV: as JSON lists)."""
        records = self.origin.records(numbers)
        if isinstance(self.raw, LazyFile):
            return self._read(self.raw, records)
        raw, made = self.raw, []
        for begin in self.start[records].tolist():
            end = raw.find(b"\n", begin)
            made.append(bytes(raw[begin : end if end >= 0 else len(raw)]).rstrip(b"\r"))
        return made

    def _read(self, file: LazyFile, numbers: NDArray[np.int64]) -> list[bytes]:
        """The same from a file of the user; after a record there may be lines that were skipped."""
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


def read_json_lines(stream: BinaryIO, which: TextKey, texts: Texts, keep: Callable[[bytes], None] | None) -> list[int]:
    """Take the texts out; where each record begins. `keep` gets the lines, where they cannot be read again."""
    key, at, line = which.name, 0, 0
    starts: list[int] = []
    good: Sequence[int]
    for lines in line_groups(texts.blocks(stream)):
        if keep is not None:
            keep(b"\n".join(lines) + b"\n")
        mark = len(BYTE_ORDER_MARK) if not line and lines[0].startswith(BYTE_ORDER_MARK) else 0
        if mark:
            at, lines[0] = mark, lines[0][mark:]
        try:
            records = map(orjson.loads, lines)
            found = [which.of(one) for one in records] if key is None else [one[key] for one in records]
            texts.add(found, range(line + 1, line + len(lines) + 1))
            good = range(len(lines))
        except (ValueError, KeyError, TypeError, AttributeError, NoTextError):
            good = _one_by_one(lines, which, texts, line)
        lengths = np.cumsum([0, *(len(raw) + 1 for raw in lines)]) + at
        starts.extend(lengths[good].tolist())
        at, line = int(lengths[-1]), line + len(lines)
    return starts


def _one_by_one(lines: Sequence[bytes], which: TextKey, texts: Texts, before: int) -> list[int]:
    """The same with a look at each, when one of them is not as it should be; which were good."""
    good, found = [], []
    for place, raw in enumerate(lines):
        if not raw.strip():
            continue
        try:
            found.append(_text_of(raw, which))
            good.append(place)
        except NoTextError as error:
            texts.refuse(before + place + 1, str(error))
    texts.add(found, [before + place + 1 for place in good])
    return good


def _text_of(raw: bytes, which: TextKey) -> str:
    try:
        record = orjson.loads(raw)
    except ValueError as error:
        raise NoTextError(f"not valid JSON ({str(error).partition(':')[0]})") from None
    if not isinstance(record, dict):
        raise NoTextError(f"expected a JSON object, found {type(record).__name__}")
    return which.of(record)


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
