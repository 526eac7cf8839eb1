"""Content: where the texts of picks are, and the records that these were taken from.

The picks of a run are in AVAILABLE (`PoolContent`), those of a ranking that was read in its file (see tsv.py and
json_lines.py), and what can be found in neither any more is kept in memory (`KeptContent`). Rows are places among the
picks, from 0; side 0 is AVAILABLE, the others follow.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import orjson

from ..errors import CynicalError
from ..text.corpus import Records
from ..text.fields import Field
from ..text.given import MemoryRecords
from ..text.parquet import ParquetRecords
from ..text.places import Places, by_file
from ..text.records import LineRecords, load_json
from .columns import COLUMNS, FEATURE_ENTROPY, SCORE, SHARD_LINE, SHARDS, UNIT, Numbers, Rows

if TYPE_CHECKING:
    from .._kernels.tsv import Texts

PREFIX = "cynical_"  # of the fields that a record gets
OURS = {PREFIX + name for name in (*COLUMNS, FEATURE_ENTROPY, SCORE, *SHARDS)}
RECORD = "record_"  # of a column that would have the name of another
RANK = f'"{PREFIX}rank"'.encode()  # tells a record that was ranked before
REPEATED = {PREFIX + name for name in (*COLUMNS[:-1], FEATURE_ENTROPY, SCORE)}  # what every ranking writes, but texts
FIRST_FIELDS = [
    f'"{PREFIX}{name}"'.encode() for name in ("line", "delta")
]  # what rejected and scored records begin with

Json = dict[str, object]  # a record, as Python has it
Cells = list[tuple[str, list[bytes]]]  # columns of a table: names and, for each pick, what they hold


class Content(Protocol):
    """What picks consist of."""

    @property
    def sides(self) -> Sequence[str]:
        """What the other sides are called."""
        ...

    @property
    def of_records(self) -> bool:
        """Are there records that the texts are of?"""
        ...

    @property
    def escaped(self) -> bool:
        """May a text have several lines? Then it is escaped in a table."""
        ...

    @property
    def split(self) -> bool:
        """Are lines units of records, which may have several?"""
        ...

    @property
    def text_key(self) -> str | None:
        """Which field of the records is the text; None if there are no records, or no one field is."""
        ...

    @property
    def plain(self) -> bool:
        """Is there nothing but lines, and are they the only column of a table after its numbers?"""
        ...

    def __len__(self) -> int: ...

    def take(self, rows: Rows) -> Content:
        """That of some picks."""
        ...

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        """Texts exactly as they were given; they may have several lines."""
        ...

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        """Texts of some sides, concatenated, those of a pick together; each on one line."""
        ...

    def further(self, rows: Rows) -> Cells:
        """More columns of a table: which file a line is from, what its record is called, and what else rows have.

        Two may have one name; see `named`.
        """
        ...

    def records(self, rows: Rows) -> list[Json]:
        """Whole records; of plain text, its lines as records."""
        ...

    def json_records(self, rows: Rows) -> list[bytes]:
        """The same as JSON, byte for byte as they were if they were JSON."""
        ...

    def fields(self, rows: Rows, key: str) -> list[object] | None:
        """One field of the records; None if they have no such field."""
        ...

    def ids(self, rows: Rows) -> list[str] | None:
        """What the records are called, if somebody has said which field that is."""
        ...

    def arrow(self, rows: Rows) -> Any:
        """Whole records as an Arrow table, where they come with types of their own; else None."""
        ...


@runtime_checkable
class AnyLine(Protocol):
    """A content that has every line of AVAILABLE, not only the picks."""

    def at(self, lines: Numbers) -> Content:
        """That of some lines of AVAILABLE."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PoolContent:
    """Picks by their lines in AVAILABLE."""

    places: Sequence[Places]  # of AVAILABLE, then of its other sides
    line: Numbers  # of each pick, from 0
    sides: Sequence[str] = ()
    id_key: str | None = None  # the field of records that names them
    whole: Numbers | None = None  # all lines that will be asked for, if these are a part

    def __len__(self) -> int:
        return len(self.line)

    def take(self, rows: Rows) -> PoolContent:
        return replace(self, line=self.line[rows])

    def at(self, lines: Numbers) -> PoolContent:
        return replace(self, line=lines, whole=None)

    def in_parts(self) -> PoolContent:
        """The same for whoever takes one part after another, until all are taken."""
        return replace(self, whole=self.line)

    @property
    def of_records(self) -> bool:
        return any(part.records is not None for part in self.places[0].corpus.parts)

    @property
    def text_key(self) -> str | None:
        parts = self.places[0].corpus.parts
        return next((one.records.text.key for one in parts if one.records is not None and not self.split), None)

    @property
    def escaped(self) -> bool:
        return self.of_records or any(part.folded for part in self.places[0].corpus.parts)

    @property
    def plain(self) -> bool:
        return not (self._folded or self.of_records or self.further(slice(0, 0)))

    @property
    def _folded(self) -> bool:
        return any(part.folded for place in self.places for part in place.corpus.parts)

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        return self.places[side].texts(self.line[rows])

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        from .._kernels.tsv import Texts, gather

        if self._folded:
            return pack_lines(self, rows, sides)
        spans = [np.stack(self.places[side].spans(self.line[rows])) for side in sides]
        file, first, last = np.stack(spans, axis=2).reshape(3, -1)
        start = np.zeros(len(file) + 1, np.int64)
        np.cumsum(last - first, out=start[1:])
        lines = Texts(np.empty(int(start[-1]), np.uint8), start)
        for place, side in enumerate(sides):
            for number in np.flatnonzero(np.bincount(file[place :: len(sides)])).tolist():
                here = place + len(sides) * np.flatnonzero(file[place :: len(sides)] == number)
                corpus = self.places[side].corpus
                text, first[here], last[here] = corpus.parts[number].spans(first[here], last[here])
                gather(text, first, last, here, lines)
                corpus.check_unchanged([number])
        return lines

    def further(self, rows: Rows) -> Cells:
        made: Cells = []
        parts = self.places[0].corpus.parts
        if len(parts) > 1 or self.split:
            file, line = self.places[0].file_lines(self.line[rows])
            if len(parts) > 1:
                made.append((SHARDS[0], [parts[one].name.encode() for one in file.tolist()]))
            made.append((SHARD_LINE, [b"%d" % one for one in line.tolist()]))
        ids = self.ids(rows)
        if ids is not None:
            made.append((SHARDS[2], [one.encode("utf-8", "replace") for one in ids]))
        if self.split:
            made.append((UNIT, [b"%d" % one for one in self._units(rows)]))
        return made + self._other_columns(rows)

    @property
    def split(self) -> bool:
        """Are lines units of records, which may have several?"""
        return any(part.records is not None and part.records.origin.split for part in self.places[0].corpus.parts)

    def _units(self, rows: Rows) -> list[int]:
        """Which unit of its record each line is, from 1."""
        made = [0] * len(self.line[rows])
        for records, places, numbers in self._by_file(rows):
            assert records is not None
            for place, unit in zip(places, records.origin.units(numbers).tolist(), strict=True):
                made[place] = unit
        return made

    def _other_columns(self, rows: Rows) -> Cells:
        """The columns of a TSV file except the text, which a table of the ranking has as its last."""
        tables = [part.records for part in self.places[0].corpus.parts if isinstance(part.records, LineRecords)]
        names = [name for records in tables if records.format == "tsv" for name in records.header]
        if not names:
            return []
        wanted = [name for name in dict.fromkeys(names) if name != tables[0].text.key]
        found = self.records(rows)
        return [(name, [str(one.get(name, "")).encode() for one in found]) for name in wanted]

    def records(self, rows: Rows) -> list[Json]:
        return [without(record, self._ours) for record in self.records_with_ours(rows)]

    @property
    def _ours(self) -> set[str]:
        """Fields of an earlier ranking, which are left out; the text stays, also if it is one of them."""
        return OURS if self.text_key not in OURS else OURS - {self.text_key, PREFIX + UNIT}

    def records_with_ours(self, rows: Rows) -> list[Json]:
        """Whole records, and the fields that an earlier ranking has written into them."""
        made: list[Json] = [{} for _ in self.line[rows]]
        plain = None
        for records, places, numbers in self._by_file(rows):
            if records is None:
                plain = self.texts(rows) if plain is None else plain
                found: list[Json] = [{"text": plain[place].decode("utf-8", "replace")} for place in places]
            else:
                found = records.dicts(numbers)
            for place, record in zip(places, found, strict=True):
                made[place] = record
        return made

    def json_records(self, rows: Rows) -> list[bytes]:
        made: list[bytes] = [b""] * len(self.line[rows])
        plain = None
        for records, places, numbers in self._by_file(rows):
            if isinstance(records, LineRecords) and records.format == "jsonl":
                lines = [line.strip() for line in records.lines(numbers)]
                together = b"\n".join(lines)
                if any(mark in together for mark in (RANK, *FIRST_FIELDS)):  # a look at each takes longer
                    lines = [_without_ours(line) for line in lines]
            elif records is not None:
                lines = [as_json(without(record, self._ours)) for record in records.dicts(numbers)]
            else:
                plain = self.texts(rows) if plain is None else plain
                lines = [orjson.dumps({"text": plain[place].decode("utf-8", "replace")}) for place in places]
            for place, line in zip(places, lines, strict=True):
                made[place] = line
        return made

    def fields(self, rows: Rows, key: str) -> list[object] | None:
        made = self.values(rows, key)
        return None if any(value is None for value in made) else made

    def values(self, rows: Rows, key: str) -> list[object]:
        """One field of the records; None where one has no such field."""
        made: list[object] = [None] * len(self.line[rows])
        for records, places, numbers in self._by_file(rows):
            values = [] if records is None else records.fields(numbers, Field(key))
            for place, value in zip(places, values, strict=False):
                made[place] = value
        return made

    def ids(self, rows: Rows) -> list[str] | None:
        if self.id_key is None:
            return None
        made: list[str] = [""] * len(self.line[rows])
        for records, places, numbers in self._by_file(rows):
            if records is None:
                raise CynicalError("--id-key names a field of records, but AVAILABLE is plain text; omit it")
            for place, value in zip(places, records.fields(numbers, Field(self.id_key)), strict=True):
                if value is None:
                    raise CynicalError(
                        f"--id-key {self.id_key}: a record of AVAILABLE does not have this field; choose one that "
                        "all records have"
                    )
                made[place] = as_cell(value)
        return made

    def arrow(self, rows: Rows) -> Any:
        tables, order = [], []
        for records, places, numbers in self._by_file(rows):
            table = records.table(numbers) if isinstance(records, (ParquetRecords, MemoryRecords)) else None
            if table is None:
                return None
            tables.append(table)
            order += places
        if not tables:
            return None
        import pyarrow

        back = np.empty(len(order), np.int64)
        back[np.array(order, np.int64)] = np.arange(len(order))
        return pyarrow.concat_tables(tables, promote_options="permissive").take(pyarrow.array(back))

    def _by_file(self, rows: Rows) -> Iterator[tuple[Records | None, list[int], list[int]]]:
        """For each file of AVAILABLE with picks: its records, the places of these picks, their numbers in the file."""
        file, number = self.places[0].in_files(self.line[rows])
        for one, here in by_file(file):
            records = self.places[0].corpus.parts[one].records
            if isinstance(records, ParquetRecords):
                records.expect(self._expected, partial(self._in_file, one))
            yield records, here.tolist(), number[here].tolist()

    @property
    def _expected(self) -> Numbers:
        return self.line if self.whole is None else self.whole

    def _in_file(self, one: int) -> list[int]:
        """All picks of a file, by their numbers there."""
        file, number = self.places[0].in_files(self._expected)
        found: list[int] = number[file == one].tolist()
        return found


