"""What a Python program gives: strings, columns, and records: tables, datasets, dictionaries.

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
from .folding import BATCH, fold_all
from .records import TEXT, Field, field_or_none, kind_of_value

FORMAT = "records"
FEW = 100  # strings that may be names of files
Json = dict[str, object]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryRecords:
    """Records of a Python program, by their positions."""

    text: Field
    rows: Callable[[list[int]], list[Json]]  # some records
    arrow: Callable[[list[int]], Any] | None = None  # the same as an Arrow table, where they have types of their own
    checksum: Checksum = Checksum()  # of the texts
    format: str = FORMAT

    def dicts(self, numbers: Sequence[int]) -> list[Json]:
        return self.rows(list(numbers))

    def fields(self, numbers: Sequence[int], which: Field) -> list[object]:
        return [field_or_none(which, record) for record in self.dicts(numbers)]

    def table(self, numbers: Sequence[int]) -> Any:
        """Some records as an Arrow table; None where they have no types of their own."""
        return None if self.arrow is None else self.arrow(list(numbers))


@dataclass(frozen=True, slots=True)
class Given:
    """What was found: a text for each position, or something in its place that is no text, and the records."""

    texts: list[object]
    records: MemoryRecords | None = None


def find_texts(source: Any, role: str, reading: Reading) -> Given:
    """The strings of a list, an iterator, an array or a column; of records, one field of each."""
    if hasattr(source, "collect") and hasattr(source, "columns"):
        raise CynicalError(f"{role}: this data frame has no rows yet; give what its collect() returns")
    which = Field(TEXT if reading.text_key is None else reading.text_key)
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
        raise CynicalError(f"{role}: strings in a list are lines, but {items[0]!r} is a file; wrap it in Path")
    return Given(items)


@dataclass(slots=True)
class Taken:
    """The texts, folded to lines; what is no text is an empty line, so that positions stay what they are."""

    lines: bytes = b""
    folded: bool = False
    bad: int = 0
    first_bad: str = ""


def take_texts(given: Given, role: str, skip: bool) -> Taken:
    """The texts of all positions; what is none is an error, or skipped."""
    made, out = Taken(), bytearray()
    for begin in range(0, len(given.texts), BATCH):
        batch = given.texts[begin : begin + BATCH]
        try:
            lines, folded = fold_all(cast(list[str], batch))
        except (TypeError, UnicodeEncodeError):
            lines, folded = fold_all(
                [_checked(one, number, given, role, skip, made) for number, one in enumerate(batch, begin + 1)]
            )
        out += lines
        made.folded |= folded
    made.lines = bytes(out)
    return made


def _checked(text: object, number: int, given: Given, role: str, skip: bool, made: Taken) -> str:
    """A text, or nothing in place of what is none."""
    wrong = _what_is_wrong(text, given.records)
    if not wrong:
        return str(text)
    said = f"{role}: line {number} {wrong}"
    if not skip:
        remedy = "" if given.records is not None else "give strings, records or Path objects; "
        raise CynicalError(f"{said}; {remedy}fix it, or give --bad-records skip")
    made.bad, made.first_bad = made.bad + 1, made.first_bad or said
    return ""


def _what_is_wrong(text: object, records: MemoryRecords | None) -> str:
    if isinstance(text, _Missing):
        return text.said
    if not isinstance(text, str):
        called = type(text).__name__
        return (
            f"is a {called}" if records is None else f"has {kind_of_value(text)} in {records.text.key!r}, not a string"
        )
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        return f"cannot be written as UTF-8 ({error.reason})"
    return ""


@dataclass(frozen=True, slots=True)
class _Missing:
    """What is in the place of a text that a record does not have."""

    said: str


def _text_of(record: object, which: Field) -> object:
    if not isinstance(record, Mapping):
        return _Missing(f"is a {type(record).__name__}, where others are records")
    try:
        return which.of(record)
    except KeyError:
        return _Missing(f"has no field {which.key!r}; it has {', '.join(map(str, record)) or 'none'}")


def _of_list(items: list[Any]) -> Callable[[list[int]], list[Json]]:
    return lambda numbers: [dict(items[number]) for number in numbers]


def _of_table(source: Any, names: list[Any], which: Field, role: str) -> Given:
    top = which.key if which.key in names else which.path[0]
    if top not in names:
        known = ", ".join(map(str, names))
        raise CynicalError(f"{role}: no column {which.key!r}; it has {known}: name one with --text-key")
    texts = _listed(source[top])
    if top != which.key:
        texts = [field_or_none(which, {top: value}) for value in texts]
    return Given(texts, _records_of(source, names, which))


def _records_of(source: Any, names: list[Any], which: Field) -> MemoryRecords:
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
    return source if isinstance(source, list) else list(source)


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113 - any string may come here, also one that no path can be
