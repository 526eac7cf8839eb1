"""The best line of the best word: lines are scored from the front of its heaps until none that follow can win."""

from __future__ import annotations

import numpy as np

from .formulas import UNIT, Model
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
from .word_lists import (
    Lists,
    WordLists,
    best_word_left,
    drop_first,
    least_penalty,
    next_line,
    pick_row,
    put_back,
    scored_utility,
    utility_bound,
)


@inlined
def find_in_heap(
    model: Model, words: WordLists, progress: Progress, heap: int, out: int, best: int, per_word: bool
) -> tuple[int, int]:
    """Score lines from the front of a heap until none that follow can win; move them aside, where `out` are already.

    How many are there now, and which of them is the best (-1 if there is none yet)."""
    groups, lists, _, aside = words[:4]
    root, least = lists.first[heap], least_penalty(model, lists, progress, heap)
    while lists.size[heap] > 0:
        row = np.int64(lists.row[root])
        if best >= 0 and utility_bound(lists, heap, least, per_word) > aside.utility[best]:
            break
        drop_first(lists, heap)
        if groups.left[row] == 0:
            continue
        aside.utility[out] = scored_utility(model, groups, progress, row, per_word)
        aside.row[out], aside.heap[out] = row, heap
        if best < 0 or aside.utility[out] < aside.utility[best]:
            best = out
        elif aside.utility[out] == aside.utility[best] and next_line(groups, row) < next_line(groups, aside.row[best]):
            best = out
        out += 1
    return out, best


@inlined
def most_promising(model: Model, lists: Lists, progress: Progress, v: int, per_word: bool) -> int:
    """The heap of word v whose first line may have the lowest utility."""
    best, best_bound = lists.of[v], np.inf
    if lists.of[v + 1] == best + 1:
        return best
    for heap in range(lists.of[v], lists.of[v + 1]):
        if lists.size[heap]:
            bound = utility_bound(lists, heap, least_penalty(model, lists, progress, heap), per_word)
            if bound < best_bound:
                best, best_bound = heap, bound
    return best


@inlined
def find_row(model: Model, words: WordLists, progress: Progress, v: int, per_word: bool) -> tuple[int, int]:
    """The best row of a word; every row that was scored is aside. How many these are, and which of them is the best."""
    lists = words.lists
    promising = most_promising(model, lists, progress, v, per_word)
    out, best = find_in_heap(model, words, progress, promising, 0, -1, per_word)
    for heap in range(lists.of[v], lists.of[v + 1]):
        if heap != promising:
            out, best = find_in_heap(model, words, progress, heap, out, best, per_word)
    return out, best


@inlined
def pick_found(
    model: Model, words: WordLists, progress: Progress, log: PickLog, n: int, found: tuple[int, int], v: int
) -> int:
    """Pick what find_row has found, and put the others back; the row."""
    groups, lists, _, aside = words[:4]
    out, best = found
    row = aside.row[best]
    for i in range(out):
        if i != best or groups.left[row] > 1:
            put_back(lists, aside.heap[i], groups.gain[aside.row[i]], aside.row[i])
    pick_row(model, words, progress, log, n, row, groups.gain[row] * UNIT, v)
    return row


@kernel
def pick_by_word(
    model: Model, words: WordLists, progress: Progress, log: PickLog, limits: PickLimits, per_word: bool, stale: int
) -> tuple[int, int]:
    """Pick the best line of the best word, again and again, until a limit is reached or more than `stale` rows were
    scored again; how many were picked, and why it ended."""
    groups, lists, queue, aside = words[:4]
    n = 0
    while n < limits.picks:
        if progress.rescored[0] > stale:
            return n, STALE
        v = best_word_left(model, lists, queue)
        if v < 0:
            return n, NO_LINE_LEFT
        found = find_row(model, words, progress, v, per_word)
        if over_budget(progress, limits, np.int64(groups.words[aside.row[found[1]]])):
            return n, OVER_BUDGET
        pick_found(model, words, progress, log, n, found, v)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
    return n, FULL
