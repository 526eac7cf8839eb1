"""Scored records as CSV and Parquet, whose first rows say which columns there are, and of which types.

What a table is made of can be written and read back, so that several workers can each score a part and one process
makes a table of all parts: the table that a run in one place writes, since nothing depends on where parts begin.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import CynicalError, os_error
from ..jaded.arrow import GROUP, Sink, fitting, import_pyarrow
from ..jaded.formats import csv_rows
from ..text.fields import TEXT

FIRST, FIRST_SIZE = 10_000, 1 << 22  # rows, and characters in them, that say which columns a CSV file has
LENGTH = 8  # bytes that say how long a piece of a part is
TABLES = ("csv", "parquet")


class CellRows(NamedTuple):
    """Some rows of CSV."""

    names: list[str]  # fields of the records
    rows: list[list[str | None]]  # by row, then by name; None where a record does not have the field
    added: list[str]  # fields that records get
    values: list[list[str]]


def csv_of(blocks: Iterable[CellRows]) -> Iterator[bytes]:
    """Columns as they were, with added columns at the end."""
    header: dict[str, None] | None = None
    waiting: list[CellRows] = []
    rows = size = 0
    for block in blocks:
        waiting.append(block)
        if header is None:
            rows, size = rows + len(block.rows), size + sum(map(_size, block.rows))
            if rows < FIRST and size < FIRST_SIZE:
                continue
            header = _header(waiting)
            yield csv_rows([[*header, *block.added]])
        yield from (_csv(one, header) for one in waiting)
        waiting.clear()
    if header is None and waiting:
        header = _header(waiting)
        yield csv_rows([[*header, *waiting[-1].added]])
        yield from (_csv(one, header) for one in waiting)


def _size(row: Sequence[str | None]) -> int:
    return sum(len(cell) for cell in row if cell is not None)


def _header(blocks: Sequence[CellRows]) -> dict[str, None]:
    """The fields that the first records have."""
    header: dict[str, None] = {}
    number = size = 0
    for block in blocks:
        for row in block.rows:
            if number >= FIRST or size >= FIRST_SIZE:
                return header
            header |= dict.fromkeys(name for name, cell in zip(block.names, row, strict=True) if cell is not None)
            number, size = number + 1, size + _size(row)
    return header or {TEXT: None}


def _csv(block: CellRows, header: dict[str, None]) -> bytes:
    _check_known(block.names, header)
    place = {name: number for number, name in enumerate(block.names)}
    rows = [[row[place[name]] or "" if name in place else "" for name in header] for row in block.rows]
    return csv_rows([[*row, *values] for row, values in zip(rows, block.values, strict=True)])


def _check_known(names: Iterable[str], header: Iterable[str]) -> None:
    unknown = set(names) - set(header)
    if unknown:
        raise CynicalError(
            f"a record has a field {min(unknown)!r} that the first records do not have, and a table has one "
            "header; write JSON lines: -o OUT.jsonl"
        )


def parquet_of(tables: Iterable[Any]) -> Iterator[bytes]:
    """Whole records with their types, and added columns at the end."""
    import_pyarrow()
    import pyarrow
    import pyarrow.parquet

    sink, writer = Sink(), None
    for group in _groups(tables):
        with fitting("a Parquet file"):
            if writer is None:
                table = pyarrow.concat_tables(group, promote_options="permissive")
                writer = pyarrow.parquet.ParquetWriter(sink, table.schema)
            table = pyarrow.concat_tables([_as(one, writer.schema) for one in group]).combine_chunks()
            writer.write_table(table, row_group_size=max(len(table), 1))
        yield sink.taken()
    assert writer is not None
    writer.close()
    yield sink.taken()


def _groups(tables: Iterable[Any]) -> Iterator[list[Any]]:
    """Tables that have as many rows together as are written at once."""
    waiting: list[Any] = []
    rows, empty = 0, None
    for table in tables:
        empty = table if empty is None else empty
        while rows + len(table) >= GROUP:
            yield [*waiting, table.slice(0, GROUP - rows)]
            table, waiting, rows = table.slice(GROUP - rows), [], 0
        if len(table):  # one of no records has no columns of theirs
            waiting.append(table)
            rows, empty = rows + len(table), table
    if waiting or (empty is not None and not len(empty)):
        yield waiting or [empty]


def _as(table: Any, schema: Any) -> Any:
    """A table with the columns of a file that has begun."""
    import pyarrow

    if table.schema.equals(schema):
        return table
    if len(table):
        _check_known(table.column_names, schema.names)
    columns = []
    for field in schema:
        column = table[field.name] if field.name in table.column_names else pyarrow.nulls(len(table), field.type)
        if column.type != field.type:
            column = pyarrow.array(column.to_pylist(), field.type)
        columns.append(column)
    return pyarrow.table(columns, schema=schema)


def part_of(format: str, made: Iterable[Any]) -> Iterator[bytes]:
    """What a table is made of, as bytes: pieces with their lengths."""
    for one in made:
        piece = json.dumps(one).encode() if format == "csv" else _packed(one)
        yield len(piece).to_bytes(LENGTH, "little") + piece


def from_parts(format: str, paths: Sequence[str]) -> Iterator[bytes]:
    """The table that parts make together."""
    return (
        csv_of(CellRows(*json.loads(piece)) for piece in _pieces(paths))
        if format == "csv"
        else parquet_of(_unpacked(piece) for piece in _pieces(paths))
    )


def _pieces(paths: Sequence[str]) -> Iterator[bytes]:
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                while length := file.read(LENGTH):
                    yield file.read(int.from_bytes(length, "little"))
        except OSError as error:
            raise os_error(path, error) from error


def _packed(table: Any) -> bytes:
    pyarrow = import_pyarrow()
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def _unpacked(piece: bytes) -> Any:
    return import_pyarrow().ipc.open_stream(piece).read_all()
