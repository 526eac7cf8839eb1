"""AVAILABLE as a run needs it, wherever its lines are: a protocol, and AVAILABLE on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.rows import Codes
from ..jaded.summary import EarlierRanking
from ..memory import give_back, resident
from ..model.classes import Tokens
from ..model.count import counts_in
from ..model.entropy import State
from ..options.ranking import Strategy
from ..text.corpus import Corpus
from ..text.fields import Field
from ..text.places import Places, find_lines
from ..text.sources import open_corpus
from .fixed_order import replay
from .index import HowToRead, HowToTokenize, Index, collapse_index
from .inputs import Inputs
from .order import Ordered
from .plan import make_plan
from .search import Begun, Ranking, Task
from .shards import OneShard, Shards
from .sides import build, check_none_skipped, check_same_lines

A_co = TypeVar("A_co", bound="Available", covariant=True)


@dataclass(frozen=True, slots=True)
class Contents:
    """What was read of AVAILABLE, in numbers."""

    lines: int
    totals: list[int]  # words, and n-grams by order
    entries: int  # of all rows
    count: NDArray[np.int64]  # by representative feature
    broken: int  # lines that are not UTF-8
    first_broken: str  # the first of them
    shortest: int  # words of a line that has some; 0 if none has
    longest: int

    @property
    def words(self) -> int:
        return self.totals[0]


class Available(Shards, Protocol):
    """AVAILABLE, read."""

    skipped: Mapping[str, int]  # how many lines may not be picked, by reason
    earlier: Sequence[EarlierRanking]  # how the lines of each earlier ranking were left out

    @property
    def contents(self) -> Contents: ...

    @property
    def corpus(self) -> Corpus:
        """Its files, as far as they are known here: names and sizes at least."""
        ...

    @property
    def places(self) -> tuple[Places, ...]:
        """Where its lines are and those of its other sides, sides that count first."""
        ...

    @property
    def reason(self) -> Codes:
        """By line: which of REASONS it is left out for, from 1; 0 if it may be picked."""
        ...

    def fingerprints(self) -> Sequence[NDArray[Any]]:
        """By line, what tells this AVAILABLE from others, for a checkpoint."""
        ...

    def collapse(self, features: int, tokens: Tokens) -> None:
        """From now on rows are over tokens, in place of as many features."""
        ...

    def replay(self, state: State, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
        """Pick these lines again, each for its word; a search resumes after them."""
        ...

    def search(self, task: Task, strategy: Strategy) -> Ranking:
        """Pick lines that may be picked."""
        ...


class Opened(Shards, Protocol[A_co]):
    """AVAILABLE, its files found: what is missing shows before anything takes time."""

    @property
    def name(self) -> str: ...

    @property
    def of_records(self) -> bool:
        """Are its texts those of records?"""
        ...

    def read(self, how: HowToRead) -> A_co:
        """All its lines, none left out yet."""
        ...


def no_reason() -> NDArray[np.uint8]:
    return np.zeros(0, np.uint8)


@dataclass(slots=True, eq=False)
class LocalAvailable(OneShard):
    """AVAILABLE on this machine, or a shard of it."""

    index: Index
    sides: Sequence[Corpus]  # those that count, which may be read again
    places: tuple[Places, ...]
    allowed: NDArray[np.bool_]  # by line: may it be picked?
    contents: Contents
    how: HowToRead
    score: NDArray[np.float64] | None = None  # by line, what it is ranked by, as long as that is of use
    ordered: Ordered | None = None  # lines in the order of their scores, as long as that is of use
    skipped: Mapping[str, int] = field(default_factory=dict)
    earlier: Sequence[EarlierRanking] = field(default_factory=list)
    left_out: dict[str, NDArray[np.bool_]] = field(default_factory=dict)  # by reason, until lines were chosen
    reason: NDArray[np.uint8] = field(default_factory=no_reason)  # by line: which of REASONS, from 1; 0 if allowed
    maybe_excluded: NDArray[np.int64] | None = None  # lines by their hashes, while they are compared

    @property
    def corpus(self) -> Corpus:
        return self.sides[0]

    @property
    def counted_sides(self) -> Sequence[Corpus]:
        return self.sides

    @property
    def counted_places(self) -> Sequence[Places]:
        return self.places[: len(self.sides)]

    def fingerprints(self) -> list[NDArray[Any]]:
        return [self.index.words, self.index.entries, self.allowed]

    def collapse(self, features: int, tokens: Tokens) -> None:
        collapse_index(self.index, features, tokens)

    def replay(self, state: State, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
        self.allowed[lines] = False
        return replay(state, self.index, lines, lines, words)

    def search(self, task: Task, strategy: Strategy) -> Ranking:
        if strategy == "exact":  # only the module that is asked for is imported
            from .exact import search
        elif strategy == "word":
            from .word_first import search
        else:
            from .batch import search
        return search(self, task)


@dataclass(slots=True, eq=False)
class LocalFiles(OneShard):
    """AVAILABLE on this machine, or a shard of it, opened, not read yet."""

    sides: Sequence[Corpus]  # AVAILABLE and its other sides, those that count first
    counted: int  # how many count
    id_key: str | None
    how: HowToTokenize
    score: NDArray[np.float64] | None = None  # by line, as long as it is of use
    _places: list[Places] = field(default_factory=list)  # of the sides that count, once somebody asks

    @property
    def counted_sides(self) -> Sequence[Corpus]:
        return self.sides[: self.counted]

    @property
    def counted_places(self) -> Sequence[Places]:
        if not self._places:
            told = self.how.jobs, self.how.progress, "AVAILABLE"
            self._places = [find_lines(side, *told) for side in self.counted_sides]
        return self._places

    @property
    def name(self) -> str:
        return self.sides[0].name

    @property
    def of_records(self) -> bool:
        return any(side.of_records for side in self.sides)

    def read(self, how: HowToRead, *, may_be_empty: bool = False) -> LocalAvailable:
        counted, carried, self._places = self.counted_sides, self.sides[self.counted :], []
        how.storage.before = resident()
        if how.storage.limit is not None:
            _keep_to_limit(self.sides, counted, how)
        index = build(counted, how, may_be_empty=may_be_empty)
        give_back()
        along = [find_lines(side, how.jobs, how.progress, how.role) for side in carried]
        places = (*index.places, *along)
        if not how.aligned:
            check_same_lines(places)
        check_ids(self.sides[0], self.id_key)
        check_none_skipped(len(self.sides), any(side.bad for side in self.sides))
        allowed = np.ones(index.lines, np.bool_)
        return LocalAvailable(index, counted, places, allowed, contents_of(index), how)


def open_local(inputs: Inputs, how: HowToTokenize) -> LocalFiles:
    """Open AVAILABLE and its other sides."""
    sides = [open_corpus(side, "AVAILABLE", inputs.reading) for side in inputs.available]
    for side in sides:
        if counts_in(side) is not None:
            raise CynicalError(f"{side.name}: AVAILABLE must be text, but this is a .counts file; give the text")
    return LocalFiles(sides, inputs.counted, inputs.id_key, how)


def contents_of(index: Index) -> Contents:
    words = index.words[index.words > 0]
    return Contents(
        index.lines,
        index.totals,
        int(index.entries.sum(dtype=np.int64)),
        index.count,
        index.broken,
        index.first_broken,
        shortest=int(words.min(initial=words.max(initial=0))),
        longest=int(words.max(initial=0)),
    )


def check_ids(corpus: Corpus, key: str | None) -> None:
    """See to it that records have names before time is spent on them."""
    for part in corpus.parts if key is not None else ():
        if part.records is None:
            raise CynicalError("--id-key names a field of records, but AVAILABLE is plain text; omit it")
        if part.end > part.begin and part.records.fields([0], Field(str(key)))[0] is None:
            raise CynicalError(
                f"{part.name}: --id-key {key}: the first record does not have this field; choose one that all "
                "records have"
            )


def _keep_to_limit(sides: Sequence[Corpus], counted: Sequence[Corpus], how: HowToRead) -> None:
    """Decide from a sample what is in memory and what in --scratch."""
    plan = make_plan(counted, how)
    how.storage.decide(plan.memory, plan.least_memory)
    for part in (part for side in sides for part in side.parts):
        how.storage.may_drop(part.raw)
        how.storage.may_drop(getattr(part.records, "raw", None))
    how.storage.watch()
