"""A ranking as a data frame or a table in memory. Its columns have the same names in pandas, polars and Arrow:

    rank, line, delta, penalty, gain, entropy, words, word    as in every ranking; `line` counts from 1
    feature_entropy, score, shard, shard_line, id, unit       where there are n-grams, a baseline, several files, ids,
                                                              records split into units
    the fields of records other than the text                 where AVAILABLE is records
    the other sides, each by its name                         where AVAILABLE has them
    text                                                      the line itself

A field of records that would have the name of another column is called record_NAME.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import CynicalError
from .arrow import fitting, import_pyarrow, records_table
from .columns import FEATURE_ENTROPY, SHARDS, Columns
from .content import RECORD, Content, shard_columns

if TYPE_CHECKING:
    import pandas


def to_pandas(columns: Columns, content: Content) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise CynicalError("to_pandas needs pandas: pip install 'cynical[pandas]'") from error
    records = content.records(slice(0, len(columns))) if content.of_records else []
    fields = {name: None for record in records for name in record}
    own = {name: [record.get(name) for record in records] for name in fields}
    return pandas.DataFrame(_columns(columns, content, own))


def to_arrow(columns: Columns, content: Content) -> Any:
    pyarrow = import_pyarrow()
    with fitting("one table"):
        own = {}
        if content.of_records and len(columns):
            table = records_table(content, slice(0, len(columns)))
            own = dict(zip(table.column_names, table.columns, strict=True))
        made = _columns(columns, content, own)
        strings = ("word", "text", *SHARDS[::2], *content.sides)  # also where there is no line
        types = {name: pyarrow.string() for name in strings if name not in own}
        return pyarrow.table(
            {name: pyarrow.array(column, types[name]) if name in types else column for name, column in made.items()}
        )


def to_polars(columns: Columns, content: Content) -> Any:
    try:
        import polars
    except ImportError:
        raise CynicalError("to_polars needs polars: pip install 'cynical[polars]'") from None
    return polars.from_arrow(to_arrow(columns, content))


def _columns(columns: Columns, content: Content, own: dict[str, Any]) -> dict[str, Any]:
    """All columns, by name; `own` are the fields of records."""
    everything = slice(0, len(columns))
    made: dict[str, Any] = {
        "rank": columns.rank,
        "line": columns.line + 1,
        "delta": columns.delta,
        "penalty": columns.penalty,
        "gain": columns.gain,
        "entropy": columns.entropy,
        "words": columns.words,
        "word": columns.best.strings(),
        **columns.more,
    }
    made |= shard_columns(content, everything, list(columns.more))
    used = {*made, FEATURE_ENTROPY, *content.sides, "text"}
    for name, column in own.items():
        if name != content.text_key:
            made[f"{RECORD}{name}" if name in used else name] = column
    for side, name in enumerate((*content.sides, "text"), 1):
        texts = content.texts(everything, 0 if name == "text" else side)
        made[name] = [text.decode("utf-8", "replace") for text in texts]
    return made