def named(content: Content, rows: Rows, more: Sequence[str]) -> Cells:
    """The further columns, each with a name of its own; `more` are columns of numbers that the ranking has."""
    used, made = {*COLUMNS, FEATURE_ENTROPY, *more, *content.sides}, []
    for name, cells in content.further(rows):
        made.append((f"{RECORD}{name}" if name in used else name, cells))
        used.add(name)
    return made


def shard_columns(content: Content, rows: Rows, more: Sequence[str]) -> dict[str, Sequence[object]]:
    """The further columns that say where lines are from, with numbers as such; others are in the record."""
    made: dict[str, Sequence[object]] = {}
    for name, cells in named(content, rows, more):
        if name in SHARDS[:3] or (name == UNIT and content.split):
            whole = name in (SHARD_LINE, UNIT) and all(cell.isdigit() for cell in cells)
            made[name] = [int(cell) if whole else cell.decode("utf-8", "replace") for cell in cells]
    return made


def units_of(content: Content, rows: Rows) -> list[str] | None:
    """Which unit of its record each line is, from 1; None where records are not split."""
    if not content.split:
        return None
    return [cell.decode() for cell in next(cells for name, cells in content.further(rows) if name == UNIT)]


def without(record: Json, names: set[str]) -> Json:
    """A record without some fields, such as those that an earlier ranking has written into it."""
    return {name: value for name, value in record.items() if name not in names}


