"""Which fields of a record are meant, and which of them are its text.

    text                        a field of JSON lines, a column of a table, a key of a dictionary
    meta.text                   a field within a field
    title,body                  several: their texts with a line break between them
    messages[].content          a field of every item of a list, such as the messages of a chat
    3                           the third column of a table without a header
    {instruction}\\n{output}     a template (--text-template), with fields as above in braces

A name that a record really has is that field, whatever is in the name: commas, dots or brackets. Below a `[]`, a value
may also be a list of parts, as chats have them ({"type": "text", "text": "..."}); there, null and parts that are no
text, such as images, give nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import CynicalError
from ..options import Reading

TEXT = "text"  # the field that is the text, if nobody says otherwise
EACH = "[]"  # every item of a list
BREAK = "\n"  # between the texts of several fields, and of the items of a list
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\", "{{": "{", "}}": "}"}
TOKEN = re.compile(r"\\[nt\\]|\{\{|\}\}|\{[^{}]*\}|[{}]")  # what of a template is not meant as it is
USUAL = ("content", TEXT, "value")  # what the texts of a list are called, mostly
SHOWN = 12  # keys of a record in a message


@dataclass(frozen=True, slots=True)
class Field:
    """Which field of a record is meant: a name (dots lead into nested records), or the number of a column from 1 on."""

    key: str

    @property
    def path(self) -> list[str]:
        return self.key.split(".")

    def of(self, record: object) -> object:
        """The field of a record; KeyError if there is none."""
        if isinstance(record, dict) and self.key in record:
            return record[self.key]
        for name in self.path:
            if not isinstance(record, dict) or name not in record:
                raise KeyError(self.key)
            record = record[name]
        return record


def field_or_none(which: Field, record: object) -> object:
    """The field of a record, or None if there is none."""
    try:
        return which.of(record)
    except KeyError:
        return None


class NoTextError(Exception):
    """A record that has no text where it should: what is wrong with it."""


@dataclass(frozen=True, slots=True)
class NoText:
    """What is in the place of a text that a record does not have."""

    said: str


class MissingError(NoTextError):
    """A field that a record does not have."""


@dataclass(frozen=True, slots=True)
class Path:
    """The way to texts within a record: names, and `[]` for every item of a list."""

    key: str
    steps: tuple[str, ...]

    @classmethod
    def parsed(cls, key: str) -> Path:
        steps: list[str] = []
        for name in key.split("."):
            bare = name
            while bare.endswith(EACH) and bare != EACH:
                bare = bare.removesuffix(EACH)
            steps += [bare, *[EACH] * ((len(name) - len(bare)) // len(EACH))]
        return cls(key, tuple(steps))

    def column(self, names: Sequence[str]) -> str | None:
        """The column of a table that it leads into; None if there is none."""
        return next((name for name in (self.key, self.steps[0]) if name in names), None)

    def text(self, record: Mapping[str, object]) -> str:
        """The text of a record; NoTextError if there is none."""
        if self.key in record:
            found = record[self.key]
            if isinstance(found, str):
                return found
            raise NoTextError(not_text(self.key, found))
        here: Any = record
        for name in self.steps:  # mostly all names are there, and lead to a string
            here = here.get(name) if isinstance(here, dict) else None
        if isinstance(here, str):
            return here
        missing: list[str] = []
        texts = list(self._walk(record, self.steps, "", missing))
        if missing and not texts:
            raise MissingError(f"no field {self.key!r}; the record has {_keys(record)}{missing[0]}")
        return texts[0] if len(texts) == 1 else BREAK.join(texts)

    def _walk(self, value: Any, steps: Sequence[str], before: str, missing: list[str]) -> Iterator[str]:
        """The texts that some steps lead to from a value, which is found at `before`; what is missing on the way."""
        if not steps:
            yield from self._end(value, before)
        elif value is None and EACH in before:
            return
        elif steps[0] == EACH:
            items = as_list(value)
            if items is None:
                raise NoTextError(f"field {before!r} is {kind_of_value(value)}, not a list; omit []")
            for item in items:
                yield from self._walk(item, steps[1:], before + EACH, missing)
        elif not isinstance(value, Mapping):
            raise NoTextError(f"field {before!r} is {kind_of_value(value)}, not an object with a field {steps[0]!r}")
        elif steps[0] in value:
            yield from self._walk(value[steps[0]], steps[1:], f"{before}.{steps[0]}".lstrip("."), missing)
        else:
            missing.append(f", and {before!r} has {_keys(value)}" if before else "")

    def _end(self, value: Any, where: str) -> Iterator[str]:
        """The texts of a value at the end of the path: a string or, below a list, parts that may be strings."""
        if isinstance(value, str):
            yield value
            return
        if EACH not in where:
            raise NoTextError(not_text(where, value))
        for part in [value] if (items := as_list(value)) is None else items:
            if isinstance(part, str):
                yield part
            elif isinstance(part, Mapping) and isinstance(part.get(TEXT), str):
                yield part[TEXT]
            elif part is not None and not (isinstance(part, Mapping) and "type" in part and part.get(TEXT) is None):
                raise NoTextError(not_text(where, part))


@dataclass(frozen=True, slots=True)
class TextKey:
    """How the text of a record is made: from which fields, and what is before, between and after them."""

    key: str | None  # as it was given
    template: str | None
    paths: tuple[Path, ...]
    around: tuple[str, ...]  # before each field, and after the last

    @property
    def option(self) -> str:
        """What says which fields are the text."""
        return "--text-key" if self.template is None else "--text-template"

    @property
    def given(self) -> str:
        """The same with its value."""
        return f"{self.option} {self.key if self.template is None else self.template}"

    @property
    def name(self) -> str | None:
        """The one field that is the text, if nothing else can be meant."""
        return self.key if self.template is None and self.paths[0].steps == (self.key,) else None

    @property
    def keys(self) -> list[str]:
        return [path.key for path in self.paths]

    def columns(self, names: Sequence[Any], where: str) -> list[Any]:
        """The columns of a table that are needed; an error names what there is."""
        if self._is_one(names):
            return [self.key]
        found = [path.column(names) for path in self.paths]
        for path, column in zip(self.paths, found, strict=True):
            if column is None:
                known = ", ".join(map(str, names))
                raise CynicalError(
                    f"{where}: no column {path.key!r}; the columns are {known}; choose one with {self.option}"
                )
        return list(dict.fromkeys(found))

    def places(self, header: Sequence[str], where: str) -> list[int]:
        """The columns of a table of strings, each by its place."""
        if len(set(header)) < len(header):
            twice = next(one for one in header if list(header).count(one) > 1)
            raise CynicalError(f"{where}: two columns are named {twice!r}; rename one of them")
        wanted = [str(self.key)] if self._is_one(header) else self.keys
        for one in wanted:
            if one not in header:
                raise CynicalError(
                    f"{where}: no column {one!r}; the columns are {', '.join(header)}; choose one with {self.option}"
                )
        return [list(header).index(one) for one in wanted]

    @property
    def numbers(self) -> list[int] | None:
        """Columns given by their numbers, from 1 on; then a table has no header."""
        if not all(key.isdecimal() and int(key) >= 1 for key in self.keys):
            return None
        return [int(key) - 1 for key in self.keys]

    def fits(self, cells: Sequence[str]) -> bool:
        """May these be the first row of a table that has its columns?"""
        if self.numbers is not None:
            return max(self.numbers) < len(cells)
        return self._is_one(cells) or all(key in cells for key in self.keys)

    def of(self, record: Mapping[str, object]) -> str:
        """The text of a record; NoTextError if it has none."""
        if self._is_one(record):
            found = record[str(self.key)]
            if isinstance(found, str):
                return found
            raise NoTextError(not_text(str(self.key), found))
        try:
            return self.filled([path.text(record) for path in self.paths])
        except MissingError as error:
            raise NoTextError(f"{error} (choose the text with {self.option})") from None

    def or_none(self, record: Mapping[str, object]) -> str | NoText:
        """The same, with what is wrong in place of a text."""
        try:
            return self.of(record)
        except NoTextError as error:
            return NoText(str(error))

    def of_columns(self, columns: Mapping[str, Sequence[object]]) -> list[object]:
        """The texts of the rows of some columns; what is no string is no text."""
        if self.key in columns and len(columns) == 1:
            return list(columns[str(self.key)])
        return [self.or_none(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]

    def filled(self, texts: Sequence[str]) -> str:
        """The text that the texts of the fields make."""
        if len(texts) == 1 and self.template is None:
            return texts[0]
        pieces = [piece for pair in zip(self.around, texts, strict=False) for piece in pair]
        return "".join([*pieces, self.around[-1]])

    def wrong(self, found: object) -> str:
        """What is wrong with something in place of a text."""
        if isinstance(found, NoText):
            return found.said
        return not_text(str(self.key), found)

    def _is_one(self, names: Sequence[Any] | Mapping[str, object]) -> bool:
        """Is there a field whose name is all of the key?"""
        return self.template is None and self.key in names


def text_key(reading: Reading) -> TextKey:
    """Which part of a record is the text."""
    if reading.text_template is not None:
        paths, around = _parsed(reading.text_template)
        return TextKey(None, reading.text_template, tuple(map(Path.parsed, paths)), tuple(around))
    key = TEXT if reading.text_key is None else reading.text_key
    names = [name.strip() for name in key.split(",")] if "," in key else [key]
    if not all(names):
        raise CynicalError(f"--text-key {key}: a name is missing before or after a comma; write it like title,body")
    return TextKey(key, None, tuple(map(Path.parsed, names)), ("", *[BREAK] * (len(names) - 1), ""))


def _parsed(template: str) -> tuple[list[str], list[str]]:
    """The fields of a template, and what is around them."""
    fields: list[str] = []
    around, at = [""], 0
    for found in TOKEN.finditer(template):
        around[-1] += template[at : found.start()]
        at, token = found.end(), found[0]
        if token in ESCAPES:
            around[-1] += ESCAPES[token]
        elif len(token) == 1:
            raise CynicalError(
                f"--text-template {shlex.quote(template)}: a {token} without its {'}' if token == '{' else '{'}; "
                f"write {token * 2} for the character itself"
            )
        elif not token[1:-1].strip():
            raise CynicalError(
                f"--text-template {shlex.quote(template)}: {{}} has no field name; write it like {{text}}"
            )
        else:
            fields.append(token[1:-1].strip())
            around.append("")
    around[-1] += template[at:]
    if not fields:
        raise CynicalError(
            f"--text-template {shlex.quote(template)}: the template has no field; write it like {{title}}\\n{{body}}"
        )
    return fields, around


def as_list(value: Any) -> list[Any] | None:
    """The items of a list, a tuple or an array; None of anything else."""
    if isinstance(value, (list, tuple)):
        return list(value)
    return value.tolist() if hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1 else None


def not_text(where: str, value: Any) -> str:
    """What is wrong with a field that is no string, for a message."""
    said = f"field {where!r} is {kind_of_value(value)}, not a string"
    items = as_list(value)
    if items is None or EACH in where:
        return said
    first = items[0] if items else None
    keys = list(first) if isinstance(first, Mapping) else []
    deeper = "".join(f".{key}" for key in [*(one for one in USUAL if one in keys), *keys][:1])
    return f"{said}; {where}{EACH}{deeper} takes the texts of its items"


def kind_of_value(value: object) -> str:
    """What a JSON value is, for a message."""
    names = {
        "NoneType": "null",
        "int": "a number",
        "float": "a number",
        "dict": "an object",
        "list": "a list",
        "str": "a string",
    }
    return names.get(type(value).__name__) or kind_in_python(value)


def kind_in_python(value: object) -> str:
    """The type of a value, with its article: "an int", "bytes"."""
    name = type(value).__name__
    return name if name == "bytes" else f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def _keys(record: object) -> str:
    keys = [str(key) for key in record] if isinstance(record, Mapping) else []
    more = f", and {len(keys) - SHOWN:,} more" if len(keys) > SHOWN else ""
    return ", ".join(keys[:SHOWN]) + more or "none"
