"""Confidence intervals of figures: the bootstrap over held-out lines, paired (Koehn 2004, "Statistical Significance
Tests").

A figure is a sum over the held-out lines, of bits or of unknown words, divided by the number of words. A sample draws
as many lines as there are, with replacement; every method is measured on the same samples, so that the difference
between two methods has an interval of its own, much smaller than theirs. Of methods with several seeds, a sample draws
seeds too, the same of all: a seed may decide for which lines of REPRESENTATIVE all of them rank. More than UNITS lines
are drawn in runs of neighbours.

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
        made[name] = Certainty(**_interval(own).to_dict(), above=above, leads=leads)
    return made


def _interval(values: NDArray[np.float64]) -> Interval:
    """Without the samples that are lowest and highest."""
    ends = (100 - LEVEL) / 200
    low, high = np.quantile(values, [ends, 1 - ends])
    return Interval(low=rounded(float(low)), high=rounded(float(high)))


def resample(selections: Sequence[Sequence[Sums]], sizes: Sums) -> list[Resampled]:
    """Of selections, each made with one seed or several: their figures in all samples.

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
    for seeds in selections:
        end = at + figures * len(seeds)
        own = sums[at:end].reshape(len(seeds), figures, -1)
        mean = (own * _drawn_seeds(len(seeds))[:, None, :]).sum(axis=0) / divisor
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


def _drawn_seeds(seeds: int) -> NDArray[np.float64]:
    """(seeds, samples): which share each seed has of a sample, the same for all methods."""
    if seeds == 1:
        return np.ones((1, SAMPLES))
    drawn = (draw(SAMPLES, SAMPLES * seeds) * seeds).astype(np.int64).reshape(SAMPLES, seeds)
    return np.stack([(drawn == seed).mean(axis=1) for seed in range(seeds)])