def _without_ours(line: bytes) -> bytes:
    """A record without the fields of a ranking; where these are its last, as we write them, the rest stays as it is."""
    at = line.rfind(RANK)
    if at >= 0:
        if _ends_in_ours(line, at) is not None:
            line = line[:at].removesuffix(b",") + b"}"
        else:
            record = load_json(line)
            line = as_json(without(record, OURS)) if f"{PREFIX}rank" in record else line
    for mark in FIRST_FIELDS:
        line = _without_repeated(line, mark)
    return line


def _without_repeated(line: bytes, mark: bytes) -> bytes:
    """A record that was scored or rejected, without the fields that a ranking writes again."""
    at = line.rfind(mark)
    if at < 0:
        return line
    ours = _ends_in_ours(line, at)
    if ours is None:
        record = load_json(line)
        return as_json(without(record, REPEATED)) if not REPEATED.isdisjoint(record) else line
    rest = as_json(without(ours, REPEATED))[1:]
    return (line[:at].removesuffix(b",") if rest == b"}" else line[:at]) + rest


def _ends_in_ours(line: bytes, at: int) -> Json | None:
    """The fields of a record from a place on, if they all are ours."""
    with contextlib.suppress(ValueError):
        found: Json = orjson.loads(b"{" + line[at:])
        return found if all(name.startswith(PREFIX) for name in found) else None
    return None


def as_json(value: object) -> bytes:
    """A value of a record as JSON; what JSON does not have, as a string."""
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY)
    except TypeError:  # a number of more than 64 bits
        return json.dumps(value, default=str, ensure_ascii=False).encode("utf-8", "replace")


def as_cell(value: object) -> str:
    """What a table can hold of a record's field: text as it is, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else as_json(value).decode()


def pack(strings: Sequence[bytes]) -> Texts:
    """Strings, concatenated."""
    from .._kernels.tsv import Texts

    start = np.zeros(len(strings) + 1, np.int64)
    np.cumsum([len(string) for string in strings], out=start[1:])
    return Texts(np.frombuffer(b"".join(strings), np.uint8), start)


def pack_lines(content: Content, rows: slice, sides: Sequence[int]) -> Texts:
    """Content.packed from Content.texts."""
    columns = [[one_line(text) for text in content.texts(rows, side)] for side in sides]
    return pack([cell for row in zip(*columns, strict=True) for cell in row])


def one_line(text: bytes) -> bytes:
    return text.replace(b"\n", b" ")
