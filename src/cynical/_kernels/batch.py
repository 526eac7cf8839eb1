"""Batches: of the A lines of the best word score sqrt(A), and pick half as many, no two of them alike."""

from __future__ import annotations

import numpy as np

from .exact import before
from .formulas import UNIT, Model
from .jit import inlined, kernel, prefetch
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    PickLimits,
    PickLog,
    Progress,
    out_of_patience,
    over_budget,
)
from .word_lists import (
    Aside,
    Groups,
    Lists,
    WordLists,
    best_word_left,
    drop_first,
    pick_row,
    put_back,
    score,
    scored_utility,
    sift,
)


@inlined
def root_of(x: int) -> int:
    """The whole part of a square root."""
    r = np.int64(np.sqrt(x))
    while r * r > x:
        r -= 1
    while (r + 1) * (r + 1) <= x:
        r += 1
    return r


@inlined
def earlier(aside: Aside, i: int, j: int) -> bool:
    return before(aside.utility[i], aside.row[i], aside.utility[j], aside.row[j])


@inlined
def swap(aside: Aside, i: int, j: int) -> None:
    aside.utility[i], aside.utility[j] = aside.utility[j], aside.utility[i]
    aside.row[i], aside.row[j] = aside.row[j], aside.row[i]


@inlined
def order(aside: Aside, size: int) -> None:
    """Sort by utility, ties to the earlier line: a heap of the last ones, emptied from the back."""
    for begin in range(size // 2 - 1, -1, -1):
        sink(aside, begin, size)
    for end in range(size - 1, 0, -1):
        swap(aside, 0, end)
        sink(aside, 0, end)


@inlined
def sink(aside: Aside, i: int, size: int) -> None:
    while 2 * i + 1 < size:
        c = 2 * i + 1
        if c + 1 < size and earlier(aside, c, c + 1):
            c += 1
        if not earlier(aside, i, c):
            return
        swap(aside, i, c)
        i = c


@inlined
def prefetch_rows(groups: Groups, aside: Aside, i: int, out: int) -> None:
    """Prefetch what will be scored in a while: first where a row is, then the row."""
    if i + 16 < out:
        prefetch(groups.rows.start, aside.row[i + 16])
        prefetch(groups.rows.entries, aside.row[i + 16])
        prefetch(groups.features, aside.row[i + 16])
    if i + 8 < out:
        begin = groups.rows.start[aside.row[i + 8]]
        prefetch(groups.rows.entry, begin)
        prefetch(groups.rows.entry, begin + 16)


@inlined
def drop_ghosts(groups: Groups, lists: Lists, heap: int) -> None:
    """Take all ghosts out of a heap in one pass, and make a heap of the rest by what is known now."""
    root, kept = lists.first[heap], 0
    for i in range(lists.size[heap]):
        if i + 16 < lists.size[heap]:
            prefetch(groups.left, np.int64(lists.row[root + i + 16]))
            prefetch(groups.gain, np.int64(lists.row[root + i + 16]))
        row = lists.row[root + i]
        if groups.left[row]:
            lists.key[root + kept], lists.row[root + kept] = groups.gain[row], row
            kept += 1
    lists.size[heap] = kept
    for i in range(kept // 2 - 1, -1, -1):
        sift(lists, root, i, kept, lists.key[root + i], np.int64(lists.row[root + i]))


@inlined
def take_lowest(model: Model, words: WordLists, progress: Progress, heap: int, most: int, per_word: bool) -> int:
    """Move the lines with the lowest last known gains aside and score them; how many there are."""
    groups, lists, _, aside = words
    root, out = lists.first[heap], 0
    while out < most and lists.size[heap] > 0:
        row = np.int64(lists.row[root])
        if groups.left[row] == 0:
            drop_first(lists, heap)
        elif lists.key[root] != groups.gain[row]:  # it was scored through another word
            sift(lists, root, 0, lists.size[heap], groups.gain[row], row)
        else:
            drop_first(lists, heap)
            aside.row[out] = row
            out += 1
    for i in range(out):
        prefetch_rows(groups, aside, i, out)
        aside.utility[i] = scored_utility(model, groups, progress, aside.row[i], per_word)
    return out


@inlined
def is_copy(groups: Groups, aside: Aside, chosen: int, row: int) -> bool:
    for i in range(chosen):
        if aside.chosen[i] == groups.same[row]:
            return True
    return False


@kernel
def pick_by_batch(
    model: Model, words: WordLists, progress: Progress, log: PickLog, limits: PickLimits, per_word: bool
) -> tuple[int, int]:
    """Pick about half the square root of the best word's lines at a time; how many were picked, and why it ended."""
    groups, lists, queue, aside = words
    n = 0
    while n < limits.picks:
        v = best_word_left(model, lists, queue)
        if v < 0:
            return n, NO_LINE_LEFT
        lines = lists.left[v]
        root = root_of(lines)
        batch = max(1, root_of(lines // 4))
        if n > 0 and n + batch > limits.picks:
            return n, FULL
        heap = lists.of[v]
        if 2 * lists.size[heap] > 3 * lines:
            drop_ghosts(groups, lists, heap)
        most = root if root * root == lines else root + 1
        out = take_lowest(model, words, progress, heap, most, per_word)
        order(aside, out)
        chosen = 0
        for i in range(out):
            row = aside.row[i]
            if chosen == batch or is_copy(groups, aside, chosen, row):
                put_back(lists, heap, groups.gain[row], row)
                continue
            if n == limits.picks:
                return n, FULL
            if over_budget(progress, limits, np.int64(groups.words[row])):
                return n, OVER_BUDGET
            pick_row(model, words, progress, log, n, row, score(model, groups, row) * UNIT, v)
            aside.chosen[chosen] = groups.same[row]
            chosen += 1
            n += 1
            if out_of_patience(progress, limits):
                return n, OUT_OF_PATIENCE
    return n, FULL
