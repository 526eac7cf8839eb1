"""Input from a Python program: strings, columns, and records (tables, datasets, dictionaries).

A record stays where it is. Its text is copied, and its other fields are asked for when the ranking is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..errors import CynicalError
from ..options import Reading
from .checksum import Checksum
from .fields import TEXT, Field, NoText, TextKey, field_or_none, kind_in_python, text_key
from .folding import BATCH
from .units import Origin, Origins

FORMAT = "records"
FEW = 100  # strings that may be names of files
Json = dict[str, object]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryRecords:
    """Records of a Python program, by their positions."""

    text: TextKey
    rows: Callable[[list[int]], list[Json]]  # some records
    arrow: Callable[[list[int]], Any] | None = None  # the same as an Arrow table, where they have types of their own
    checksum: Checksum = Checksum()  # of the texts
    origin: Origin = Origin()  # its lines are positions, from 1
    format: str = FORMAT

    def dicts(self, numbers: Sequence[int]) -> list[Json]:
        return self.rows(self.origin.records(numbers).tolist())

    def fields(self, numbers: Sequence[int], which: Field) -> list[object]:
        return [field_or_none(which, record) for record in self.dicts(numbers)]

    def table(self, numbers: Sequence[int]) -> Any:
        """Some records as an Arrow table; None where they have no types of their own."""
        return None if self.arrow is None else self.arrow(self.origin.records(numbers).tolist())


@dataclass(frozen=True, slots=True)
class Given:
    """What was found: a text for each position, or something in its place that is no text, and the records."""

    texts: list[object]
    records: MemoryRecords | None = None


def find_texts(source: Any, role: str, reading: Reading) -> Given:
    """The strings of a list, an iterator, an array or a column; of records, one field of each."""
    if hasattr(source, "collect") and hasattr(source, "columns"):
        raise CynicalError(f"{role}: this is a lazy data frame; pass the result of its collect()")
    which = text_key(reading)
    names = getattr(source, "column_names", None)
    names = getattr(source, "columns", None) if names is None else names
    if names is not None and hasattr(source, "__getitem__"):
        return _of_table(source, list(names), which, role)
    if isinstance(source, (bytes, bytearray)) or not (isinstance(source, Iterable) or _is_listed(source)):
        raise CynicalError(
            f"{role}: expected a path, a list of paths, strings or records, found {type(source).__name__}"
        )
    items = _listed(source)
    if any(isinstance(item, Mapping) for item in items[:1]):
        return Given([_text_of(item, which) for item in items], MemoryRecords(which, _of_list(list(items))))
    if items and len(items) < FEW and all(isinstance(item, str) and _is_file(item) for item in items):
        raise CynicalError(f"{role}: strings in a list are taken as lines, but {items[0]!r} is a file; wrap it in Path")
    if reading.unit != "document":  # each string is a record of which there may be several units
        return Given(items, MemoryRecords(which, lambda numbers: [{TEXT: items[number]} for number in numbers]))
    return Given(items)


@dataclass(slots=True)
class Taken:
    """The texts, folded to lines; what is no text is an empty line, so that positions stay what they are."""

    lines: bytes = b""
    folded: bool = False
    bad: int = 0
    first_bad: str = ""
    origin: Origin = Origin()


def take_texts(given: Given, role: str, reading: Reading) -> Taken:
    """The texts of all positions; what is none is an error, or skipped."""
    made, out, origins = Taken(), bytearray(), Origins(reading.unit)
    for begin in range(0, len(given.texts), BATCH):
        batch = given.texts[begin : begin + BATCH]
        numbers = range(begin + 1, begin + len(batch) + 1)
        try:
            lines, folded = origins.fold(cast(list[str], batch), numbers)
        except (TypeError, UnicodeEncodeError):
            skip, pairs = reading.bad_records == "skip", zip(numbers, batch, strict=True)
            checked = [_checked(one, number, given, role, skip, made) for number, one in pairs]
            lines, folded = origins.fold(checked, numbers)
        out += lines
        made.folded |= folded
    made.lines, made.origin = bytes(out), origins.finish()
    return made


def _checked(text: object, number: int, given: Given, role: str, skip: bool, made: Taken) -> str:
    """A text, or nothing in place of what is none."""
    wrong = _what_is_wrong(text, given.records)
    if not wrong:
        return str(text)
    said = f"{role}: line {number}: {wrong}"
    if not skip:
        remedy = "" if given.records is not None else "give strings, records or Path objects; "
        raise CynicalError(f"{said}; {remedy}fix it, or skip such records with --bad-records skip")
    made.bad, made.first_bad = made.bad + 1, made.first_bad or said
    return ""


def _what_is_wrong(text: object, records: MemoryRecords | None) -> str:
    if not isinstance(text, str):
        return f"{kind_in_python(text)}, not a string" if records is None else records.text.wrong(text)
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        return f"cannot be encoded as UTF-8 ({error.reason})"
    return ""


def _text_of(record: object, which: TextKey) -> str | NoText:
    if not isinstance(record, Mapping):
        return NoText(f"a {type(record).__name__}, but the other items are records")
    return which.or_none(record)


def _of_list(items: list[Any]) -> Callable[[list[int]], list[Json]]:
    return lambda numbers: [dict(items[number]) for number in numbers]


def _of_table(source: Any, names: list[Any], which: TextKey, role: str) -> Given:
    table = source.with_format(None) if hasattr(source, "with_format") else source
    columns = {name: _listed(table[name]) for name in which.columns(names, role)}
    return Given(which.of_columns(columns), _records_of(source, names, which))


def _records_of(source: Any, names: list[Any], which: TextKey) -> MemoryRecords:
    """How rows of a table are found again, whichever library it is of."""
    if hasattr(source, "iloc"):  # pandas
        frame = source.copy(deep=False)  # so that columns can be added to it
        return MemoryRecords(which, lambda numbers: frame.iloc[numbers].to_dict("records"))
    if hasattr(source, "with_format"):  # datasets of Hugging Face
        return MemoryRecords(
            which,
            lambda numbers: list(_rows(source.with_format(None)[numbers])),
            lambda numbers: source.with_format("arrow")[numbers],
        )
    if hasattr(source, "to_dicts"):  # polars
        return MemoryRecords(
            which, lambda numbers: source[numbers].to_dicts(), lambda numbers: source[numbers].to_arrow()
        )
    if hasattr(source, "take") and hasattr(source, "to_pylist"):  # Arrow
        return MemoryRecords(
            which,
            lambda numbers: source.take(numbers).to_pylist(),
            lambda numbers: _as_table(source.take(numbers)),
        )
    columns = {name: _listed(source[name]) for name in names}
    return MemoryRecords(
        which, lambda numbers: [{name: values[one] for name, values in columns.items()} for one in numbers]
    )


def _rows(columns: Mapping[str, Sequence[object]]) -> Iterator[Json]:
    return (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _as_table(rows: Any) -> Any:
    """Arrow's rows as a table; a record batch is none."""
    import pyarrow

    return pyarrow.Table.from_batches([rows]) if isinstance(rows, pyarrow.RecordBatch) else rows


def _is_listed(source: Any) -> bool:
    return any(hasattr(source, listed) for listed in ("to_pylist", "to_list", "tolist"))


def _listed(source: Any) -> list[object]:
    """The values of a column, or the items of anything."""
    for listed in ("to_pylist", "to_list", "tolist"):
        if hasattr(source, listed):
            return cast(list[object], getattr(source, listed)())
    if hasattr(source, "source") and hasattr(source, "column_name"):  # of a dataset, whose items take long one by one
        source = source[:]
    return source if isinstance(source, list) else list(source)


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113 - any string may come here, also one that no path can be
