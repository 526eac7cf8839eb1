"""A ranking line by line: when each word was first seen, the gain of each word, and the words of single lines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import Rows, decoded, span
from .formulas import UNIT, Model, gain_of_word
from .jit import kernel


class WordHistory(NamedTuple):
    """What is known of each word so far."""

    first: NDArray[np.int64]  # the line, counted from 1, that first had it; 0 while none has
    bits: NDArray[np.float64]  # the sum of its gains
    group: NDArray[np.int8]  # by word: which of the columns of `LineWords.by_group` it counts in


class LineWords(NamedTuple):
    """The words of some lines."""

    by_group: NDArray[np.int64]  # (lines, groups): words of each
    types: NDArray[np.int64]  # by line: how many of the arrays below are its own; 0 if nobody asks for it
    word: NDArray[np.int64]
    times: NDArray[np.int64]
    gain: NDArray[np.float64]  # with the counts of all lines above


@kernel
def add_lines(
    model: Model, rows: Rows, before: int, history: WordHistory, asked: NDArray[np.bool_], lines: LineWords
) -> int:
    """Add the lines that follow the first `before` to the history and the counts; how many words were written down."""
    at = 0
    for row in range(rows.entries.size):
        first = at
        begin, end = span(rows, row)
        for v, c in decoded(rows.entry, begin, end, model.p.size):
            bits = UNIT * gain_of_word(model, model.p[v], v, c)
            history.bits[v] += bits
            if history.first[v] == 0:
                history.first[v] = before + row + 1
            if history.group[v] >= 0:
                lines.by_group[row, history.group[v]] += c
            if asked[row]:
                lines.word[at], lines.times[at], lines.gain[at] = v, c, bits
                at += 1
            model.counts[v] += c  # each word is in a row once
        lines.types[row] = at - first
    return at
