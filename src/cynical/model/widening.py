"""A wider target: what the sample that REPRESENTATIVE is lacks, as lines have it that look like it.

    p(v) = (1 - u) ((1 - m) p_R(v) + m q(v))

q is the distribution of the lines of AVAILABLE, each weighted by the probability that it belongs to the language (see
classifier.py). Every order has its own m and u, which REPRESENTATIVE says itself.

- Words: REPRESENTATIVE knows well how frequent its own are; it lacks others. Good and Turing estimate that these have
  n1 / N_R of the mass, where n1 is how many words it has once. So that is m, and q is over words that it does not have.
- Pairs and triples: most of a language's are in a sample once or not at all, and their counts are as uncertain as what
  is missing. So q is over all of them. Each is left out in turn, and the rest of REPRESENTATIVE expects it with
  probability (c - 1) / (N_R - 1), where c is how often it is there: m makes all of them together most likely.
- u is the share of what is there once and not in q: so much of the language is likely to be in neither.

But q is a sample too. If both were one, q would be N_q / (N_R + N_q) of it, so m is never more than that: ten lines
that look like REPRESENTATIVE do not say much about what it lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .counts import Counts

LEVELS = 16  # weights of lines are multiples of a sixteenth
STEPS = 20  # m is found as a multiple of 2^-20, so that rounding does not decide
TOLERANCE = 1e-12  # of a slope that is flat


@dataclass(frozen=True, slots=True, eq=False)
class Widening:
    counts: Sequence[Counts]  # of lines that look like REPRESENTATIVE, by side, without the words that it has
    mass: NDArray[np.float64]  # m, by order
    reach: NDArray[np.float64]  # 1 - u, by order
    lines: int  # how many there are
    share: float  # of the lines of AVAILABLE that belong to the language


def mixture_of(
    targets: Sequence[Sequence[Counts]], weights: Sequence[float], strength: float, alike: Sequence[Counts]
) -> tuple[list[Counts], NDArray[np.float64], NDArray[np.float64]]:
    """The counts of q by side, and by order m and 1 - u: what targets say, by their weights. A strength multiplies m
    and, below 1, u, so that a strength near 0 changes nearly nothing."""
    found = (weight * np.array(_shares_of(sides, alike)) for weight, sides in zip(weights, targets, strict=True))
    mass, beyond = np.sum([*found], axis=0)
    sampled = np.sum([counts.totals for sides in targets for counts in sides], axis=0)
    more = np.sum([counts.totals for counts in alike], axis=0) / LEVELS
    mass = np.minimum(strength * mass, more / (sampled + more))
    lacking = [_new_words(counts, had) for counts, *had in zip(alike, *targets, strict=True)]
    if not any(counts.total for counts in lacking):
        lacking, mass[0] = list(alike), 0.0
    return lacking, mass, 1.0 - min(strength, 1.0) * beyond


def _new_words(alike: Counts, targets: Sequence[Counts]) -> Counts:
    """The same without the words that a target has."""
    count = alike.count.copy()
    for counts in targets:
        found = alike.find(counts)
        count[found[found >= 0]] = 0
    return replace(alike, count=count)


def _shares_of(sides: Sequence[Counts], alike: Sequence[Counts]) -> tuple[list[float], list[float]]:
    """By order, m and u as one target says."""
    seen = [(counts.of_features, counts.aligned(more)) for counts, more in zip(sides, alike, strict=True)]
    ends = [np.cumsum([0, *counts.sizes]).tolist() for counts in sides]
    mass, beyond = [], []
    for order in range(sides[0].ngrams):
        parts = [slice(end[order], end[order + 1]) for end in ends]
        here = np.concatenate([own[part] for (own, _), part in zip(seen, parts, strict=True)])
        there = np.concatenate([more[part] for (_, more), part in zip(seen, parts, strict=True)])
        sampled = sum(counts.totals[order] for counts in sides)
        if order == 0:
            mass.append(int(np.count_nonzero(here == 1)) / max(sampled, 1))
        else:
            mass.append(_most_likely(here, there, sampled, sum(counts.totals[order] for counts in alike)))
        beyond.append(int(np.count_nonzero((here == 1) & (there == 0))) / (sampled + 1))
    return mass, beyond


def _most_likely(here: NDArray[np.int64], there: NDArray[np.int64], sampled: int, alike: int) -> float:
    """The share of lines that look like a target with which it is most likely, each of its features left out in turn;
    `here` and `there` is how often the target has a feature, and these lines.

    Features with the same counts are taken together, which also makes their order irrelevant.
    """
    most = int(there.max(initial=0)) + 1
    both, number = np.unique(here * most + there, return_counts=True)
    count, other = np.divmod(both, most)
    own, wide = (count - 1) / max(sampled - 1, 1), other / max(alike, 1)
    can = (own + wide) > 0
    own, wide, times_seen = own[can], wide[can], (count * number)[can]
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        slope = times_seen * (wide - own) / ((1.0 - middle) * own + middle * wide)
        if slope.sum() > TOLERANCE * np.abs(slope).sum():
            low = middle
        else:
            high = middle
    return low


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
