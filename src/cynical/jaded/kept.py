"""Content that can be pickled: how a ranking finds its texts again.

Texts of files are not carried along: the files are opened again when somebody asks for a text, if they are what they
were. Texts from elsewhere (strings of a Python program, standard input, addresses) are kept, those of the picks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..errors import CynicalError
from ..options import Reading
from ..options.reading import InputFormat
from ..progress import Progress
from ..text.corpus import Corpus, File
from ..text.fields import Field, field_or_none
from ..text.paths import is_remote
from ..text.places import LocalPlaces, find_lines
from ..text.reader import number_of_jobs
from ..text.records import load_json
from ..text.sources import from_paths
from .columns import Numbers, Rows
from .content import Cells, Content, Json, PoolContent, pack_lines
from .signature import hash_of_corpus
from .summary import is_there

if TYPE_CHECKING:
    from .._kernels.tsv import Texts


class Recipe(Protocol):
    """How content is found again."""

    def open(self) -> Content: ...


@dataclass(frozen=True, slots=True, eq=False)
class PoolRecipe:
    """AVAILABLE and its other sides are files: which, and which lines of them."""

    files: Sequence[Sequence[File]]  # by side
    lines: int  # that AVAILABLE had
    hashes: Sequence[int | None]  # by side, of the files, as far as they are known
    reading: Reading
    line: Numbers | None  # None for all
    sides: Sequence[str]
    id_key: str | None
    names: Sequence[str] | None = None  # what to open the files of the first side by, if not by their paths

    def open(self) -> PoolContent:
        return self.at(self.line)

    def at(self, line: Numbers | None) -> PoolContent:
        """Some lines, or all."""
        places = [self._side(number) for number in range(len(self.files))]
        return PoolContent(places, np.arange(self.lines) if line is None else line, self.sides, self.id_key)

    def _side(self, side: int) -> LocalPlaces:
        files, known = self.files[side], self.hashes[side]
        changed = [file.path for file in files if not (known is not None if is_remote(file.path) else is_there(file))]
        corpus = None if changed else self._corpus(side)
        found = None if corpus is None else find_lines(corpus, number_of_jobs(None), Progress(False), "AVAILABLE")
        as_it_was = corpus is not None and (known is None or hash_of_corpus(corpus) == known)
        if found is None or len(found) != self.lines or not as_it_was:
            named = changed[0] if changed else files[0].path
            raise CynicalError(
                f"{named} has changed since the ranking was made, so its texts cannot be read; restore the file, or "
                "make the ranking again"
            )
        return found

    def _corpus(self, side: int) -> Corpus:
        named = self.names is not None and side == 0
        return from_paths([file.path for file in self.files[side]] if not named else self.names or [], self.reading)


def portable(content: Content) -> Recipe:
    """How content that is not in the ranking's own file is found again."""
    if isinstance(content, PoolContent):
        corpora = [place.corpus for place in content.places]
        if all(part.path is not None for corpus in corpora for part in corpus.parts):
            files = [corpus.files for corpus in corpora]
            hashes = [hash_of_corpus(corpus) if corpus.read else None for corpus in corpora]
            lines, reading = len(content.places[0]), reading_of(corpora[0])
            return PoolRecipe(files, lines, hashes, reading, content.line, content.sides, content.id_key)
    return keep(content)


def reading_of(corpus: Corpus) -> Reading:
    """How a corpus was read."""
    of_records = [part.records for part in corpus.parts if part.records is not None]
    if not of_records:
        return Reading()
    first = of_records[0]
    return Reading(
        first.text.key,
        first.text.template,
        first.origin.unit,
        bad_records="skip" if corpus.bad else "error",
        input_format=cast(InputFormat, first.format),
    )


@dataclass(frozen=True, slots=True, eq=False)
class KeptContent:
    """Picks whose texts are here."""

    kept: Sequence[Sequence[bytes]]  # texts, by side
    sides: Sequence[str]
    of_records: bool
    escaped: bool
    split: bool
    cells: Cells
    json: Sequence[bytes]  # whole records
    text_key: str | None
    called: Sequence[str] | None  # what the records are called

    def open(self) -> KeptContent:
        return self

    @property
    def plain(self) -> bool:
        return not (self.escaped or self.cells or any(b"\n" in text for side in self.kept for text in side))

    def __len__(self) -> int:
        return len(self.kept[0])

    def take(self, rows: Rows) -> KeptContent:
        return replace(
            self,
            kept=[_some(side, rows) for side in self.kept],
            cells=self.further(rows),
            json=_some(self.json, rows),
            called=self.ids(rows),
        )

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        return _some(self.kept[side], rows)

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        return pack_lines(self, rows, sides)

    def further(self, rows: Rows) -> Cells:
        return [(name, _some(column, rows)) for name, column in self.cells]

    def records(self, rows: Rows) -> list[Json]:
        return [load_json(record) for record in _some(self.json, rows)]

    def json_records(self, rows: Rows) -> list[bytes]:
        return _some(self.json, rows)

    def fields(self, rows: Rows, key: str) -> list[Any] | None:
        found = [field_or_none(Field(key), record) for record in self.records(rows)]
        return None if not self.of_records or any(value is None for value in found) else found

    def ids(self, rows: Rows) -> list[str] | None:
        return None if self.called is None else _some(self.called, rows)

    def arrow(self, rows: Rows) -> Any:
        return None


def keep(content: Content) -> KeptContent:
    """The texts of picks, taken into memory."""
    everything = slice(0, len(content))
    sides = range(1 + len(content.sides))
    return KeptContent(
        [content.texts(everything, side) for side in sides],
        content.sides,
        content.of_records,
        content.escaped,
        content.split,
        content.further(everything),
        content.json_records(everything),
        content.text_key,
        content.ids(everything),
    )


def _some(items: Sequence[Any], rows: Rows) -> list[Any]:
    return list(items[rows]) if isinstance(rows, slice) else [items[row] for row in rows.tolist()]
