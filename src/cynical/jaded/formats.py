"""A ranking in the formats that other tools read: CSV, ids; and any format by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..text.kinds import BYTE_ORDER_MARK
from .arrow import write_parquet
from .columns import Columns, batches
from .content import Content, as_cell, units_of
from .json_lines import ranking_fields, write_json_lines
from .tsv import escape_field, write_lines, write_table

NEEDS_QUOTES = re.compile('[",\r\n]')


def to_bytes(format: str, columns: Columns, content: Content, side: int = 0) -> Iterator[bytes]:
    """A ranking in a format, or as text one side's lines alone; some picks at a time."""
    if format == "text":
        return write_lines(content, side)
    writers = {"tsv": write_table, "jsonl": write_json_lines, "csv": write_csv, "parquet": write_parquet}
    return write_ids(columns, content) if format == "ids" else writers[format](columns, content)


def marked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a file. If its first text begins with a byte-order mark, the file gets one of its own, since whoever
    reads it takes the first for the file's."""
    begun = False
    for piece in pieces:
        if not begun and piece.startswith(BYTE_ORDER_MARK):
            yield BYTE_ORDER_MARK
        begun = begun or bool(piece)
        yield piece


ON_ONE_LINE = "as text, each is on one line, with a space for each line break; -o OUT.jsonl keeps them"


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
    have = "has" if several == 1 else "have"
    return [f"{several:,} of {len(content):,} texts {have} several lines; {ON_ONE_LINE}"] if several else []


def write_csv(columns: Columns, content: Content) -> Iterator[bytes]:
    """Columns as they were, with the ranking's behind them."""
    names: dict[str, None] = {}
    for rows in batches(len(columns)):
        for record in content.records(rows):
            names.update(dict.fromkeys(record))
    header = list(names)
    yield csv_rows([[*(header or ["text"]), *ranking_fields(columns, content, slice(0, 0))]])
    for rows in batches(len(columns)):
        fields = ranking_fields(columns, content, rows)
        made = []
        for record, more in zip(content.records(rows), zip(*fields.values(), strict=True), strict=True):
            made.append([*(as_cell(record.get(name)) for name in header), *(shown(value) for value in more)])
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
    """What each record is called, best first, with a tab and the unit behind it where records are split; the number of
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
