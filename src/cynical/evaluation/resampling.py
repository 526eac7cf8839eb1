"""Confidence intervals of figures: the bootstrap over held-out lines, paired (Koehn 2004, "Statistical Significance
Tests").

A figure is a sum over the held-out lines, of bits or of unknown words, divided by the number of words. A sample draws
as many lines as there are, with replacement; every method is measured on the same samples, so that the difference
between two methods has an interval of its own, much smaller than theirs. More than UNITS lines are drawn in runs of
neighbours.

Of a method with several seeds, the mean is known to within its standard error. A sample adds that, times a number from
Student's t distribution: to draw from a few seeds, as from lines, would make intervals too narrow (with two seeds, half
of all "95 %" intervals would be wrong). Where a seed decides the same for all methods, for which lines of
REPRESENTATIVE they rank, the samples of all have the same numbers.

The samples are the same in every run. Sums are of whole numbers, multiples of a power of two, none of which exceeds
2^53: so whatever threads add them up, in whatever order, they come to the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.random_numbers import draw
from .records import DECIDING, Certainties, Certainty, Interval, rounded

SAMPLES = 1000
UNITS = 10_000  # lines, or runs of lines, that are drawn from
LEVEL = 95  # of 100 samples are in an interval
BITS = 52  # of a sum
WEIGHTS = 1 << 22  # numbers that are drawn at a time

Sums = NDArray[np.float64]  # (figures, units): n-gram bits, unknown words, bits of single words
IS_PERPLEXITY = np.array([name == "ngram_perplexity" for name in DECIDING])
POSSIBLE = {"ngram_perplexity": (1.0, math.inf), "oov_tokens": (0.0, 1.0), "entropy": (0.0, math.inf)}


def units_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the units begin that are drawn: lines that have words, or runs of such lines."""
    filled = np.flatnonzero(lengths)
    number = min(len(filled), UNITS)
    starts = filled[np.arange(number) * len(filled) // max(number, 1)]
    starts[:1] = 0
    return starts


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """The figures of one selection in each sample, (figures, samples), and in the whole."""

    samples: NDArray[np.float64]
    whole: NDArray[np.float64]


def certainties(selections: Sequence[Resampled | None]) -> list[Certainties | None]:
    """Of selections of one budget; None where nothing was picked."""
    found = [one for one in selections if one is not None]
    if not found:
        return [None] * len(selections)
    lowest = [min(range(len(found)), key=lambda place: found[place].whole[row]) for row in range(len(DECIDING))]
    return [None if one is None else Certainties(**_certain(one, found, lowest)) for one in selections]


def _certain(one: Resampled, found: Sequence[Resampled], lowest: Sequence[int]) -> dict[str, Certainty]:
    made = {}
    for row, (name, place) in enumerate(zip(DECIDING, lowest, strict=True)):
        own, least = one.samples[row], found[place]
        above = None if one is least else _interval(own - least.samples[row])
        leads = above is None or above.low <= 0
        made[name] = Certainty(**_interval(np.clip(own, *POSSIBLE[name])).to_dict(), above=above, leads=leads)
    return made


def _interval(values: NDArray[np.float64]) -> Interval:
    """Without the samples that are lowest and highest."""
    ends = (100 - LEVEL) / 200
    low, high = np.quantile(values, [ends, 1 - ends])
    return Interval(low=rounded(float(low)), high=rounded(float(high)))


def resample(selections: Sequence[Sequence[Sums]], sizes: Sums, paired: bool = False) -> list[Resampled]:
    """Of selections, each made with one seed or several: their figures in all samples. If they are `paired`, a seed
    decides the same for all.

    `sizes` is what the sums are divided by: words with and without the ends of lines, by unit.
    """
    columns = np.concatenate([sizes, *(sums for seeds in selections for sums in seeds)])
    scale = _scale(columns)
    whole = np.rint(columns * scale[:, None])
    sums = np.concatenate([np.zeros((len(columns), 0))] + [whole @ weights.T for weights in _draws(sizes.shape[1])], 1)
    sums, whole = sums / scale[:, None], whole.sum(axis=1) / scale
    figures = len(sizes)
    divisor, divisor_of_whole = sums[:figures], whole[:figures]
    made, at = [], figures
    for place, seeds in enumerate(selections):
        end = at + figures * len(seeds)
        own = sums[at:end].reshape(len(seeds), figures, -1)
        mean = (own * _weights_of_seeds(0 if paired else place, len(seeds))[:, None, :]).sum(axis=0) / divisor
        mean_of_whole = whole[at:end].reshape(len(seeds), figures).mean(axis=0) / divisor_of_whole
        made.append(Resampled(_as_figures(mean), _as_figures(mean_of_whole)))
        at = end
    return made


def _as_figures(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bits per word of an n-gram model as its perplexity."""
    made = means.copy()
    made[IS_PERPLEXITY] = np.exp2(means[IS_PERPLEXITY])
    return made


def _scale(columns: Sums) -> NDArray[np.float64]:
    """For each column a power of two, as high as sums of that many multiples of it allow."""
    most = np.maximum(columns.max(axis=1, initial=0.0) * columns.shape[1], 1.0)
    return np.array([2.0 ** math.floor(BITS - math.log2(one)) for one in most])


def _draws(units: int) -> Iterator[NDArray[np.float64]]:
    """(samples, units): how often each unit is in each sample, some samples at a time."""
    together = max(1, WEIGHTS // units)
    for begin in range(0, SAMPLES, together):
        number = min(together, SAMPLES - begin)
        drawn = [(draw(sample, units) * units).astype(np.int64) for sample in range(begin, begin + number)]
        yield np.stack([np.bincount(one, minlength=units) for one in drawn]).astype(np.float64)


def _weights_of_seeds(place: int, seeds: int) -> NDArray[np.float64]:
    """(seeds, samples): how much of each seed is in a sample: their mean, and a multiple of its standard error.

    With normal numbers g, the sum of g (x - mean of x) / sqrt(n (n - 1)) is normal and has the standard error of the
    mean of x; divided by the root of the mean of n - 1 other squares, it is a number from Student's t distribution
    times that. It is a sum over seeds, so a difference between two methods is treated alike."""
    if seeds == 1:
        return np.ones((1, SAMPLES))
    normal = _normal_numbers(SAMPLES + place, (2 * seeds - 1) * SAMPLES).reshape(2 * seeds - 1, SAMPLES)
    own, others = normal[:seeds], normal[seeds:]
    apart = (own - own.mean(axis=0)) / np.sqrt((others**2).mean(axis=0))
    return np.asarray(1 / seeds + apart / math.sqrt(seeds * (seeds - 1)))


def _normal_numbers(seed: int, number: int) -> NDArray[np.float64]:
    """By the method of Box and Muller."""
    radius, angle = np.split(draw(seed, 2 * number), 2)
    return np.asarray(np.sqrt(-2 * np.log(radius)) * np.cos(2 * math.pi * angle))
