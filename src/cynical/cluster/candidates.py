"""Pool: the rows that shards have given away and that are not all picked yet, in heaps by length.

It grows by what each round brings: rows are appended, and every heap has room for more. When it has more
than its share of memory, the rows with the lowest rank are handed back to their shards, which have kept them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..memory import longer
from ..selection.exact import AHEAD, make_heaps
from .messages import Offer, Returned, WordsLeft

if TYPE_CHECKING:
    from .._kernels.documents import SomeDocuments
    from .._kernels.exact import Heaps
    from .._kernels.formulas import Model

ROOM = 16  # rows that a heap has room for at first
OF_SHARD = 32  # bits of the number that a shard has for a document; what is above is the shard


@dataclass(slots=True, eq=False)
class Pool:
    first: NDArray[np.int64]  # by shard, the number of its first line in AVAILABLE
    words_and_features: NDArray[np.int64]  # by heap, the length of its lines (see messages.Offer)
    heaps: Heaps  # of the rows here
    held: Heaps  # of the first row of each length that shards hold back
    lives: NDArray[np.int64]  # by shard, how often it was replaced when it gave its rows away
    documents: SomeDocuments  # of the lines here, where a document may give only a share of its words
    _laid: int = 0  # how much of both is in use
    _lines: int = 0
    _place: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # of rows, ascending,
    _origin: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # and what their shards call them

    def shard_of(self, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which shard has each of some lines; an empty one begins where the next does."""
        return np.searchsorted(self.first, lines, side="right") - 1

    def add(self, offers: Sequence[Offer]) -> None:
        """Take the rows that were offered; a shard that was read again has every row that it gave away before."""
        lives = np.array([offer.life for offer in offers])
        if (lives != self.lives).any():
            self._forget(lives != self.lives)
            self.lives = lives
        for shard, (offer, first) in enumerate(zip(offers, self.first, strict=True)):
            heap = self._heaps_of(offer)[offer.heap]
            self._add_rows(offer.laid, offer.line + np.uint32(first), offer.size, heap, offer.gain, offer.place)
            if len(offer.document):
                line, document = offer.line.astype(np.int64) + first, shard << OF_SHARD | offer.document
                self._add_documents(line, document, offer.words_left)

    def words_left(self, picked: NDArray[np.int64]) -> list[WordsLeft]:
        """For each shard, the documents of lines that were just picked."""
        known = self.documents
        if not len(known.line):
            nothing = np.zeros(0, np.int64)
            return [WordsLeft(nothing, nothing) for _ in self.first]
        place = np.searchsorted(known.number, np.unique(known.of_line[np.searchsorted(known.line, picked)]))
        document, left, shard = known.number[place], known.left[place], known.number[place] >> OF_SHARD
        own = [shard == one for one in range(len(self.first))]
        return [WordsLeft(document[one] & ((1 << OF_SHARD) - 1), left[one]) for one in own]

    def trim(self, model: Model, horizon: int, most: int) -> list[Returned]:
        """For each shard, which of its rows it gets back: where there are more than `most` numbers here, those that
        have the highest utility when `horizon` features are selected, until half of that is left."""
        nothing = np.zeros(0, np.int64)
        if self._laid + self._lines <= most:
            return [Returned(int(life), nothing, nothing) for life in self.lives]
        from .._kernels.entries import ENTRIES, HEAD, LEFT, LINE
        from .._kernels.formulas import BASE, UNIT

        heaps = self.heaps
        place, gain, heap = self._rows()
        penalty = np.log2(1.0 + heaps.features / (horizon + model.smoothing[BASE]))
        order = np.argsort((penalty[heap] + gain * UNIT) / heaps.divisor[heap], kind="stable")
        left = heaps.row_data[place + LEFT].astype(np.int64)
        size = heaps.row_data[place + ENTRIES].astype(np.int64) + HEAD + left
        kept = int(np.searchsorted(np.cumsum(size[order]), most // 2, side="right"))
        back = order[kept:]
        line = heaps.line[heaps.row_data[place[back] + LINE]].astype(np.int64)
        shard, origin = self.shard_of(line), self._origin[np.searchsorted(self._place, place[back])]
        returned = [
            Returned(int(life), origin[shard == number], left[back][shard == number])
            for number, life in enumerate(self.lives)
        ]
        self._keep(place, gain, heap, np.sort(order[:kept]))
        return returned

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

    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Of all rows that are left here: place, last known gain and heap."""
        from .._kernels.exact import PLACE

        size = self.heaps.size
        heap = np.repeat(np.arange(len(size)), size)
        node = np.repeat(self.heaps.first[:-1] - (np.cumsum(size) - size), size) + np.arange(len(heap))
        return self.heaps.node[node, 1] & PLACE, self.heaps.node[node, 0], heap

    def _forget(self, shards: NDArray[np.bool_]) -> None:
        """Drop the rows of some shards."""
        from .._kernels.entries import LINE

        place, gain, heap = self._rows()
        line = self.heaps.line[self.heaps.row_data[place + LINE]].astype(np.int64)
        self._keep(place, gain, heap, np.flatnonzero(~shards[self.shard_of(line)]))

    def _keep(
        self, place: NDArray[np.int64], gain: NDArray[np.int64], heap: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> None:
        """Keep some of all rows, and use the room of the others again."""
        from .._kernels.entries import ENTRIES, HEAD, LEFT
        from .._kernels.sharded_exact import give_rows

        place, gain, heap = place[rows], gain[rows], heap[rows]
        origin = self._origin[np.searchsorted(self._place, place)]
        row_data = self.heaps.row_data
        size = row_data[place + ENTRIES].astype(np.int64) + HEAD
        laid = np.empty(int(size.sum()), np.uint32)
        line = np.empty(int(row_data[place + LEFT].sum(dtype=np.int64)), np.uint32)
        give_rows(self.heaps, place, laid, line)
        self.heaps.size[:] = 0
        first = np.arange(len(self.heaps.first)) * ROOM
        self.heaps = self.heaps._replace(first=first, node=np.zeros((int(first[-1]), 2), np.int64))
        self._laid = self._lines = 0
        self._place, self._origin = self._place[:0], self._origin[:0]
        self._add_rows(laid, line, size, heap, gain, origin)
        self._keep_documents(line)

    def _add_documents(self, line: NDArray[np.int64], document: NDArray[np.int64], left: NDArray[np.int64]) -> None:
        """Of lines that were offered: what their shard says of their documents is what is known here too."""
        from .._kernels.documents import SomeDocuments

        known = self.documents
        lines, of_lines = (np.concatenate(pair) for pair in ((line, known.line), (document, known.of_line)))
        numbers, lefts = (np.concatenate(pair) for pair in ((document, known.number), (left, known.left)))
        lines, by_line = np.unique(lines, return_index=True)
        numbers, by_number = np.unique(numbers, return_index=True)
        self.documents = SomeDocuments(lines, of_lines[by_line], numbers, lefts[by_number])

    def _keep_documents(self, lines: NDArray[np.uint32]) -> None:
        """Forget those of other lines."""
        from .._kernels.documents import SomeDocuments

        known = self.documents
        if len(known.line):
            kept = np.searchsorted(known.line, np.sort(lines))
            of_line = known.of_line[kept]
            number = np.unique(of_line)
            left = known.left[np.searchsorted(known.number, number)]
            self.documents = SomeDocuments(known.line[kept], of_line, number, left)

    def _add_rows(
        self,
        laid: NDArray[np.uint32],
        line: NDArray[np.uint32],
        size: NDArray[np.uint32] | NDArray[np.int64],
        heap: NDArray[np.int64],
        gain: NDArray[np.int64],
        origin: NDArray[np.int64],
    ) -> None:
        from .._kernels.entries import LINE
        from .._kernels.sharded_exact import push_rows

        self._make_room(len(laid), len(line), heap)
        ends = self._laid + np.cumsum(size, dtype=np.int64)
        place = ends - size
        row_data = self.heaps.row_data
        row_data[self._laid : self._laid + len(laid)] = laid
        row_data[place + LINE] += np.uint32(self._lines)
        self.heaps.line[self._lines : self._lines + len(line)] = line
        self._laid, self._lines = self._laid + len(laid), self._lines + len(line)
        self._place, self._origin = np.append(self._place, place), np.append(self._origin, origin)
        push_rows(self.heaps, place, np.array(gain), heap)

    def _make_room(self, laid: int, lines: int, heap: NDArray[np.int64]) -> None:
        heaps = self.heaps
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
    from .._kernels.documents import SomeDocuments

    nothing, none = np.zeros(AHEAD, np.uint32), np.zeros(0, np.int64)
    room, one = np.arange(len(known) + 1) * ROOM, np.arange(len(known) + 1)
    return Pool(
        np.array(first, np.int64),
        known,
        make_heaps(nothing, nothing[:0], room, words, features, per_word),
        make_heaps(nothing, nothing[:0], one, words, features, per_word),
        np.full(len(first), -1),
        SomeDocuments(none, none, none, none),
    )
