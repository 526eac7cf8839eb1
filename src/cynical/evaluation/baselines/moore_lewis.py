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
from dataclasses import replace
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
from ...selection.prepare import LocallyPrepared
from ...text.corpus import Chunk, Corpus
from ...text.reader import Words, read_all

LEAST = 2  # how often REPRESENTATIVE must have a word that the models know


def score(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64]:
    """By line, the difference in bits a word on the first side."""
    if len(prepared.available.sides) > 1:
        raise CynicalError(
            "--method moore-lewis looks at one side, but both count; leave --representative-with out, or give "
            "--method bilingual-moore-lewis"
        )
    return _differences(prepared, method, 0)


def both_sides(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64]:
    """By line, the sum of that of all sides that count."""
    if len(prepared.available.sides) < 2:
        raise CynicalError(
            "--method bilingual-moore-lewis needs both sides of REPRESENTATIVE and AVAILABLE; "
            "give --with FILE and --representative-with FILE, or --method moore-lewis"
        )
    return np.asarray(
        np.sum([_differences(prepared, method, side) for side in range(len(prepared.available.sides))], axis=0)
    )


def _differences(prepared: LocallyPrepared, method: Method, side: int) -> NDArray[np.float64]:
    tokenizer, jobs, progress = prepared.tokenizer, prepared.jobs, prepared.progress
    numbering = Numbering()
    wanted = [
        numbering.read(_text(target[side]), tokenizer, jobs, progress, "REPRESENTATIVE")
        for target in prepared.texts.targets
    ]
    sample = Corpus.in_memory("a sample of AVAILABLE", prepared.available.places[side].texts(_drawn(prepared, method)))
    drawn = numbering.read(sample, tokenizer, jobs, progress, "a sample of AVAILABLE")
    known = _Known(numbering, wanted)
    inside, outside = (NGramModel(method.model_order, known.types) for _ in range(2))
    for text in wanted:
        inside.add(known.of(text))
    outside.add(known.of(drawn))
    takers = read_all(
        prepared.available.sides[side], tokenizer, jobs, progress, partial(_Scorer, known, inside, outside), "AVAILABLE"
    )
    pieces = sorted((piece for taker in takers for piece in taker.pieces), key=lambda piece: piece[0])
    return np.concatenate([scores for _, scores in pieces])


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
        raise CynicalError(f"{name}: these are counts, but Moore-Lewis learns from text; give REPRESENTATIVE as text")
    return side


def _drawn(prepared: LocallyPrepared, method: Method) -> NDArray[np.int64]:
    """Lines of AVAILABLE by lot, until they have as many words as REPRESENTATIVE."""
    words = sum(counts.total for sides in prepared.counted.wanted for counts in sides)
    order = np.argsort(draw(method.seed, prepared.available.index.lines), kind="stable")
    number = int(np.searchsorted(np.cumsum(prepared.available.index.words[order], dtype=np.int64), words)) + 1
    return np.sort(order[:number])


class _Scorer:
    """One thread's share of the scoring."""

    def __init__(self, known: _Known, inside: NGramModel, outside: NGramModel) -> None:
        self._known, self._models = known, (inside, outside)
        self.pieces: list[tuple[int, NDArray[np.float64]]] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        text = self._known.of(Sequences.of(*numbered(self._known.table, words, closed=True)))
        inside, outside = (model.cost(text, self._known.types + BESIDES) for model in self._models)
        self.pieces.append((chunk.number, (inside.all_bits - outside.all_bits) / np.maximum(inside.tokens, 1)))
