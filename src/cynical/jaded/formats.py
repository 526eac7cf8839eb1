"""A ranking in the formats that other tools read: CSV, Parquet, ids; and any format by its name."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import CynicalError
from ..text.kinds import BYTE_ORDER_MARK
from .columns import Columns, batches
from .content import Content, as_cell
from .json_lines import ranking_fields, write_json_lines
from .tsv import escape_field, write_lines, write_table

NEEDS_QUOTES = re.compile('[",\r\n]')
GROUP = 1 << 16  # rows of a Parquet file that are written together


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
    yield _csv_rows([[*(header or ["text"]), *ranking_fields(columns, content, slice(0, 0))]])
    for rows in batches(len(columns)):
        fields = ranking_fields(columns, content, rows)
        made = []
        for record, more in zip(content.records(rows), zip(*fields.values(), strict=True), strict=True):
            made.append([*(as_cell(record.get(name)) for name in header), *(_shown(value) for value in more)])
        yield _csv_rows(made)


def _csv_rows(rows: list[list[str]]) -> bytes:
    """Rows of CSV. Python's writer leaves a lone carriage return unquoted, where other readers see the end of a row."""
    lines = [",".join(map(_csv_cell, row)) if row != [""] else '""' for row in rows]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _csv_cell(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if NEEDS_QUOTES.search(cell) else cell


def _shown(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def write_ids(columns: Columns, content: Content) -> Iterator[bytes]:
    """What each record is called, best first; the number of the line (from 1) where nothing else is known."""
    for rows in batches(len(columns)):
        ids = content.ids(rows)
        found = [str(line + 1) for line in columns.line[rows].tolist()] if ids is None else ids
        yield b"".join(escape_field(one.encode("utf-8", "replace")) + b"\n" for one in found)


def write_parquet(columns: Columns, content: Content) -> Iterator[bytes]:
    """Whole records with their types, and the ranking's fields behind them."""
    import_pyarrow()
    import pyarrow.parquet

    sink = io.BytesIO()
    try:
        table = records_table(content)
        fields = ranking_fields(columns, content, slice(0, len(columns)))
        for name in [name for name in table.column_names if name in fields]:
            table = table.drop_columns([name])
        for name, column in fields.items():
            table = table.append_column(name, pyarrow.array(column))
    except (pyarrow.ArrowException, OverflowError) as error:
        raise _unfit("one table", error) from None
    try:
        pyarrow.parquet.write_table(table, sink, row_group_size=GROUP)
    except pyarrow.ArrowException as error:
        raise _unfit("a Parquet file", error) from None
    yield sink.getvalue()


def records_table(content: Content) -> Any:
    """Whole records as an Arrow table."""
    table = content.arrow()
    if table is not None:
        return table
    pyarrow = import_pyarrow()
    if not len(content):
        return pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    records = content.records(slice(0, len(content)))
    names = dict.fromkeys(name for record in records for name in record)
    return pyarrow.table({name: [record.get(name) for record in records] for name in names})


def _unfit(what: str, error: Exception) -> CynicalError:
    said = " ".join(str(error).split())[:80]
    return CynicalError(f"the records do not fit {what} ({said}); write JSON lines: -o OUT.jsonl")


def import_pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise CynicalError("Parquet and Arrow need pyarrow; pip install 'cynical[parquet]'") from None
    return pyarrow
