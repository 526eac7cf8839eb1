"""The paper's shortcuts: the best word first, then the best of the lines that have it.

The lines of each word are kept in heaps by last known gain: one heap a word for batches; for single picks several, by
length, since the penalty tells long lines from short ones. A line stands in the heaps of all its words; picked through
one, it is a ghost in the others, dropped when met.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bits import UNIT, Model, gain_of_row, penalty
from .jit import inlined, kernel
from .path import DRY, FULL, OVER, SATISFIED, Path, Progress, add_row, record

SMALL = 32  # words with no more lines have one heap


class Rows(NamedTuple):
    """The lines, or groups of equal lines; the lines of row r that are left are line[next[r]] and so many behind it."""

    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]
    words: NDArray[np.uint32]
    length: NDArray[np.uint32]  # in features: what the penalty is for
    same: NDArray[np.uint64]  # equal for lines of equal words; only batches need it
    gain: NDArray[np.int64]  # last known
    line: NDArray[np.uint32]
    next: NDArray[np.uint32]
    left: NDArray[np.uint32]


class Lists(NamedTuple):
    """Heaps of lines: heap l is the nodes first[l] to first[l] + size[l]; word v has the heaps of[v] to of[v + 1]."""

    key: NDArray[np.int64]  # a gain that was known once
    row: NDArray[np.uint32]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    shortest: NDArray[np.int64]  # the length of the shortest line that may be in the heap,
    fewest: NDArray[np.int64]  # and how many words its lines have at least
    most: NDArray[np.int64]  # and at most
    of: NDArray[np.int64]
    left: NDArray[np.int64]  # by word: lines that have not been picked


class Queue(NamedTuple):
    """A heap of words by the gain they were last known to have if seen once more."""

    key: NDArray[np.int64]
    row: NDArray[np.uint32]  # words; the name is that of Lists, so that one `sift` serves both
    size: NDArray[np.int64]


class Side(NamedTuple):
    """Rows that have been taken out of their heap while the best is looked for."""

    utility: NDArray[np.float64]
    row: NDArray[np.int64]
    heap: NDArray[np.int64]
    chosen: NDArray[np.uint64]  # `same` of the lines that were picked in this batch


@inlined
def length_class(length: int) -> int:
    """Each length up to 16 for itself, then eight classes for every doubling."""
    if length <= 16:
        return length
    doublings = 0
    while length >> doublings >= 16:
        doublings += 1
    return 17 + 8 * (doublings - 1) + ((length >> doublings) & 7)


@kernel
def count_rows(rows: Rows, ready: int, number: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
    """How many rows and lines have each word; `ready` is the first entry that is followed by a number."""
    for row in range(rows.left.size):
        if rows.left[row]:
            k, end = rows.start[row], rows.start[row] + np.int64(rows.entries[row])
            while k < end:
                e = np.int64(rows.entry[k])
                number[e % number.size] += 1
                lines[e % number.size] += rows.left[row]
                k += 2 if e >= ready else 1


@kernel
def count_classes(rows: Rows, ready: int, big: NDArray[np.int64], number: NDArray[np.int64]) -> None:
    """How many rows of each length class the words with many rows have; `big` numbers those words, others are -1."""
    for row in range(rows.left.size):
        if rows.left[row]:
            of_length = length_class(np.int64(rows.words[row]))
            k, end = rows.start[row], rows.start[row] + np.int64(rows.entries[row])
            while k < end:
                e = np.int64(rows.entry[k])
                v = big[e % big.size]
                if v >= 0:
                    number[v, of_length] += 1
                k += 2 if e >= ready else 1


@kernel
def fill(rows: Rows, ready: int, lists: Lists, big: NDArray[np.int64], heap: NDArray[np.int64]) -> None:
    """Put every row into a heap of each of its words, in no order yet; heap[big, length class] is where."""
    for row in range(rows.left.size):
        if rows.left[row]:
            of_length = length_class(np.int64(rows.words[row])) if heap.size else 0
            k, end = rows.start[row], rows.start[row] + np.int64(rows.entries[row])
            while k < end:
                e = np.int64(rows.entry[k])
                v = e % big.size
                which = heap[big[v], of_length] if big[v] >= 0 else lists.of[v]
                at = lists.first[which] + lists.size[which]
                lists.key[at] = rows.gain[row]
                lists.row[at] = row
                lists.size[which] += 1
                lists.shortest[which] = min(lists.shortest[which], np.int64(rows.length[row]))
                lists.fewest[which] = min(lists.fewest[which], np.int64(rows.words[row]))
                lists.most[which] = max(lists.most[which], np.int64(rows.words[row]))
                k += 2 if e >= ready else 1


@inlined
def sift(lists: Lists | Queue, root: int, i: int, size: int, key: int, row: int) -> None:
    """Put a node at place i of the heap that begins at root, or below."""
    while True:
        c = 2 * i + 1
        if c >= size:
            break
        a, b = root + c, root + c + 1
        if c + 1 < size and (
            lists.key[b] < lists.key[a] or (lists.key[b] == lists.key[a] and lists.row[b] < lists.row[a])
        ):
            c, a = c + 1, b
        if not (lists.key[a] < key or (lists.key[a] == key and lists.row[a] < row)):
            break
        lists.key[root + i], lists.row[root + i] = lists.key[a], lists.row[a]
        i = c
    lists.key[root + i], lists.row[root + i] = key, row


@inlined
def drop_first(lists: Lists, heap: int) -> None:
    root = lists.first[heap]
    lists.size[heap] -= 1
    last = root + lists.size[heap]
    if lists.size[heap]:
        sift(lists, root, 0, lists.size[heap], lists.key[last], np.int64(lists.row[last]))


@inlined
def put_back(lists: Lists, heap: int, key: int, row: int) -> None:
    root, i = lists.first[heap], lists.size[heap]
    lists.size[heap] += 1
    while i > 0:
        parent = (i - 1) // 2
        a = root + parent
        if not (key < lists.key[a] or (key == lists.key[a] and row < lists.row[a])):
            break
        lists.key[root + i], lists.row[root + i] = lists.key[a], lists.row[a]
        i = parent
    lists.key[root + i], lists.row[root + i] = key, row


@kernel
def heapify_lists(lists: Lists, begin: int, end: int) -> None:
    for heap in range(begin, end):
        root, size = lists.first[heap], lists.size[heap]
        for i in range(size // 2 - 1, -1, -1):
            sift(lists, root, i, size, lists.key[root + i], np.int64(lists.row[root + i]))


@kernel
def fill_queue(model: Model, words: NDArray[np.int64], queue: Queue) -> None:
    """A heap of these words by their gain now."""
    size = words.size
    queue.size[0] = size
    for i in range(size):
        queue.key[i], queue.row[i] = model.gain[words[i]], words[i]
    for i in range(size // 2 - 1, -1, -1):
        sift(queue, 0, i, size, queue.key[i], np.int64(queue.row[i]))


@inlined
def best_word_left(model: Model, lists: Lists, queue: Queue) -> int:
    """The word with the best estimated gain that has lines left, ties to the first; -1 if there is none."""
    while queue.size[0] > 0:
        v = np.int64(queue.row[0])
        if lists.left[v] == 0:
            queue.size[0] -= 1
            last = queue.size[0]
            if last:
                sift(queue, 0, 0, last, queue.key[last], np.int64(queue.row[last]))
        elif queue.key[0] != model.gain[v]:
            sift(queue, 0, 0, queue.size[0], model.gain[v], v)
        else:
            return v
    return -1


@inlined
def next_line(rows: Rows, row: int) -> int:
    return np.int64(rows.line[rows.next[row]])


@inlined
def score(model: Model, rows: Rows, row: int) -> int:
    begin = rows.start[row]
    return gain_of_row(model, rows.entry, begin, begin + np.int64(rows.entries[row]))


@inlined
def utility(cost: float, gain: int, words: int, per_word: bool) -> float:
    """What decides between lines: delta, or delta per word."""
    delta = cost + gain * UNIT
    return delta / words if per_word else delta


@inlined
def least_penalty(model: Model, lists: Lists, progress: Progress, heap: int) -> float:
    """What the shortest line of a heap costs."""
    return penalty(progress.features[0], lists.shortest[heap], model)


@inlined
def utility_at_least(lists: Lists, heap: int, least: float, per_word: bool) -> float:
    """A bound of the utility of all lines of a heap: the first one's known gain, and the least penalty."""
    gain = lists.key[lists.first[heap]]
    words = lists.fewest[heap] if least + gain * UNIT < 0.0 else lists.most[heap]
    return utility(least, gain, words, per_word)


