"""A wider target: the words that REPRESENTATIVE, a sample, misses, in the proportions of lines that look like it.

    p(v) = (1 - m) p_R(v) + m q(v)

Good and Turing say how much mass is missing: of the words (or pairs, or triples) of a sample, about n1 / N, where n1
is how many it has once. q is the distribution of the lines of AVAILABLE, each weighted by the probability that it
belongs to the language (see classifier.py). But q is a sample too. If both were one, q would be N_q / (N_R + N_q) of
it, so m is never more than that: ten lines that look like REPRESENTATIVE do not say much about what it lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .counts import Counts

LEVELS = 16  # weights of lines are multiples of a sixteenth


@dataclass(frozen=True, slots=True, eq=False)
class Widening:
    counts: Sequence[Counts]  # of lines that look like REPRESENTATIVE, by side
    mass: NDArray[np.float64]  # m, by order
    lines: int  # how many there are
    share: float  # of the lines of AVAILABLE that belong to the language


def missing_mass(sides: Sequence[Counts]) -> NDArray[np.float64]:
    """By order, the share of a language that a sample of it lacks, of all its sides together."""
    once, total = np.zeros(sides[0].ngrams), np.zeros(sides[0].ngrams)
    for counts in sides:
        ends = np.cumsum(counts.sizes).tolist()
        for order, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
            once[order] += np.count_nonzero(counts.of_features[begin:end] == 1)
        total += counts.totals
    return np.asarray(once / np.maximum(total, 1))


def mass_of(
    targets: Sequence[Sequence[Counts]], weights: Sequence[float], strength: float, alike: Sequence[Counts]
) -> NDArray[np.float64]:
    """m of each order: what all targets lack, by their weights, times a strength, as far as lines like them can say."""
    missing = np.sum([weight * missing_mass(sides) for weight, sides in zip(weights, targets, strict=True)], axis=0)
    sampled = np.sum([counts.totals for sides in targets for counts in sides], axis=0)
    more = np.sum([counts.totals for counts in alike], axis=0) / LEVELS
    return np.asarray(np.minimum(strength * missing, more / (sampled + more)))


def levels(probability: NDArray[np.float64]) -> NDArray[np.int64]:
    """The weight of each line, in sixteenths."""
    return np.asarray(np.rint(probability * LEVELS).astype(np.int64))


def times(counts: Counts, factor: int) -> Counts:
    """The counts of a text that is repeated this many times."""
    grams = counts.grams
    return replace(
        counts,
        count=counts.count * factor,
        grams=None if grams is None else replace(grams, count=grams.count * factor),
    )
