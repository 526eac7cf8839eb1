"""Pool: the rows that shards have given away and that are not all picked yet, in heaps by length.

It grows by what each round brings: rows are laid one behind another, and every heap has room for more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..memory import longer
from ..selection.exact import AHEAD, make_heaps
from .messages import Offer

if TYPE_CHECKING:
    from .._kernels.exact import Heaps

ROOM = 16  # rows that a heap has room for at first


@dataclass(slots=True, eq=False)
class Pool:
    first: NDArray[np.int64]  # by shard, the number of its first line in AVAILABLE
    words_and_features: NDArray[np.int64]  # by heap, the length of its lines (see messages.Offer)
    heaps: Heaps  # of the rows here
    held: Heaps  # of the first row of each length that shards hold back
    _laid: int = 0  # how much of both is in use
    _lines: int = 0

    def shard_of(self, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which shard has each of some lines; an empty one begins where the next does."""
        return np.searchsorted(self.first, lines, side="right") - 1

    def add(self, offers: Sequence[Offer]) -> None:
        """Take the rows that were offered."""
        from .._kernels.entries import LINE
        from .._kernels.sharded_exact import push_rows

        heap = np.concatenate([self._heaps_of(offer)[offer.heap] for offer in offers])
        size = np.concatenate([offer.size for offer in offers])
        self._make_room(offers, heap)
        place = self._laid + np.cumsum(size) - size
        row = 0
        for first, offer in zip(self.first, offers, strict=True):
            rows = slice(row, row + len(offer.size))
            self.heaps.row_data[self._laid : self._laid + len(offer.laid)] = offer.laid
            self.heaps.row_data[place[rows] + LINE] += np.uint32(self._lines)
            self.heaps.line[self._lines : self._lines + len(offer.line)] = offer.line + np.uint32(first)
            self._laid, self._lines, row = self._laid + len(offer.laid), self._lines + len(offer.line), rows.stop
        push_rows(self.heaps, place, np.concatenate([offer.gain for offer in offers]), heap)

    def held_back(self, offers: Sequence[Offer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By heap, the gains and lines that are held back: of a shard, as many as it has heaps of that length."""
        from .._kernels.exact import GONE

        sizes = [offer.words_and_features for offer in offers]
        again = [np.arange(len(size)) - np.searchsorted(size, size) for size in sizes]  # heaps before it of its length
        row = np.cumsum([0] + [int(number.max(initial=0)) + 1 for number in again])
        gain = np.full((int(row[-1]), len(self.held.size)), GONE)
        line = np.zeros_like(gain)
        for shard, (first, offer) in enumerate(zip(self.first, offers, strict=True)):
            at = row[shard] + again[shard], self._heaps_of(offer)
            gain[at], line[at] = offer.held_gain, offer.held_line + first
        return gain, line

    def _heaps_of(self, offer: Offer) -> NDArray[np.int64]:
        """By a shard's own heap, which one it is here; a shard that was read again has fewer of them."""
        return np.searchsorted(self.words_and_features, offer.words_and_features)

    def _make_room(self, offers: Sequence[Offer], heap: NDArray[np.int64]) -> None:
        heaps = self.heaps
        laid, lines = (
            sum(len(part) for part in some) for some in zip(*((o.laid, o.line) for o in offers), strict=True)
        )
        if self._laid + laid >= 1 << 32:
            raise CynicalError("the best lines have more than 2^32 entries; give a smaller budget")
        if self._laid + laid + AHEAD > len(heaps.row_data):
            heaps = heaps._replace(row_data=longer(heaps.row_data, 2 * (self._laid + laid) + AHEAD))
        if self._lines + lines > len(heaps.line):
            heaps = heaps._replace(line=longer(heaps.line, 2 * (self._lines + lines)))
        needed = heaps.size + np.bincount(heap, minlength=len(heaps.size))
        room = np.diff(heaps.first)
        if (needed > room).any():
            room = np.where(needed > room, 2 * needed, room)
            first = np.concatenate([[0], np.cumsum(room)])
            node = np.zeros((int(first[-1]), 2), np.int64)
            for b, size in enumerate(heaps.size.tolist()):
                node[first[b] : first[b] + size] = heaps.node[heaps.first[b] : heaps.first[b] + size]
            heaps = heaps._replace(first=first, node=node)
        self.heaps = heaps


def make_pool(sizes: Sequence[NDArray[np.int64]], first: Sequence[int], per_word: bool) -> Pool:
    """An empty pool; `sizes` has the lengths of lines, in words and in features, that each shard has, `first` the
    number of its first line in AVAILABLE."""
    known = np.unique(np.concatenate(sizes))
    words, features = known >> 32, known & 0xFFFFFFFF
    nothing = np.zeros(AHEAD, np.uint32)
    room, one = np.arange(len(known) + 1) * ROOM, np.arange(len(known) + 1)
    return Pool(
        np.array(first, np.int64),
        known,
        make_heaps(nothing, nothing[:0], room, words, features, per_word),
        make_heaps(nothing, nothing[:0], one, words, features, per_word),
    )
