"""The lines of each word, for the strategies that choose a word first."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .ranking import Ranking, Task, split, walk

if TYPE_CHECKING:
    from .._kernels.lists import Lists, Queue, Rows
    from .._kernels.path import Path
    from .._kernels.path import Progress as Now

LENGTH_CLASSES = 241  # see length_class in _kernels/lists.py
TURNS = 4  # useful words lead, then meh, dubious and bad ones


def search(task: Task, pick: Callable[..., tuple[int, int]], by_length: bool, room: int | None = None) -> Ranking:
    """Walk with a kernel that picks through words: by turns, then the lines without any representative word."""
    from .._kernels import lists as kernels
    from .._kernels.path import DRY, FULL

    model, limits = task.state.model, task.limits
    with task.progress.stage("lay out"):
        rows = _rows(task)
        lists = _lists(task, rows, by_length)
        rest = _rest(task)
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
        picked, why = pick(model, rows, lists, queue, side, now, path, room, limits.words, limits.patience)
        if why != DRY:
            return picked, why
        words = next(turns, None)
        if words is None:
            in_turn = False
        else:
            kernels.fill_queue(model, words, queue)
        return picked, FULL

    return walk(task, step, room=room)


def _rows(task: Task) -> Rows:
    from .._kernels.lists import Rows
    from .._kernels.rows import gains_of_rows

    index, gain = task.index, np.zeros(task.index.lines, np.int64)

    def score(begin: int, end: int) -> None:
        rows = slice(begin, end)
        gains_of_rows(task.state.model, index.entry, index.start[rows], index.entries[rows], gain[rows])

    with ThreadPoolExecutor(task.jobs) as pool:
        split(index.lines, task.jobs, pool, score)
    picked = np.zeros(index.lines, np.bool_)
    return Rows(index.entry, index.start, index.entries, index.length, index.same, picked, gain)


def _lists(task: Task, rows: Rows, by_length: bool) -> Lists:
    """One heap for each word; with `by_length`, words with many lines have one for each class of lengths."""
    from .._kernels import lists as kernels

    words, ready = len(task.state.model.p), len(task.state.model.gain)
    lines = np.zeros(words, np.int64)
    kernels.count_lines(rows, task.allowed, ready, words, lines)
    big = np.full(words, -1, np.int64)
    sizes: list[NDArray[np.int64]] = [lines]
    heaps = np.ones(words, np.int64)
    heap = np.zeros((0, LENGTH_CLASSES), np.int64)
    if by_length:
        many = np.flatnonzero(lines > kernels.SMALL)
        big[many] = np.arange(len(many))
        by_class = np.zeros((len(many), LENGTH_CLASSES), np.int64)
        kernels.count_classes(rows, task.allowed, ready, big, by_class)
        heaps[many] = (by_class > 0).sum(axis=1)
        of = _before(heaps)
        heap = np.where(by_class > 0, of[many][:, None] + np.cumsum(by_class > 0, axis=1) - 1, -1)
        size = np.zeros(int(of[-1]), np.int64)
        size[of[:-1][big < 0]] = lines[big < 0]
        size[heap[by_class > 0]] = by_class[by_class > 0]
        sizes = [size]
    first = _before(sizes[0])
    lists = kernels.Lists(
        key=np.zeros(int(first[-1]), np.int64),
        row=np.zeros(int(first[-1]), np.uint32),
        first=first,
        size=np.zeros(len(first) - 1, np.int64),
        shortest=np.full(len(first) - 1, 2**62, np.int64),
        of=_before(heaps),
        left=lines,
    )
    kernels.fill(rows, task.allowed, ready, lists, big, heap)
    with ThreadPoolExecutor(task.jobs) as pool:
        split(len(lists.size), task.jobs, pool, lambda begin, end: kernels.heapify_lists(lists, begin, end))
    return lists


def _rest(task: Task) -> NDArray[np.int64]:
    """The lines without a representative word, shortest first, ties to the earlier."""
    rest = np.flatnonzero(task.allowed & (task.index.entries == 0))
    return rest[np.argsort(task.index.length[rest], kind="stable")]


def _queue(words: int) -> Queue:
    from .._kernels.lists import Queue

    return Queue(np.zeros(words, np.int64), np.zeros(words, np.uint32), np.zeros(1, np.int64))


def _before(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    out = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=out[1:])
    return out
