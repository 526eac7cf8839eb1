"""A ranking as records, read back: JSON lines, CSV or Parquet; the fields of the ranking come after those of the
record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import CynicalError
from ..options import Reading
from ..options.reading import InputFormat
from ..progress import Progress
from ..text.compression import begin_of
from ..text.corpus import Corpus
from ..text.fields import TEXT
from ..text.kinds import first_line
from ..text.parquet import ParquetRecords, as_lists
from ..text.places import LocalPlaces, find_lines
from ..text.sources import from_paths
from .columns import FEATURE_ENTROPY, SCORE, SHARDS, UNIT, Bits, Columns, Numbers, Rows, WordsInFile
from .content import PREFIX, Cells, Json, PoolContent, as_cell, pack_lines, without
from .made_from import reading_then
from .summary import Summary
from .tsv import places_by_rank

if TYPE_CHECKING:
    from .._kernels.tsv import Texts

WHOLE = ("rank", "line", "words")  # from 1 on
REAL = ("delta", "penalty", "gain", "entropy")
MORE = (FEATURE_ENTROPY, SCORE)
MOST = 1 << 32
BATCH = 1 << 14  # records looked at together
FIRST = 1 << 18  # bytes in which the first record, or a header, is looked for
OWN_TEXT = {
    "jsonl": f'"{PREFIX}{TEXT}":'.encode(),
    "csv": f",{PREFIX}{TEXT}".encode(),
}  # how it is seen that it has a field of rankings whose lines are units of records
AS_TEXT = ("text", "strings")  # what AVAILABLE is where its lines become records with one field


@dataclass(frozen=True, slots=True, eq=False)
class RecordsContent:
    """Picks whose records are in the ranking's own files."""

    pool: PoolContent  # the files as if they were AVAILABLE; what of them are the ranking's fields is left out
    sides: Sequence[str]
    given: Sequence[str]  # which of SHARDS it has
    kind: str  # jsonl, csv or parquet
    of_records = True
    escaped = True
    plain = False

    def __len__(self) -> int:
        return len(self.pool)

    @property
    def split(self) -> bool:
        return UNIT in self.given

    @property
    def text_key(self) -> str | None:
        return self.pool.text_key

    def take(self, rows: Rows) -> RecordsContent:
        return replace(self, pool=self.pool.take(rows))

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        return self._ours(rows, self.sides[side - 1]) if side else self.pool.texts(rows)

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        return pack_lines(self, rows, sides)

    def further(self, rows: Rows) -> Cells:
        return [(name, self._ours(rows, name)) for name in self.given]

    def _ours(self, rows: Rows, name: str) -> list[bytes]:
        """One of the ranking's fields."""
        return [as_cell(value).encode("utf-8", "replace") for value in self.pool.values(rows, PREFIX + name)]

    def records(self, rows: Rows) -> list[Json]:
        return [without(record, self._side_fields) for record in self.pool.records(rows)]

    def json_records(self, rows: Rows) -> list[bytes]:
        return self.pool.json_records(rows)

    @property
    def _side_fields(self) -> set[str]:
        return {PREFIX + name for name in self.sides}

    def fields(self, rows: Rows, key: str) -> list[object] | None:
        found = self.pool.values(rows, key)
        return None if not found or found[0] is None else found

    def ids(self, rows: Rows) -> list[str] | None:
        if SHARDS[2] not in self.given:
            return None
        return [cell.decode("utf-8", "replace") for cell in self._ours(rows, SHARDS[2])]

    def arrow(self, rows: Rows) -> Any:
        table = self.pool.arrow(rows)
        ours = [] if table is None else [name for name in table.column_names if name.startswith(PREFIX)]
        return None if table is None else table.drop_columns(ours)


