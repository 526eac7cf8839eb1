"""The best line of the best word: lines are scored from the front of its heaps until none behind can win."""

from __future__ import annotations

import numpy as np

from .bits import UNIT, Model, penalty
from .jit import inlined, kernel
from .lists import (
    Lists,
    Queue,
    Rows,
    Side,
    best_word_left,
    drop_first,
    least_penalty,
    next_line,
    put_back,
    score,
    take_row,
    utility,
    utility_at_least,
)
from .path import DRY, FULL, OVER, SATISFIED, Path, Progress, record


@inlined
def find_in_heap(
    model: Model,
    rows: Rows,
    lists: Lists,
    progress: Progress,
    side: Side,
    heap: int,
    out: int,
    best: int,
    per_word: bool,
) -> tuple[int, int]:
    """Score lines from the front of a heap until none behind can win, and move them aside; `out` stand there already.

    How many do now, and which of them is the best (-1 if there is none yet)."""
    selected, root, least = progress.features[0], lists.first[heap], least_penalty(model, lists, progress, heap)
    while lists.size[heap] > 0:
        row = np.int64(lists.row[root])
        if best >= 0 and utility_at_least(lists, heap, least, per_word) > side.utility[best]:
            break
        drop_first(lists, heap)
        if rows.left[row] == 0:
            continue
        rows.gain[row] = score(model, rows, row)
        progress.since[0] += 1
        now = penalty(selected, np.int64(rows.length[row]), model)
        side.utility[out] = utility(now, rows.gain[row], np.int64(rows.words[row]), per_word)
        side.row[out], side.heap[out] = row, heap
        if best < 0 or side.utility[out] < side.utility[best]:
            best = out
        elif side.utility[out] == side.utility[best] and next_line(rows, row) < next_line(rows, side.row[best]):
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
            bound = utility_at_least(lists, heap, least_penalty(model, lists, progress, heap), per_word)
            if bound < best_bound:
                best, best_bound = heap, bound
    return best


@kernel
def pick_by_word(
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
    """Pick the best line of the best word, again and again; how many were picked, and why it ended."""
    n = 0
    while n < room:
        v = best_word_left(model, lists, queue)
        if v < 0:
            return n, DRY
        promising = most_promising(model, lists, progress, v, per_word)
        out, best = find_in_heap(model, rows, lists, progress, side, promising, 0, -1, per_word)
        for heap in range(lists.of[v], lists.of[v + 1]):
            if heap != promising:
                out, best = find_in_heap(model, rows, lists, progress, side, heap, out, best, per_word)
        row = side.row[best]
        words, length = np.int64(rows.words[row]), np.int64(rows.length[row])
        if progress.words[0] + words > budget:
            return n, OVER
        for i in range(out):
            if i != best or rows.left[row] > 1:
                put_back(lists, side.heap[i], rows.gain[side.row[i]], side.row[i])
        now = penalty(progress.features[0], length, model)
        gain, line = rows.gain[row] * UNIT, next_line(rows, row)
        brings = take_row(model, rows, lists, progress, row)
        record(model, progress, path, n, line, words, length, now, gain, v, brings)
        n += 1
        if progress.words[0] - progress.lowest_words[0] > patience:
            return n, SATISFIED
    return n, FULL
