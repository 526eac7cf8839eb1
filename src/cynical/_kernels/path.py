"""What every search does with a pick: count its words, write down what it brought, and remember the lowest point."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import UNIT, Model, gain_of_word, penalty_of_words, refresh_word
from .jit import inlined

FULL, STALE, DRY, OVER, SATISFIED = 0, 1, 2, 3, 4  # why a search came back


class Path(NamedTuple):
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
    """Where the search stands; one element each."""

    picks: NDArray[np.int64]
    words: NDArray[np.int64]  # picked, without SEED
    seed_words: NDArray[np.int64]  # words of SEED
    features: NDArray[np.int64]  # picked, with SEED: W_n
    step: NDArray[np.int64]
    epoch: NDArray[np.int64]  # features when the epoch began
    since: NDArray[np.int64]  # rescored since all gains were fresh
    entropy: NDArray[np.float64]  # of single words
    feature_entropy: NDArray[np.float64]
    lowest: NDArray[np.float64]  # the lowest entropy so far,
    lowest_picks: NDArray[np.int64]  # after so many picks
    lowest_words: NDArray[np.int64]  # and words
    types: NDArray[np.int64]
    covered: NDArray[np.float64]


@inlined
def best_word(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """The word of a row that gains most, the first of equals; -1 if the row has none."""
    best, best_gain, k = -1, 1, begin
    while k < end:
        e = np.int64(entry[k])
        v = e % model.p.size
        if e < model.gain.size:
            gain = model.gain[e]
        else:
            k += 1
            gain = gain_of_word(model, model.p[v], v, np.int64(entry[k]))
        if gain < best_gain:
            best, best_gain = v, gain
        k += 1
    return best


@inlined
def add_row(model: Model, progress: Progress, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """Count the words of a row as selected; what it brings single words, where they are not all there is."""
    brings, singles, k = 0, model.single.size, begin
    beside = model.smoothing[3] > 0.0
    while k < end:
        e = np.int64(entry[k])
        v, c = e % model.p.size, e // model.p.size + 1
        if e >= model.gain.size:
            k += 1
            c = np.int64(entry[k])
        if v < singles:
            if model.counts[v] == 0:
                progress.types[0] += 1
                progress.covered[0] += model.single[v]
            if beside:
                brings += gain_of_word(model, model.single[v], v, c)
        model.counts[v] += c
        refresh_word(model, v)
        k += 1
    return brings


@inlined
def record(
    model: Model,
    progress: Progress,
    path: Path,
    n: int,
    line: int,
    words: int,
    features: int,
    penalty: float,
    gain: float,
    word: int,
    brings: int,
) -> None:
    """Write down a pick whose words have been counted, and brought so much to single words."""
    progress.feature_entropy[0] += penalty + gain
    if model.smoothing[3] > 0.0:
        before = progress.seed_words[0] + progress.words[0]
        progress.entropy[0] += penalty_of_words(before, words, model) + brings * UNIT
    else:
        progress.entropy[0] = progress.feature_entropy[0]
    progress.words[0] += words
    progress.features[0] += features
    progress.picks[0] += 1
    if progress.entropy[0] < progress.lowest[0]:
        progress.lowest[0] = progress.entropy[0]
        progress.lowest_picks[0], progress.lowest_words[0] = progress.picks[0], progress.words[0]
    path.line[n] = line
    path.words[n] = words
    path.penalty[n] = penalty
    path.gain[n] = gain
    path.entropy[n] = progress.entropy[0]
    path.feature_entropy[n] = progress.feature_entropy[0]
    path.word[n] = word
    path.types[n], path.covered[n] = progress.types[0], progress.covered[0]
