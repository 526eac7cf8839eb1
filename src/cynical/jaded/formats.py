"""A ranking in the formats that other tools read: JSON lines, CSV, Parquet, ids; whole records with their rank."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from ..errors import CynicalError
from ..text.parquet import ParquetRecords
from ..text.records import Field, LineRecords
from .tsv import COLUMNS, FEATURE_ENTROPY, SCORE, SHARDS, escape_field

if TYPE_CHECKING:
    from .jaded import Jaded

PREFIX = "cynical_"  # of the fields that a record gets
OURS = {PREFIX + name for name in (*COLUMNS[:-1], FEATURE_ENTROPY, SCORE, *SHARDS)}
RANK = f'"{PREFIX}rank"'.encode()  # tells a record that was ranked before
GROUP = 1 << 16  # rows of a Parquet file that are written together


def json_lines(jaded: Jaded) -> Iterator[bytes]:
    """Records as they were, with the ranking's fields behind their own."""
    for rows in jaded.slices():
        fields = _fields(jaded, rows)
        yield b"".join(
            _joined(raw, field) for raw, field in zip(_json_records(jaded, rows), _as_dicts(fields), strict=True)
        )


def csv_table(jaded: Jaded) -> Iterator[bytes]:
    """Columns as they were, with the ranking's behind them."""
    names: dict[str, None] = {}
    for rows in jaded.slices():
        for record in _dicts(jaded, rows):
            names.update(dict.fromkeys(record))
    header = list(names)
    yield _csv_rows([[*(header or ["text"]), *_fields(jaded, slice(0, 0))]])
    for rows in jaded.slices():
        fields = _fields(jaded, rows)
        made = []
        for record, more in zip(_dicts(jaded, rows), zip(*fields.values(), strict=True), strict=True):
            made.append([*(_cell(record.get(name)) for name in header), *(_shown(value) for value in more)])
        yield _csv_rows(made)


def _csv_rows(rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> str:
    """What a table can hold of a record's field: text as it is, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()


def ids(jaded: Jaded, key: str | None) -> Iterator[bytes]:
    """What each record is called, best first; the number of the line where nothing else is known."""
    for rows in jaded.slices():
        found = record_ids(jaded, rows, key) if key is not None else (jaded.lines[rows] + 1).tolist()
        yield b"".join(escape_field(f"{one}".encode("utf-8", "replace")) + b"\n" for one in found)


def other_columns(jaded: Jaded, rows: slice, taken: list[str]) -> list[tuple[str, list[bytes]]]:
    """The columns of a TSV file but for the text, which a table of the ranking has as its last."""
    parts = [part.records for part in jaded.places[0].corpus.parts if isinstance(part.records, LineRecords)]
    names = [name for records in parts if records.format == "tsv" for name in records.header]
    if not names:
        return []
    wanted = [name for name in dict.fromkeys(names) if name != parts[0].text.key]
    records = _dicts(jaded, rows)
    used = {*COLUMNS, FEATURE_ENTROPY, *jaded.more_numbers, *taken, *jaded.columns}
    return [
        (f"record_{name}" if name in used else name, [str(one.get(name, "")).encode() for one in records])
        for name in wanted
    ]


def record_ids(jaded: Jaded, rows: slice, key: str) -> list[str]:
    """One field of each record, as a string."""
    made: list[str] = [""] * (rows.stop - rows.start)
    for records, places, numbers in _by_part(jaded, rows):
        if records is None:
            raise CynicalError("--id-key names a field of records, but AVAILABLE is plain text; leave it out")
        for place, value in zip(places, records.fields(numbers, Field(key)), strict=True):
            if value is None:
                raise CynicalError(f"--id-key {key}: a record of AVAILABLE has no such field; name one that all have")
            made[place] = _cell(value)
    return made


def arrow_table(jaded: Jaded) -> Any:
    """Whole records and the ranking's fields, as an Arrow table."""
    pyarrow = _pyarrow()
    try:
        return _arrow_table(jaded, pyarrow)
    except (pyarrow.ArrowException, OverflowError) as error:
        said = " ".join(str(error).split())[:80]
        raise CynicalError(f"the records do not fit one table ({said}); write JSON lines: -o OUT.jsonl") from None


def _arrow_table(jaded: Jaded, pyarrow: Any) -> Any:
    everything = slice(0, len(jaded))
    fields = _fields(jaded, everything)
    parts = list(_by_part(jaded, everything))
    if parts and all(isinstance(records, ParquetRecords) for records, _, _ in parts):
        tables, order = [], []
        for records, places, numbers in parts:
            assert isinstance(records, ParquetRecords)
            tables.append(records.table(numbers))
            order += places
        back = np.empty(len(order), np.int64)
        back[np.array(order, np.int64)] = np.arange(len(order))
        table = pyarrow.concat_tables(tables, promote_options="permissive").take(pyarrow.array(back))
    else:
        records = _dicts(jaded, everything)
        names = dict.fromkeys(name for record in records for name in record)
        table = pyarrow.table({name: [record.get(name) for record in records] for name in names})
        if not len(jaded):
            table = pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    for name in [name for name in table.column_names if name in fields]:
        table = table.drop_columns([name])
    for name, column in fields.items():
        table = table.append_column(name, pyarrow.array(column))
    return table


def parquet(jaded: Jaded) -> Iterator[bytes]:
    _pyarrow()
    import pyarrow.parquet

    sink = io.BytesIO()
    try:
        pyarrow.parquet.write_table(arrow_table(jaded), sink, row_group_size=GROUP)
    except pyarrow.ArrowException as error:
        said = " ".join(str(error).split())[:80]
        raise CynicalError(f"the records do not fit a Parquet file ({said}); write JSON lines: -o OUT.jsonl") from None
    yield sink.getvalue()


def _fields(jaded: Jaded, rows: slice) -> dict[str, list[Any]]:
    """What the ranking says of some picks, with as many digits as in a table."""

    def digits(values: Any) -> list[float]:
        return [float(f"{value:.9g}") for value in values[rows].tolist()]

    words = jaded.best_words_of(rows)
    fields: dict[str, list[Any]] = {
        "rank": jaded.ranks_of(rows).tolist(),
        "line": (jaded.lines[rows] + 1).tolist(),
        "delta": digits(jaded.delta),
        "penalty": digits(jaded.penalty),
        "gain": digits(jaded.gain),
        "entropy": digits(jaded.entropy),
        "words": jaded.words[rows].tolist(),
        "word": words,
    }
    fields |= {name: digits(column) for name, column in jaded.more_numbers.items()}
    for name, column in jaded.more_columns(rows):
        if name not in SHARDS:
            continue  # it is in the record
        fields[name] = [cell.decode("utf-8", "replace") for cell in column]
    for side, name in enumerate(jaded.columns, 1):
        fields[name] = [text.decode("utf-8", "replace") for text in jaded.texts_of(side, rows)]
    return {PREFIX + name: values for name, values in fields.items()}


def _as_dicts(fields: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(fields, values, strict=True)) for values in zip(*fields.values(), strict=True)]


