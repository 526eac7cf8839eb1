"""Which words matter: the paper's "good-enough words".

    useless     not in REPRESENTATIVE
    impossible  not in AVAILABLE
    dubious     rare in both REPRESENTATIVE and UNADAPTED
    bad         much rarer in REPRESENTATIVE than in UNADAPTED
    meh         about as frequent in one as in the other
    useful      much more frequent in REPRESENTATIVE

The first that fits is a word's class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..options import Thresholds

CLASSES = ("useless", "impossible", "dubious", "bad", "meh", "useful")
USELESS, IMPOSSIBLE, DUBIOUS, BAD, MEH, USEFUL = range(6)
TURN = np.array([4, 4, 2, 3, 1, 0], np.int8)  # useful words lead, then meh, dubious and bad ones; the others never do


def ratios(
    representative: NDArray[np.int64] | NDArray[np.float64],
    total: int,
    unadapted: NDArray[np.int64],
    unadapted_total: int | NDArray[np.int64],
) -> NDArray[np.float64]:
    """(R / W_R) / (U / W_U) for each word; infinite where U is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (representative / total) / (unadapted / np.maximum(unadapted_total, 1))
    ratio[unadapted == 0] = np.inf
    ratio[representative == 0] = 0.0
    return ratio


def classify(
    representative: NDArray[np.int64],
    unadapted: NDArray[np.int64],
    available: NDArray[np.int64],
    ratio: NDArray[np.float64],
    thresholds: Thresholds,
) -> NDArray[np.int8]:
    """The class of each word, as a place in CLASSES."""
    rare = (representative < thresholds.min_count) & (unadapted < thresholds.min_count)
    tests = [
        representative == 0,
        available == 0,
        rare,
        ratio < 1 / thresholds.ratio_threshold,
        ratio <= thresholds.ratio_threshold,
    ]
    return np.select(tests, [np.int8(i) for i in range(5)], np.int8(USEFUL)).astype(np.int8)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the model counts: for each order of features the useful ones, then a token for each class of each side."""

    of_word: NDArray[np.int64]  # by feature: its token
    useful: NDArray[np.int64]  # by token: the feature that it is, or -1 - the class that it stands for

    def __len__(self) -> int:
        return len(self.useful)

    def total(self, count: NDArray[np.int64]) -> NDArray[np.int64]:
        """Counts of features as counts of tokens."""
        out = np.zeros(len(self), np.int64)
        np.add.at(out, self.of_word, count)
        return out

    def located(
        self, feature: NDArray[np.int64], count: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Some features and their counts as tokens and theirs."""
        token, which = np.unique(self.of_word[feature], return_inverse=True)
        out = np.zeros(len(token), np.int64)
        np.add.at(out, which, count)
        return token, out

    def meaning(self, token: int) -> int | bytes:
        """The feature that a token is, or the name of its class in angle brackets."""
        feature = int(self.useful[token])
        return feature if feature >= 0 else b"<" + CLASSES[-1 - feature].encode() + b">"


def collapse(classes: NDArray[np.int8], block: NDArray[np.int16]) -> Tokens:
    """Every class but `useful` to one token; classes of different blocks (orders, sides) are kept apart."""
    of_word = np.zeros(len(classes), np.int64)
    useful: list[int] = []
    for number in range(int(block.max(initial=0)) + 1):
        here = np.flatnonzero((block == number) & (classes == USEFUL))
        of_word[here] = len(useful) + np.arange(len(here))
        useful.extend(here.tolist())
        for other in (MEH, DUBIOUS, BAD, IMPOSSIBLE):
            members = (classes == other) & (block == number)
            if members.any():
                of_word[members] = len(useful)
                useful.append(-1 - other)
    return Tokens(of_word, np.array(useful, np.int64))
