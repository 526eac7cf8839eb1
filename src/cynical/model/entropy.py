"""The model that the formulas of the paper are about; they themselves are in _kernels/formulas.py.

    H_n      = - sum_v p(v) log2((C_n(v) + s(v)) / (W_n + base))
    penalty  = log2((W_n + w + base) / (W_n + base))                      w: words in the line
    gain     = sum_{v in line} p(v) log2((C_n(v) + s(v)) / (C_n(v) + c(v) + s(v)))
    delta    = penalty + gain                                             H_{n+1} = H_n + delta

    s(v)     = s                                                          words
             = s + N left(v) right(v)                                     n-grams: see independence.py
    base     = s V + N for each order above 1

V is the number of representative word types and one more for every other word. With n-grams, "word" is any feature, and
the entropy of single words is kept beside that of all features. N, the n-gram smoothing, is mostly 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .target import Target

if TYPE_CHECKING:
    from .._kernels.formulas import Model

SMALL_COUNTS = 1 << 17  # counts whose logarithms are kept


@dataclass(slots=True)
class State:
    """The model and what it has seen so far."""

    model: Model
    seed_features: int  # features of SEED, of all kinds
    seed_words: int  # of which words
    other: float  # the mass of representative features known only by their number
    single_other: float  # the same of words among single words
    seen_before: NDArray[np.bool_]  # by word: is it in SEED?

    def feature_entropy(self) -> float:
        """H of the features before anything is picked."""
        return self._entropy(self.model.p, self.model.smoothing[1], self.seed_features, self.other)

    def entropy(self) -> float:
        """H of single words before anything is picked."""
        return self._entropy(self.model.single, self.model.smoothing[2], self.seed_words, self.single_other)

    def _entropy(self, p: NDArray[np.float64], base: float, total: int, other: float) -> float:
        from .._kernels.formulas import entropy

        model = self.model
        return float(entropy(p, model.counts, model.smoothing[0], model.ngram_added, base, total, other))


def make_model(
    p: NDArray[np.float64],
    counts: NDArray[np.int64],
    smoothing: NDArray[np.float64],
    ngram_added: NDArray[np.float64],
    single: NDArray[np.float64],
) -> Model:
    """A model, and what can be computed beforehand."""
    from .._kernels.entries import REPEATS
    from .._kernels.formulas import Model, refresh_words

    gain, logs = np.zeros(REPEATS * len(p), np.int64), np.zeros((SMALL_COUNTS, REPEATS))
    model = Model(p, counts, gain, logs, smoothing, ngram_added, single)
    refresh_words(model)
    return model


def make_state(
    target: Target,
    seed: NDArray[np.int64],
    totals: Sequence[int],
    smoothing: float,
    ngram_smoothing: float = 0.0,
    has_prior: bool = False,
) -> State:
    """The model of SEED alone, of which is given how often each feature was seen, and the total of each order.

    Where lines have a prior, it is one feature more, of no probability.
    """
    p = target.p
    single = p if target.ngrams == 1 else target.single
    bases = smoothing * (len(p) + 1) + ngram_smoothing * (target.ngrams - 1), smoothing * (len(single) + 1)
    numbers = np.array([smoothing, *bases, float(target.ngrams > 1), float(has_prior)])
    ngram_added = ngram_smoothing * target.independent if ngram_smoothing and target.ngrams > 1 else np.zeros(0)
    prior = np.zeros(int(has_prior))
    model = make_model(np.append(p, prior), np.append(seed, prior).astype(np.int64), numbers, ngram_added, single)
    return State(model, sum(totals), totals[0], target.other(target.ngrams), target.other(1), seed[: len(single)] > 0)
