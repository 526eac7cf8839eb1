"""The messages between a driver and its shards. Line numbers are a shard's own, from 0.

What is sent once is sent as bytes (see `pickled`): what a cluster keeps for its workers they may not write to, and
kernels that are compiled for arrays that may be written do not take others.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.overlap import Runs
from ..model.target import Features
from ..options import Reading, TextOptions
from ..options.ranking import Strategy
from ..selection.shards import Each, of_shard
from ..text.checksum import Checksum
from ..text.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Plan:
    """How AVAILABLE is opened."""

    text: TextOptions  # what makes a tokenizer, not what it has loaded
    ngrams: int
    reading: Reading
    counted: int  # sides that count
    id_key: str | None
    jobs: int
    memory: int | None  # bytes that a worker keeps to
    folder: str  # that relative paths begin from


@dataclass(frozen=True, slots=True)
class WhatToRead:
    """What is taken from its lines."""

    features: Features
    hashed: bool  # hash lines, so that copies can be told?
    runs: Runs | None  # of words, that are looked for


@dataclass(frozen=True, slots=True)
class PieceReport:
    """What is known of a piece of a file."""

    part: int
    lines: int
    text: int  # bytes
    path: str | None
    size: int  # bytes of the file that it is of
    format: str
    header: list[str]  # of a table, its columns
    folded: bool
    bad: int
    first_bad: str
    checksum: Checksum  # of its text or, of records, of the whole file, once


@dataclass(frozen=True, slots=True)
class Report:
    """What a shard has read."""

    version: str
    sides: list[list[PieceReport]]  # of AVAILABLE and its other sides
    totals: list[int]
    count: NDArray[np.int64]  # by feature
    entries: int
    broken: int
    first_broken: tuple[int, int, int]  # the side, the piece and the line within it, from 1; the piece -1 if none is
    shortest: int  # words of a line that has some; 0 if none has
    longest: int

    @property
    def pieces(self) -> list[PieceReport]:
        """Of AVAILABLE itself."""
        return self.sides[0]

    @property
    def lines(self) -> int:
        return sum(piece.lines for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """What was counted of a share."""

    lines: list[int]  # by piece
    bad: int  # records that were skipped


@dataclass(frozen=True, slots=True)
class Orders:
    """The model that lines are scored with."""

    p: NDArray[np.float64]
    counts: NDArray[np.int64]  # of SEED
    smoothing: NDArray[np.float64]
    ngram_added: NDArray[np.float64]
    single: NDArray[np.float64]
    features: int  # of SEED, all together
    per_word: bool
    again: bool  # are the rows needed once more?
    max_share: float | None  # of the words of a document, that may be picked at most
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class News:
    """What has changed since the last round."""

    feature: NDArray[np.uint32]
    count: NDArray[np.int64]
    features: int  # W, all together


@dataclass(frozen=True, slots=True)
class Returned:
    """Rows that a shard gave away and gets back, with the lines that were not picked."""

    life: int  # of the shard that gave them: another knows nothing of them
    place: NDArray[np.int64]  # as the shard called them
    left: NDArray[np.int64]  # lines of each: the last of those that it had


@dataclass(frozen=True, slots=True)
class WordsLeft:
    """Documents of a shard that lines were picked from, and how many words of each may still be picked."""

    document: NDArray[np.int64]
    words: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Request:
    """What a shard is asked for in a round."""

    news: News
    words_left: WordsLeft
    returned: Returned
    rows: int  # at most, and at least one
    numbers: int  # that these rows have at most, unless it is one row
    horizon: int  # features that are expected to have been selected when the next round begins


@dataclass(frozen=True, slots=True)
class Offer:
    """Rows that a shard gives away, and what comes first of those that it holds back."""

    life: int  # of the shard: how often it was lost and read again
    laid: NDArray[np.uint32]  # all rows concatenated (see _kernels/exact.py)
    size: NDArray[np.uint32]  # of each row
    line: NDArray[np.uint32]
    place: NDArray[np.int64]  # what the shard calls each row
    gain: NDArray[np.int64]
    heap: NDArray[np.uint32]
    words_and_features: NDArray[np.int64]  # by heap: the words of its lines << 32 | their features
    held_gain: NDArray[np.int64]  # by heap
    held_line: NDArray[np.int64]
    rescored: int
    document: NDArray[np.int64]  # by line, where a document may give only a share of its words; else nothing,
    words_left: NDArray[np.int64]  # and how many of them may still be picked


@dataclass(frozen=True, slots=True)
class Scored:
    """Lines of a shard that were scored elsewhere."""

    line: NDArray[np.int64]
    gain: NDArray[np.int64]
    picked: NDArray[np.int64]  # lines that were picked, scored or not


@dataclass(frozen=True, slots=True)
class ListRequest:
    """The lines that a shard is asked for in a round of batches."""

    scored: Scored
    word: NDArray[np.int64]
    most: NDArray[np.int64]  # by word
    rest: tuple[int, int] | None  # in place of words: lines without any from some place on, and how many at most


@dataclass(frozen=True, slots=True)
class ListOffer:
    """Lines of a shard, each once; and for each word that it was asked for a list of them."""

    line: NDArray[np.int64]  # in ascending order
    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    words: NDArray[np.uint32]
    features: NDArray[np.uint32]
    same: NDArray[np.uint64]
    gain: NDArray[np.int64]  # last known
    listed: NDArray[np.int64]  # one list after another,
    size: NDArray[np.int64]  # the number of lines of each list
    held_gain: NDArray[np.int64]  # by list, what comes first of the lines that are not in it
    held_line: NDArray[np.int64]


def bytes_of(message: object) -> int:
    """Bytes of the arrays of a message, which is nearly all of it."""
    parts = [getattr(message, one.name) for one in fields(message)] if is_dataclass(message) else []
    return sum(part.nbytes if isinstance(part, np.ndarray) else bytes_of(part) for part in parts)


@dataclass(frozen=True, slots=True)
class About:
    """What a shard must know to say what its lines consist of."""

    first: int  # what its first line is called in AVAILABLE
    corpora: list[Corpus]  # by side, what is known of all files
    sides: list[str]  # what the other sides are called
    before: dict[int, int]  # by file of this shard: how many of its lines other shards have before
    id_key: str | None


def pickled(message: object) -> bytes:
    """Where Ray is in use, its way of pickling also takes functions that a notebook defines."""
    ray: Any = sys.modules.get("ray")
    try:
        made: bytes = (pickle if ray is None else ray.cloudpickle).dumps(message, protocol=5)
    except (pickle.PicklingError, AttributeError, TypeError) as error:  # all else can be pickled
        raise CynicalError(
            f"--tokenizer: with --engine ray it is sent to the workers, and this object cannot be pickled ({error}); "
            "give its name, for example python:MODULE:FUNCTION"
        ) from None
    return made


def unpickled(message: bytes) -> Any:
    return pickle.loads(message)


def pickled_call(function: Callable[..., Any], arguments: Sequence[object], shards: int) -> list[tuple[bytes, bytes]]:
    """A function and its arguments, for each shard: what is the same for all is the same bytes."""
    common = pickled((function, [None if isinstance(one, Each) else one for one in arguments]))
    own = {place: one for place, one in enumerate(arguments) if isinstance(one, Each)}
    return [
        (common, pickled(dict(zip(own, of_shard(list(own.values()), shard), strict=True)))) for shard in range(shards)
    ]


def unpickled_call(common: bytes, own: bytes) -> tuple[Callable[..., Any], list[object]]:
    function, arguments = unpickled(common)
    for place, one in unpickled(own).items():
        arguments[place] = one
    return function, arguments
