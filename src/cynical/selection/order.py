"""The order of lines by their scores, wherever they are: the best up to a number of words, and all of them
one after another. Equal scores go to the earlier line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .eligible import REASONS
from .index import gather_entries, sum_before
from .shards import Each, numbered, owned

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Ordered:
    """Lines of a shard, best first."""

    line: NDArray[np.int64]
    key: NDArray[np.int64]  # in ascending order
    words: NDArray[np.int64]  # of the lines before, and of all of them


def best_first(allowed: NDArray[np.bool_], score: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """The lines that may be picked by their scores, the highest first, ties to the earlier; in their order without."""
    lines = np.flatnonzero(allowed)
    return lines if score is None else lines[np.argsort(-score[lines], kind="stable")]


def key_of(number: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in the same order."""
    bits = (number + 0.0).view(np.int64)  # there is one zero
    return np.where(bits < 0, bits ^ HIGHEST, bits)


def sort_lines(available: Available, *, lowest_first: bool = False) -> None:
    """Have each shard put the lines that may be picked in the order of their scores."""
    available.tell(_sort, lowest_first)


def _sort(shard: LocalAvailable, lowest_first: bool) -> None:
    score = shard.score
    if score is not None and lowest_first:
        score = -score
    line = best_first(shard.allowed, score)
    key = np.zeros(len(line), np.int64) if score is None else key_of(-score[line])
    words = np.concatenate([[0], np.cumsum(shard.index.words[line], dtype=np.int64)])
    shard.ordered = Ordered(line, key, words)


def keep_best(available: Available, words: int) -> int:
    """Allow only the best lines that have no more than this many words in all; how many these are."""
    low, high = LOWEST, HIGHEST
    if sum(available.ask(_words_to, HIGHEST)) > words:  # the first key of which some lines are too many
        while low < high:
            middle = (low + high) // 2
            if sum(available.ask(_words_to, middle)) > words:
                high = middle
            else:
                low = middle + 1
    left, rest = words - sum(available.ask(_words_to, high - 1)), []
    for of_shard in available.ask(_words_at, high):
        rest.append(left)
        left -= of_shard
    return sum(available.tell(_allow, high, Each(rest)))


def _words_to(shard: LocalAvailable, key: int) -> int:
    """Words of the lines that have this key or a lower one."""
    ordered = shard.ordered
    assert ordered is not None
    return int(ordered.words[np.searchsorted(ordered.key, key, side="right")])


def _words_at(shard: LocalAvailable, key: int) -> int:
    return _words_to(shard, key) - _words_to(shard, key - 1)


def _allow(shard: LocalAvailable, key: int, rest: int) -> int:
    """Allow lines of lower keys and, as long as they have no more words than the rest, those of this one."""
    ordered = shard.ordered
    assert ordered is not None
    first, last = np.searchsorted(ordered.key, key), np.searchsorted(ordered.key, key, side="right")
    words = ordered.words[first + 1 : last + 1] - ordered.words[first]
    kept = ordered.line[: int(first + np.searchsorted(words, rest, side="right"))]
    allowed = np.zeros(len(shard.allowed), np.bool_)
    allowed[kept] = True
    shard.reason[shard.allowed & ~allowed] = 1 + len(REASONS)  # NOT_AMONG_BEST
    shard.allowed = allowed
    shard.ordered = shard.score = None
    return len(kept)


def scores_of(available: Available, lines: NDArray[np.int64]) -> NDArray[np.float64]:
    """The scores of some lines."""
    out = np.empty(len(lines))
    found = available.ask(_scores, Each(numbered(available, lines)))
    for own, scores in zip(owned(available, lines), found, strict=True):
        out[own] = scores
    return out


def _scores(shard: LocalAvailable, lines: NDArray[np.int64]) -> NDArray[np.float64]:
    assert shard.score is not None
    return shard.score[lines]


@dataclass(frozen=True, slots=True)
class OrderedRows:
    """Some lines, best first, and their rows, concatenated."""

    line: NDArray[np.int64]
    key: NDArray[np.int64]
    entry: NDArray[np.uint32]
    entries: NDArray[np.uint32]  # by line, how many it has
    words: NDArray[np.uint32]
    features: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.line)

    @property
    def start(self) -> NDArray[np.int64]:
        """By line, where its entries begin."""
        return sum_before(self.entries)

    def take(self, places: NDArray[np.int64]) -> OrderedRows:
        """Some of them, in the order given."""
        by_line = (one[places] for one in (self.entries, self.words, self.features))
        return OrderedRows(self.line[places], self.key[places], gather_entries(self, places), *by_line)


def in_given_order(available: Available, lines: NDArray[np.int64], together: int) -> Iterator[OrderedRows]:
    """The rows of some lines, in their order, some at a time."""
    for begin in range(0, len(lines), together):
        some = lines[begin : begin + together]
        found = available.ask(_rows, Each(numbered(available, some)), Each(available.first))
        order = np.empty(len(some), np.int64)
        order[np.concatenate(owned(available, some))] = np.arange(len(some))
        yield _joined(found).take(order)


def in_order(available: Available, together: int) -> Iterator[OrderedRows]:
    """The rows of all lines that may be picked, best first; of each shard no more than a batch is here."""
    shards = range(len(available.first))
    here: list[OrderedRows | None] = [None for _ in shards]
    begin, ended = np.zeros(len(shards), np.int64), np.zeros(len(shards), np.bool_)
    while True:
        wanted = [together if here[one] is None and not ended[one] else 0 for one in shards]
        found = available.ask(_next, Each(begin.tolist()), Each(wanted), Each(available.first))
        for one in shards:
            begin[one] += len(found[one])
            ended[one] |= len(found[one]) < wanted[one]
        rows = _joined([here[one] or found[one] for one in shards])
        if not len(rows):
            return
        shard = np.repeat(shards, [len(here[one] or found[one]) for one in shards])
        order = np.lexsort((rows.line, rows.key))
        last = [int(np.flatnonzero(shard[order] == one)[-1]) for one in shards if not ended[one]]
        sure = min(last, default=len(order) - 1) + 1  # what a shard has not given yet comes after what it has
        yield rows.take(order[:sure])
        left = order[sure:]
        here = [rows.take(left[shard[left] == one]) if (shard[left] == one).any() else None for one in shards]


def _joined(pieces: Sequence[OrderedRows]) -> OrderedRows:
    columns = zip(*((p.line, p.key, p.entry, p.entries, p.words, p.features) for p in pieces), strict=True)
    return OrderedRows(*(np.concatenate(column) for column in columns))


def _next(shard: LocalAvailable, begin: int, number: int, before: int) -> OrderedRows:
    """The next lines of a shard, by their numbers in AVAILABLE."""
    ordered = shard.ordered
    assert ordered is not None
    some = slice(begin, begin + number)
    return replace(_rows(shard, ordered.line[some], before), key=ordered.key[some])


def _rows(shard: LocalAvailable, lines: NDArray[np.int64], before: int) -> OrderedRows:
    """Some lines of a shard, by their numbers in AVAILABLE, all with the same key."""
    index = shard.index
    by_line = (one[lines] for one in (index.entries, index.words, index.features))
    return OrderedRows(lines + before, np.zeros(len(lines), np.int64), gather_entries(index, lines), *by_line)
