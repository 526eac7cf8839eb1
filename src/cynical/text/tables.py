"""Tables as records: CSV and TSV, of which some columns are the text, named in the header or by number."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

import orjson

from .fields import TextKey
from .kinds import BYTE_ORDER_MARK
from .records import Texts, line_groups

LARGEST_CELL = (1 << 31) - 1  # characters of a CSV file
BATCH = 1 << 13  # rows of a CSV file whose texts are written together


def read_tsv(
    stream: BinaryIO, which: TextKey, texts: Texts, keep: Callable[[bytes], None] | None
) -> tuple[list[int], list[str]]:
    """Take columns out of lines with tabs; where each record begins, and the header."""
    starts: list[int] = []
    header: list[str] = []
    places, at, line, width = which.numbers, 0, 0, 0
    for lines in line_groups(texts.blocks(stream)):
        if keep is not None:
            keep(b"\n".join(lines) + b"\n")
        found: list[str] = []
        file_lines: list[int] = []
        for raw in lines:
            line += 1
            row = (raw.removeprefix(BYTE_ORDER_MARK) if line == 1 else raw).rstrip(b"\r").split(b"\t")
            if places is None:
                header = [name.decode("utf-8", "replace") for name in row]
                places = which.places(header, texts.name)
            elif header and len(row) > len(header):
                texts.refuse(line, f"expected {len(header)} columns, found {len(row)}")
            elif raw.rstrip(b"\r"):
                width = max(width, len(row))
                if len(row) <= max(places):
                    texts.refuse(line, f"expected at least {max(places) + 1} columns, found {len(row)}")
                else:
                    found.append(which.filled([row[place].decode("utf-8", "surrogateescape") for place in places]))
                    file_lines.append(line)
                    starts.append(at)
            at += len(raw) + 1
        texts.add(found, file_lines)
    return starts, header or [str(number + 1) for number in range(width)]


def read_csv(
    stream: BinaryIO, which: TextKey, texts: Texts, keep: Callable[[bytes], None]
) -> tuple[list[int], list[str]]:
    """Take columns out of rows with commas and quotes; where each record begins among the kept, and the header."""
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
    stream: BinaryIO, which: TextKey, texts: Texts, keep: Callable[[bytes], None]
) -> tuple[list[int], list[str]]:
    starts: list[int] = []
    header: list[str] = []
    places, at, width = which.numbers, 0, 0
    lines = io.TextIOWrapper(io.BufferedReader(_Raw(texts.blocks(stream))), "utf-8-sig", "surrogateescape", "")
    reader = csv.reader(lines, strict=True)
    found: list[str] = []
    file_lines: list[int] = []
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            texts.refuse(reader.line_num, f"not valid CSV ({error})")
            continue
        if row is None:
            break
        if places is None:
            header = [_clean(name) for name in row]
            places = which.places(header, texts.name)
            continue
        if not row:
            continue
        if len(row) <= max(places) or (header and len(row) > len(header)):
            texts.refuse(first, f"expected {len(header) or max(places) + 1} columns, found {len(row)}")
            continue
        width = max(width, len(row))
        found.append(which.filled([row[place] for place in places]))
        file_lines.append(first)
        line = orjson.dumps([_clean(cell) for cell in row], option=orjson.OPT_APPEND_NEWLINE)
        keep(line)
        starts.append(at)
        at += len(line)
        if len(found) >= BATCH:
            texts.add(found, file_lines)
            found, file_lines = [], []
    texts.add(found, file_lines)
    return starts, header or [str(number + 1) for number in range(width)]


def _clean(cell: str) -> str:
    """What JSON can write."""
    return cell.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class _Raw(io.RawIOBase):
    """Pieces of bytes as a file that can be read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = piece
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size
