"""A ranking as JSON lines: whole records, each with the ranking's fields behind its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import orjson
from numpy.typing import NDArray

from ..text.fields import TEXT
from .columns import Columns, batches
from .content import PREFIX, Content, Json, shard_columns


def write_json_lines(columns: Columns, content: Content) -> Iterator[bytes]:
    """Records as they were, with the ranking's fields behind their own."""
    for rows in batches(len(columns)):
        fields = ranking_fields(columns, content, rows)
        values = (dict(zip(fields, some, strict=True)) for some in zip(*fields.values(), strict=True))
        yield b"".join(joined_record(raw, more) for raw, more in zip(content.json_records(rows), values, strict=True))


def ranking_fields(columns: Columns, content: Content, rows: slice) -> dict[str, Sequence[object]]:
    """What records get, by name: what the ranking says of them, with as many digits as in a table."""
    here = columns.take(rows)
    fields: dict[str, Sequence[object]] = {
        "rank": here.rank.tolist(),
        "line": (here.line + 1).tolist(),
        "delta": digits(here.delta),
        "penalty": digits(here.penalty),
        "gain": digits(here.gain),
        "entropy": digits(here.entropy),
        "words": here.words.tolist(),
        "word": here.best.strings(),
    }
    fields |= {name: digits(column) for name, column in here.more.items()}
    fields |= shard_columns(content, rows, list(here.more))
    if content.split:  # the record has the whole text
        fields[TEXT] = [text.decode("utf-8", "replace") for text in content.texts(rows)]
    for side, name in enumerate(content.sides, 1):
        fields[name] = [text.decode("utf-8", "replace") for text in content.texts(rows, side)]
    return {PREFIX + name: values for name, values in fields.items()}


def digits(values: NDArray[np.float64]) -> list[float]:
    return [float(f"{value:.9g}") for value in values.tolist()]


def joined_record(record: bytes, fields: Json) -> bytes:
    """A JSON object with more fields at its end."""
    body = record[:-1]
    return body + (b"" if body.rstrip() == b"{" else b",") + orjson.dumps(fields)[1:] + b"\n"
