"""Parquet files: some columns are the text; rows are read again when the whole record is wanted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, os_error
from .checksum import Checksum
from .fields import Field, TextKey, field_or_none
from .many_files import LazyFile
from .records import Texts
from .units import Origin

BATCH = 1 << 13  # rows read at a time
BLOCK = 1 << 20  # bytes

Rows = NDArray[np.int64]


@dataclass(slots=True)
class ParquetRecords:
    """The rows of a Parquet file, read again when they are wanted."""

    format: str
    text: TextKey
    name: str
    open: Callable[[], BinaryIO]
    origin: Origin = Origin()  # its lines are rows, from 1
    checksum: Checksum = Checksum()  # of the file
    scratch: str | Path | None = None
    file: LazyFile | None = None  # where it is, if it is on a disk
    expected: object = None  # what `expect` was told
    picked: Rows = field(default_factory=lambda: np.zeros(0, np.int64))  # the rows that it meant, in their order
    gathered: dict[str | None, Any] = field(default_factory=dict)  # those rows, by column, as Arrow tables

    def expect(self, what: object, numbers: Callable[[], Sequence[int]]) -> None:
        """Some records will be wanted, some at a time and in any order: then the file is read once for all of them."""
        if self.expected is not what:
            self.expected, self.picked = what, np.unique(self._rows(numbers()))
            self.gathered = {}

    def table(self, numbers: Sequence[int], column: str | None = None) -> Any:
        """Some rows as an Arrow table, in the order given; all columns, or one."""
        rows = self._rows(numbers)
        if not np.isin(rows, self.picked).all():
            self.expect(object(), lambda: numbers)
        if column not in self.gathered:
            with damage_is_said(self.name):
                gathered = self._gather(column)
            if self.file is not None:
                self.file.check(self.checksum)
            self.gathered[column] = gathered
        with damage_is_said(self.name):
            return self.gathered[column].take(pyarrow_array(np.searchsorted(self.picked, rows)))

    def _rows(self, numbers: Sequence[int]) -> Rows:
        """The rows of the file that some lines were taken from."""
        return self.origin.file_lines(numbers) - 1

    def _gather(self, column: str | None) -> Any:
        """The rows that are expected, in their order; every row group is read once. Many go to a temporary file."""
        import pyarrow
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetFile(self.open())
        empty = file.schema_arrow if column is None else pyarrow.schema([file.schema_arrow.field(column)])
        pieces = self._pieces(file, None if column is None else [column])
        if len(self.picked) <= BATCH:
            few = list(pieces)
            return pyarrow.Table.from_batches(few, few[0].schema if few else empty)
        first = next(pieces)
        try:
            with tempfile.NamedTemporaryFile(prefix="cynical-", dir=self.scratch) as kept:
                with pyarrow.ipc.new_file(kept.name, first.schema) as writer:
                    for piece in chain([first], pieces):
                        writer.write_batch(piece)
                return pyarrow.ipc.open_file(pyarrow.memory_map(kept.name)).read_all()  # it outlives its name
        except OSError as error:
            raise os_error(f"{self.scratch or tempfile.gettempdir()} (--scratch)", error) from error

    def _pieces(self, file: Any, columns: list[str] | None) -> Iterator[Any]:
        """The rows that are expected, some at a time, as record batches."""
        before = 0
        with damage_is_said(self.name):
            for group in range(file.num_row_groups):
                size = file.metadata.row_group(group).num_rows
                begin, end = np.searchsorted(self.picked, [before, before + size])
                row = before
                for batch in file.iter_batches(BATCH, row_groups=[group], columns=columns) if end > begin else ():
                    first, last = np.searchsorted(self.picked, [row, row + len(batch)])
                    if last > first:
                        yield batch.take(pyarrow_array(self.picked[first:last] - row))
                    row += len(batch)
                before += size

    def dicts(self, numbers: Sequence[int]) -> list[dict[str, object]]:
        columns = as_lists(self.table(numbers))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def fields(self, numbers: Sequence[int], which: Field) -> list[Any]:
        """One field of some records; only its column is read."""
        names = self.names()
        top = which.key if which.key in names else which.path[0]
        if top not in names:
            return [None] * len(numbers)
        return [field_or_none(which, {top: value}) for value in as_lists(self.table(numbers, top))[top]]

    def names(self) -> list[str]:
        """What its columns are called."""
        return columns_of(self.open, self.name)


def columns_of(open_file: Callable[[], BinaryIO], name: str) -> list[str]:
    """What the columns of a Parquet file are called."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise CynicalError(f"{name}: Parquet needs pyarrow; pip install 'cynical[parquet]'") from None
    with damage_is_said(name):
        names: list[str] = pyarrow.parquet.ParquetFile(open_file()).schema_arrow.names
    return names


