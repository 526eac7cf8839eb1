"""Hugging Face datasets: rows that are picked are returned with all their columns.

    from cynical.adapters.datasets import keep, score, select

A `Dataset` is not copied; it is usually a memory-mapped file. An `IterableDataset` is read once: its rows are kept in a
temporary Parquet file until the picks are known. A `DatasetDict` is one pool, and the result has the picks of each
split.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..api import select as select_lines
from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.rows import ranking_fields
from ..scoring.scorer import Scorer
from .extras import BATCH, PREFIX, missing

try:
    import datasets
except ImportError as error:
    raise missing(__name__, "datasets", error) from None

SPOOLED = "rows-{:05d}.parquet"
PLACES = (f"{PREFIX}line", f"{PREFIX}shard", f"{PREFIX}shard_line")  # of a temporary file, or of splits together


def select(representative: Any, available: Any, *, text_key: str = "text", ranking: bool = True, **options: Any) -> Any:
    """Pick rows of a dataset, best first.

    Parameters
    ----------
    representative : source
        The language you want: any source that `cynical.select` accepts, or a dataset.
    available : Dataset, IterableDataset, DatasetDict or IterableDatasetDict
        The rows to choose from. The splits of a dictionary are one pool.
    text_key : str, default "text"
        The column that holds the text; as for `cynical.select`, it may name several columns.
    ranking : bool, default True
        Add the columns of the ranking: cynical_rank, cynical_delta, ...
    **options
        Options of `cynical.select`, such as ``words=1_000_000, per="word"``.

    Returns
    -------
    Dataset or DatasetDict
        The rows that were picked, with all their columns. For streams, a `Dataset` of the picks, in memory.
    """
    if isinstance(representative, Mapping):
        raise CynicalError(f"REPRESENTATIVE has splits: {', '.join(representative)}; give one of them")
    if options.get("unit", "document") != "document":
        raise CynicalError("unit splits rows into several units, but whole rows are returned; omit it")
    splits = dict(available) if isinstance(available, Mapping) else {"": available}
    streams = [isinstance(split, datasets.IterableDataset) for split in splits.values()]
    if not all(streams) and not all(isinstance(split, datasets.Dataset) for split in splits.values()):
        raise CynicalError(
            f"expected a Dataset, an IterableDataset or a dictionary of them, found {type(available).__name__}"
        )
    told = {"text_key": text_key, **options}
    if streams and all(streams):
        with tempfile.TemporaryDirectory(prefix="cynical-", dir=options.get("scratch")) as folder:
            spooled = [_spool(split, Path(folder), place) for place, split in enumerate(splits.values())]
            jaded = select_lines(representative, [path for path, _ in spooled], **told)
            made = _from_stream(jaded, splits, [rows for _, rows in spooled], ranking)
    else:
        pool = next(iter(splits.values())) if len(splits) == 1 else datasets.concatenate_datasets([*splits.values()])
        made = _from_rows(select_lines(representative, pool, **told), splits, ranking)
    return datasets.DatasetDict(made) if isinstance(available, Mapping) else made[""]


def score(dataset: Any, scorer: Scorer, *, text_key: str = "text", batch_size: int = BATCH, **options: Any) -> Any:
    """The same dataset with the scores of each row in columns cynical_delta, cynical_gain, ...

    Any kind of dataset is accepted; a stream stays a stream. Options, such as ``num_proc=8``, are passed to its `map`.
    """
    return dataset.map(_Scored(scorer, text_key), batched=True, batch_size=batch_size, **options)


def keep(
    dataset: Any, scorer: Scorer, below: float, *, text_key: str = "text", batch_size: int = BATCH, **options: Any
) -> Any:
    """The rows whose score is below a threshold; lower is better.

    Any kind of dataset is accepted; a stream stays a stream. Options, such as ``num_proc=8``, are passed to its
    `filter`.
    """
    return dataset.filter(_Better(scorer, text_key, below), batched=True, batch_size=batch_size, **options)


@dataclass(frozen=True, slots=True)
class _Scored:
    """The columns that rows get."""

    scorer: Scorer
    text_key: str

    def __call__(self, rows: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        columns = self.scorer.score(list(rows[self.text_key])).columns
        return {f"{PREFIX}{name}": values for name, values in columns.items()}


@dataclass(frozen=True, slots=True)
class _Better:
    """Which rows are kept."""

    scorer: Scorer
    text_key: str
    below: float

    def __call__(self, rows: Mapping[str, Sequence[Any]]) -> list[bool]:
        return [bool(one < self.below) for one in self.scorer.score(list(rows[self.text_key])).score]


def _spool(stream: Any, folder: Path, number: int) -> tuple[Path, int]:
    """Keep the rows of a stream in a file; its name, and how many rows there are."""
    import pyarrow
    from pyarrow import parquet

    path, rows, writer = folder / SPOOLED.format(number), 0, None
    schema = None if stream.features is None else stream.features.arrow_schema
    try:
        for batch in (stream if schema is None else stream.with_format("arrow")).iter(batch_size=BATCH):
            table = pyarrow.table(batch) if isinstance(batch, dict) else batch
            schema = table.schema if schema is None else schema
            writer = parquet.ParquetWriter(path, schema) if writer is None else writer
            writer.write_table(table.cast(schema))
            rows += len(table)
    except (pyarrow.ArrowException, ValueError) as wrong:
        raise CynicalError(
            f"the rows of the stream from row {rows + 1} do not fit into one table "
            f"({' '.join(str(wrong).split())[:80]}); set the types of the columns with cast(features)"
        ) from None
    finally:
        if writer is not None:
            writer.close()
    if not rows:
        raise CynicalError("the stream has no rows; give a stream with rows")
    return path, rows


def _from_stream(jaded: Jaded, splits: Mapping[str, Any], rows: Sequence[int], ranking: bool) -> dict[str, Any]:
    """The picks of each split, from the file that its rows are kept in."""
    made, table = {}, jaded.content.arrow(slice(0, len(jaded)))
    columns = _columns(jaded) if ranking else {}
    for (name, split), own in zip(splits.items(), _by_split(jaded, rows), strict=True):
        info = datasets.DatasetInfo(features=split.features)
        here = table.take(own).select(table.column_names if split.features is None else list(split.features))
        made[name] = _with_columns(datasets.Dataset(here, info=info), columns, own)
    return made


def _from_rows(jaded: Jaded, splits: Mapping[str, Any], ranking: bool) -> dict[str, Any]:
    """The picks of each split, from the dataset itself."""
    rows = [len(split) for split in splits.values()]
    columns, before = _columns(jaded) if ranking else {}, np.cumsum([0, *rows])
    made = {}
    for place, ((name, split), own) in enumerate(zip(splits.items(), _by_split(jaded, rows), strict=True)):
        made[name] = _with_columns(split.select(jaded.lines[own] - before[place]), columns, own)
    return made


def _by_split(jaded: Jaded, rows: Sequence[int]) -> list[Any]:
    """By split, which of the picks are its own."""
    split = np.searchsorted(np.cumsum(rows), jaded.lines, side="right")
    return [np.flatnonzero(split == place) for place in range(len(rows))]


def _columns(jaded: Jaded) -> dict[str, Sequence[object]]:
    fields = ranking_fields(jaded.columns, jaded.content, slice(0, len(jaded)))
    return {name: values for name, values in fields.items() if name not in PLACES}


def _with_columns(dataset: Any, columns: Mapping[str, Sequence[object]], own: Any) -> Any:
    for name, values in columns.items():
        dataset = dataset.add_column(name, [values[place] for place in own.tolist()])
    return dataset
