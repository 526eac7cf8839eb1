"""Batches: of the A lines of the best word score sqrt(A), and pick half as many, no two of them alike."""

from __future__ import annotations

import numpy as np

from .bits import UNIT, Model, penalty
from .jit import inlined, kernel, prefetch
from .lists import Lists, Queue, Rows, Side, best_word_left, drop_first, put_back, score, sift, take_row, utility
from .path import DRY, FULL, OVER, SATISFIED, Path, Progress, record


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
def earlier(side: Side, i: int, j: int) -> bool:
    return side.utility[i] < side.utility[j] or (side.utility[i] == side.utility[j] and side.row[i] < side.row[j])


@inlined
def swap(side: Side, i: int, j: int) -> None:
    side.utility[i], side.utility[j] = side.utility[j], side.utility[i]
    side.row[i], side.row[j] = side.row[j], side.row[i]


@inlined
def order(side: Side, size: int) -> None:
    """Sort by utility, ties to the earlier line: a heap of the last ones, emptied from the back."""
    for begin in range(size // 2 - 1, -1, -1):
        sink(side, begin, size)
    for end in range(size - 1, 0, -1):
        swap(side, 0, end)
        sink(side, 0, end)


@inlined
def sink(side: Side, i: int, size: int) -> None:
    while 2 * i + 1 < size:
        c = 2 * i + 1
        if c + 1 < size and earlier(side, c, c + 1):
            c += 1
        if not earlier(side, i, c):
            return
        swap(side, i, c)
        i = c


@inlined
def bring_nearer(rows: Rows, side: Side, i: int, out: int) -> None:
    """Ask for what will be scored in a while: first where a row stands, then the row."""
    if i + 16 < out:
        prefetch(rows.start, side.row[i + 16])
        prefetch(rows.entries, side.row[i + 16])
        prefetch(rows.length, side.row[i + 16])
    if i + 8 < out:
        begin = rows.start[side.row[i + 8]]
        prefetch(rows.entry, begin)
        prefetch(rows.entry, begin + 16)


@inlined
def drop_ghosts(rows: Rows, lists: Lists, heap: int) -> None:
    """Take all ghosts out of a heap in one pass, and make a heap of the rest by what is known now."""
    root, kept = lists.first[heap], 0
    for i in range(lists.size[heap]):
        if i + 16 < lists.size[heap]:
            prefetch(rows.left, np.int64(lists.row[root + i + 16]))
            prefetch(rows.gain, np.int64(lists.row[root + i + 16]))
        row = lists.row[root + i]
        if rows.left[row]:
            lists.key[root + kept], lists.row[root + kept] = rows.gain[row], row
            kept += 1
    lists.size[heap] = kept
    for i in range(kept // 2 - 1, -1, -1):
        sift(lists, root, i, kept, lists.key[root + i], np.int64(lists.row[root + i]))


@inlined
def take_lowest(
    model: Model, rows: Rows, lists: Lists, progress: Progress, side: Side, heap: int, most: int, per_word: bool
) -> int:
    """Move the lines with the lowest last known gains aside and score them; how many there are."""
    root, out = lists.first[heap], 0
    while out < most and lists.size[heap] > 0:
        row = np.int64(lists.row[root])
        if rows.left[row] == 0:
            drop_first(lists, heap)
        elif lists.key[root] != rows.gain[row]:  # it was scored through another word
            sift(lists, root, 0, lists.size[heap], rows.gain[row], row)
        else:
            drop_first(lists, heap)
            side.row[out] = row
            out += 1
    for i in range(out):
        bring_nearer(rows, side, i, out)
        row = side.row[i]
        rows.gain[row] = score(model, rows, row)
        now = penalty(progress.features[0], np.int64(rows.length[row]), model)
        side.utility[i] = utility(now, rows.gain[row], np.int64(rows.words[row]), per_word)
    progress.since[0] += out
    return out


@inlined
def is_copy(rows: Rows, side: Side, chosen: int, row: int) -> bool:
    for i in range(chosen):
        if side.chosen[i] == rows.same[row]:
            return True
    return False


@kernel
def pick_by_batch(
    model: Model,
    rows: Rows,
    lists: Lists,
    queue: Queue,
    side: Side,
    progress: Progress,
    path: Path,
    room: int,
    budget: int,
    patience: int,
    per_word: bool,
) -> tuple[int, int]:
    """Pick about half the square root of the best word's lines at a time; how many were picked, and why it ended."""
    n = 0
    while n < room:
        v = best_word_left(model, lists, queue)
        if v < 0:
            return n, DRY
        lines = lists.left[v]
        root = root_of(lines)
        batch = max(1, root_of(lines // 4))
        if n > 0 and n + batch > room:
            return n, FULL
        heap = lists.of[v]
        if 2 * lists.size[heap] > 3 * lines:
            drop_ghosts(rows, lists, heap)
        most = root if root * root == lines else root + 1
        out = take_lowest(model, rows, lists, progress, side, heap, most, per_word)
        order(side, out)
        chosen = 0
        for i in range(out):
            row = side.row[i]
            if chosen == batch or is_copy(rows, side, chosen, row):
                put_back(lists, heap, rows.gain[row], row)
                continue
            words, length = np.int64(rows.words[row]), np.int64(rows.length[row])
            if n == room:
                return n, FULL
            if progress.words[0] + words > budget:
                return n, OVER
            now = penalty(progress.features[0], length, model)
            gain = score(model, rows, row) * UNIT
            brings = take_row(model, rows, lists, progress, row)
            record(model, progress, path, n, row, words, length, now, gain, v, brings)
            side.chosen[chosen] = rows.same[row]
            chosen += 1
            n += 1
            if progress.words[0] - progress.lowest_words[0] > patience:
                return n, SATISFIED
    return n, FULL