def pyarrow_array(numbers: Rows) -> Any:
    import pyarrow

    return pyarrow.array(numbers)


def as_lists(table: Any) -> dict[str, list[object]]:
    """The columns of an Arrow table; what Python has no value for (nanoseconds, years beyond 9999), as a string."""
    import pyarrow

    columns: dict[str, list[object]] = {}
    for name, column in zip(table.schema.names, table.columns, strict=True):
        try:
            columns[name] = column.to_pylist()
        except (ValueError, OverflowError, pyarrow.ArrowException):
            try:
                columns[name] = column.cast(pyarrow.string()).to_pylist()
            except (ValueError, pyarrow.ArrowException) as error:
                raise CynicalError(
                    f"column {name!r} ({column.type}) cannot be written as JSON or CSV ({str(error)[:60]}); write "
                    "Parquet: -o OUT.parquet"
                ) from None
    return columns


@contextmanager
def damage_is_said(name: str) -> Iterator[None]:
    """What Arrow says of a damaged file has many forms; here it is a sentence."""
    import pyarrow

    try:
        yield
    except CynicalError:
        raise
    except (OSError, ValueError, KeyError, OverflowError, MemoryError, pyarrow.ArrowException) as error:
        said = " ".join(str(error).split())[:80]
        raise CynicalError(f"{name}: the Parquet file is damaged ({said}); download or create it again") from None


def import_parquet(name: str) -> Any:
    """Arrow, to read a file of this name."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise CynicalError(f"{name}: Parquet needs pyarrow; pip install 'cynical[parquet]'") from None
    return pyarrow


def sum_up(open_file: Callable[[], BinaryIO]) -> Checksum:
    """The checksum of a file."""
    whole = Checksum()
    with open_file() as file:
        while block := file.read(BLOCK):
            whole = whole.update(block)
    return whole


def read_parquet(open_file: Callable[[], BinaryIO], which: TextKey, texts: Texts, groups: range | None = None) -> None:
    """Take the texts out of the rows of a Parquet file, or of some row groups."""
    pyarrow = import_parquet(texts.name)
    stream = open_file()
    with damage_is_said(texts.name):
        _read_rows(pyarrow.parquet.ParquetFile(stream), which, texts, groups)


def _read_rows(file: Any, which: TextKey, texts: Texts, groups: range | None) -> None:
    columns = which.columns(file.schema_arrow.names, texts.name)
    row, wanted = 1, None if groups is None else list(groups)
    if groups is not None:
        row += sum(file.metadata.row_group(group).num_rows for group in range(groups.start))
    for batch in file.iter_batches(BATCH, row_groups=wanted, columns=columns):
        values = which.of_columns(as_lists(batch))
        try:
            texts.add(cast(list[str], values), range(row, row + len(values)))
        except TypeError:
            good = {place: value for place, value in enumerate(values, row) if isinstance(value, str)}
            for place, value in enumerate(values, row):
                if place not in good:
                    texts.refuse(place, which.wrong(value))
            texts.add(list(good.values()), good)
        row += len(values)


def row_group_sizes(path: str) -> list[int]:
    """The bytes of each row group of a Parquet file on a disk; none if it cannot be told."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:  # whoever reads the file will say so
        return []
    try:
        metadata = pyarrow.parquet.ParquetFile(path).metadata
    except (OSError, ValueError, MemoryError, pyarrow.ArrowException):
        return []
    return [max(metadata.row_group(group).total_byte_size, 1) for group in range(metadata.num_row_groups)]
