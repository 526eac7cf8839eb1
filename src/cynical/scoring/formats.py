"""Scored lines in the formats that other tools read: numbers alone, tables, and whole records with fields added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from ..jaded.arrow import fitting, records_table, with_fields
from ..jaded.columns import SHARDS, UNIT
from ..jaded.content import PREFIX, RECORD, Cells, Json, as_cell, as_json, pack, units_of, without
from ..jaded.formats import shown
from ..jaded.rows import digits
from ..jaded.tsv import escape_field, write_lines
from ..text.fields import TEXT
from ..text.records import load_json
from .lines import FIELDS
from .stream import Scored
from .tables import TABLES, CellRows, csv_of, parquet_of, part_of

if TYPE_CHECKING:
    from .._kernels.tsv import Texts

CLASSIFIER = "classifier"
OURS = {PREFIX + name for name in (*FIELDS, CLASSIFIER, UNIT, TEXT)}
MARK = f'"{PREFIX}{FIELDS[-1]}"'.encode()  # tells a record that was scored before


def to_bytes(format: str, stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[list[bytes]]:
    """What goes to each file, some lines at a time; `sides` is what the other sides are called."""
    if format == "text":
        return _lines(stream)
    writers: dict[str, Callable[[Iterator[Scored], Sequence[str]], Iterator[bytes]]] = {
        "scores": _scores,
        "tsv": _table,
        "jsonl": _json_lines,
        "csv": _csv,
        "parquet": _parquet,
    }
    return ([piece] for piece in writers[format](stream, sides))


def to_part(format: str, stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[list[bytes]]:
    """The same for a part, of which others are put before and after."""
    if format not in TABLES:
        return to_bytes(format, stream, sides)
    made = (_cells_of if format == "csv" else _arrow_of)(stream, sides)
    return ([piece] for piece in part_of(format, made))


def _lines(stream: Iterator[Scored]) -> Iterator[list[bytes]]:
    """The lines alone, each side for a file of its own."""
    for scored in stream:
        yield [b"".join(write_lines(content)) for content in (scored.content, *scored.others)]


def _scores(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[bytes]:
    """One number per line."""
    for scored in stream:
        yield _numbers([scored.scores.score], pack([]))


def _table(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[bytes]:
    """Numbers, what else rows of a table have, the other sides, and the text."""
    begun = False
    for scored in stream:
        further = _further(scored)
        if not begun:
            names = list(scored.scores.columns)
            others = [name if name not in names else f"{RECORD}{name}" for name, _ in further]
            yield "\t".join((*names, *others, *sides, "text")).encode() + b"\n"
            begun = True
        yield _numbers(list(scored.scores.columns.values()), _cells(scored, further))


def _cells(scored: Scored, further: Cells) -> Texts:
    """The columns of a table after its numbers."""
    content, everything = scored.content, slice(0, len(scored))
    if content.plain and not scored.others:
        return content.packed(everything, [0])
    texts = content.texts(everything)
    cells = [column for _, column in further]
    cells += [[escape_field(text) for text in other.texts(everything)] for other in scored.others]
    cells.append([escape_field(text) for text in texts] if content.escaped else texts)
    return pack([cell for row in zip(*cells, strict=True) for cell in row])


def _further(scored: Scored) -> Cells:
    """What else rows have; not where a record is in its file, of which only some lines are known here."""
    return [one for one in scored.content.further(slice(0, len(scored))) if one[0] not in SHARDS[:2]]


def _numbers(columns: Sequence[Any], cells: Texts) -> bytes:
    """Rows of numbers followed by cells."""
    from .._kernels.tsv import NUMBER, write_numbers

    number = np.ascontiguousarray(np.stack([np.asarray(column, np.float64) for column in columns], axis=1))
    out = np.empty(len(cells.blob) + len(cells.start) + number.size * (NUMBER + 1), np.uint8)
    return out[: write_numbers(out, number, cells)].tobytes()


def _json_lines(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[bytes]:
    """Records as they were, with added fields at the end."""
    for scored in stream:
        columns, strings = scored.scores.columns, _strings_of(scored, sides)
        numbers = _numbers(list(columns.values()), pack([])).split(b"\n")
        layout = b",".join(b'"%b":%%b' % (PREFIX + name).encode() for name in columns)
        records = scored.content.json_records(slice(0, len(scored)))
        if MARK in b"\n".join(records):  # a look at each takes longer
            records = [_without_ours(record, _ours(scored)) for record in records]
        made: list[bytes] = []
        for place, record in enumerate(records):
            comma = b"" if record[:-1].rstrip() == b"{" else b","
            more = layout % tuple(numbers[place].split(b"\t"))
            rest = b"," + orjson.dumps({name: texts[place] for name, texts in strings.items()})[1:] if strings else b"}"
            made += (record[:-1], comma, more, rest, b"\n")
        yield b"".join(made)


def _fields(scored: Scored, sides: Sequence[str]) -> dict[str, list[Any]]:
    """What records get, by name."""
    made: dict[str, list[Any]] = {}
    for name, column in scored.scores.columns.items():
        made[PREFIX + name] = column.tolist() if name == "words" else digits(column)
    return made | _strings_of(scored, sides)


def _strings_of(scored: Scored, sides: Sequence[str]) -> dict[str, list[Any]]:
    """Of these, what are no scores: which part of its record a line is, and the other sides."""
    made: dict[str, list[Any]] = {}
    units = units_of(scored.content, slice(0, len(scored)))
    if units is not None:  # the record has the whole text
        made[PREFIX + UNIT] = list(map(int, units))
        made[PREFIX + TEXT] = _strings(scored.content.texts(slice(0, len(scored))))
    for name, other in zip(sides, scored.others, strict=True):
        made[PREFIX + name] = _strings(other.texts(slice(0, len(scored))))
    return made


def _strings(texts: Sequence[bytes]) -> list[str]:
    return [text.decode("utf-8", "replace") for text in texts]


def _without_ours(line: bytes, ours: set[str]) -> bytes:
    return line if MARK not in line else as_json(without(load_json(line), ours))


def _ours(scored: Scored) -> set[str]:
    """Fields of an earlier score, which are left out; the text stays, also if it is one of them."""
    return OURS if scored.content.text_key not in OURS else OURS - {PREFIX + UNIT, PREFIX + TEXT}


def _records(scored: Scored) -> list[Json]:
    return [without(record, _ours(scored)) for record in scored.content.records(slice(0, len(scored)))]


def _csv(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[bytes]:
    return csv_of(_cells_of(stream, sides))


def _cells_of(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[CellRows]:
    for scored in stream:
        records, fields = _records(scored), _fields(scored, sides)
        names = list(dict.fromkeys(name for record in records for name in record))
        rows = [[as_cell(record[name]) if name in record else None for name in names] for record in records]
        yield CellRows(
            names, rows, list(fields), [list(map(shown, values)) for values in zip(*fields.values(), strict=True)]
        )


def _parquet(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[bytes]:
    return parquet_of(_arrow_of(stream, sides))


def _arrow_of(stream: Iterator[Scored], sides: Sequence[str]) -> Iterator[Any]:
    for scored in stream:
        with fitting("one table"):
            table = records_table(scored.content, slice(0, len(scored)))
            yield with_fields(table, _fields(scored, sides))
