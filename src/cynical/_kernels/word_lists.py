"""The paper's shortcuts: the best word first, then the best of the lines that have it.

The lines of each word are kept in heaps by last known gain: one heap per word for batches; for single picks several, by
length in words, since the penalty separates long lines from short ones. A row is in the heaps of all its words; when
its lines have been picked through one of them, it is a ghost in the others, dropped when met.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chains import Chains
from .entries import Rows, decoded, span
from .exact import before
from .formulas import BASE, UNIT, Model, gain_of_row, penalty, utility
from .jit import inlined, kernel
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    Pick,
    PickLimits,
    PickLog,
    Progress,
    out_of_patience,
    over_budget,
    record,
)

SMALL = 32  # words with no more rows have one heap


class Groups(NamedTuple):
    """A row for each line, or for each group of equal lines.

    The lines of row r that are left are line[next[r]] and those that follow it."""

    rows: Rows
    words: NDArray[np.uint32]
    features: NDArray[np.uint32]  # what the penalty depends on
    same: NDArray[np.uint64]  # equal for lines of equal words; only batches need it
    gain: NDArray[np.int64]  # last known
    line: NDArray[np.uint32]
    next: NDArray[np.uint32]
    left: NDArray[np.uint32]


class Lists(NamedTuple):
    """Heaps of rows: heap l is the nodes first[l] to first[l] + size[l]; word v has the heaps of[v] to of[v + 1]."""

    key: NDArray[np.int64]  # a gain that was known once
    row: NDArray[np.uint32]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    fewest_features: NDArray[np.int64]  # that a line of the heap has,
    fewest_words: NDArray[np.int64]
    most_words: NDArray[np.int64]
    of: NDArray[np.int64]
    left: NDArray[np.int64]  # by word: lines that have not been picked


class Queue(NamedTuple):
    """A heap of words by the gain they were last known to have if seen once more, or of lines by theirs."""

    key: NDArray[np.int64]
    row: NDArray[np.uint32]  # words or lines; the name is that of Lists, so that one `sift` serves both
    size: NDArray[np.int64]


class Aside(NamedTuple):
    """Rows that have been taken out of their heap while the best is looked for."""

    utility: NDArray[np.float64]
    row: NDArray[np.int64]
    heap: NDArray[np.int64]
    chosen: NDArray[np.uint64]  # `same` of the lines that were picked in this batch


class WordLists(NamedTuple):
    """Everything that a search through words needs."""

    groups: Groups
    lists: Lists
    queue: Queue
    aside: Aside
    chains: Chains  # only batches need them,
    opened: Queue  # and those that lines have been taken from, by the first line that is left


@inlined
def length_class(words: int) -> int:
    """Each length up to 16 words for itself, then eight classes for every doubling."""
    if words <= 16:
        return words
    doublings = 0
    while words >> doublings >= 16:
        doublings += 1
    return 17 + 8 * (doublings - 1) + ((words >> doublings) & 7)


@kernel
def count_rows(groups: Groups, leads: NDArray[np.bool_], number: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
    """How many lines have each word, and how many rows that have nodes."""
    for row in range(groups.left.size):
        if groups.left[row]:
            begin, end = span(groups.rows, row)
            for v, _ in decoded(groups.rows.entry, begin, end, number.size):
                number[v] += leads[row]
                lines[v] += groups.left[row]


@kernel
def count_classes(groups: Groups, big: NDArray[np.int64], number: NDArray[np.int64]) -> None:
    """How many rows of each length class the words with many rows have; `big` numbers those words, others are -1."""
    for row in range(groups.left.size):
        if groups.left[row]:
            of_length = length_class(np.int64(groups.words[row]))
            begin, end = span(groups.rows, row)
            for v, _ in decoded(groups.rows.entry, begin, end, big.size):
                if big[v] >= 0:
                    number[big[v], of_length] += 1


@kernel
def fill_lists(
    groups: Groups, leads: NDArray[np.bool_], lists: Lists, big: NDArray[np.int64], heap: NDArray[np.int64]
) -> None:
    """Put the rows that have nodes into a heap of each of their words, in no order yet; heap[big, length class] is
    where."""
    for row in range(groups.left.size):
        if leads[row]:
            words, features = np.int64(groups.words[row]), np.int64(groups.features[row])
            of_length = length_class(words) if heap.size else 0
            begin, end = span(groups.rows, row)
            for v, _ in decoded(groups.rows.entry, begin, end, big.size):
                which = heap[big[v], of_length] if big[v] >= 0 else lists.of[v]
                at = lists.first[which] + lists.size[which]
                lists.key[at] = groups.gain[row]
                lists.row[at] = row
                lists.size[which] += 1
                lists.fewest_features[which] = min(lists.fewest_features[which], features)
                lists.fewest_words[which] = min(lists.fewest_words[which], words)
                lists.most_words[which] = max(lists.most_words[which], words)


@inlined
def sift(lists: Lists | Queue, root: int, i: int, size: int, key: int, row: int) -> None:
    """Put a node at place i of the heap that begins at root, or below.

    The same as `exact.sift`, but for nodes of 12 bytes in two arrays in place of 16 bytes in one."""
    while True:
        c = 2 * i + 1
        if c >= size:
            break
        a, b = root + c, root + c + 1
        if c + 1 < size and before(lists.key[b], lists.row[b], lists.key[a], lists.row[a]):
            c, a = c + 1, b
        if not before(lists.key[a], lists.row[a], key, row):
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
def rise(lists: Lists | Queue, root: int, i: int, key: int, row: int) -> None:
    """Put a node at place i of the heap that begins at root, or above."""
    while i > 0:
        parent = (i - 1) // 2
        a = root + parent
        if not before(key, row, lists.key[a], lists.row[a]):
            break
        lists.key[root + i], lists.row[root + i] = lists.key[a], lists.row[a]
        i = parent
    lists.key[root + i], lists.row[root + i] = key, row


@inlined
def put_back(lists: Lists, heap: int, key: int, row: int) -> None:
    rise(lists, lists.first[heap], lists.size[heap], key, row)
    lists.size[heap] += 1


@inlined
def push(queue: Queue, key: int, row: int) -> None:
    rise(queue, 0, queue.size[0], key, row)
    queue.size[0] += 1


@inlined
def pop(queue: Queue) -> None:
    queue.size[0] -= 1
    last = queue.size[0]
    if last:
        sift(queue, 0, 0, last, queue.key[last], np.int64(queue.row[last]))


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
            pop(queue)
        elif queue.key[0] != model.gain[v]:
            sift(queue, 0, 0, queue.size[0], model.gain[v], v)
        else:
            return v
    return -1


@inlined
def next_line(groups: Groups, row: int) -> int:
    return np.int64(groups.line[groups.next[row]])


@inlined
def score(model: Model, groups: Groups, row: int) -> int:
    begin, end = span(groups.rows, row)
    return gain_of_row(model, groups.rows.entry, begin, end)


@inlined
def divisor_of(words: int, per_word: bool) -> float:
    return np.float64(words) if per_word else 1.0


@inlined
def scored_utility(model: Model, groups: Groups, progress: Progress, row: int, per_word: bool) -> float:
    """Score a row again and keep its gain; its utility."""
    groups.gain[row] = score(model, groups, row)
    progress.rescored[0] += 1
    cost = penalty(progress.features[0], np.int64(groups.features[row]), model.smoothing[BASE])
    return utility(cost, groups.gain[row] * UNIT, divisor_of(np.int64(groups.words[row]), per_word))


@inlined
def least_penalty(model: Model, lists: Lists, progress: Progress, heap: int) -> float:
    """What the shortest line of a heap costs."""
    return penalty(progress.features[0], lists.fewest_features[heap], model.smoothing[BASE])


@inlined
def utility_bound(lists: Lists, heap: int, least: float, per_word: bool) -> float:
    """A bound of the utility of all lines of a heap: the first one's known gain, and the least penalty."""
    gain = lists.key[lists.first[heap]] * UNIT
    words = lists.fewest_words[heap] if least + gain < 0.0 else lists.most_words[heap]
    return utility(least, gain, divisor_of(words, per_word))


