"""The search in one shard: its rows laid out, the best of which are given away, and may come back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.entropy import State
from ..options.budget import NO_LIMIT
from ..selection.opening import LaidOut
from .messages import News, Offer, Request, Returned

if TYPE_CHECKING:
    from .._kernels.documents import Documents
    from .._kernels.picking import Progress as Now
    from .._kernels.sharded_exact import Popped


@dataclass(slots=True, eq=False)
class ShardSearch:
    """The rows of a shard, laid out, and what is known of the search that they are for."""

    laid: LaidOut
    state: State
    now: Now
    life: int  # how often this shard was lost and read again
    threads: ThreadPoolExecutor
    documents: Documents
    _must_refresh: bool = True

    @property
    def words_and_features(self) -> NDArray[np.int64]:
        return self.laid.heaps.words << 32 | self.laid.heaps.features

    def learn(self, news: News) -> None:
        """Count what others have counted."""
        from .._kernels.sharded_exact import recount

        # copies: arrays that came from elsewhere may be read-only
        recount(self.state.model, news.feature.astype(np.int64), np.array(news.count))
        self.now.features[0] = news.features

    def offer(self, request: Request) -> Offer:
        """The best row at these counts, and those that may come next; they are no longer here."""
        from .._kernels import sharded_exact as kernels
        from .._kernels.entries import ENTRIES, HEAD, LEFT

        heaps, model, documents = self.laid.heaps, self.state.model, self.documents
        self.learn(request.news)
        documents.left[request.words_left.document] = request.words_left.words
        self._take_back(request.returned)
        popped, rescored = self._pop(min(request.rows, self.laid.rows), request.horizon)
        size = heaps.row_data[popped.place + ENTRIES].astype(np.int64) + HEAD
        lines = heaps.row_data[popped.place + LEFT].astype(np.int64)
        few = max(int(np.searchsorted(np.cumsum(size + lines), request.numbers, side="right")), 1)
        place, rest = popped.place[:few], popped.place[few:]
        kernels.take_back(model, heaps, rest, np.zeros_like(rest), popped.heap[few:])
        laid = np.empty(int(size[:few].sum()), np.uint32)
        line = np.empty(int(lines[:few].sum()), np.uint32)
        kernels.give_rows(heaps, place, laid, line)
        held = np.empty(len(heaps.size), np.int64), np.empty(len(heaps.size), np.int64)
        kernels.hold_back(model, heaps, self.now, *held)
        document = documents.of_line[line] if len(documents.left) else documents.of_line
        return Offer(
            self.life,
            laid,
            size[:few].astype(np.uint32),
            line,
            place,
            popped.gain[:few],
            popped.heap[:few].astype(np.uint32),
            self.words_and_features,
            *held,
            rescored,
            document,
            documents.left[document],
        )

    def _take_back(self, returned: Returned) -> None:
        """Put rows that were given away into their heaps again; those of a shard that was lost are here in any case."""
        from .._kernels.sharded_exact import take_back

        if returned.life == self.life and len(returned.place):
            place = np.array(returned.place)
            heap = np.searchsorted(self.laid.starts, place, side="right") - 1
            take_back(self.state.model, self.laid.heaps, place, np.array(returned.left), heap)

    def _pop(self, wanted: int, horizon: int) -> tuple[Popped, int]:
        """Rows that leave their heaps, and how many were scored again: the best one, then the best at the horizon."""
        from .._kernels.picking import STALE as MUST_REFRESH
        from .._kernels.sharded_exact import Popped

        now, model = self.now, self.state.model
        popped = Popped(*(np.empty(wanted, np.int64) for _ in range(3)))
        number, why, before = 0, MUST_REFRESH, int(now.rescored[0])
        if not self._must_refresh:
            number, why = self._pop_twice(popped, horizon, self.laid.stale)
        rescored = int(now.rescored[0]) - before
        while why == MUST_REFRESH:  # what was popped has not left yet
            self.laid.refresh(model, now, self.threads, everything=True)
            now.rescored[0] = 0
            number, why = self._pop_twice(popped, horizon, NO_LIMIT)
            rescored += int(now.rescored[0])
            self._must_refresh = False
        return Popped(*(column[:number] for column in popped)), rescored

    def _pop_twice(self, popped: Popped, horizon: int, stale: int) -> tuple[int, int]:
        from .._kernels.picking import FULL
        from .._kernels.sharded_exact import Popped, pop_rows

        model, heaps, now = self.state.model, self.laid.heaps, self.now
        first, rest = (Popped(*(column[part] for column in popped)) for part in (slice(0, 1), slice(1, None)))
        number, why = pop_rows(model, heaps, now, first, stale, self.documents)
        if why != FULL or not len(rest.place):
            return number, why
        present = int(now.features[0])
        now.features[0] = max(horizon, present)
        more, why = pop_rows(model, heaps, now, rest, stale, self.documents)
        now.features[0] = present
        return number + more, why
