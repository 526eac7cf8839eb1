"""The formulas of the method (model/entropy.py lists them), each written once.

Gains are integers, multiples of 2^-56 bit, so that a sum of gains does not depend on the order of its terms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import REPEATS, ZERO_PRIOR
from .jit import called, inlined, kernel
from .log2 import LOG2E, log2, two_sum

UNITS = 2.0**56  # in a bit
UNIT = 2.0**-56
UNITS_OF_PRIOR = 1 << 28  # 2^-56 bits in 2^-28
S, BASE, WORD_BASE, HAS_NGRAMS, HAS_PRIOR = 0, 1, 2, 3, 4  # what is where in Model.smoothing


class Model(NamedTuple):
    """The unigram model of what has been selected, over the representative words (and n-grams): the features."""

    p: NDArray[np.float64]  # the probability of each in the representative corpus
    counts: NDArray[np.int64]  # C_n: how often each has been selected
    gain: NDArray[np.int64]  # the gain of each, seen once, then of each seen twice, and so on: indexed by entry
    logs: NDArray[np.float64]  # log2((C + s) / (C + c + s)) by C and c - 1, for small ones; 0 where not known yet
    smoothing: NDArray[np.float64]  # s, base, base of single words; 1 if there are n-grams too; 1 if there is a prior
    ngram_added: NDArray[np.float64]  # what n-gram smoothing adds to s, by feature, 0 for words; empty if there is none
    single: NDArray[np.float64]  # of each word among single words: the first features; p itself if there are no others


@inlined
def penalty(selected: int, added: int, base: float) -> float:
    """What it costs to add a line of N features (or words) when some have been selected; base is s(v) of all."""
    return log2((selected + added + base) / (selected + base))


@inlined
def penalty_slope(selected: int, added: int, base: float) -> float:
    """How much the tangent of the penalty falls for each feature that is selected."""
    return LOG2E * added / ((selected + base) * (selected + base + added))


@inlined
def utility(penalty: float, gain: float, divisor: float) -> float:
    """What decides between lines, the lowest first: delta, or delta per word, where `divisor` is the words."""
    return (penalty + gain) / divisor


@inlined
def smoothing_of(s: float, ngram_added: NDArray[np.float64], v: int) -> float:
    """s(v): what is added to the count of a feature."""
    return s + ngram_added[v] if v < ngram_added.size else s


@inlined
def gain_of_word(model: Model, p: float, v: int, c: int) -> int:
    """What c more of word v, of probability p, bring, as an integer: p log2((C + s) / (C + c + s))."""
    had, s = model.counts[v], smoothing_of(model.smoothing[S], model.ngram_added, v)
    known = s == model.smoothing[S] and had < model.logs.shape[0] and c <= model.logs.shape[1]
    ratio_bits = model.logs[had, c - 1] if known else 0.0
    if ratio_bits == 0.0:
        ratio_bits = log2((had + s) / (had + c + s))
        if known:
            model.logs[had, c - 1] = ratio_bits
    return np.int64(np.rint(p * ratio_bits * UNITS))


@inlined
def ready_gain(model: Model, v: int, c: int) -> int:
    """The same, from the table where it has it."""
    if c <= REPEATS:
        return model.gain[(c - 1) * model.p.size + v]
    return gain_of_word(model, model.p[v], v, c)


@inlined
def refresh_word(model: Model, v: int) -> None:
    """Bring the table up to date after the count of v has changed."""
    for c in range(1, REPEATS + 1):
        model.gain[(c - 1) * model.p.size + v] = gain_of_word(model, model.p[v], v, c)


@called
def gain_of_repeated(model: Model, v: int, c: int) -> int:
    """The gain of a word that a line has too often for the table; rare, so it stays out of the loop below."""
    if v == model.p.size - 1 and model.smoothing[HAS_PRIOR] > 0.0:
        return (c - ZERO_PRIOR) * UNITS_OF_PRIOR
    return gain_of_word(model, model.p[v], v, c)


@inlined
def gain_of_row(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """What a line brings: the sum over its words.

    The innermost loop of every search. It looks gains up by entry, without decoding it: a division for each entry
    would cost more than all the rest.
    """
    total, ready, k = 0, model.gain.size, begin
    while k < end:
        e = np.int64(entry[k])
        if e < ready:
            total += model.gain[e]
            k += 1
        else:
            total += gain_of_repeated(model, e - ready, np.int64(entry[k + 1]))
            k += 2
    return total


@kernel
def refresh_words(model: Model) -> None:
    for v in range(model.p.size):
        refresh_word(model, v)


@kernel
def entropy(
    p: NDArray[np.float64],
    counts: NDArray[np.int64],
    s: float,
    ngram_added: NDArray[np.float64],
    base: float,
    words: int,
    other: float,
) -> float:
    """H: bits a representative word costs under the model; `other` is the mass of words known only as a total."""
    h, low = two_sum(0.0, -other * log2(s / (words + base))) if other > 0 else (0.0, 0.0)
    for v in range(p.size):
        h, e = two_sum(h, -p[v] * log2((counts[v] + smoothing_of(s, ngram_added, v)) / (words + base)))
        low += e
    return h + low
