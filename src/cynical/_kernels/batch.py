"""Batches: of the A lines of the best word score sqrt(A), and pick half as many, no two of them alike.

Lines that are alike are in chains (chains.py). A chain that a batch has taken lines from is open: it is in `opened` in
place of the word's heap until the batch has been picked.
"""

from __future__ import annotations

import numpy as np

from .chains import ALONE, END, Chains, append, set_gains, take_out
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
    Queue,
    WordLists,
    best_word_left,
    drop_first,
    pick_row,
    pop,
    push,
    put_back,
    score,
    scored_utility,
    sift,
)

NO_KEY = np.int64(2**63 - 1)


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
def present(groups: Groups, chains: Chains, row: int) -> int:
    """The line that a node is for by now: the first of its chain, or itself; END if there is none."""
    if chains.of[row] != ALONE:
        return chains.front[np.int64(chains.of[row])]
    return row if groups.left[row] else END


@inlined
def drop_ghosts(groups: Groups, chains: Chains, lists: Lists, heap: int) -> None:
    """Take all ghosts out of a heap in one pass, and make a heap of the rest by what is known now."""
    root, kept = lists.first[heap], 0
    for i in range(lists.size[heap]):
        if i + 16 < lists.size[heap]:
            ahead = np.int64(lists.row[root + i + 16])
            prefetch(groups.left, ahead)
            prefetch(groups.gain, ahead)
            prefetch(chains.of, ahead)
        row = present(groups, chains, np.int64(lists.row[root + i]))
        if row != END:
            lists.key[root + kept], lists.row[root + kept] = groups.gain[row], row
            kept += 1
    lists.size[heap] = kept
    for i in range(kept // 2 - 1, -1, -1):
        sift(lists, root, i, kept, lists.key[root + i], np.int64(lists.row[root + i]))


@inlined
def freshen_first(groups: Groups, chains: Chains, lists: Lists, heap: int) -> None:
    """Let the first node of a heap be one whose line is left, with its last known gain."""
    root = lists.first[heap]
    while lists.size[heap] > 0:
        row = np.int64(lists.row[root])
        if groups.left[row] and lists.key[root] == groups.gain[row]:
            return
        row = present(groups, chains, row)
        if row == END:
            drop_first(lists, heap)
        else:  # it was scored through another word
            sift(lists, root, 0, lists.size[heap], groups.gain[row], row)


@inlined
def first_of(lists: Lists | Queue, root: int, size: int) -> tuple[int, int]:
    """The key and the row of the first node of a heap; END if there is none."""
    return (lists.key[root], np.int64(lists.row[root])) if size else (NO_KEY, END)


@inlined
def take_copies(words: WordLists, heap: int, row: int, most: int, out: int) -> int:
    """Move lines from the front of a chain aside, up to the next node of all; how many."""
    groups, lists, _, aside, chains, opened = words
    chain = np.int64(chains.of[row])
    key, line = first_of(lists, lists.first[heap], lists.size[heap])
    other_key, other_line = first_of(opened, 0, opened.size[0])
    if before(other_key, other_line, key, line):
        key, line = other_key, other_line
    aside.row[out], number = take_out(chains, groups.gain, chain, most, key, line)
    chains.is_open[chain] = True
    if chains.front[chain] != END:
        push(opened, groups.gain[chains.front[chain]], chains.front[chain])
    return number


@inlined
def take_lowest(
    model: Model, words: WordLists, progress: Progress, heap: int, most: int, per_word: bool
) -> tuple[int, bool]:
    """Move the lines with the lowest last known gains aside and score them; how many there are, a piece of a chain
    counted as one line, and whether there is any such piece."""
    groups, lists, _, aside, chains, opened = words
    root, out, taken, copies = lists.first[heap], 0, 0, False
    opened.size[0] = 0
    while taken < most:
        freshen_first(groups, chains, lists, heap)
        key, row = first_of(lists, root, lists.size[heap])
        if opened.size[0] and before(opened.key[0], np.int64(opened.row[0]), key, row):
            row = np.int64(opened.row[0])
            pop(opened)
        elif row != END:
            drop_first(lists, heap)
        else:
            break
        if chains.of[row] == ALONE:
            aside.row[out] = row
            taken += 1
        else:
            taken += take_copies(words, heap, row, most - taken, out)
            copies = True
        out += 1
    for i in range(out):
        prefetch_rows(groups, aside, i, out)
        aside.utility[i] = scored_utility(model, groups, progress, aside.row[i], per_word)
        if copies:
            set_gains(chains, groups.gain, aside.row[i])
    return out, copies


@inlined
def close_chains(words: WordLists, heap: int, out: int) -> None:
    """Put the chains that lines were taken from back into their heap."""
    groups, lists, _, aside, chains, _ = words
    for i in range(out):
        chain = np.int64(chains.of[aside.row[i]])
        if chains.is_open[chain]:
            chains.is_open[chain] = False
            if chains.front[chain] != END:
                put_back(lists, heap, groups.gain[chains.front[chain]], chains.front[chain])


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
    groups, lists, queue, aside, chains, _ = words
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
            drop_ghosts(groups, chains, lists, heap)
        most = root if root * root == lines else root + 1
        out, copies = take_lowest(model, words, progress, heap, most, per_word)
        order(aside, out)
        chosen = 0
        for i in range(out):
            row = aside.row[i]
            picked = chosen < batch and not is_copy(groups, aside, chosen, row)
            if copies and chains.of[row] != ALONE:
                first = np.int64(chains.next[row]) if picked else row
                append(chains, groups.gain, np.int64(chains.of[row]), first)
            elif not picked:
                put_back(lists, heap, groups.gain[row], row)
            if not picked:
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
        if copies:
            close_chains(words, heap, out)
    return n, FULL