def _by_part(jaded: Jaded, rows: slice) -> Iterator[tuple[Any, list[int], list[int]]]:
    """For each part of AVAILABLE with picks: its records, where among the picks they stand, their numbers there."""
    part, number = jaded.places[0].in_files(jaded.lines[rows])
    for place in np.unique(part).tolist():
        here = np.flatnonzero(part == place)
        yield jaded.places[0].corpus.parts[place].records, here.tolist(), number[here].tolist()


def _json_records(jaded: Jaded, rows: slice) -> list[bytes]:
    """Records as JSON, byte for byte as they were if they were JSON."""
    made: list[bytes] = [b""] * (rows.stop - rows.start)
    plain = None
    for records, places, numbers in _by_part(jaded, rows):
        if isinstance(records, LineRecords) and records.format == "jsonl":
            lines = [_without_fields(line.strip()) for line in records.lines(numbers)]
        elif records is not None:
            lines = [orjson.dumps(record, default=str) for record in _clean(records.dicts(numbers))]
        else:
            plain = jaded.texts_of(0, rows) if plain is None else plain
            lines = [orjson.dumps({"text": plain[place].decode("utf-8", "replace")}) for place in places]
        for place, line in zip(places, lines, strict=True):
            made[place] = line
    return made


def _dicts(jaded: Jaded, rows: slice) -> list[dict[str, Any]]:
    """Records as Python has them; of plain text, its lines."""
    made: list[dict[str, Any]] = [{} for _ in range(rows.stop - rows.start)]
    plain = None
    for records, places, numbers in _by_part(jaded, rows):
        if records is None:
            plain = jaded.texts_of(0, rows) if plain is None else plain
            found = [{"text": plain[place].decode("utf-8", "replace")} for place in places]
        else:
            found = _clean(records.dicts(numbers))
        for place, record in zip(places, found, strict=True):
            made[place] = record
    return made


def _clean(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what an earlier ranking has written into them."""
    return [{name: value for name, value in one.items() if name not in OURS} for one in records]


def _without_fields(line: bytes) -> bytes:
    if RANK not in line:
        return line
    record = orjson.loads(line)
    return orjson.dumps(_clean([record])[0]) if RANK.decode()[1:-1] in record else line


def _joined(record: bytes, fields: dict[str, Any]) -> bytes:
    """A JSON object with more fields at its end."""
    body = record[:-1].rstrip()
    return body + (b"" if body == b"{" else b",") + orjson.dumps(fields)[1:] + b"\n"


def _shown(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise CynicalError("Parquet and Arrow need pyarrow; pip install 'cynical[parquet]'") from None
    return pyarrow
