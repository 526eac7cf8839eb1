"""Pseudo-random numbers, one per line; a seed gives the same numbers on every machine and in every version.

They are the stream of SplitMix64 (Steele, Lea and Flood 2014), begun where the seed says. A library's generators may
change their streams from one release to the next.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GOLDEN, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
FRACTION = 2.0**-52


def mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of the result depends on all bits."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


def draw(seed: int, lines: int, before: int = 0) -> NDArray[np.float64]:
    """A number for each line, anywhere between 0 and 1 but neither of them; `before` is how many lines come before."""
    begin = mix(np.array([seed % (1 << 64)], np.uint64))  # seeds that follow one another begin far apart
    bits = mix(begin + np.arange(before + 1, before + lines + 1, dtype=np.uint64) * GOLDEN)
    return ((bits >> np.uint64(12)).astype(np.float64) + 0.5) * FRACTION
