"""Shard: a share of AVAILABLE, read and indexed, that gives away its best lines when asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..model.budget import NO_LIMIT, Limits
from ..model.entropy import State, make_model
from ..progress import Progress, peak_memory
from ..selection.eligible import leave_out_lines
from ..selection.exact import LEAST_STALE, STALE, LaidOut
from ..selection.index import build, collapse_index
from ..selection.prepare import check_ids
from ..selection.search import Task, begin
from ..text.places import Places
from ..text.tokenizer import Tokenizer
from ..version import __version__
from .messages import News, Offer, Orders, Picks, PieceReport, Plan, Report, unpacked
from .partition import Share


class Shard:
    """What a worker does; plain Python, wherever it runs."""

    def __init__(self, share: Share, plan: bytes) -> None:
        given = unpacked(plan)
        assert isinstance(given, Plan)
        self._share, self._plan = share, given
        self._pool = ThreadPoolExecutor(self._plan.jobs)

    @property
    def folder(self) -> str:
        """Where relative paths begin."""
        return self._plan.folder

    def read(self) -> Report:
        """Read the share and say what is in it."""
        plan = self._plan
        corpus, self._begins = self._share.open(plan.reading)
        check_ids(corpus, plan.id_key)
        hashed = plan.excluded is not None
        tokenizer = Tokenizer(*plan.tokenizer)
        self._index = index = build(
            [corpus], tokenizer, plan.features, plan.jobs, Progress(), hashed, may_be_empty=True
        )
        self._chosen = leave_out_lines(index, plan.choice, plan.excluded, None)
        length = index.length[index.length > 0]
        self._lines_by_piece = self.places.lines_by_file()
        return Report(
            __version__,
            self._pieces(),
            index.totals,
            index.count,
            int(index.entries.sum(dtype=np.int64)),
            index.broken,
            self._first_broken(),
            self._chosen.skipped,
            int(length.min(initial=length.max(initial=0))),
            int(length.max(initial=0)),
        )

    @property
    def places(self) -> Places:
        return self._index.places[0]

    def begin(self, orders: bytes, taken: NDArray[np.int64]) -> NDArray[np.int64]:
        """Lay the rows out for the search, but for the lines that were taken before; the lengths that there are."""
        given = unpacked(orders)
        assert isinstance(given, Orders)
        if given.tokens is not None:
            collapse_index(self._index, len(self._plan.features), given.tokens)
        allowed = self._chosen.allowed.copy()
        allowed[taken] = False
        model = make_model(given.p, given.counts, given.smoothing, given.single)
        self._state = State(model, given.features, 0, 0.0, 0.0, np.zeros(len(given.single), np.bool_))
        nothing = np.zeros(0, np.int8)
        limits = Limits(NO_LIMIT, NO_LIMIT, NO_LIMIT)
        jobs = self._plan.jobs
        task = Task(self._index, self._state, allowed, nothing, limits, given.per_word, jobs, Progress())
        self._laid = LaidOut(task, self._pool)
        self._now = begin(self._state)
        self._must_refresh = True
        self._lengths = self._laid.heaps.words << 32 | self._laid.heaps.length
        return self._lengths

    def rows(self, lines: NDArray[np.int64]) -> tuple[NDArray[np.uint32], ...]:
        """Of some lines, before the rows are laid out: their entries, how many each has, and its lengths."""
        index, lines = self._index, np.array(lines)
        entries = index.entries[lines].astype(np.int64)
        first = np.cumsum(entries) - entries
        entry = index.entry[np.repeat(index.start[lines] - first, entries) + np.arange(int(entries.sum()))]
        return entry, index.entries[lines], index.length[lines], index.features[lines]

    def offer(self, news: News, wanted: int) -> Offer:
        """The best rows at these counts; they are no longer here."""
        from .._kernels import rounds
        from .._kernels.path import STALE as MUST_REFRESH
        from .._kernels.rows import ENTRIES, HEAD, LEFT

        model, heaps, now = self._state.model, self._laid.heaps, self._now
        rounds.recount(model, np.array(news.feature), np.array(news.count))  # copies: those that came may be read-only
        now.features[0] = news.features
        popped = rounds.Popped(*(np.empty(min(wanted, self._laid.rows), np.int64) for _ in range(3)))
        stale = max(self._laid.rows // STALE, LEAST_STALE)
        number, why, before = 0, MUST_REFRESH, int(now.since[0])
        if not self._must_refresh:
            number, why = rounds.pop_rows(model, heaps, now, popped, stale)
        rescored = int(now.since[0]) - before
        if why == MUST_REFRESH:  # what was popped has not left yet
            self._laid.refresh(self._state, self._pool)
            now.since[0] = 0
            number, _ = rounds.pop_rows(model, heaps, now, popped, NO_LIMIT)
            rescored += int(now.since[0])
            self._must_refresh = False
        place = popped.place[:number]
        size = heaps.laid[place + ENTRIES].astype(np.int64) + HEAD
        laid = np.empty(int(size.sum()), np.uint32)
        line = np.empty(int(heaps.laid[place + LEFT].sum(dtype=np.int64)), np.uint32)
        rounds.give_rows(heaps, place, laid, line)
        held = np.empty(len(heaps.size), np.int64), np.empty(len(heaps.size), np.int64)
        rounds.hold_back(model, heaps, now, *held)
        return Offer(laid, size, line, popped.gain[:number], popped.heap[:number], self._lengths, *held, rescored)

    def spans(self, lines: NDArray[np.int64], before: list[int]) -> NDArray[np.int64]:
        """For some lines, where each begins and ends in the text of its file, of which so much is before each piece."""
        part, first, last = self.places.spans(np.array(lines))
        begin = np.array(self._begins, np.int64)[part] - np.array(before, np.int64)[part]
        return np.stack([first - begin, last - begin])

    def peak(self) -> int:
        """Bytes that this process had in memory at most."""
        return peak_memory()

    def write(self, first: int, picks: Picks, path: str, format: str) -> str:
        """Write picks; `first` is what the first line of this shard is called in AVAILABLE."""
        from .parts import write_part

        return write_part(self.places, self._share.pieces, first, picks, path, format)

    def _pieces(self) -> list[PieceReport]:
        made = []
        for piece, part, lines in zip(self._share.pieces, self.places.corpus.parts, self._lines_by_piece, strict=True):
            format = "text" if part.records is None else part.records.format
            made.append(
                PieceReport(
                    piece.part,
                    lines,
                    part.end - part.begin,
                    part.path,
                    part.size,
                    format,
                    part.several_lines,
                    part.bad,
                    part.first_bad,
                )
            )
        return made

    def _first_broken(self) -> tuple[int, int]:
        name, _, line = self._index.first_broken.rpartition(" line ")
        if not line:
            return -1, 0
        names = [part.name for part in self.places.corpus.parts]
        return names.index(name), int(line)