@inlined
def pick_row(
    model: Model, words: WordLists, progress: Progress, log: PickLog, n: int, row: int, gain: float, word: int
) -> None:
    """Pick the next line of a row, to which a word has led (-1 if none has)."""
    groups = words.groups
    line, features = next_line(groups, row), np.int64(groups.features[row])
    cost = penalty(progress.features[0], features, model.smoothing[BASE])
    groups.next[row] += 1
    groups.left[row] -= 1
    begin, end = span(groups.rows, row)
    for v, _ in decoded(groups.rows.entry, begin, end, model.p.size):
        words.lists.left[v] -= 1
    pick = Pick(line, np.int64(groups.words[row]), features, cost, gain, word)
    record(model, progress, log, n, pick, groups.rows.entry, begin, end)


@kernel
def pick_rest(
    model: Model, words: WordLists, rest: NDArray[np.int64], progress: Progress, log: PickLog, limits: PickLimits
) -> tuple[int, int]:
    """Pick rows without a representative word, in the order given; how many lines, and why it ended."""
    n, groups = 0, words.groups
    for row in rest:
        while groups.left[row]:
            if n == limits.picks:
                return n, FULL
            if over_budget(progress, limits, np.int64(groups.words[row])):
                return n, OVER_BUDGET
            pick_row(model, words, progress, log, n, row, 0.0, -1)
            n += 1
            if out_of_patience(progress, limits):
                return n, OUT_OF_PATIENCE
    return n, NO_LINE_LEFT
