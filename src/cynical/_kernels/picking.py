"""What every search does with a pick: count its words, record its gain, and keep track of the lowest entropy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import decoded
from .formulas import (
    HAS_NGRAMS,
    HAS_PRIOR,
    UNIT,
    WORD_BASE,
    Model,
    gain_of_word,
    penalty,
    ready_gain,
    refresh_word,
)
from .jit import inlined

# Why a search came back: it made all the picks it was allowed; too many rows were scored again, so all gains must be
# refreshed; no line is left; the next line would exceed the budget of words; too many words brought no new low.
FULL, STALE, NO_LINE_LEFT, OVER_BUDGET, OUT_OF_PATIENCE = 0, 1, 2, 3, 4


class PickLog(NamedTuple):
    """What was picked, in order."""

    line: NDArray[np.int64]
    words: NDArray[np.int64]
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]  # of single words
    feature_entropy: NDArray[np.float64]
    word: NDArray[np.int64]
    types: NDArray[np.int64]  # representative word types seen so far
    covered: NDArray[np.float64]  # and their share of the representative corpus


class Progress(NamedTuple):
    """How far the search is; one element each."""

    picks: NDArray[np.int64]
    words: NDArray[np.int64]  # picked, without SEED
    seed_words: NDArray[np.int64]  # words of SEED
    features: NDArray[np.int64]  # picked, with SEED: W_n
    step: NDArray[np.int64]
    epoch: NDArray[np.int64]  # features when the epoch began
    rescored: NDArray[np.int64]  # rows that were scored again since the last refresh
    entropy: NDArray[np.float64]  # of single words
    feature_entropy: NDArray[np.float64]
    lowest: NDArray[np.float64]  # the lowest entropy so far,
    lowest_picks: NDArray[np.int64]  # the number of picks then
    lowest_words: NDArray[np.int64]  # and words
    types: NDArray[np.int64]
    covered: NDArray[np.float64]


class PickLimits(NamedTuple):
    """When a search must come back."""

    picks: int  # most of them in this call: the room in the log
    words: int  # the budget of words, for all calls together
    patience: int  # words without a new lowest entropy


class Pick(NamedTuple):
    """A line that has been chosen."""

    line: int
    words: int
    features: int
    penalty: float
    gain: float
    word: int  # that led to it or gains most, -1 if there is none


@inlined
def over_budget(progress: Progress, limits: PickLimits, words: int) -> bool:
    """Would a line with this many words exceed the budget?"""
    return progress.words[0] + words > limits.words


@inlined
def out_of_patience(progress: Progress, limits: PickLimits) -> bool:
    return progress.words[0] - progress.lowest_words[0] > limits.patience


@inlined
def best_word(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """The word of a row that gains most, the first of equals; -1 if the row has none."""
    best, best_gain = -1, 1
    for v, c in decoded(entry, begin, end, model.p.size):
        gain = ready_gain(model, v, c)
        if gain < best_gain:
            best, best_gain = v, gain
    return best


@inlined
def gain_of_features(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """The gain of a row without its prior, which is the last of its features."""
    total, prior = 0, model.p.size - 1
    for v, c in decoded(entry, begin, end, model.p.size):
        if v != prior:
            total += ready_gain(model, v, c)
    return total


@inlined
def count_row(model: Model, progress: Progress, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """Count the features of a row as selected; the gain of single words, where there are n-grams too."""
    single_gain, singles = 0, model.single.size
    has_ngrams = model.smoothing[HAS_NGRAMS] > 0.0
    for v, c in decoded(entry, begin, end, model.p.size):
        if v < singles:
            if model.counts[v] == 0:
                progress.types[0] += 1
                progress.covered[0] += model.single[v]
            if has_ngrams:
                single_gain += gain_of_word(model, model.single[v], v, c)
        model.counts[v] += c
        refresh_word(model, v)
    return single_gain


@inlined
def record(
    model: Model,
    progress: Progress,
    log: PickLog,
    n: int,
    pick: Pick,
    entry: NDArray[np.uint32],
    begin: int,
    end: int,
) -> None:
    """Count the features of a picked row, and write the pick down as the n-th. Its prior is no part of its gain."""
    gain = pick.gain
    if model.smoothing[HAS_PRIOR] > 0.0:
        gain = gain_of_features(model, entry, begin, end) * UNIT
    single_gain = count_row(model, progress, entry, begin, end)
    progress.feature_entropy[0] += pick.penalty + gain
    if model.smoothing[HAS_NGRAMS] > 0.0:
        selected = progress.seed_words[0] + progress.words[0]
        progress.entropy[0] += penalty(selected, pick.words, model.smoothing[WORD_BASE]) + single_gain * UNIT
    else:
        progress.entropy[0] = progress.feature_entropy[0]
    progress.words[0] += pick.words
    progress.features[0] += pick.features
    progress.picks[0] += 1
    if progress.entropy[0] < progress.lowest[0]:
        progress.lowest[0] = progress.entropy[0]
        progress.lowest_picks[0], progress.lowest_words[0] = progress.picks[0], progress.words[0]
    log.line[n] = pick.line
    log.words[n] = pick.words
    log.penalty[n] = pick.penalty
    log.gain[n] = gain
    log.entropy[n] = progress.entropy[0]
    log.feature_entropy[n] = progress.feature_entropy[0]
    log.word[n] = pick.word
    log.types[n], log.covered[n] = progress.types[0], progress.covered[0]
