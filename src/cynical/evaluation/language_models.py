"""The language models for measurements: the built-in one, and KenLM's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..model.kneser_ney import NGramModel
from ..model.sequences import Sequences
from ..options import Measure
from .judged import Judged, LanguageModel
from .kenlm import check_kenlm, kenlm


class OwnModel:
    """Our own n-gram model, which only ever learns what is new."""

    def __init__(self, held_out: Sequences, types: int, order: int, vocabulary: int) -> None:
        self._model, self._held_out, self.vocabulary = NGramModel(order, types), held_out, vocabulary
        self._learnt = 0

    def judge(self, text: Sequences, lines: int) -> Judged:
        self._model.add(text, np.arange(self._learnt, lines))
        self._learnt = lines
        cost = self._model.cost(self._held_out, self.vocabulary)
        return Judged(cost.perplexity, cost.perplexity_known, cost.all_bits)


def check_measure(measure: Measure) -> None:
    """See to it that the programs of a language model are there before anything is read."""
    if measure.lm == "kenlm":
        check_kenlm()


@contextmanager
def language_model(
    measure: Measure, held_out: Sequences, types: int, vocabulary: int, scratch: str | Path | None
) -> Iterator[LanguageModel]:
    """The model that was asked for; `types` is how many words have numbers, `vocabulary` how many a text may have."""
    if measure.lm == "own":
        yield OwnModel(held_out, types, measure.order, vocabulary)
        return
    with kenlm(held_out, measure.order, vocabulary, scratch) as model:
        yield model
