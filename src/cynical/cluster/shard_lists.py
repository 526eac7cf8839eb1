"""The lines of each word in one shard, by the gains that they were last known to have: what batches are made of.

All lines are scored by the driver, which says what came of it. So a shard needs no model, once it has its first gains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..selection.index import Index, gather_entries
from ..text.places import Numbers
from .messages import ListOffer, ListRequest, Scored

LINE = 0xFFFFFFFF
NOTHING_HELD = (np.iinfo(np.int64).max, 0)


@dataclass(slots=True, eq=False)
class ShardLists:
    """For each word, the lines that have it, in their order; those that were picked are dropped now and then."""

    index: Index
    left: NDArray[np.bool_]  # by line: may it still be picked?
    gain: Numbers  # by line, last known
    first: Numbers  # by word, where its lines begin in `line`,
    number: Numbers  # and how many there are
    line: NDArray[np.uint32]
    rest: Numbers  # of lines without a representative word: words << 32 | line, in ascending order

    def learn(self, scored: Scored) -> None:
        """What became of lines that were scored elsewhere."""
        self.gain[scored.line] = scored.gain
        self.left[scored.picked] = False

    def gains(self, scored: Scored) -> Numbers:
        """Of all lines, last known."""
        self.learn(scored)
        return self.gain

    def offer(self, request: ListRequest) -> ListOffer:
        """For each of some words the lines with the lowest last known gains, or the next ones without any word."""
        self.learn(request.scored)
        if request.rest is not None:
            after, most = request.rest
            place = int(np.searchsorted(self.rest, after, side="right"))
            lists, held = [self.rest[place : place + most] & LINE], [NOTHING_HELD]
        else:
            found = [self._lowest(word, most) for word, most in zip(request.word, request.most, strict=True)]
            lists, held = [lines for lines, _ in found], [one for _, one in found]
        index, listed = self.index, np.concatenate([np.zeros(0, np.int64), *lists])
        line = np.unique(listed)
        same = index.same[line] if len(index.same) else np.zeros(len(line), np.uint64)
        return ListOffer(
            line,
            gather_entries(index, line),
            index.entries[line],
            index.words[line],
            index.features[line],
            same,
            self.gain[line],
            listed,
            np.array([len(one) for one in lists], np.int64),
            np.array([gain for gain, _ in held], np.int64),
            np.array([one for _, one in held], np.int64),
        )

    def _lowest(self, word: int, most: int) -> tuple[Numbers, tuple[int, int]]:
        """The lines of a word with the lowest gains, ties to the earlier line; and the gain and line that come next."""
        first, number = int(self.first[word]), int(self.number[word])
        lines = self.line[first : first + number]
        lines = lines[self.left[lines]]
        if 2 * len(lines) < number:
            self.line[first : first + len(lines)], self.number[word] = lines, len(lines)
        if len(lines) <= most:
            return lines.astype(np.int64), NOTHING_HELD
        gain = self.gain[lines]
        next_gain = int(np.partition(gain, most)[most])
        lower, equal = gain < next_gain, np.flatnonzero(gain == next_gain)
        with_most = most - int(np.count_nonzero(lower))
        lower[equal[:with_most]] = True
        return lines[lower].astype(np.int64), (next_gain, int(lines[equal[with_most]]))


def list_lines(index: Index, left: NDArray[np.bool_], gain: Numbers, features: int) -> ShardLists:
    """The lists of all lines that may be picked."""
    from .._kernels import sharded_batch as kernels
    from .._kernels.entries import Rows

    rows, number = Rows(index.entry, index.start, index.entries), np.zeros(features, np.int64)
    kernels.count_lines(rows, left, number)
    first = np.cumsum(number) - number
    line = np.zeros(int(number.sum()), np.uint32)
    kernels.list_lines(rows, left, first.copy(), line)
    rest = np.flatnonzero(left & (index.entries == 0))
    rest = np.sort(index.words[rest].astype(np.int64) << 32 | rest)
    return ShardLists(index, left, gain, first, number, line, rest)