def read_records(
    name: str, files: Sequence[str], kind: str, reading: Reading, summary: Summary | None
) -> tuple[Columns, RecordsContent]:
    """Records that were ranked; several files are concatenated."""
    corpus = _open(files, kind, reading, summary)
    places = find_lines(corpus, 1, Progress(False), "JADED")
    rows = len(places)
    pool = PoolContent([places], np.arange(rows))
    first = pool.records_with_ours(slice(0, 1))[0] if rows else {}
    numbers = _numbers(name, corpus, places, [name for name in MORE if PREFIX + name in first])

    def words(wanted: Numbers) -> list[bytes]:
        found = pool.values(wanted, PREFIX + "word")
        return [b"" if word is None else str(word).encode() for word in found]

    order = places_by_rank(name, numbers["rank"].astype(np.int64), 1 + (kind == "csv"))
    columns = Columns(
        rank=numbers["rank"].astype(np.int64),
        line=numbers["line"].astype(np.int64) - 1,
        delta=numbers["delta"],
        penalty=numbers["penalty"],
        gain=numbers["gain"],
        entropy=numbers["entropy"],
        words=numbers["words"].astype(np.int64),
        best=WordsInFile(words, np.arange(rows)),
        feature_entropy=numbers.get(FEATURE_ENTROPY),
        score=numbers.get(SCORE),
    )
    sides = [] if summary is None else [one.column for one in summary.available.sides if PREFIX + one.column in first]
    given = [name for name in SHARDS if PREFIX + name in first]
    content = RecordsContent(pool, sides, given, kind)
    return (columns, content) if order is None else (columns.take(order), content.take(order))


def _open(files: Sequence[str], kind: str, reading: Reading, summary: Summary | None) -> Corpus:
    """The files as records. The text is what the ranking has as such, else what somebody says, else what it was in
    AVAILABLE."""
    then = Reading(scratch=reading.scratch)
    if _is_split(summary) or (kind in OWN_TEXT and OWN_TEXT[kind] in first_line(begin_of(files[0], FIRST))):
        then = replace(then, text_key=PREFIX + TEXT)
    elif reading.text_key is not None or reading.text_template is not None:
        then = replace(then, text_key=reading.text_key, text_template=reading.text_template)
    elif summary is not None and summary.available.format not in AS_TEXT:
        then = replace(reading_then(summary, then), unit="document", bad_records="error")
    return from_paths(files, replace(then, input_format=cast(InputFormat, kind)), role="JADED")


def _is_split(summary: Summary | None) -> bool:
    """Are the lines of a ranking units of records?"""
    return summary is not None and bool(summary.reading.unit)


def _numbers(name: str, corpus: Corpus, places: LocalPlaces, more: Sequence[str]) -> dict[str, Bits]:
    """The ranking's fields that are numbers, by record."""
    wanted = (*WHOLE, *REAL, *more)
    made, before = {one: np.zeros(len(places)) for one in wanted}, 0
    for part, rows in zip(corpus.parts, places.lines_by_file(), strict=True):
        records = part.records
        assert records is not None
        in_table = records.format == "csv"  # where all are strings, below a header
        if isinstance(records, ParquetRecords):
            records.expect(places, partial(range, rows))
        for begin in range(0, rows, BATCH):
            here = range(begin, min(begin + BATCH, rows))
            if isinstance(records, ParquetRecords):
                found: Iterator[dict[str, object]] = _rows_of(records, here, wanted)
            else:
                found = iter(records.dicts(here))
            for row, record in zip(here, found, strict=True):
                try:
                    for one, column in made.items():
                        column[before + row] = _number(record[PREFIX + one], one in WHOLE, in_table)
                except (KeyError, TypeError, ValueError):
                    raise CynicalError(
                        f"{part.name} line {row + 1 + in_table}: expected fields {PREFIX}rank, {PREFIX}line, "
                        f"{PREFIX}delta ... with numbers; give a file written by `cynical select` or `cynical cut`"
                    ) from None
        before += rows
    return made


def _rows_of(records: ParquetRecords, rows: range, names: Sequence[str]) -> Iterator[dict[str, object]]:
    """Some columns of some rows of a Parquet file; missing ones are left out."""
    there = [name for name in (PREFIX + one for one in names) if name in records.names()]
    columns = {name: as_lists(records.table(rows, name))[name] for name in there}
    return (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _number(value: object, whole: bool, in_table: bool) -> float:
    if in_table and isinstance(value, str):
        value = int(value) if whole else float(value)
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError
    if whole and not 1 <= value < MOST:
        raise ValueError
    number = float(value)
    if math.isnan(number):
        raise ValueError
    return number
