"""A second model's view of lines: does a line look like REPRESENTATIVE, or like any line of AVAILABLE?

Logistic regression on the mean of hashed words and word pairs, learnt from the lines of REPRESENTATIVE against as many
random lines of AVAILABLE. A tenth of both is held out to calibrate it. The held-out lines also say how much of
AVAILABLE belongs to the language: seven of ten of them exceed some log-odds, and so do seven of ten lines of AVAILABLE
that belong to it, beside few others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.corpus import Corpus
from .hashed_lines import HashedLines, HowToHash, weigh
from .random_numbers import draw

BUCKETS = 1 << 21
EPOCHS = 5
HELD_OUT = 10  # one line in ten
STEPS = 30  # of calibration
MOST_OF_THEM = 0.7  # of the held-out lines exceed a level; lines of AVAILABLE that do are taken to be as many of theirs
LEAST_SHARE, MOST_SHARE = 1e-9, 0.999  # of AVAILABLE that belongs to the language


@dataclass(frozen=True, slots=True)
class Classifier:
    weight: NDArray[np.float64]  # by bucket
    bias: float  # of all lines
    scale: float  # what makes the log-odds true,
    shift: float  # where there are as many lines of REPRESENTATIVE as others
    level: float  # the log-odds that most lines of REPRESENTATIVE exceed

    def log_odds(self, sides: Sequence[Corpus], how: HowToHash, role: str) -> NDArray[np.float64]:
        """By line, how much more likely it is of REPRESENTATIVE than any line of AVAILABLE: calibrated log-odds."""
        return self.calibrated(*weigh(sides, self.weight, how, role))

    def calibrated(self, total: NDArray[np.float64], size: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same from the sum of the weights of each line's buckets, and how many these are."""
        from .._kernels.classifier import NEUTRAL

        return np.asarray(self.scale * (total / (size + NEUTRAL) + self.bias) + self.shift)

    def alike(self, log_odds: NDArray[np.float64]) -> int:
        """How many lines exceed the level."""
        return int(np.count_nonzero(log_odds >= self.level))


def share_alike(alike: int, lines: int) -> float:
    """The share of lines that belong to the language, of which some are alike: they exceed its level."""
    return float(min(max(alike / max(lines, 1) / MOST_OF_THEM, LEAST_SHARE), MOST_SHARE))


def probabilities_of(log_odds: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """What log-odds mean where this share of the lines belongs to the language."""
    from .._kernels.classifier import probabilities

    out = np.empty(len(log_odds))
    probabilities(log_odds, share, out)
    return out


def joined(texts: Sequence[HashedLines]) -> HashedLines:
    """Texts, concatenated."""
    sizes = np.concatenate([text.sizes for text in texts])
    return HashedLines(np.concatenate([text.bucket for text in texts]), np.cumsum(sizes))


def learn(wanted: HashedLines, others: HashedLines, buckets: int, seed: int) -> Classifier:
    """Learn to tell lines that are wanted from others."""
    from .._kernels.classifier import calibrate, mean_weights, train

    lines = joined([wanted, others])
    label = np.concatenate([np.ones(len(wanted), np.uint8), np.zeros(len(others), np.uint8)])
    number = np.concatenate([np.arange(len(wanted)), np.arange(len(others))])
    held_out = number % HELD_OUT == HELD_OUT - 1
    weight = np.zeros(buckets + 1)
    own = np.flatnonzero(~held_out)
    for epoch in range(EPOCHS):
        order = own[np.argsort(draw(seed + epoch + 1, len(own)), kind="stable")]
        train(lines.bucket, lines.end, label, order, weight, epoch * len(own), EPOCHS * len(own))
    found = np.empty(len(lines))
    mean_weights(lines.bucket, lines.end, weight, found)
    scale, shift = 1.0, 0.0
    if 0 < np.count_nonzero(label[held_out]) < np.count_nonzero(held_out):  # else there are too few lines to tell
        scale, shift = calibrate(found[held_out], label[held_out], STEPS)
    own = found[held_out & (label == 1)]
    if not len(own):
        own = found[label == 1]
    usual = np.sort(own)[::-1][: max(int(MOST_OF_THEM * len(own)), 1)][-1]
    return Classifier(weight[:-1], float(weight[-1]), scale, shift, float(scale * usual + shift))