@inlined
def take_row(model: Model, rows: Rows, lists: Lists, progress: Progress, row: int) -> int:
    """Take the next line of a row and count its words; what it brings single words."""
    rows.next[row] += 1
    rows.left[row] -= 1
    begin = rows.start[row]
    end = begin + np.int64(rows.entries[row])
    k = begin
    while k < end:
        e = np.int64(rows.entry[k])
        lists.left[e % model.p.size] -= 1
        k += 2 if e >= model.gain.size else 1
    return add_row(model, progress, rows.entry, begin, end)


@kernel
def pick_rest(
    model: Model,
    rows: Rows,
    rest: NDArray[np.int64],
    progress: Progress,
    path: Path,
    room: int,
    budget: int,
    patience: int,
) -> tuple[int, int]:
    """Pick rows without a representative word, in the order given; how many lines, and why it ended."""
    n = 0
    for row in rest:
        words, length = np.int64(rows.words[row]), np.int64(rows.length[row])
        while rows.left[row]:
            if n == room:
                return n, FULL
            if progress.words[0] + words > budget:
                return n, OVER
            now = penalty(progress.features[0], length, model)
            record(model, progress, path, n, next_line(rows, row), words, length, now, 0.0, -1, 0)
            rows.next[row] += 1
            rows.left[row] -= 1
            n += 1
            if progress.words[0] - progress.lowest_words[0] > patience:
                return n, SATISFIED
    return n, DRY
