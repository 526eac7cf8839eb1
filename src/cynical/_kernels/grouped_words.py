"""The best line of the best word where lines share their words: see grouped_exact.py.

If the best word is dense, the groups that have it are searched; else its list, which has few rows then. What is picked
in one way is gone in the other: a row of a group may have no line left, and a node of a list may be a ghost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .entries import LEFT, LINE, decoded, span
from .formulas import Model
from .group_search import find_best
from .grouped_exact import begin_epoch, begin_search, pick_row
from .groups import SIZE, Grouped
from .jit import inlined, kernel
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    STALE,
    PickLimits,
    PickLog,
    Progress,
    out_of_patience,
    over_budget,
)
from .word_first import find_row, pick_found
from .word_lists import WordLists, best_word_left


class GroupedWords(NamedTuple):
    """Rows in lists and in groups."""

    words: WordLists
    grouped: Grouped
    place: NDArray[np.int64]  # by row of the lists: where it is in row_data
    column: NDArray[np.int64]  # by feature: its column, if all rows that have it are in groups that have it; else -1


@inlined
def row_at(place: NDArray[np.int64], at: int) -> int:
    """The row that is at a place."""
    low, high = 0, place.size
    while high - low > 1:
        middle = (low + high) // 2
        if place[middle] <= at:
            low = middle
        else:
            high = middle
    return low


@inlined
def leave_in_lists(words: WordLists, row: int, features: int) -> None:
    """A line of a row was picked from a group."""
    groups = words.groups
    groups.next[row] += 1
    groups.left[row] -= 1
    begin, end = span(groups.rows, row)
    for v, _ in decoded(groups.rows.entry, begin, end, features):
        words.lists.left[v] -= 1


@inlined
def leave_in_groups(grouped: Grouped, place: int) -> None:
    """A line of a row was picked from a list."""
    row_data = grouped.groups.row_data
    row_data[place + LINE] += 1
    row_data[place + LEFT] -= 1
    if row_data[place + LEFT] == 0:
        grouped.groups.left[0] -= 1


@kernel
def pick_by_word_from_groups(
    model: Model, both: GroupedWords, progress: Progress, log: PickLog, limits: PickLimits, per_word: bool, few: int
) -> tuple[int, int]:
    """As word_first.pick_by_word; it also ends when fewer than `few` rows are left."""
    words, grouped, place, column = both
    n, last = 0, -1
    begin_epoch(model, grouped.lengths, progress)
    while n < limits.picks:
        if grouped.groups.left[0] < few:
            return n, STALE
        v = best_word_left(model, words.lists, words.queue)
        if v < 0:
            return n, NO_LINE_LEFT
        if column[v] < 0:
            found = find_row(model, words, progress, v, per_word)
            if over_budget(progress, limits, np.int64(words.groups.words[words.aside.row[found[1]]])):
                return n, OVER_BUDGET
            row = pick_found(model, words, progress, log, n, found, v)
            leave_in_groups(grouped, place[row])
        else:
            begin_search(model, grouped, progress)
            best = find_best(model, grouped, progress, last, column[v])
            last = best.group // SIZE
            if over_budget(progress, limits, grouped.lengths.words[grouped.blocks.length[last]]):
                return n, OVER_BUDGET
            row = row_at(place, pick_row(model, grouped, progress, log, n, best, v))
            leave_in_lists(words, row, model.p.size)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
