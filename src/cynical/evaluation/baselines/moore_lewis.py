"""Moore and Lewis (2010, "Intelligent Selection of Language Model Training Data"): how much more a line looks like
REPRESENTATIVE than like AVAILABLE.

Two n-gram models, one of REPRESENTATIVE and one of as much text drawn from AVAILABLE, say what each line costs:

    score = (bits under REPRESENTATIVE's model - bits under AVAILABLE's) / (words + 1)

A line's end counts as a word. As in the paper, the models know the words that REPRESENTATIVE has at least twice, and
take all others for one. For a parallel corpus, the scores of the sides are added (Axelrod, He and Gao 2011, "Domain
Adaptation via Pseudo In-Domain Data Selection").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...errors import CynicalError
from ...model.count import counts_in
from ...model.counts import Counts
from ...model.kneser_ney import BESIDES, NGramModel
from ...model.random_numbers import draw
from ...model.sequences import Numbering, Sequences, numbered
from ...options import Method
from ...selection.available import Available, LocalAvailable
from ...selection.prepare import Prepared
from ...selection.shards import Each
from ...text.corpus import Chunk, Corpus
from ...text.reader import Words, read_all

LEAST = 2  # how often REPRESENTATIVE must have a word that the models know


def score(prepared: Prepared[Available], method: Method) -> None:
    """By line, the difference in bits per word on the first side."""
    if prepared.inputs.counted > 1:
        raise CynicalError(
            "--method moore-lewis uses one side, but both sides count; omit --representative-with, or give --method "
            "bilingual-moore-lewis"
        )
    _differences(prepared, method, [0])


def both_sides(prepared: Prepared[Available], method: Method) -> None:
    """By line, the sum of that of all sides that count."""
    if prepared.inputs.counted < 2:
        raise CynicalError(
            "--method bilingual-moore-lewis needs both sides of REPRESENTATIVE and AVAILABLE; "
            "give --with FILE and --representative-with FILE, or --method moore-lewis"
        )
    _differences(prepared, method, range(prepared.inputs.counted))


def _differences(prepared: Prepared[Available], method: Method, sides: Sequence[int]) -> None:
    sample = _drawn(prepared, method)
    prepared.available.tell(_score, [_models(prepared, method, side, sample) for side in sides])


def _models(prepared: Prepared[Available], method: Method, side: int, lines: NDArray[np.int64]) -> _Models:
    """What REPRESENTATIVE and a sample of AVAILABLE say of a line, on one side."""
    tokenizer, jobs, progress = prepared.tokenizer, prepared.jobs, prepared.progress
    numbering = Numbering()
    wanted = [
        numbering.read(_text(target[side]), tokenizer, jobs, progress, "REPRESENTATIVE")
        for target in prepared.texts.targets
    ]
    sample = Corpus.in_memory("a sample of AVAILABLE", prepared.available.places[side].texts(lines))
    drawn = numbering.read(sample, tokenizer, jobs, progress, "a sample of AVAILABLE")
    known = _Known(numbering, wanted)
    inside, outside = (NGramModel(method.model_order, known.types) for _ in range(2))
    for text in wanted:
        inside.add(known.of(text))
    outside.add(known.of(drawn))
    return _Models(side, known, inside, outside)


@dataclass(frozen=True, slots=True)
class _Models:
    side: int
    known: _Known
    inside: NGramModel
    outside: NGramModel


def _score(shard: LocalAvailable, models: Sequence[_Models]) -> None:
    how, scores = shard.how, []
    for one in models:
        make = partial(_Scorer, one.known, one.inside, one.outside)
        takers = read_all(shard.counted_sides[one.side], how.tokenizer, how.jobs, how.progress, make, "AVAILABLE")
        pieces = sorted((piece for taker in takers for piece in taker.pieces), key=lambda piece: piece[0])
        scores.append(np.concatenate([np.zeros(0), *(found for _, found in pieces)]))
    shard.score = np.asarray(np.sum(scores, axis=0)) if len(scores) > 1 else scores[0]


class _Known:
    """The words that the models know; all others are the last one."""

    def __init__(self, numbering: Numbering, wanted: Sequence[Sequences]) -> None:
        counts = np.sum([text.counts(len(numbering)) for text in wanted], axis=0)
        kept = counts >= (LEAST if (counts >= LEAST).any() else 1)
        self.table, self.types = numbering.table, int(kept.sum()) + 1
        self._number = np.full(len(numbering) + 1, self.types - 1, np.uint32)
        self._number[:-1][kept] = np.arange(self.types - 1)

    def of(self, text: Sequences) -> Sequences:
        """The same text in their numbers."""
        return replace(text, ids=self._number[np.minimum(text.ids, len(self._number) - 1)])


def _text(side: Corpus | Counts) -> Corpus:
    if isinstance(side, Counts) or counts_in(side) is not None:
        name = side.name or "REPRESENTATIVE"
        raise CynicalError(
            f"{name}: Moore-Lewis is trained on text, but this is a .counts file; give REPRESENTATIVE as text"
        )
    return side


def _drawn(prepared: Prepared[Available], method: Method) -> NDArray[np.int64]:
    """Random lines of AVAILABLE, until they have as many words as REPRESENTATIVE."""
    words, available = sum(counts.total for sides in prepared.counted.wanted for counts in sides), prepared.available
    found = available.ask(_lowest, method.seed, words, Each(available.first))
    drawn, line, length = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(drawn, kind="stable")
    number = int(np.searchsorted(np.cumsum(length[order], dtype=np.int64), words)) + 1
    return np.sort(line[order[:number]])


def _lowest(
    shard: LocalAvailable, seed: int, words: int, before: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.uint32]]:
    """The lines with the lowest random numbers that have as many words: these numbers, the lines and their lengths."""
    drawn, length = draw(seed, shard.index.lines, before), shard.index.words
    order = np.argsort(drawn, kind="stable")
    lines = np.sort(order[: int(np.searchsorted(np.cumsum(length[order], dtype=np.int64), words)) + 1])
    return drawn[lines], lines + before, length[lines]


class _Scorer:
    """One thread's share of the scoring."""

    def __init__(self, known: _Known, inside: NGramModel, outside: NGramModel) -> None:
        self._known, self._models = known, (inside, outside)
        self.pieces: list[tuple[int, NDArray[np.float64]]] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        text = self._known.of(Sequences.of(*numbered(self._known.table, words, closed=True)))
        inside, outside = (model.cost(text, self._known.types + BESIDES) for model in self._models)
        self.pieces.append((chunk.number, (inside.all_bits - outside.all_bits) / np.maximum(inside.tokens, 1)))
