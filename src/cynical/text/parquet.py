"""Parquet files: one column is the text; rows are read again when the whole record is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from .checksum import Checksum
from .records import Field, Texts, field_or_none, kind_of_value

BATCH = 1 << 13  # rows read at a time
BLOCK = 1 << 20  # bytes


@dataclass(slots=True)
class ParquetRecords:
    """The rows of a Parquet file, read again when they are wanted."""

    format: str
    text: Field
    name: str
    open: Callable[[], BinaryIO]
    kept: NDArray[np.int64] | None = None  # the rows that were not skipped, if any was
    checksum: Checksum = Checksum()  # of the file

    def table(self, numbers: Sequence[int]) -> Any:
        """Some rows as an Arrow table, in the order given; every row group is read once."""
        import pyarrow
        import pyarrow.parquet

        rows = np.asarray(numbers, np.int64) if self.kept is None else self.kept[np.asarray(numbers, np.int64)]
        file = pyarrow.parquet.ParquetFile(self.open())
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        order = np.argsort(rows, kind="stable")
        pieces = []
        for group in range(len(sizes)):
            inside = rows[order]
            here = inside[(inside >= first[group]) & (inside < first[group + 1])] - first[group]
            if len(here):
                pieces.append(file.read_row_group(group).take(pyarrow.array(here)))
        whole = pyarrow.concat_tables(pieces) if pieces else file.schema_arrow.empty_table()
        back = np.empty(len(rows), np.int64)
        back[order] = np.arange(len(rows))
        return whole.take(pyarrow.array(back))

    def dicts(self, numbers: Sequence[int]) -> list[dict[str, object]]:
        made: list[dict[str, object]] = self.table(numbers).to_pylist()
        return made

    def fields(self, numbers: Sequence[int], which: Field) -> list[Any]:
        return [field_or_none(which, record) for record in self.dicts(numbers)]


def sum_up(open_file: Callable[[], BinaryIO]) -> Checksum:
    """The checksum of a file."""
    whole = Checksum()
    with open_file() as file:
        while block := file.read(BLOCK):
            whole = whole.update(block)
    return whole


def read_parquet(
    open_file: Callable[[], BinaryIO], which: Field, texts: Texts, groups: range | None = None
) -> NDArray[np.int64] | None:
    """Take a column out of a Parquet file, or of some row groups; which rows, if not all of the file are there."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise CynicalError(f"{texts.name}: Parquet needs pyarrow; pip install 'cynical[parquet]'") from None
    try:
        file = pyarrow.parquet.ParquetFile(open_file())
    except pyarrow.ArrowInvalid as error:
        raise CynicalError(f"{texts.name}: not a whole Parquet file ({str(error)[:80]}); get or make it anew") from None
    names = file.schema_arrow.names
    top = which.key if which.key in names else which.path[0]
    if top not in names:
        raise CynicalError(
            f"{texts.name}: no column {which.key!r}; it has {', '.join(names)}: name one with --text-key"
        )
    kept: list[int] = []
    row, before = 0, texts.bad
    if groups is not None:
        row = sum(file.metadata.row_group(group).num_rows for group in range(groups.start))
    wanted = None if groups is None else list(groups)
    try:
        for batch in file.iter_batches(BATCH, row_groups=wanted, columns=[top]):
            values = batch.column(0).to_pylist()
            if top != which.key:
                values = [field_or_none(which, {top: value}) for value in values]
            try:
                texts.add(values)
                kept.extend(range(row, row + len(values)))
            except TypeError:
                good = [place for place, value in enumerate(values) if isinstance(value, str)]
                for place, value in enumerate(values):
                    if not isinstance(value, str):
                        texts.refuse(row + place + 1, f"column {which.key!r} is {kind_of_value(value)}, not a string")
                texts.add([values[place] for place in good])
                kept.extend(row + place for place in good)
            row += len(values)
    except (OSError, UnicodeDecodeError, pyarrow.ArrowException) as error:
        raise CynicalError(f"{texts.name}: a damaged Parquet file ({str(error)[:80]}); get or make it anew") from None
    return np.array(kept, np.int64) if texts.bad > before or groups is not None else None


def row_group_sizes(path: str) -> list[int]:
    """The bytes of each row group of a Parquet file on a disk; none if it cannot be told."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:  # whoever reads the file will say so
        return []
    try:
        metadata = pyarrow.parquet.ParquetFile(path).metadata
    except (OSError, pyarrow.ArrowException):
        return []
    return [max(metadata.row_group(group).total_byte_size, 1) for group in range(metadata.num_row_groups)]
