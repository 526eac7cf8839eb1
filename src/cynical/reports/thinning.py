"""Which cuts and lines of a ranking a page contains, so that the page of a million lines still opens at once.

A cut is a number of lines, from 0 on. Of a long ranking the page carries the first cuts, then stretches that grow with
the ranking: of each where it begins, and where the entropy is lowest and highest in it, so that no valley is lost.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

MOST_CUTS = 2000
MOST_LINES = 1000
FIRST_CUTS = 200  # one by one, where each line still shows
AROUND = 40  # lines on each side of a cut that somebody will look at


def cuts(entropy: NDArray[np.float64], keep: Iterable[int] = (), most: int = MOST_CUTS) -> NDArray[np.int64]:
    """Cuts in order, at most this many; entropy[n] is that of n lines. What to `keep` is kept: few, please."""
    last = len(entropy) - 1
    if last < most:
        return np.arange(last + 1)
    wanted = {0, last, *(cut for cut in keep if 0 <= cut <= last)}
    first = min(FIRST_CUTS, most // 4)
    stretches = (most - first - len(wanted)) // 3
    bounds = _bounds(first, last, stretches)
    lowest = np.array([begin + int(np.argmin(entropy[begin:end])) for begin, end in _pairs(bounds)], np.int64)
    highest = np.array([begin + int(np.argmax(entropy[begin:end])) for begin, end in _pairs(bounds)], np.int64)
    return np.unique(np.concatenate([np.arange(first), bounds[:-1], lowest, highest, sorted(wanted)]))


def lines(ranked: int, around: Iterable[int], cuts: NDArray[np.int64], most: int = MOST_LINES) -> NDArray[np.int64]:
    """Ranks (from 0) of the lines that are carried: the first, those around some cuts, and some near every cut."""
    if ranked <= most:
        return np.arange(ranked)
    chosen = np.zeros(ranked, np.bool_)
    centres = [cut for cut in around if 0 <= cut <= ranked]
    reach = min(AROUND, most // (8 * max(len(centres), 1)))
    for cut in centres:
        chosen[max(cut - reach, 0) : cut + reach] = True
    ends = np.maximum(cuts, 1) - 1  # the last line of each cut
    spread = min(most // 3, len(ends))
    chosen[ends[np.linspace(0, len(ends) - 1, spread).astype(np.int64)]] = True
    left = most - int(chosen.sum())
    chosen[np.flatnonzero(~chosen)[:left]] = True
    return np.flatnonzero(chosen)


def _bounds(first: int, last: int, stretches: int) -> NDArray[np.int64]:
    """Where stretches begin, and where the last one ends: half of them grow with the ranking, half are equally long."""
    half = stretches // 2
    growing = np.geomspace(max(first, 1), last + 1, stretches - half + 1)
    even = np.linspace(first, last + 1, half + 1)
    return np.unique(np.concatenate([[first, last + 1], growing, even]).astype(np.int64).clip(first, last + 1))


def _pairs(bounds: NDArray[np.int64]) -> Iterable[tuple[int, int]]:
    return itertools.pairwise(bounds.tolist())
