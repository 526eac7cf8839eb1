"""A ranking in the formats that other tools read: CSV, ids, scores; and any format by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..errors import if_one, number_of
from ..text.fields import TEXT
from ..text.kinds import BYTE_ORDER_MARK
from .arrow import write_parquet
from .columns import BATCH, Columns, batches
from .content import PREFIX, Content, as_cell, units_of
from .json_lines import write_json_lines
from .rows import RankedRows, RowBatches
from .tsv import TableContent, escape_field, write_lines, write_table

NEEDS_QUOTES = re.compile('[",\r\n]')


def to_bytes(format: str, columns: Columns, content: Content, side: int = 0) -> Iterator[bytes]:
    """A ranking in a format, or as text one side's lines alone; some picks at a time."""
    if format == "text":
        return write_lines(content, side)
    if format == "tsv":
        if isinstance(content, TableContent) and content.in_order:
            return content.table.head(len(content))  # as it is
        return write_table(columns, content)
    if format == "ids":
        return write_ids(columns, content)
    return RECORDS[format](RankedRows(columns, content))


def rejected_to_bytes(format: str, batches: RowBatches) -> Iterator[bytes]:
    """Lines that were not picked, in a format."""
    return write_rejected_table(batches) if format == "tsv" else RECORDS[format](batches)


def marked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a file. If its first text begins with a byte-order mark, the file gets one of its own, since whoever
    reads it takes the first for the file's."""
    begun = False
    for piece in pieces:
        if not begun and piece.startswith(BYTE_ORDER_MARK):
            yield BYTE_ORDER_MARK
        begun = begun or bool(piece)
        yield piece


ON_ONE_LINE = (
    "the text format writes each on one line, with spaces instead of line breaks; use -o OUT.jsonl to keep them"
)


def lost_in(format: str, content: Content) -> list[str]:
    """What a format does not keep of the texts."""
    if format != "text" or not content.escaped:
        return []
    everything = range(1 + len(content.sides))
    several = sum(
        any(b"\n" in text for text in texts)
        for rows in batches(len(content))
        for texts in zip(*(content.texts(rows, side) for side in everything), strict=True)
    )
    have = if_one(several, "has", "have")
    return [f"{several:,} of {number_of(len(content), 'text')} {have} several lines; {ON_ONE_LINE}"] if several else []


def write_csv(batches: RowBatches) -> Iterator[bytes]:
    """Columns as they were, with the added fields after them."""
    names: dict[str, None] = {}
    more: list[str] = []
    for content, rows, fields in batches:
        more = more or list(fields())
        for record in content.records(rows):
            names.update(dict.fromkeys(record))
    header = list(names)
    yield csv_rows([[*(header or ["text"]), *more]])
    for content, rows, fields in batches:
        made = []
        for record, values in zip(content.records(rows), zip(*fields().values(), strict=True), strict=True):
            made.append([*(as_cell(record.get(name)) for name in header), *(shown(value) for value in values)])
        yield csv_rows(made)


def csv_rows(rows: list[list[str]]) -> bytes:
    """Rows of CSV. Python's writer leaves a lone carriage return unquoted, where other readers see the end of a row."""
    lines = [",".join(map(_csv_cell, row)) if row != [""] else '""' for row in rows]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _csv_cell(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if NEEDS_QUOTES.search(cell) else cell


def shown(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def write_ids(columns: Columns, content: Content) -> Iterator[bytes]:
    """What each record is called, best first, followed by a tab and the unit where records are split; the number of
    the line (from 1) where nothing else is known."""
    for rows in batches(len(columns)):
        ids = content.ids(rows)
        if ids is None:
            yield b"".join(b"%d\n" % (line + 1) for line in columns.line[rows].tolist())
            continue
        names = [escape_field(one.encode("utf-8", "replace")) for one in ids]
        units = units_of(content, rows)
        if units is not None:
            names = [b"%s\t%s" % (name, unit.encode()) for name, unit in zip(names, units, strict=True)]
        yield b"".join(name + b"\n" for name in names)


def write_scores(columns: Columns, lines: int, per_word: bool) -> Iterator[bytes]:
    """A row for each line of AVAILABLE with what it was ranked by, bits or the score of another method; empty where it
    was not ranked."""
    order = np.argsort(columns.line, kind="stable")
    place = columns.line[order]
    found = columns.score if columns.score is not None else columns.delta
    score = (found / columns.words if per_word and columns.score is None else found)[order]
    for begin in range(0, lines, BATCH):
        rows = [b"\n"] * (min(begin + BATCH, lines) - begin)
        first, last = np.searchsorted(place, [begin, begin + BATCH])
        for line, value in zip((place[first:last] - begin).tolist(), score[first:last].tolist(), strict=True):
            rows[line] = b"%.9g\n" % value
        yield b"".join(rows)


def write_rejected_table(batches: RowBatches) -> Iterator[bytes]:
    """The line, the reason, what else tells where it is from, and the text, with tabs between them."""
    begun = False
    for content, rows, find_fields in batches:
        fields = find_fields()
        names = [name.removeprefix(PREFIX) for name in fields if name != PREFIX + TEXT]
        if not begun:
            yield "\t".join([*names, TEXT]).encode() + b"\n"
        begun = True
        columns = [map(str, values) for name, values in fields.items() if name != PREFIX + TEXT]
        cells = [[escape_field(cell.encode("utf-8", "replace")) for cell in column] for column in columns]
        texts = [escape_field(text) for text in content.texts(rows)]
        yield b"".join(b"\t".join(row) + b"\n" for row in zip(*cells, texts, strict=True))


RECORDS: dict[str, Callable[[RowBatches], Iterator[bytes]]] = {
    "jsonl": write_json_lines,
    "csv": write_csv,
    "parquet": write_parquet,
}  # formats that have whole records
