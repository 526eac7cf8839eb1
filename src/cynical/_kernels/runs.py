"""Runs of words: which lines of a text share one with other lines, and which lines are inside longer ones.

Words are numbers. A table has the runs of some lines, each once, by a hash that rolls from one word to the next; what
it finds is compared word by word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import ONE, U64, ZERO
from .jit import inlined, kernel
from .mix import MIX, slot_of
from .sequences import UNKNOWN

BASE = U64(0xD1342543DE82EF95)


class Runs(NamedTuple):
    """The runs that are looked for, all of the same length."""

    ids: NDArray[np.uint32]  # the words that they are in
    slot: NDArray[np.uint32]  # by hash: where a run begins, counted from 1; 0 if empty. A power of two


class Lines(NamedTuple):
    """Lines as word numbers, one after another; one start more than there are lines."""

    ids: NDArray[np.uint32]
    start: NDArray[np.int64]


class SameBeginning(NamedTuple):
    """Lines that begin with the same run, as a list for each slot."""

    head: NDArray[np.uint32]  # by slot: the first such line, counted from 1; 0 if there is none
    after: NDArray[np.uint32]  # by line: the next


@inlined
def term(word: np.uint32) -> np.uint64:
    return (U64(word) + ONE) * MIX


@inlined
def leaving(length: int) -> np.uint64:
    """What the word that leaves a run is multiplied by."""
    power = ONE
    for _ in range(length):
        power *= BASE
    return power


@inlined
def runs_of(ids: NDArray[np.uint32], begin: int, end: int, length: int, out: np.uint64) -> Iterator[tuple[int, int]]:
    """Where each run of known words begins, and its hash."""
    h, known = ZERO, 0
    for i in range(begin, end):
        if ids[i] == UNKNOWN:
            h, known = ZERO, 0
            continue
        h = h * BASE + term(ids[i])
        known += 1
        if known > length:
            h -= term(ids[i - length]) * out
        if known >= length:
            yield i - length + 1, h


@inlined
def same_words(a: NDArray[np.uint32], at: int, b: NDArray[np.uint32], there: int, length: int) -> bool:
    for k in range(length):
        if a[at + k] != b[there + k]:
            return False
    return True


@inlined
def find_run(runs: Runs, ids: NDArray[np.uint32], at: int, length: int, h: np.uint64) -> tuple[int, int]:
    """Where the same run is in the table's words (-1 if it is new), and its slot (the empty one if it is new)."""
    place = slot_of(h, runs.slot.size)
    while True:
        held = np.int64(runs.slot[place]) - 1
        if held < 0 or same_words(runs.ids, held, ids, at, length):
            return held, place
        place = (place + 1) & (runs.slot.size - 1)


@kernel
def add_runs(runs: Runs, start: NDArray[np.int64], length: int) -> int:
    """Enter every run of the table's own lines; how many different ones there are."""
    number, out = 0, leaving(length)
    for line in range(start.size - 1):
        for at, h in runs_of(runs.ids, start[line], start[line + 1], length, out):
            held, place = find_run(runs, runs.ids, at, length, h)
            if held < 0:
                runs.slot[place] = at + 1
                number += 1
    return number


@kernel
def mark_runs(runs: Runs, lines: Lines, length: int, hit: NDArray[np.bool_]) -> None:
    """Mark the runs that lines have, by where they begin in the table's words."""
    out = leaving(length)
    for line in range(lines.start.size - 1):
        for at, h in runs_of(lines.ids, lines.start[line], lines.start[line + 1], length, out):
            held, _ = find_run(runs, lines.ids, at, length, h)
            if held >= 0:
                hit[held] = True


@kernel
def lines_with_runs(runs: Runs, lines: Lines, length: int, hit: NDArray[np.bool_], found: NDArray[np.bool_]) -> None:
    """By line, has it one of the runs, or if `hit` is not empty one that is marked there?"""
    out, every = leaving(length), hit.size == 0
    for line in range(lines.start.size - 1):
        for at, h in runs_of(lines.ids, lines.start[line], lines.start[line + 1], length, out):
            held, _ = find_run(runs, lines.ids, at, length, h)
            if held >= 0 and (every or hit[held]):
                found[line] = True
                break


@kernel
def add_beginnings(runs: Runs, start: NDArray[np.int64], length: int, lines: SameBeginning) -> None:
    """Enter the first run of every line that is long enough."""
    out = leaving(length)
    for line in range(start.size - 1):
        if start[line + 1] - start[line] < length:
            continue
        for at, h in runs_of(runs.ids, start[line], start[line] + length, length, out):
            held, place = find_run(runs, runs.ids, at, length, h)
            if held < 0:
                runs.slot[place] = at + 1
            lines.after[line] = lines.head[place]
            lines.head[place] = line + 1


@kernel
def find_inside(
    runs: Runs, start: NDArray[np.int64], same: SameBeginning, text: Lines, length: int, found: NDArray[np.bool_]
) -> None:
    """Mark the lines whose words are inside a longer line of a text; they are then looked for no more."""
    out = leaving(length)
    for row in range(text.start.size - 1):
        begin, end = text.start[row], text.start[row + 1]
        for at, h in runs_of(text.ids, begin, end, length, out):
            held, place = find_run(runs, text.ids, at, length, h)
            if held < 0:
                continue
            before, line = -1, np.int64(same.head[place]) - 1
            while line >= 0:
                words, next_line = start[line + 1] - start[line], np.int64(same.after[line]) - 1
                if words < end - begin and at + words <= end and same_words(runs.ids, start[line], text.ids, at, words):
                    found[line] = True
                    if before < 0:
                        same.head[place] = next_line + 1
                    else:
                        same.after[before] = next_line + 1
                else:
                    before = line
                line = next_line
