"""Batches over several shards, in rounds: see batch.py for what a batch is.

A shard has the last known gains of its lines. In a round it offers, for some of the best words, the lines with the
lowest of these gains, and says of each word which line comes first of those that it holds back. Batches are made of
what is offered, for as long as the best word is one of these, and all lines that its batch must score come before what
is held back: gains only shrink in size, so what is held back comes no earlier later on. Then the next round begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .batch import is_copy, order, root_of
from .entries import Rows, decoded, span
from .exact import GONE, before
from .formulas import BASE, UNIT, Model, penalty
from .jit import inlined, kernel
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    STALE,
    Pick,
    PickLimits,
    PickLog,
    Progress,
    out_of_patience,
    over_budget,
    record,
)
from .word_lists import Aside, Groups, Queue, next_line, score, scored_utility, sift


class OfferedLines(NamedTuple):
    """Lines that shards have offered, a row each in the order of AVAILABLE, and for some words a list of them."""

    groups: Groups
    word: NDArray[np.int64]
    first: NDArray[np.int64]  # list k is the rows row[first[k]:first[k + 1]]
    row: NDArray[np.int64]
    held_gain: NDArray[np.int64]  # by list, what comes first of what is held back; GONE if nothing is
    held_line: NDArray[np.int64]
    other: NDArray[np.int64]  # the gain of the best word without a list, and this word; GONE if there is none
    left: NDArray[np.int64]  # by word of all: lines of AVAILABLE that have not been picked
    scored: NDArray[np.bool_]  # by row: was it scored since the round began?
    led: NDArray[np.bool_]  # by list: has its word led to a batch?
    room: Queue  # for the rows of a list
    aside: Aside


@kernel
def count_lines(rows: Rows, left: NDArray[np.bool_], number: NDArray[np.int64]) -> None:
    """How many lines have each word."""
    for line in range(left.size):
        if left[line]:
            begin, end = span(rows, line)
            for v, _ in decoded(rows.entry, begin, end, number.size):
                number[v] += 1


@kernel
def list_lines(rows: Rows, left: NDArray[np.bool_], at: NDArray[np.int64], lines: NDArray[np.uint32]) -> None:
    """Write each line into the lists of its words, which begin at `at`."""
    for line in range(left.size):
        if left[line]:
            begin, end = span(rows, line)
            for v, _ in decoded(rows.entry, begin, end, at.size):
                lines[at[v]] = line
                at[v] += 1


@inlined
def best_list(model: Model, offered: OfferedLines) -> int:
    """The list of the word with the best estimated gain that has lines left; -1 if no word with a list has any."""
    best = -1
    for k in range(offered.word.size):
        v = offered.word[k]
        if offered.left[v] and (
            best < 0 or before(model.gain[v], v, model.gain[offered.word[best]], offered.word[best])
        ):
            best = k
    return best


@inlined
def take_lowest(offered: OfferedLines, k: int, most: int) -> int:
    """Put the rows of a list that have the lowest last known gains aside; how many, -1 if others may be lower."""
    groups, room = offered.groups, offered.room
    size = 0
    for i in range(offered.first[k], offered.first[k + 1]):
        row = offered.row[i]
        if groups.left[row]:
            room.key[size], room.row[size] = groups.gain[row], row
            size += 1
    if size < most and offered.held_gain[k] != GONE:
        return -1
    for i in range(size // 2 - 1, -1, -1):
        sift(room, 0, i, size, room.key[i], np.int64(room.row[i]))
    out = 0
    while out < most and size > 0:
        row = np.int64(room.row[0])
        if not before(room.key[0], next_line(groups, row), offered.held_gain[k], offered.held_line[k]):
            return -1
        offered.aside.row[out] = row
        out += 1
        size -= 1
        if size:
            sift(room, 0, 0, size, room.key[size], np.int64(room.row[size]))
    return out


@inlined
def pick_offered(
    model: Model, offered: OfferedLines, progress: Progress, log: PickLog, n: int, row: int, word: int
) -> None:
    """Pick the line of a row, to which a word has led (-1 if none has)."""
    groups = offered.groups
    features = np.int64(groups.features[row])
    cost = penalty(progress.features[0], features, model.smoothing[BASE])
    gain = score(model, groups, row) * UNIT
    groups.left[row] = 0
    begin, end = span(groups.rows, row)
    for v, _ in decoded(groups.rows.entry, begin, end, model.p.size):
        offered.left[v] -= 1
    pick = Pick(next_line(groups, row), np.int64(groups.words[row]), features, cost, gain, word)
    record(model, progress, log, n, pick, groups.rows.entry, begin, end)


@kernel
def pick_offered_batches(
    model: Model, offered: OfferedLines, progress: Progress, log: PickLog, limits: PickLimits, per_word: bool
) -> tuple[int, int]:
    """As `batch.pick_by_batch`, as long as what was offered is enough; then it is stale."""
    groups, aside, n = offered.groups, offered.aside, 0
    while n < limits.picks:
        k = best_list(model, offered)
        if k < 0:
            return n, NO_LINE_LEFT if offered.other[0] == GONE else STALE
        v = offered.word[k]
        if not before(model.gain[v], v, offered.other[0], offered.other[1]):
            return n, STALE
        lines = offered.left[v]
        root = root_of(lines)
        batch = max(1, root_of(lines // 4))
        if n > 0 and n + batch > limits.picks:
            return n, FULL
        out = take_lowest(offered, k, root if root * root == lines else root + 1)
        if out < 0:
            return n, STALE
        offered.led[k] = True
        for i in range(out):
            aside.utility[i] = scored_utility(model, groups, progress, aside.row[i], per_word)
            offered.scored[aside.row[i]] = True
        order(aside, out)
        chosen = 0
        for i in range(out):
            row = aside.row[i]
            if chosen == batch or is_copy(groups, aside, chosen, row):
                continue
            if n == limits.picks:
                return n, FULL
            if over_budget(progress, limits, np.int64(groups.words[row])):
                return n, OVER_BUDGET
            pick_offered(model, offered, progress, log, n, row, v)
            aside.chosen[chosen] = groups.same[row]
            chosen += 1
            n += 1
            if out_of_patience(progress, limits):
                return n, OUT_OF_PATIENCE
    return n, FULL


@kernel
def pick_offered_rest(
    model: Model, offered: OfferedLines, progress: Progress, log: PickLog, limits: PickLimits
) -> tuple[int, int]:
    """Pick rows without a representative word, in the order of the only list; how many, and why it ended."""
    n = 0
    for row in offered.row:
        if offered.groups.left[row] == 0:
            continue
        if n == limits.picks:
            return n, FULL
        if over_budget(progress, limits, np.int64(offered.groups.words[row])):
            return n, OVER_BUDGET
        pick_offered(model, offered, progress, log, n, row, -1)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, STALE if offered.row.size else NO_LINE_LEFT
