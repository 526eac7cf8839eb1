"""A ranking as JSON lines: whole records, each with the ranking's fields behind its own; written, and read back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError
from ..options import Reading
from ..progress import Progress
from ..text.compression import blocks, open_stream
from ..text.corpus import Corpus
from ..text.fields import TEXT, Field, text_key
from ..text.places import find_lines
from ..text.records import LineRecords
from ..text.sources import open_corpus
from .columns import COUNTED, FEATURE_ENTROPY, SCORE, SHARDS, Columns, Numbers, Rows, WordsInFile, batches
from .content import PREFIX, Cells, Content, Json, PoolContent, named, pack_lines, without
from .summary import Summary, reading_then

if TYPE_CHECKING:
    from .._kernels.tsv import Texts

FIELDS = ("line", "delta", "penalty", "gain", "entropy", "words")
WHOLE = ("line", "words")  # from 1 on
MORE = (FEATURE_ENTROPY, SCORE)
BATCH = 1 << 14  # records looked at together


def write_json_lines(columns: Columns, content: Content) -> Iterator[bytes]:
    """Records as they were, with the ranking's fields behind their own."""
    for rows in batches(len(columns)):
        fields = ranking_fields(columns, content, rows)
        values = (dict(zip(fields, some, strict=True)) for some in zip(*fields.values(), strict=True))
        yield b"".join(_joined(raw, more) for raw, more in zip(content.json_records(rows), values, strict=True))


def ranking_fields(columns: Columns, content: Content, rows: slice) -> dict[str, Sequence[object]]:
    """What records get, by name: what the ranking says of them, with as many digits as in a table."""
    here = columns.take(rows)
    fields: dict[str, Sequence[object]] = {
        "rank": here.rank.tolist(),
        "line": (here.line + 1).tolist(),
        "delta": _digits(here.delta),
        "penalty": _digits(here.penalty),
        "gain": _digits(here.gain),
        "entropy": _digits(here.entropy),
        "words": here.words.tolist(),
        "word": here.best.strings(),
    }
    fields |= {name: _digits(column) for name, column in here.more.items()}
    for name, cells in named(content, rows, list(here.more)):
        if name in SHARDS:  # others are in the record
            fields[name] = shard_column(name, cells)
    if SHARDS[3] in fields:  # the record has the whole text
        fields[TEXT] = [text.decode("utf-8", "replace") for text in content.texts(rows)]
    for side, name in enumerate(content.sides, 1):
        fields[name] = [text.decode("utf-8", "replace") for text in content.texts(rows, side)]
    return {PREFIX + name: values for name, values in fields.items()}


def shard_column(name: str, cells: Sequence[bytes]) -> Sequence[object]:
    """A column that says where lines are from, with numbers as such."""
    if name in COUNTED:
        return [int(cell) for cell in cells]
    return [cell.decode("utf-8", "replace") for cell in cells]


def _digits(values: NDArray[np.float64]) -> list[float]:
    return [float(f"{value:.9g}") for value in values.tolist()]


def _joined(record: bytes, fields: Json) -> bytes:
    """A JSON object with more fields at its end."""
    body = record[:-1].rstrip()
    return body + (b"" if body == b"{" else b",") + orjson.dumps(fields)[1:] + b"\n"


@dataclass(frozen=True, slots=True, eq=False)
class JsonContent:
    """Picks whose records are lines of the ranking's own file."""

    pool: PoolContent  # the file as if it were AVAILABLE; what of it are the ranking's fields is left out
    sides: Sequence[str]
    given: Sequence[str]  # which of SHARDS it has
    of_records = True
    escaped = True
    plain = False

    def __len__(self) -> int:
        return len(self.pool)

    @property
    def text_key(self) -> str | None:
        return self.pool.text_key

    def take(self, rows: Rows) -> JsonContent:
        return replace(self, pool=self.pool.take(rows))

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        return self._ours(rows, self.sides[side - 1]) if side else self.pool.texts(rows)

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        return pack_lines(self, rows, sides)

    def further(self, rows: Rows) -> Cells:
        return [(name, self._ours(rows, name)) for name in self.given]

    def _ours(self, rows: Rows, name: str) -> list[bytes]:
        """One of the ranking's fields."""
        found = fields_of(self.pool, rows, PREFIX + name)
        return [b"" if value is None else str(value).encode("utf-8", "replace") for value in found]

    def records(self, rows: Rows) -> list[Json]:
        return [without(record, self._side_fields) for record in self.pool.records(rows)]

    def json_records(self, rows: Rows) -> list[bytes]:
        if not self.sides:
            return self.pool.json_records(rows)
        return [orjson.dumps(record) for record in self.records(rows)]

    @property
    def _side_fields(self) -> set[str]:
        return {PREFIX + name for name in self.sides}

    def fields(self, rows: Rows, key: str) -> list[object] | None:
        found = fields_of(self.pool, rows, key)
        return None if not found or found[0] is None else found

    def ids(self, rows: Rows) -> list[str] | None:
        if SHARDS[2] not in self.given:
            return None
        return [cell.decode("utf-8", "replace") for cell in self._ours(rows, SHARDS[2])]

    def arrow(self, rows: Rows) -> Any:
        return None


