"""A corpus read once, some lines at a time: memory does not depend on its size, and nothing goes to a temporary file.

Each batch is a small corpus in memory: lines of text, or records with the texts that were taken out of them. What a
file is, and what is wrong with it, is found out as for any other corpus (see sources.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ..errors import CynicalError, if_one, number_of, os_error
from ..options import Reading
from .compression import LONGEST_MAGIC, Peeked, blocks, open_stream
from .corpus import CHUNK, Chunk, Corpus, Part, skipped
from .fields import text_key
from .given import find_texts
from .kinds import BEGIN, TAR, check_text, kind_of, parquet_of_stream, text_begins
from .many_files import LazyFile
from .parquet import BATCH, damage_is_said, import_parquet
from .partition import Piece, files_of, pieces_of
from .paths import is_remote, shown
from .records import check_line
from .sources import (
    check_not_ranking,
    check_one_kind,
    from_block,
    from_memory,
    kind_in,
    open_corpus,
    parquet_opener,
    remarks,
)

CUT = ("text", "jsonl")  # kinds of files whose lines may be in several parts
CELL = rb'"[^"]*(?:""[^"]*)*"|[^,\r\n"][^,\r\n]*|'
ROW = (
    re.compile(  # of CSV, as Python's reader has it: what follows a closing quote, but a comma, is up to the line's end
        rb"(?:%b)(?:,(?:%b))*(?:(?<=\")[^,\r\n][^\r\n]*)?(?:\r\n|\n|\r)" % (CELL, CELL)
    )
)
BLOCK = CHUNK - (1 << 18)  # bytes that a batch has at least, so that with one more block it is one chunk


@dataclass(slots=True)
class Told:
    """What is known of a stream once it was read."""

    remarks: list[str]  # what the user should know of it
    bad: int = 0  # records that were skipped
    first_bad: str = ""
    kind: str = "text"  # of the file at hand
    broken: int = 0  # lines that are not UTF-8
    first_broken: int = 0  # the number of the first of them, from 1

    def notices(self, role: str) -> list[str]:
        notices = list(self.remarks)
        if self.broken:
            lines, were = number_of(self.broken, "line"), if_one(self.broken, "it was", "they were")
            notices.append(f"not valid UTF-8: {lines} of {role}, the first is line {self.first_broken:,}; {were} kept")
        if self.bad:
            notices.append(skipped(self.bad, role, self.first_bad))
        return notices


class Streamed(Corpus):
    """A corpus whose chunks are made while they are read, once."""

    def __init__(self, name: str, batches: Iterable[Corpus], size: int, told: Told) -> None:
        super().__init__(name, ())
        self._batches, self._size, self._told = batches, size, told
        self.read = [cast(Any, None)]  # nobody asks for its checksum

    @property
    def size(self) -> int:
        return self._size

    @property
    def of_records(self) -> bool:
        return self._told.kind != "text"

    def notices(self, role: str) -> list[str]:
        return self._told.notices(role)

    @property
    def most_chunks(self) -> int:
        return self._size // CHUNK + 1

    def chunks(self) -> Iterator[Chunk]:
        number = 0
        for batch in self._batches:
            for chunk in batch.chunks():
                yield replace(chunk, number=number)
                number += 1


def open_part(source: Any, part: tuple[int, int], reading: Reading, role: str) -> Streamed:
    """Part K of N of some files."""
    files = files_of(source, reading, "--part", role)
    pieces = pieces_of(files, part, reading, CUT)
    told = Told(nothing_in(part, pieces), kind=check_one_kind(files, reading))
    size = sum(0 if is_remote(file) else Path(file).stat().st_size for file in files) // part[1]
    return Streamed(", ".join(map(shown, files)), batches_of(pieces, reading, role, told), size, told)


def open_whole_or_part(source: Any, part: tuple[int, int] | None, reading: Reading, role: str = "corpus") -> Corpus:
    return open_corpus(source, role, reading) if part is None else open_part(source, part, reading, role)


def nothing_in(part: tuple[int, int], pieces: Sequence[Piece]) -> list[str]:
    """What to say of a part without lines."""
    if pieces:
        return []
    return [
        (
            f"part {part[0]} of {part[1]} has no lines, because compressed files, tables and URLs are never split; "
            "give fewer parts"
        )
    ]


def batches_of(pieces: Sequence[Piece], reading: Reading, role: str, told: Told) -> Iterator[Corpus]:
    """The lines of files, or of parts of them, some at a time; what is noticed is told."""
    for piece in pieces:
        try:
            yield from _of_file(piece, reading, role, told)
        except OSError as error:
            raise os_error(shown(piece.path), error) from error


def _of_file(piece: Piece, reading: Reading, role: str, told: Told) -> Iterator[Corpus]:
    path, name, stream = piece.path, shown(piece.path), None
    if path == "-":
        name, peeked = "standard input", Peeked(open_stream(path), LONGEST_MAGIC)
        stream, told.kind = cast(BinaryIO, peeked), kind_of(path, reading, lambda: peeked.begin)
    else:
        told.kind = kind_in(path, reading)
    if told.kind == "parquet":
        if stream is not None:
            raise parquet_of_stream(name)
        made = _of_parquet(piece, name, reading)
    elif piece.begin or piece.end is not None:
        where = f"{name} from byte {piece.begin:,}," if piece.begin else name
        made = _of_lines(_cut(piece), piece, where, reading, told, role)
    else:
        stream = open_stream(path) if stream is None else stream
        made = _of_lines(blocks(stream, path if is_remote(path) else name), piece, name, reading, told, role)
    for corpus in made:
        for part in corpus.parts:
            told.bad += part.bad
            told.first_bad = told.first_bad or part.first_bad
        yield corpus


def _cut(piece: Piece) -> Iterator[bytes]:
    """The bytes of the lines of a piece of a file, whatever they hold."""
    file = LazyFile.at(piece.path, shown(piece.path))
    whole = Part(file.name, file, 0, file.size, file)
    for chunk in Corpus(whole.name, [piece.cut(whole)]).chunks():
        text = np.empty(chunk.end - chunk.begin, np.uint8)
        chunk.copy_to(text)
        yield text.tobytes()


def _of_lines(
    pieces: Iterable[bytes], piece: Piece, name: str, reading: Reading, told: Told, role: str
) -> Iterator[Corpus]:
    """Batches of text, of JSON lines, or of rows of a table."""
    kind, header, before, first = told.kind, b"", 0, piece.begin == 0
    cut_at = _row_end if kind == "csv" else _line_end
    for data in _whole_lines(pieces, cut_at, name):
        if kind == "text":
            part = Part.in_memory(name, data)
            if first:
                part = _checked(part, piece, reading, role, told)
            if part.end > part.begin:
                yield Corpus(name, [part])
        else:
            yield from_block(header + data, kind, name, reading, before)
            before += data.count(b"\n")
            if first and kind in ("csv", "tsv") and text_key(reading).numbers is None:
                header = data[: cut_at(data, first=True)]
                before -= header.count(b"\n")
        first = False


def _checked(part: Part, piece: Piece, reading: Reading, role: str, told: Told) -> Part:
    """The begin of a text, which may show that it is none."""
    data = cast(bytes, part.raw)
    check_text(data[: TAR.stop], part.name)
    check_not_ranking(part, role)
    if part.is_counts:
        raise CynicalError(f"{part.name}: {role} must be text, but this is a .counts file; give the text")
    told.remarks += remarks(piece.path, part.name, data[:BEGIN], reading)
    return replace(part, begin=text_begins(data))


def _whole_lines(pieces: Iterable[bytes], cut_at: Callable[[bytes], int], name: str) -> Iterator[bytes]:
    """Whole lines, about a chunk of them at a time; the last may have no end."""
    waiting: list[bytes] = []
    size, wanted = 0, BLOCK
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size < wanted:
            continue
        data = b"".join(waiting)
        end = cut_at(data)
        if end:
            yield data[:end]
        waiting, size = [data[end:]], len(data) - end
        wanted = max(BLOCK, 2 * size)  # a long line is looked at again when there is twice as much of it
        check_line(size - CHUNK, name)
    rest = b"".join(waiting)
    if rest:
        yield rest


def _line_end(data: bytes, first: bool = False) -> int:
    """The place after the last newline, or the first one; 0 if there is none."""
    return (data.find(b"\n") if first else data.rfind(b"\n")) + 1


def _row_end(data: bytes, first: bool = False) -> int:
    """The same for rows of CSV: a newline within quotes does not end one."""
    end, at = 0, text_begins(data)
    while (row := ROW.match(data, at)) is not None and not (row.end() == len(data) and data.endswith(b"\r")):
        end = at = row.end()
        if first:
            break
    return end


def _of_parquet(piece: Piece, name: str, reading: Reading) -> Iterator[Corpus]:
    pyarrow = import_parquet(name)
    row, groups = 1, None if piece.groups is None else list(piece.groups)
    opened = parquet_opener(piece.path, name, reading)
    with opened() as stream, damage_is_said(name):
        file = pyarrow.parquet.ParquetFile(stream)
        if piece.groups is not None:
            row += sum(file.metadata.row_group(group).num_rows for group in range(piece.groups.start))
        for batch in file.iter_batches(BATCH, row_groups=groups):
            yield _of_rows(pyarrow.Table.from_batches([batch]), f"{name} from row {row}", reading)
            row += len(batch)


def _of_rows(table: Any, role: str, reading: Reading) -> Corpus:
    """Rows of a file as records; where one has no text, that is an error, or it is left out."""
    if reading.bad_records == "error":
        return from_memory(table, role, reading)
    whole = from_memory(table, role, reading)
    if not whole.bad:
        return whole
    good = [isinstance(text, str) for text in find_texts(table, role, reading).texts]
    left = from_memory(table.filter(good), role, reading)
    parts = [replace(part, bad=whole.bad, first_bad=whole.parts[0].first_bad) for part in left.parts]
    return Corpus(left.name, parts)
