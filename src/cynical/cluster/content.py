"""The content of picks whose lines are on workers; it is requested some picks at a time.

So a ranking is written by the code that writes one of a single machine: in every format, to one file or to shards, in
any order, here or to a remote store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..jaded.arrow import import_pyarrow
from ..jaded.columns import Rows
from ..jaded.content import Cells, Json, PoolContent, pack_lines
from ..jaded.jaded import Jaded
from ..text.checksum import Checksum
from ..text.corpus import Corpus
from ..text.partition import Piece
from ..text.places import Numbers, Places
from .available import ShardedAvailable, Shards
from .messages import About, pickled
from .places import ShardPlaces

if TYPE_CHECKING:
    from .._kernels.tsv import Texts


class Traits(NamedTuple):
    """What kind of content picks have (see Content)."""

    of_records: bool
    escaped: bool
    split: bool
    text_key: str | None
    plain: bool


@dataclass(frozen=True, slots=True, eq=False)
class ShardedContent:
    """Picks by their lines in AVAILABLE, which workers have."""

    line: Numbers  # of each pick, from 0
    sides: Sequence[str]
    id_key: str | None
    traits: Traits
    shards: Shards
    about: Sequence[bytes]  # by shard, what it must know to answer, pickled
    picks: Sequence[bytes]  # by shard, everything it will be asked for, pickled; nothing if that is not known

    def __len__(self) -> int:
        return len(self.line)

    def take(self, rows: Rows) -> ShardedContent:
        return replace(self, line=self.line[rows])

    def at(self, lines: Numbers) -> ShardedContent:
        return replace(self, line=lines, picks=[b""] * len(self.picks))

    @property
    def of_records(self) -> bool:
        return self.traits.of_records

    @property
    def escaped(self) -> bool:
        return self.traits.escaped

    @property
    def split(self) -> bool:
        return self.traits.split

    @property
    def text_key(self) -> str | None:
        return self.traits.text_key

    @property
    def plain(self) -> bool:
        return self.traits.plain

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        return self._one_each(rows, "texts", side)

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        return pack_lines(self, rows, sides)

    def further(self, rows: Rows) -> Cells:
        places, answers = self._ask(rows, "further")
        names = [name for name, _ in answers[0]]
        columns = [_in_order(places, [answer[number][1] for answer in answers]) for number in range(len(names))]
        return list(zip(names, columns, strict=True))

    def records(self, rows: Rows) -> list[Json]:
        return self._one_each(rows, "records")

    def json_records(self, rows: Rows) -> list[bytes]:
        return self._one_each(rows, "json_records")

    def fields(self, rows: Rows, key: str) -> list[object] | None:
        made = self._one_each(rows, "values", key)
        return None if any(value is None for value in made) else made

    def ids(self, rows: Rows) -> list[str] | None:
        return None if self.id_key is None else self._one_each(rows, "ids")

    def arrow(self, rows: Rows) -> Any:
        places, answers = self._ask(rows, "arrow")
        if any(answer is None for answer in answers):
            return None
        pyarrow = import_pyarrow()
        tables = [pyarrow.ipc.open_stream(answer).read_all() for answer in answers]
        order = np.argsort(np.concatenate(places))
        return pyarrow.concat_tables(tables, promote_options="permissive").take(pyarrow.array(order))

    def _one_each(self, rows: Rows, method: str, *arguments: object) -> list[Any]:
        return _in_order(*self._ask(rows, method, *arguments))

    def _ask(self, rows: Rows, method: str, *arguments: object) -> tuple[list[Numbers], list[Any]]:
        """For each shard that has some of these lines, the places of its own, and what it says of those; of no lines,
        the first says it."""
        lines = self.line[rows]
        places = self.shards.split(lines)
        found = [shard for shard, own in enumerate(places) if len(own)] or [0]
        asked = {one: (self.about[one], self.picks[one], lines[places[one]], method, arguments) for one in found}
        return [places[one] for one in found], list(self.shards.workers.ask_some("content", asked).values())


def _in_order(places: Sequence[Numbers], answers: Sequence[Sequence[Any]]) -> list[Any]:
    """What shards say of their own, in the order of all."""
    made: list[Any] = [None] * sum(map(len, places))
    for own, answer in zip(places, answers, strict=True):
        for place, one in zip(own.tolist(), answer, strict=True):
            made[place] = one
    return made


def with_sharded_content(jaded: Jaded, available: ShardedAvailable) -> Jaded:
    """A ranking whose texts and records come from the workers, for as long as these are there."""
    content, shards = jaded.content, available.shards
    assert isinstance(content, PoolContent)
    about = about_shards(content, available)
    nothing = np.zeros(0, np.int64)
    said: list[Traits] = shards.workers.ask("content", [(one, b"", nothing, "traits", ()) for one in about])
    traits = Traits(
        any(one.of_records for one in said),
        any(one.escaped for one in said),
        any(one.split for one in said),
        next((one.text_key for one in said if one.text_key is not None), None),
        all(one.plain for one in said),
    )
    picks = [pickled(content.line[own]) for own in shards.split(content.line)]
    return jaded.replaced(
        content=ShardedContent(jaded.lines, content.sides, content.id_key, traits, shards, about, picks)
    )


def about_shards(content: PoolContent, available: ShardedAvailable) -> list[bytes]:
    """What each shard must know to say what picks consist of, pickled."""
    corpora, shards = [places.corpus for places in available.places], available.shards
    return [
        pickled(About(first, corpora, list(content.sides), shards.lines_before(shard), content.id_key))
        for shard, first in enumerate(shards.first)
    ]


def content_of(sides: Sequence[tuple[Places, Sequence[Piece]]], about: About, lines: Numbers) -> PoolContent:
    """Picks of a shard, for each side of which its places and pieces are given."""
    places = [
        _places(places, pieces, corpus, about.first, about.before if number == 0 else {})
        for number, ((places, pieces), corpus) in enumerate(zip(sides, about.corpora, strict=True))
    ]
    return PoolContent(places, lines, about.sides, about.id_key)


def answer(content: PoolContent, method: str, arguments: Sequence[object]) -> object:
    """What picks of a shard consist of, as it can be sent."""
    if method == "traits":
        return Traits(*(getattr(content, name) for name in Traits._fields))
    found = getattr(content, method)(slice(None), *arguments)
    if method != "arrow" or found is None:
        return found
    pyarrow = import_pyarrow()
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, found.schema) as writer:
        writer.write_table(found)
    return sink.getvalue().to_pybytes()


def _places(places: Places, pieces: Sequence[Piece], known: Corpus, first: int, before: dict[int, int]) -> ShardPlaces:
    """The lines of a shard among all, of whose files it knows its own besides what is known of all."""
    parts: list[Any] = list(known.parts)
    read: list[Checksum] = list(known.read)
    for piece, part, checksum in zip(pieces, places.corpus.parts, places.corpus.checksums, strict=True):
        parts[piece.part], read[piece.part] = part, checksum
    return ShardPlaces(
        Corpus("", parts, read),
        places,
        first,
        file=np.array([piece.part for piece in pieces], np.int64),
        before=np.array([before.get(piece.part, 0) for piece in pieces], np.int64),
    )
