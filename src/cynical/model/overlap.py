"""Which lines of a text are in another: word for word, or inside longer lines of it, such as documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .sequences import Sequences

WINDOW = 8  # words: shorter lines are inside many others by chance
PIECE = 1 << 20  # words that are looked at together
FACTOR = np.uint64(0x9E3779B97F4A7C15)


def inside_longer(lines: Sequences, text: Sequences) -> NDArray[np.bool_]:
    """For each line of WINDOW words or more whether its words are inside a longer line of a text; both are numbered
    alike."""
    out = np.zeros(len(lines), np.bool_)
    long = np.flatnonzero(lines.lengths >= WINDOW)
    if not len(long) or not len(text):
        return out
    begins = _windows(lines.ids, lines.start[long])
    order = np.argsort(begins, kind="stable")
    begins, long = begins[order], long[order]
    for at in range(0, text.words, PIECE):
        places = np.arange(at, min(at + PIECE, text.words))
        line = np.searchsorted(text.start, places, side="right") - 1
        fits = places + WINDOW <= text.start[line + 1]
        places, line = places[fits], line[fits]
        hashes = _windows(text.ids, places)
        first = np.searchsorted(begins, hashes)
        hit = first < len(begins)
        hit[hit] = begins[first[hit]] == hashes[hit]
        for place, number, row in zip(places[hit].tolist(), first[hit].tolist(), line[hit].tolist(), strict=True):
            rest = text.ids[place : int(text.start[row + 1])]
            alike = long[number : int(np.searchsorted(begins, begins[number], side="right"))]
            for one in alike.tolist():
                words = lines.ids[int(lines.start[one]) : int(lines.start[one + 1])]
                longer = len(words) < int(text.start[row + 1] - text.start[row])
                out[one] |= longer and np.array_equal(words, rest[: len(words)])
    return out


def _windows(ids: NDArray[np.uint32], places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A hash of the words from each place on."""
    out = np.zeros(len(places), np.uint64)
    for step in range(WINDOW):
        out = (out ^ ids[places + step]) * FACTOR
        out ^= out >> np.uint64(29)
    return out


def same_words(lines: Sequences, text: Sequences) -> NDArray[np.bool_]:
    """For each line whether a text has one of the same words in the same order."""
    known = {text.ids[begin:end].tobytes() for begin, end in zip(text.start[:-1], text.start[1:], strict=True)}
    spans = zip(lines.start[:-1].tolist(), lines.start[1:].tolist(), strict=True)
    return np.array([lines.ids[begin:end].tobytes() in known for begin, end in spans], np.bool_)
