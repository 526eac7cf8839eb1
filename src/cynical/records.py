"""Records: what is written as JSON and read back, each a type with named fields.

A record is written, read, checked and described (JSON Schema) here, whatever it is about. Fields that are UNSET are not
written. The keys of the JSON are the names of the fields, unless a field says otherwise, as in
`msgspec.field(name="2-grams")`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self, dataclass_transform

import msgspec
import orjson

Json = dict[str, Any]  # what a record is outside of Python


class RecordType(msgspec.StructMeta):
    """Fields of every record are given by name, in whatever order; msgspec would ask each class to say so."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, object], **options: object
    ) -> RecordType:
        options = {"kw_only": True, "frozen": True, **options}
        return super().__new__(mcls, name, bases, namespace, **options)  # type: ignore[arg-type]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, metaclass=RecordType, frozen=True, kw_only=True):
    """A part of a JSON file, by attribute (`summary.stop.lines`) or by the key of the file (`summary["stop"]`)."""

    def __getitem__(self, key: str) -> Any:
        for field in msgspec.structs.fields(self):
            if key == field.encode_name:
                value = getattr(self, field.name)
                if value is not msgspec.UNSET:
                    return value
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return key in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        """The keys that the JSON has."""
        fields = msgspec.structs.fields(self)
        return [field.encode_name for field in fields if getattr(self, field.name) is not msgspec.UNSET]

    def to_dict(self) -> Json:
        """As Python's own dictionaries, lists and numbers."""
        made: Json = msgspec.to_builtins(self)
        return made

    def to_json(self) -> bytes:
        """As it is written to a file."""
        return orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    def replaced(self, **changes: object) -> Self:
        """The same with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    @classmethod
    def from_dict(cls, given: object) -> Self:
        """Checked: raises msgspec.ValidationError, which names the field and what was found."""
        return msgspec.convert(given, cls)

    @classmethod
    def schema(cls) -> Json:
        """A JSON Schema (2020-12) of the file."""
        return msgspec.json.schema(cls)
