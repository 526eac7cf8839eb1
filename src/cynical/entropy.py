"""The model that the formulas of the paper are about; they themselves are in _kernels/bits.py.

    H_n      = - sum_v p(v) log2((C_n(v) + s) / (W_n + s V))
    penalty  = log2((W_n + w + s V) / (W_n + s V))                        w: words in the line
    gain     = sum_{v in line} p(v) log2((C_n(v) + s) / (C_n(v) + c(v) + s))
    delta    = penalty + gain                                             H_{n+1} = H_n + delta

V is the number of representative word types and one more for every other word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import CynicalError

if TYPE_CHECKING:
    from ._kernels.bits import Model

SMOOTHING = 0.01
LEAST_SMOOTHING, MOST_SMOOTHING = 1e-30, 1e9  # between these every gain fits its integer
SMALL_COUNTS = 1 << 17  # counts whose logarithms are kept


@dataclass(slots=True)
class State:
    """The model and what it has seen so far."""

    model: Model
    seed_words: int  # words of SEED, of all kinds
    other: float  # the mass of representative words known only by their number
    seen_before: NDArray[np.bool_]  # by word: is it in SEED?

    def entropy(self) -> float:
        """H before anything is picked."""
        from ._kernels.bits import entropy

        return float(entropy(self.model, self.seed_words, self.other))


def check_smoothing(smoothing: float) -> None:
    if not smoothing > 0:
        raise CynicalError(f"--smoothing must be more than 0, found {smoothing:g}; try the default, {SMOOTHING}")
    if not LEAST_SMOOTHING <= smoothing <= MOST_SMOOTHING:
        raise CynicalError(
            f"--smoothing must lie between {LEAST_SMOOTHING:g} and {MOST_SMOOTHING:g}, found {smoothing:g}; "
            f"try the default, {SMOOTHING}"
        )


def make_state(
    count: NDArray[np.int64], total: int, seed: NDArray[np.int64], seed_words: int, smoothing: float
) -> State:
    """The model of SEED alone, seen from representative words with these counts out of `total`."""
    from ._kernels.bits import REPEATS, Model, refresh_words

    types = len(count)
    model = Model(
        count / total,
        seed.astype(np.int64),
        np.zeros(REPEATS * types, np.int64),
        np.zeros((SMALL_COUNTS, REPEATS)),
        np.array([smoothing, smoothing * (types + 1)]),
    )
    refresh_words(model)
    return State(model, seed_words, (total - int(count.sum())) / total, seed > 0)
