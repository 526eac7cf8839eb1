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

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import CynicalError

CLASSES = ("useless", "impossible", "dubious", "bad", "meh", "useful")
USELESS, IMPOSSIBLE, DUBIOUS, BAD, MEH, USEFUL = range(6)
TURN = np.array([4, 4, 2, 3, 1, 0], np.int8)  # useful words lead, then meh, dubious and bad ones; the others never do
MIN_COUNT = 3
RATIO_THRESHOLD = math.e


@dataclass(frozen=True, slots=True)
class Thresholds:
    min_count: int = MIN_COUNT
    ratio: float = RATIO_THRESHOLD

    def __post_init__(self) -> None:
        if self.min_count < 0:
            raise CynicalError(f"--min-count must not be negative, found {self.min_count}")
        if not 1 <= self.ratio < math.inf:
            raise CynicalError(f"--ratio-threshold must be at least 1, found {self.ratio}")


def ratios(
    representative: NDArray[np.int64], total: int, unadapted: NDArray[np.int64], unadapted_total: int
) -> NDArray[np.float64]:
    """(R / W_R) / (U / W_U) for each word; infinite where U is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (representative / total) / (unadapted / max(unadapted_total, 1))
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
    tests = [representative == 0, available == 0, rare, ratio < 1 / thresholds.ratio, ratio <= thresholds.ratio]
    return np.select(tests, [np.int8(i) for i in range(5)], np.int8(USEFUL)).astype(np.int8)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the model counts: the useful words, each for itself, then one token for each other class that has words."""

    of_word: NDArray[np.int64]  # by word: its token
    names: list[bytes]

    def total(self, count: NDArray[np.int64]) -> NDArray[np.int64]:
        """Counts of words as counts of tokens."""
        out = np.zeros(len(self.names), np.int64)
        np.add.at(out, self.of_word, count)
        return out


def collapse(words: list[bytes], classes: NDArray[np.int8]) -> Tokens:
    """Every class but `useful` to one token, named for the class in angle brackets."""
    of_word = np.zeros(len(words), np.int64)
    useful = np.flatnonzero(classes == USEFUL)
    of_word[useful] = np.arange(len(useful))
    names = [words[i] for i in useful.tolist()]
    for number in (MEH, DUBIOUS, BAD, IMPOSSIBLE):
        members = classes == number
        if members.any():
            of_word[members] = len(names)
            names.append(b"<" + CLASSES[number].encode() + b">")
    return Tokens(of_word, names)
