"""A linear classifier of lines: logistic regression on hashed words and word pairs.

The log-odds of a line are a number for all lines plus the mean of the weights of its features. Everything is made from
additions, multiplications, divisions and square roots, which are the same on every machine.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .jit import inlined, kernel
from .log2 import LOG2E

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # ln 2, the first in few bits
SERIES = tuple(1.0 / math.factorial(n) for n in range(14))  # of exp, enough for half of ln 2
FARTHEST = 700.0  # exp of more is too large for a double
NEUTRAL = 20  # features of no weight that each line has beside its own, so that few words do not make it extreme
RATE, RATE_OF_ALL = 300.0, 0.1  # what steps begin with: that of a feature, and that of the weight of all lines
POWERS, MIDDLE = np.ldexp(1.0, np.arange(-1022, 1023)), 1022  # of 2, and where 2^0 is


@inlined
def exp(x: float) -> float:
    """e to the power x, to a few units of the last place."""
    x = min(max(x, -FARTHEST), FARTHEST)
    k = np.rint(x * LOG2E)
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    total = 0.0
    for n in range(13, -1, -1):
        total = total * r + SERIES[n]
    return total * POWERS[int(k) + MIDDLE]


@inlined
def probability(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-log_odds))


@inlined
def mean_weight(bucket: NDArray[np.uint32], begin: int, end: int, weight: NDArray[np.float64]) -> float:
    total = 0.0
    for i in range(begin, end):
        total += weight[bucket[i]]
    return total / (end - begin + NEUTRAL)


@kernel
def train(
    bucket: NDArray[np.uint32],
    end: NDArray[np.int64],
    label: NDArray[np.uint8],
    order: NDArray[np.int64],
    weight: NDArray[np.float64],
    done: int,
    steps: int,
) -> None:
    """Learn from lines in an order: stochastic gradient descent, `done` of whose `steps` were made before. The last
    weight is that of all lines."""
    all_lines = weight.size - 1
    for i in range(order.size):
        line = order[i]
        begin = end[line - 1] if line else 0
        log_odds = mean_weight(bucket, begin, end[line], weight) + weight[all_lines]
        step = (label[line] - probability(log_odds)) * (1.0 - (done + i) / steps)
        weight[all_lines] += RATE_OF_ALL * step
        step *= RATE / (end[line] - begin + NEUTRAL)
        for k in range(begin, end[line]):
            weight[bucket[k]] += step


@kernel
def mean_weights(
    bucket: NDArray[np.uint32], end: NDArray[np.int64], weight: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """By line, its log-odds, before calibration."""
    begin = 0
    for line in range(end.size):
        out[line] = mean_weight(bucket, begin, end[line], weight) + weight[weight.size - 1]
        begin = end[line]


@kernel
def calibrate(log_odds: NDArray[np.float64], label: NDArray[np.uint8], steps: int) -> tuple[float, float]:
    """The scale and shift of log-odds that make held-out labels most likely (Platt), by Newton's method."""
    scale, shift = 1.0, 0.0
    for _ in range(steps):
        a = b = aa = ab = bb = 0.0
        for i in range(label.size):
            x = log_odds[i]
            p = probability(scale * x + shift)
            slope, bend = p - label[i], p * (1.0 - p)
            a += slope * x
            b += slope
            aa += bend * x * x
            ab += bend * x
            bb += bend
        aa, bb = aa + 1e-6, bb + 1e-6
        determinant = aa * bb - ab * ab
        scale -= (bb * a - ab * b) / determinant
        shift -= (aa * b - ab * a) / determinant
    return scale, shift


@kernel
def probabilities(log_odds: NDArray[np.float64], share: float, out: NDArray[np.float64]) -> None:
    """What log-odds mean where this share of the lines belongs to the language."""
    odds = share / (1.0 - share)
    for i in range(log_odds.size):
        likely = exp(log_odds[i]) * odds
        out[i] = likely / (1.0 + likely)
