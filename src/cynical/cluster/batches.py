"""BatchDriver: batches of lines that workers hold, in rounds. Picks, their order and scores are those of one machine.

A batch is made of the lines of one word, some of which every shard has. In a round the shards learn which lines were
scored and picked, and offer the lowest lines of the words that will lead next, as many as are likely to be needed. The
driver makes batches of these until it needs others. See _kernels/sharded_batch.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..selection.index import sum_before
from ..selection.search import PICKS, Ranking, Task, walk
from ..selection.word_lists import TURNS
from ..text.places import Numbers
from .messages import ListOffer, ListRequest, Scored, bytes_of
from .workers import Workers

if TYPE_CHECKING:
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now
    from .._kernels.sharded_batch import OfferedLines

LEAST, MOST = 4, 1 << 8  # words that lines are asked for in a round
LINES = 1 << 17  # that all shards offer in a round, about
AHEAD = 4  # times as many lines of a word as its next batch will score, from all shards together
JOINED = 64  # times that a shard is told something before that is put together
SPARE = 8  # lines that a shard offers for a word beyond its share


@dataclass(slots=True, eq=False)
class BatchDriver:
    """A search that has begun."""

    task: Task
    workers: Workers
    first: Numbers  # by shard, the number of its first line in AVAILABLE
    after_round: Callable[[int], None] | None  # called with the number of each round that is over
    left: Numbers  # by word, lines that have not been picked
    turns: list[Numbers]  # the words that lead before others, and those
    known: list[list[Scored]]  # by shard, what it was told
    _rest: Numbers  # by shard, the words << 32 | line of the last line without a representative word that was offered
    room: int  # for picks: those of a batch at least
    offered: OfferedLines | None = None
    words: int = LEAST  # that the next round asks for
    rounds: int = 0
    candidates: int = 0
    returned: int = 0
    rescored: int = 0
    sent: int = 0  # bytes of the messages of all rounds

    def search(self) -> Ranking:
        return walk(self.task, self._pick, self._round, room=self.room, keep=self._gains)

    def learnt(self, shard: int) -> Scored:
        """What a shard that begins again must know."""
        self.known[shard] = [_joined(self.known[shard])]
        return self.known[shard][0]

    def _pick(self, now: Now, log: PickLog, room: int) -> tuple[int, int]:
        from .._kernels.picking import NO_LINE_LEFT, STALE, PickLimits
        from .._kernels.sharded_batch import pick_offered_batches, pick_offered_rest

        assert self.offered is not None
        model, limits = self.task.state.model, self.task.limits
        limited = PickLimits(room, limits.words, limits.patience)
        if not len(self.offered.word):
            return pick_offered_rest(model, self.offered, now, log, limited)
        picked, why = pick_offered_batches(model, self.offered, now, log, limited, self.task.per_word)
        return picked, STALE if why == NO_LINE_LEFT else why

    def _round(self, now: Now) -> None:
        told = self._settle()
        while self.turns and not self.left[self.turns[0]].any():
            self.turns.pop(0)
        words, other = self._leading() if self.turns else (np.zeros(0, np.int64), None)
        if self.turns:
            asked = [ListRequest(one, words, self._wanted(words), None) for one in told]
        else:
            limits = self.task.limits
            most = max(min(limits.picks - int(now.picks[0]), limits.words - int(now.words[0]), LINES), 1)
            asked = [
                ListRequest(one, words, words, (int(key), most)) for one, key in zip(told, self._rest, strict=True)
            ]
        offers: list[ListOffer] = self.workers.offer(asked)
        self.offered = self._laid(offers, words, other)
        self.rounds += 1
        self.candidates += len(self.offered.groups.left)
        self.sent += sum(map(bytes_of, (*asked, *offers)))
        if self.after_round is not None:
            self.after_round(self.rounds)

    def _settle(self) -> list[Scored]:
        """For each shard, what became of the lines that it offered; at first, what it must know from before."""
        if self.offered is None:
            return [self.learnt(shard) for shard in range(len(self.first))]
        groups, told = self.offered.groups, []
        picked = groups.left == 0
        of_shard = np.searchsorted(self.first, groups.line, side="right") - 1
        for shard, first in enumerate(self.first):
            own = of_shard == shard
            line = groups.line.astype(np.int64) - first
            scored = own & self.offered.scored
            told.append(Scored(line[scored], groups.gain[scored], line[own & picked]))
            self.known[shard].append(told[-1])
            if len(self.known[shard]) > JOINED:
                self.learnt(shard)
        return told

    def _gains(self) -> Numbers:
        """By line, last known."""
        told = [(one,) for one in self._settle()]
        gains: list[Numbers] = self.workers.ask("gains", told)
        return np.concatenate(gains)

    def _leading(self) -> tuple[Numbers, tuple[int, int] | None]:
        """The words that will lead next, and the gain and the number of the best of the others."""
        if self.offered is not None and len(self.offered.led):
            led, asked = int(self.offered.led.sum()), len(self.offered.led)
            self.words *= 2 if 2 * led > asked else 1
            self.words = min(max(self.words // 2 if 8 * led < asked else self.words, LEAST), MOST)
        words = self.turns[0][self.left[self.turns[0]] > 0]
        gain = self.task.state.model.gain[words]
        if len(words) > self.words:
            near = gain <= np.partition(gain, self.words)[self.words]
            words, gain = words[near], gain[near]
        order = np.lexsort((words, gain))
        lines = np.cumsum(AHEAD * _root(self.left[words[order]]))
        few = max(min(self.words, int(np.searchsorted(lines, LINES))), 1)
        other = (int(gain[order[few]]), int(words[order[few]])) if few < len(order) else None
        return words[order[:few]], other

    def _wanted(self, words: Numbers) -> Numbers:
        """How many lines of each word a shard offers: for the first as many as a batch may need of it alone."""
        most = _root(self.left[words])
        wanted = AHEAD * most // len(self.first) + SPARE
        wanted[0] = max(wanted[0], most[0])
        return wanted

    def _laid(self, offers: Sequence[ListOffer], words: Numbers, other: tuple[int, int] | None) -> OfferedLines:
        """What was offered, as batches are made of it."""
        from .._kernels.entries import Rows
        from .._kernels.exact import GONE
        from .._kernels.sharded_batch import OfferedLines
        from .._kernels.word_lists import Aside, Groups, Queue

        line = np.concatenate([offer.line + first for offer, first in zip(offers, self.first, strict=True)])
        entry, entries, of_words, features, same, gain = (
            np.concatenate([getattr(offer, name) for offer in offers])
            for name in ("entry", "entries", "words", "features", "same", "gain")
        )
        number, left = np.arange(len(line), dtype=np.uint32), np.ones(len(line), np.uint32)
        rows = Rows(entry, sum_before(entries), entries)
        groups = Groups(rows, of_words, features, same, gain, line.astype(np.uint32), number, left)
        before = sum_before(np.array([len(offer.line) for offer in offers]))
        row = np.concatenate(
            [at + np.searchsorted(one.line, one.listed) for at, one in zip(before, offers, strict=True)]
        )
        if len(words):
            size = np.stack([offer.size for offer in offers])
            row = row[
                np.argsort(np.concatenate([np.repeat(np.arange(len(words)), one) for one in size]), kind="stable")
            ]
            first = np.append(0, np.cumsum(size.sum(axis=0)))
        else:
            row = self._in_turn(offers, row, of_words)
            first = np.array([0, len(row)])
        held_gain = np.stack([offer.held_gain for offer in offers])
        held_line = np.stack([offer.held_line + at for offer, at in zip(offers, self.first, strict=True)])
        lowest = held_gain.min(axis=0)
        longest = int(np.diff(first).max(initial=0))
        most = longest + 1
        aside = Aside(np.zeros(most), np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.uint64))
        return OfferedLines(
            groups,
            words,
            first,
            row,
            lowest,
            np.where(held_gain == lowest, held_line, GONE).min(axis=0),
            np.array([GONE, 0] if other is None else other),
            self.left,
            np.zeros(len(line), np.bool_),
            np.zeros(len(words), np.bool_),
            Queue(np.zeros(most, np.int64), np.zeros(most, np.uint32), np.zeros(1, np.int64)),
            aside,
        )

    def _in_turn(self, offers: Sequence[ListOffer], row: Numbers, words: NDArray[np.uint32]) -> Numbers:
        """Rows without a representative word, shortest first, ties to the earlier line: as far as it is sure that no
        shard has one in between."""
        order = np.argsort(words[row], kind="stable")
        size = [len(offer.listed) for offer in offers]
        shard = np.repeat(np.arange(len(offers)), size)[order]
        last = [int(np.flatnonzero(shard == one)[-1]) for one, number in enumerate(size) if number]
        sure = order[: min(last, default=-1) + 1]
        for one, offer in enumerate(offers):
            own = offer.listed[: int(np.count_nonzero(shard[: len(sure)] == one))]
            if len(own):
                length = int(offer.words[np.searchsorted(offer.line, own[-1])])
                self._rest[one] = length << 32 | int(own[-1])
        return row[sure]


def _root(lines: Numbers) -> Numbers:
    """How many of these lines a batch scores."""
    root = np.sqrt(lines).astype(np.int64)
    root -= root * root > lines
    root += (root + 1) ** 2 <= lines
    return root + (root * root < lines)


def _joined(told: Sequence[Scored]) -> Scored:
    """What a shard was told, each line once, as it was told last."""
    line, gain, picked = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(one, name) for one in told)])
        for name in ("line", "gain", "picked")
    )
    last, place = np.unique(line[::-1], return_index=True)
    return Scored(last, gain[::-1][place], np.unique(picked))


def start(
    task: Task,
    workers: Workers,
    first: Sequence[int],
    number: Sequence[Numbers],
    lines: Sequence[int],
    after_round: Callable[[int], None] | None = None,
) -> BatchDriver:
    """A search that has picked nothing, or what an earlier run has; `number` has by shard how many lines have each
    word, `lines` how many it has."""
    left = np.sum(number, axis=0)
    gains = None if task.checkpoint is None else task.checkpoint.gains
    nothing = np.zeros(0, np.int64)
    known = [
        [] if gains is None else [Scored(np.arange(many), gains[at : at + many], nothing)]
        for at, many in zip(first, lines, strict=True)
    ]
    turns = [np.flatnonzero((task.turn == turn) & (left > 0)) for turn in range(TURNS)]
    room = max(PICKS, math.isqrt(sum(lines)))
    return BatchDriver(
        task, workers, np.array(first, np.int64), after_round, left, turns, known, np.full(len(first), -1), room
    )
