"""A ranking line by line: when each word was first seen, what each brought, and what a line was made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import REPEATS, UNIT, Model, gain_of_word
from .jit import kernel


class Rows(NamedTuple):
    """Some lines of a ranking, one behind another (see rows.py for how entries are written)."""

    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]


class Path(NamedTuple):
    """What is known of each word so far."""

    first: NDArray[np.int64]  # the line, counted from 1, that first had it; 0 while none has
    bits: NDArray[np.float64]  # the sum of its gains
    group: NDArray[np.int8]  # by word: which of the columns of `Made.by_group` it counts in


class Made(NamedTuple):
    """What these lines were made of."""

    by_group: NDArray[np.int64]  # (lines, groups): words of each
    types: NDArray[np.int64]  # by line: how many of the arrays below are its own; 0 if nobody asks for it
    word: NDArray[np.int64]
    times: NDArray[np.int64]
    gain: NDArray[np.float64]  # with the counts of all lines above


@kernel
def follow(model: Model, rows: Rows, before: int, path: Path, asked: NDArray[np.bool_], made: Made) -> int:
    """Go on from `before` lines, and add these to the model's counts; how many words were written down."""
    words, at = model.p.size, 0
    for row in range(rows.entries.size):
        k, begin = rows.start[row], at
        end = k + rows.entries[row]
        while k < end:
            e = np.int64(rows.entry[k])
            v, c = e % words, e // words + 1
            if c > REPEATS:
                v = e - REPEATS * words
                k += 1
                c = np.int64(rows.entry[k])
            k += 1
            bits = UNIT * gain_of_word(model, model.p[v], v, c)
            path.bits[v] += bits
            if path.first[v] == 0:
                path.first[v] = before + row + 1
            if path.group[v] >= 0:
                made.by_group[row, path.group[v]] += c
            if asked[row]:
                made.word[at], made.times[at], made.gain[at] = v, c, bits
                at += 1
            model.counts[v] += c  # each word stands once in a row
        made.types[row] = at - begin
    return at
