"""Rows as JSON lines: whole records as they were, with added fields at the end."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from .content import Json
from .rows import RowBatches


def write_json_lines(batches: RowBatches) -> Iterator[bytes]:
    """Records as they were, with added fields at the end."""
    for content, rows, find_fields in batches:
        fields = find_fields()
        values = (dict(zip(fields, some, strict=True)) for some in zip(*fields.values(), strict=True))
        yield b"".join(_joined(raw, more) for raw, more in zip(content.json_records(rows), values, strict=True))


def _joined(record: bytes, fields: Json) -> bytes:
    """A JSON object with more fields at its end."""
    body = record[:-1]
    return body + (b"" if body.rstrip() == b"{" else b",") + orjson.dumps(fields)[1:] + b"\n"
