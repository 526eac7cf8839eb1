"""Whole records as Arrow tables, and a ranking as a Parquet file, which is written some rows at a time.

Records of JSON have no types. Those of a file's columns are found first, by a look at all records, some at a time; so
the rows are read twice, unless they are few, and never are all in memory.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import CynicalError
from .content import Content
from .rows import RowBatches

GROUP, GROUP_BYTES = 1 << 16, 1 << 26  # rows, and bytes, of a Parquet file that are written together


def import_pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise CynicalError("Parquet and Arrow need pyarrow; pip install 'cynical[parquet]'") from None
    return pyarrow


@contextmanager
def fitting(what: str) -> Iterator[None]:
    """Records may have values that no column can have together."""
    pyarrow = import_pyarrow()
    try:
        yield
    except (pyarrow.ArrowException, OverflowError) as error:
        said = " ".join(str(error).split())[:80]
        raise CynicalError(f"the records do not fit into {what} ({said}); write JSON lines: -o OUT.jsonl") from None


def records_table(content: Content, rows: slice, schema: Any = None) -> Any:
    """Whole records of some picks as an Arrow table; with a schema, one with these columns."""
    pyarrow = import_pyarrow()
    table = content.arrow(rows)
    if table is not None:
        return (
            table
            if schema is None
            else pyarrow.concat_tables([schema.empty_table(), table], promote_options="permissive")
        )
    records = content.records(rows)
    if not records:
        return pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    if schema is None:
        names = dict.fromkeys(name for record in records for name in record)
        return pyarrow.table({name: [record.get(name) for record in records] for name in names})
    columns = {field.name: pyarrow.array([one.get(field.name) for one in records], field.type) for field in schema}
    return pyarrow.table(columns)


def write_parquet(batches: RowBatches) -> Iterator[bytes]:
    """Whole records with their types, and the fields that are appended to them."""
    import_pyarrow()
    import pyarrow
    import pyarrow.parquet

    number = len(batches)
    with fitting("one table"):
        tables = (records_table(content, rows).schema for content, rows, _ in batches)
        schema = None if number == 1 else pyarrow.unify_schemas(list(tables), promote_options="permissive")
    sink, writer, waiting = Sink(), None, []
    for place, (content, rows, fields) in enumerate(batches, 1):
        with fitting("one table"):
            waiting.append(with_fields(records_table(content, rows, schema), fields()))
        full = sum(map(len, waiting)) >= GROUP or sum(table.nbytes for table in waiting) >= GROUP_BYTES
        if not full and place < number:
            continue
        with fitting("a Parquet file"):
            group = pyarrow.concat_tables(waiting)
            writer = pyarrow.parquet.ParquetWriter(sink, group.schema) if writer is None else writer
            writer.write_table(group, row_group_size=max(len(group), 1))
        waiting.clear()
        yield sink.taken()
    assert writer is not None
    writer.close()
    yield sink.taken()


def with_fields(table: Any, fields: Mapping[str, Sequence[object]]) -> Any:
    """Records with more fields, in place of those that an earlier run has written."""
    pyarrow = import_pyarrow()
    table = table.drop_columns([name for name in table.column_names if name in fields])
    for name, column in fields.items():
        table = table.append_column(name, pyarrow.array(column))
    return table


class Sink(io.RawIOBase):
    """A file whose bytes are taken away while it is written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        self._size += len(self._pieces[-1])
        return len(self._pieces[-1])

    def tell(self) -> int:
        return self._size

    def taken(self) -> bytes:
        """What was written since it was last asked."""
        made, self._pieces = b"".join(self._pieces), []
        return made
