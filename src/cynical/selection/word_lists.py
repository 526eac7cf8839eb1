"""The lines of each word, for the strategies that choose a word first."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .available import LocalAvailable
from .layout import first_gains, first_keys, group_lines, score_rows
from .search import Ranking, Task, split, walk

if TYPE_CHECKING:
    from .._kernels.chains import Chains
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now
    from .._kernels.word_lists import Groups, Lists, Queue, WordLists

LENGTH_CLASSES = 241  # see length_class in _kernels/word_lists.py
TURNS = 4  # useful words lead, then meh, dubious and bad ones


def search(
    available: LocalAvailable,
    task: Task,
    pick: Callable[..., tuple[int, int]],
    by_length: bool,
    room: int | None = None,
    refresh: Callable[[WordLists, Now], None] = lambda words, now: None,
) -> Ranking:
    """Walk with a kernel that picks through words: by turns, then the lines without any representative word.

    `refresh` is called before the first pick, and when the kernel comes back because its gains are stale."""
    from .._kernels import word_lists as kernels
    from .._kernels.picking import FULL, NO_LINE_LEFT, PickLimits

    model, limits = task.state.model, task.limits
    with task.progress.stage("lay out"):
        groups = _groups(available, task, grouped=by_length)
        chains = _chains(groups, none=by_length)
        leads = groups.left > 0 if by_length else _leads(groups, chains)
        lists = _lists(task, groups, leads, by_length)
        rest = _rest(groups)
    queue = _queue(len(model.p))
    most = int(lists.left.max(initial=0))
    numbers = np.zeros(most), np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.uint64)
    word_lists = kernels.WordLists(groups, lists, queue, kernels.Aside(*numbers), chains, _queue(math.isqrt(most) + 2))
    turns = iter([np.flatnonzero((task.turn == turn) & (lists.left > 0)) for turn in range(TURNS)])
    kernels.fill_queue(model, next(turns), queue)
    in_turn = True

    def step(now: Now, log: PickLog, room: int) -> tuple[int, int]:
        nonlocal in_turn
        limited = PickLimits(room, limits.words, limits.patience)
        if not in_turn:
            return kernels.pick_rest(model, word_lists, rest, now, log, limited)
        picked, why = pick(model, word_lists, now, log, limited, task.per_word)
        if why != NO_LINE_LEFT:
            return picked, why
        words = next(turns, None)
        if words is None:
            in_turn = False
        else:
            kernels.fill_queue(model, words, queue)
        return picked, FULL

    keep = None if by_length else lambda: groups.gain
    return walk(task, step, lambda now: refresh(word_lists, now), room=room, keep=keep)


def _groups(available: LocalAvailable, task: Task, grouped: bool) -> Groups:
    """The allowed lines, each for itself or equal ones together, with their first gains."""
    from .._kernels.entries import Rows
    from .._kernels.word_lists import Groups

    index, allowed = available.index, available.allowed
    with ThreadPoolExecutor(task.jobs) as pool:
        if not grouped:
            line = np.arange(index.lines, dtype=np.uint32)
            held = None if task.checkpoint is None else task.checkpoint.gains
            gain = first_gains(index, task.state, task.jobs, pool) if held is None else held
            left = allowed.astype(np.uint32)
            rows = Rows(index.entry, index.start, index.entries)
            return Groups(rows, index.words, index.features, index.same, gain, line, line.copy(), left)
        order, group, _ = group_lines(index, first_keys(index, task.state, task.jobs, pool), allowed)
        leader, line, left = order[group[:-1]], order.astype(np.uint32), np.diff(group).astype(np.uint32)
        rows, words = Rows(index.entry, index.start[leader], index.entries[leader]), index.words[leader]
        gain, first = np.zeros(len(leader), np.int64), group[:-1].astype(np.uint32)
        score_rows(rows, gain, task.state, task.jobs, pool)
        return Groups(rows, words, index.features[leader], index.same, gain, line, first, left)


def _chains(groups: Groups, none: bool) -> Chains:
    """Lines that are left and have copies, in chains."""
    from .._kernels.chains import END, Chains, link_lines

    line = np.zeros(0, np.int64) if none else np.flatnonzero(groups.left)
    line = line[np.argsort(groups.same[line])]
    is_copy = np.diff(groups.same[line]) == 0
    line = line[np.append(is_copy, False) | np.append(False, is_copy)] if len(line) else line
    line = line[np.lexsort((line, groups.gain[line], groups.same[line]))]
    lines, most = 0 if none else len(groups.left), len(line) + 1
    chains = Chains(
        of=np.zeros(lines, np.uint32),
        next=np.full(lines, END, np.uint32),
        front=np.full(most, END, np.int64),
        back=np.full(most, END, np.int64),
        seam=np.full(most, END, np.int64),
        is_open=np.zeros(most, np.bool_),
    )
    link_lines(groups.rows, groups.gain, line, groups.same[line], chains)
    return chains


def _leads(groups: Groups, chains: Chains) -> NDArray[np.bool_]:
    """Does a line have nodes? Of those with copies, the first of a chain does."""
    leads: NDArray[np.bool_] = (groups.left > 0) & (chains.of == 0)
    front = chains.front[1:]
    leads[front[front < len(leads)]] = True
    return leads


def _lists(task: Task, groups: Groups, leads: NDArray[np.bool_], by_length: bool) -> Lists:
    """One heap for each word; with `by_length`, words with many rows have one for each class of lengths."""
    from .._kernels import word_lists as kernels

    words = len(task.state.model.p)
    number, lines = np.zeros(words, np.int64), np.zeros(words, np.int64)
    kernels.count_rows(groups, leads, number, lines)
    big, heaps, size = np.full(words, -1, np.int64), np.ones(words, np.int64), number
    heap = np.zeros((0, LENGTH_CLASSES), np.int64)
    if by_length:
        many = np.flatnonzero(number > kernels.SMALL)
        big[many] = np.arange(len(many))
        by_class = np.zeros((len(many), LENGTH_CLASSES), np.int64)
        kernels.count_classes(groups, big, by_class)
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
        fewest_features=np.full(len(first) - 1, 2**62, np.int64),
        fewest_words=np.full(len(first) - 1, 2**62, np.int64),
        most_words=np.ones(len(first) - 1, np.int64),
        of=_bounds(heaps),
        left=lines,
    )
    kernels.fill_lists(groups, leads, lists, big, heap)
    with ThreadPoolExecutor(task.jobs) as pool:
        split(len(lists.size), task.jobs, pool, lambda begin, end: kernels.heapify_lists(lists, begin, end))
    return lists


def _rest(groups: Groups) -> NDArray[np.int64]:
    """The rows without a representative word, shortest first, ties to the earlier line."""
    rest = np.flatnonzero((groups.left > 0) & (groups.rows.entries == 0))
    return rest[np.lexsort((groups.line[groups.next[rest]], groups.words[rest]))]


def _queue(words: int) -> Queue:
    from .._kernels.word_lists import Queue

    return Queue(np.zeros(words, np.int64), np.zeros(words, np.uint32), np.zeros(1, np.int64))


def _bounds(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    out = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=out[1:])
    return out