def fields_of(pool: PoolContent, rows: Rows, key: str) -> list[object]:
    """A field of records that are the lines of one file; None where there is none."""
    records = pool.places[0].corpus.parts[0].records
    assert isinstance(records, LineRecords)
    return records.fields(pool.line[rows].tolist(), Field(key))


def read_json_lines(
    path: str | Path, reading: Reading | None = None, summary: Summary | None = None
) -> tuple[Columns, JsonContent]:
    """Records that were ranked."""
    corpus = _open(path, Reading() if reading is None else reading, summary)
    records = corpus.parts[0].records
    assert isinstance(records, LineRecords)
    places = find_lines(corpus, 1, Progress(False), "JADED")
    rows = len(places)
    first = records.dicts([0])[0] if rows else {}
    numbers = {name: np.zeros(rows) for name in (*FIELDS, *(name for name in MORE if PREFIX + name in first))}
    for begin in range(0, rows, BATCH):
        here = range(begin, min(begin + BATCH, rows))
        for row, record in zip(here, records.dicts(here), strict=True):
            try:
                if _number(record[PREFIX + "rank"], whole=True) != row + 1:
                    raise ValueError
                for name, column in numbers.items():
                    column[row] = _number(record[PREFIX + name], whole=name in WHOLE)
            except (KeyError, TypeError, ValueError):
                raise CynicalError(
                    f"{path} line {row + 1}: expected fields {PREFIX}rank (here {row + 1}), {PREFIX}line, "
                    f"{PREFIX}delta ...; give a file that cynical select -o OUT.jsonl has written, whole and in order"
                ) from None

    def words(wanted: Numbers) -> list[bytes]:
        return [str(word).encode() for word in records.fields(wanted.tolist(), Field(PREFIX + "word"))]

    columns = Columns(
        rank=np.arange(1, rows + 1),
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
    return columns, JsonContent(PoolContent([places], np.arange(rows)), sides, given)


def _open(path: str | Path, reading: Reading, summary: Summary | None) -> Corpus:
    """The file as records; unless somebody says which field is the text, it is what the ranking has as such, else that
    of AVAILABLE, if there is one."""
    reading = replace(reading, unit="document")
    if reading.text_key is None and reading.text_template is None:
        try:
            with open_stream(str(path)) as stream:
                first = orjson.loads(next(blocks(stream, str(path)), b"").partition(b"\n")[0])
        except (OSError, ValueError):  # what is wrong shows when all of it is read
            first = None
        reading = reading_of_record(first, reading, summary)
    return open_corpus(str(path), "JADED", reading)


def reading_of_record(record: object, reading: Reading, summary: Summary | None) -> Reading:
    """Which part of a ranked record is the text: what the ranking has added as such, else what it was in AVAILABLE."""
    then = Reading() if summary is None else reading_then(summary, Reading())
    for one in (Reading(PREFIX + TEXT), Reading(then.text_key, then.text_template)):
        if isinstance(record, dict) and isinstance(text_key(one).or_none(record), str):
            return replace(reading, text_key=one.text_key, text_template=one.text_template)
    return reading


def _number(value: object, whole: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError
    if whole and not 1 <= value < 2**32:
        raise ValueError
    number = float(value)
    if math.isnan(number):
        raise ValueError
    return number
