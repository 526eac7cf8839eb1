"""The lines of each word, for the strategies that choose a word first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .available import LocalAvailable
from .layout import first_gains, first_keys, group_lines, score_rows
from .search import Ranking, Task, split, walk

if TYPE_CHECKING:
    from .._kernels.lists import Lists, Queue, Rows
    from .._kernels.path import Path
    from .._kernels.path import Progress as Now

LENGTH_CLASSES = 241  # see length_class in _kernels/lists.py
TURNS = 4  # useful words lead, then meh, dubious and bad ones


def search(
    available: LocalAvailable,
    task: Task,
    pick: Callable[..., tuple[int, int]],
    by_length: bool,
    room: int | None = None,
) -> Ranking:
    """Walk with a kernel that picks through words: by turns, then the lines without any representative word."""
    from .._kernels import lists as kernels
    from .._kernels.path import DRY, FULL

    model, limits = task.state.model, task.limits
    with task.progress.stage("lay out"):
        rows = _rows(available, task, grouped=by_length)
        lists = _lists(task, rows, by_length)
        rest = _rest(rows)
    queue = _queue(len(model.p))
    most = int(lists.left.max(initial=0))
    side = kernels.Side(np.zeros(most), np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.uint64))
    turns = iter([np.flatnonzero((task.turn == turn) & (lists.left > 0)) for turn in range(TURNS)])
    kernels.fill_queue(model, next(turns), queue)
    in_turn = True

    def step(now: Now, path: Path, room: int) -> tuple[int, int]:
        nonlocal in_turn
        if not in_turn:
            return kernels.pick_rest(model, rows, rest, now, path, room, limits.words, limits.patience)
        limited = (limits.words, limits.patience, task.per_word)
        picked, why = pick(model, rows, lists, queue, side, now, path, room, *limited)
        if why != DRY:
            return picked, why
        words = next(turns, None)
        if words is None:
            in_turn = False
        else:
            kernels.fill_queue(model, words, queue)
        return picked, FULL

    return walk(task, step, room=room, keep=None if by_length else rows.gain)


def _rows(available: LocalAvailable, task: Task, grouped: bool) -> Rows:
    """The allowed lines, each for itself or equal ones together, with their first gains."""
    from .._kernels.lists import Rows

    index, allowed = available.index, available.allowed
    with ThreadPoolExecutor(task.jobs) as pool:
        if not grouped:
            line = np.arange(index.lines, dtype=np.uint32)
            held = None if task.checkpoint is None else task.checkpoint.gains
            gain = first_gains(index, task.state, task.jobs, pool) if held is None else held
            left = allowed.astype(np.uint32)
            lines = (index.start, index.entries, index.words, index.features)
            return Rows(index.entry, *lines, index.same, gain, line, line.copy(), left)
        order, group, _ = group_lines(index, first_keys(index, task.state, task.jobs, pool), allowed)
        leader, line, left = order[group[:-1]], order.astype(np.uint32), np.diff(group).astype(np.uint32)
        lines = (index.start[leader], index.entries[leader], index.words[leader], index.features[leader])
        gain = np.zeros(len(leader), np.int64)
        rows = Rows(index.entry, *lines, index.same, gain, line, group[:-1].astype(np.uint32), left)
        score_rows(rows.entry, rows.start, rows.entries, rows.gain, task.state, task.jobs, pool)
        return rows


def _lists(task: Task, rows: Rows, by_length: bool) -> Lists:
    """One heap for each word; with `by_length`, words with many rows have one for each class of lengths."""
    from .._kernels import lists as kernels

    words, ready = len(task.state.model.p), len(task.state.model.gain)
    number, lines = np.zeros(words, np.int64), np.zeros(words, np.int64)
    kernels.count_rows(rows, ready, number, lines)
    big, heaps, size = np.full(words, -1, np.int64), np.ones(words, np.int64), number
    heap = np.zeros((0, LENGTH_CLASSES), np.int64)
    if by_length:
        many = np.flatnonzero(number > kernels.SMALL)
        big[many] = np.arange(len(many))
        by_class = np.zeros((len(many), LENGTH_CLASSES), np.int64)
        kernels.count_classes(rows, ready, big, by_class)
        heaps[many] = (by_class > 0).sum(axis=1)
        of = _bounds(heaps)
        heap = np.where(by_class > 0, of[many][:, None] + np.cumsum(by_class > 0, axis=1) - 1, -1)
        size = np.zeros(int(of[-1]), np.int64)
        size[of[:-1][big < 0]] = number[big < 0]
        size[heap[by_class > 0]] = by_class[by_class > 0]
    first = _bounds(size)
    lists = kernels.Lists(
        key=np.zeros(int(first[-1]), np.int64),
        row=np.zeros(int(first[-1]), np.uint32),
        first=first,
        size=np.zeros(len(first) - 1, np.int64),
        shortest=np.full(len(first) - 1, 2**62, np.int64),
        fewest=np.full(len(first) - 1, 2**62, np.int64),
        most=np.ones(len(first) - 1, np.int64),
        of=_bounds(heaps),
        left=lines,
    )
    kernels.fill(rows, ready, lists, big, heap)
    with ThreadPoolExecutor(task.jobs) as pool:
        split(len(lists.size), task.jobs, pool, lambda begin, end: kernels.heapify_lists(lists, begin, end))
    return lists


def _rest(rows: Rows) -> NDArray[np.int64]:
    """The rows without a representative word, shortest first, ties to the earlier line."""
    rest = np.flatnonzero((rows.left > 0) & (rows.entries == 0))
    return rest[np.lexsort((rows.line[rows.next[rest]], rows.words[rest]))]


def _queue(words: int) -> Queue:
    from .._kernels.lists import Queue

    return Queue(np.zeros(words, np.int64), np.zeros(words, np.uint32), np.zeros(1, np.int64))


def _bounds(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    out = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=out[1:])
    return out
