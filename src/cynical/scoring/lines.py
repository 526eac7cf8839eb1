"""Scores of lines: each line is scored as if it were picked next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.classifier import probabilities_of
from ..model.hashed_lines import Weigher
from ..model.known import ENTRIES, scratch_for
from ..text.corpus import Chunk
from ..text.reader import Words
from .frozen import Tables

FIELDS = ("delta", "penalty", "gain", "words", "bits_per_word")


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of lines, in their original order; lower is better.

    Attributes
    ----------
    delta : float64 array
        The change of the entropy if the line were picked next, in bits: `penalty + gain`.
    penalty : float64 array
        The bits that its length adds.
    gain : float64 array
        The bits that its words remove, as a negative number or 0.
    words : int64 array
        Its number of words, summed over all sides that count.
    bits_per_word : float64 array
        `delta` divided by `words`; 0 for a line without words.
    score : float64 array
        The number that `select` ranks by: `delta` or, with ``per="word"``, `bits_per_word`.
    classifier : float64 array or None
        The probability that the line is in the language of REPRESENTATIVE, if a classifier was requested.
    """

    delta: NDArray[np.float64]
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    words: NDArray[np.int64]
    bits_per_word: NDArray[np.float64]
    score: NDArray[np.float64]
    classifier: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.delta)

    def take(self, rows: NDArray[np.int64]) -> Scores:
        """Those of some lines."""
        made: dict[str, Any] = {name: column[rows] for name, column in self._held.items()}
        return Scores(**made)

    @property
    def _held(self) -> dict[str, NDArray[Any]]:
        made = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: column for name, column in made.items() if column is not None}

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """By name, what is written of each line."""
        made: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in FIELDS}
        return made if self.classifier is None else {**made, "classifier": self.classifier}


@dataclass(frozen=True, slots=True, eq=False)
class OfSide:
    """What the lines of one side come to."""

    words: NDArray[np.uint32]
    gain: NDArray[np.int64]  # in units of 2^-56 bit
    weight: NDArray[np.float64]  # the sum of what the classifier gives their buckets; empty if there is none
    buckets: NDArray[np.int64]  # and how many these are

    def part(self, begin: int, end: int) -> OfSide:
        """Those of some lines."""
        return OfSide(*(getattr(self, one.name)[begin:end] for one in fields(self)))


class SideWorker:
    """One thread's memory for the lines of one side, used again and again."""

    def __init__(self, tables: Tables, side: int) -> None:
        self._tables, self._known = tables, tables.known[side]
        self._scratch, self._counts = scratch_for(tables.features), np.zeros(tables.features, np.int64)
        self._tokens = scratch_for(len(tables.model.p)) if tables.frozen.token is not None else None
        self._entry = np.zeros(0, np.uint32)
        classifier = tables.frozen.classifier
        self._weigher = None if classifier is None else Weigher(side, classifier.weight)
        self.pieces: list[tuple[int, OfSide]] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        self.pieces.append((chunk.number, self.score(words)))

    def score(self, words: Words) -> OfSide:
        """The lines of a chunk."""
        from .._kernels.entries import Rows
        from .._kernels.index import Found, collapse_rows, read_rows
        from .._kernels.layout import gains_of_rows

        room = int(words.size * ENTRIES[self._tables.frozen.tokenizer.ngrams]) + 2
        if len(self._entry) < room:
            self._entry = np.empty(room, np.uint32)
        lines, model = len(words.line_end), self._tables.model
        entries, length = np.zeros(lines, np.uint32), np.zeros(lines, np.uint32)
        found = Found(self._entry, entries, length, np.zeros(0, np.uint64), self._counts)
        read_rows(self._known, words.chunk, self._scratch, found)
        rows = Rows(self._entry, np.cumsum(entries, dtype=np.int64) - entries, entries)
        token = self._tables.frozen.token
        if token is not None and self._tokens is not None:
            collapse_rows(rows, self._tables.features, token, self._tokens)
        gain = np.empty(lines, np.int64)
        gains_of_rows(model, rows, gain)
        none = np.zeros(0), np.zeros(0, np.int64)
        return OfSide(length, gain, *(none if self._weigher is None else self._weigher.weigh(words)))


def joined(pieces: Sequence[OfSide]) -> OfSide:
    """The lines of chunks, concatenated."""
    if len(pieces) == 1:
        return pieces[0]
    none = OfSide(np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))
    return OfSide(*(np.concatenate([getattr(piece, one.name) for piece in (none, *pieces)]) for one in fields(OfSide)))


def put_together(tables: Tables, sides: Sequence[OfSide]) -> Scores:
    """What lines are worth, all of whose sides have been read."""
    from .._kernels.formulas import BASE, UNIT
    from .._kernels.scoring import penalties

    frozen, ngrams = tables.frozen, tables.frozen.tokenizer.ngrams
    words = _added([side.words for side in sides])
    features = words
    if ngrams > 1:
        features = words * ngrams + _added([side.words > 0 for side in sides])
    penalty = np.empty(len(words))
    penalties(features, frozen.selected, float(frozen.smoothing[BASE]), penalty)
    gain: NDArray[np.float64] = _added([side.gain for side in sides]) * np.float64(UNIT)
    delta = penalty + gain
    bits_per_word = delta / np.maximum(words, 1)
    probability = None
    if frozen.classifier is not None:
        weight, buckets = (np.sum([getattr(side, name) for side in sides], axis=0) for name in ("weight", "buckets"))
        probability = probabilities_of(frozen.classifier.calibrated(weight, buckets), frozen.share)
    score = bits_per_word if frozen.per_word else delta
    return Scores(delta, penalty, gain, words, bits_per_word, score, probability)


def _added(of_sides: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """By line, the sum of what each side has."""
    return np.asarray(np.sum(of_sides, axis=0, dtype=np.int64))
