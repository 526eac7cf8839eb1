"""Shard: a share of AVAILABLE, read and indexed, that gives away its best lines when asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..memory import Storage
from ..model.budget import Limits
from ..model.entropy import State, make_model
from ..options.budget import NO_LIMIT
from ..progress import Progress, peak_memory
from ..selection.available import LocalAvailable, LocalFiles
from ..selection.exact import lay_out
from ..selection.index import HowToOpen, HowToRead, gather_entries
from ..selection.search import Task, begin
from ..text.partition import Share
from ..text.places import Places
from ..text.tokenizer import Tokenizer
from ..version import __version__
from .messages import (
    News,
    Offer,
    Orders,
    Picks,
    PieceReport,
    Plan,
    Report,
    Request,
    WhatToRead,
    unpacked,
    unpacked_call,
)
from .shard_search import ShardSearch

if TYPE_CHECKING:
    from .parts import Written


@dataclass(slots=True, eq=False)
class Shard:
    """What a worker does; plain Python, wherever it runs."""

    _share: Share
    _plan: Plan
    _threads: ThreadPoolExecutor
    _begins: list[int] = field(default_factory=list)  # by piece, where the whole text begins that it is of
    _files: LocalFiles | None = None  # once it is opened, until it is read
    _available: LocalAvailable | None = None  # once it is read
    _search: ShardSearch | None = None  # once it has begun

    def read(self, message: bytes) -> Report:
        """Read the share and say what is in it."""
        plan, what, files = self._plan, unpacked(message), self.files
        assert isinstance(what, WhatToRead)
        storage = Storage(plan.memory, plan.reading.scratch)
        how = HowToRead(files.how.tokenizer, what.features, plan.jobs, Progress(), what.hashed, what.runs, storage)
        self._available = available = files.read(how, may_be_empty=True)
        self._files = None
        contents = available.contents
        return Report(
            __version__,
            self._pieces(),
            contents.totals,
            contents.count,
            contents.entries,
            contents.broken,
            self._first_broken(),
            contents.shortest,
            contents.longest,
        )

    def call(self, common: bytes, own: bytes) -> object:
        """What a function says of the lines, which may not be read yet."""
        function, arguments = unpacked_call(common, own)
        return function(self.files if self._available is None else self._available, *arguments)

    def texts(self, side: int, lines: NDArray[np.int64]) -> list[bytes]:
        """Some lines, as they were given."""
        return self.available.places[side].texts(lines)

    @property
    def folder(self) -> str:
        """Where relative paths begin."""
        return self._plan.folder

    @property
    def files(self) -> LocalFiles:
        """The share, opened."""
        if self._files is None:
            plan = self._plan
            corpus, self._begins = self._share.open(plan.reading)
            how = HowToOpen(Tokenizer.of(plan.text, plan.ngrams), plan.jobs, Progress())
            self._files = LocalFiles([corpus], 1, plan.id_key, how)
        return self._files

    @property
    def available(self) -> LocalAvailable:
        assert self._available is not None
        return self._available

    @property
    def places(self) -> Places:
        return self.available.places[0]

    def begin(self, orders: bytes, taken: NDArray[np.int64], life: int) -> NDArray[np.int64]:
        """Lay the rows out for the search, but for the lines that were picked before; the lengths that lines have."""
        given, available = unpacked(orders), self.available
        assert isinstance(given, Orders)
        allowed = available.allowed.copy()
        allowed[taken] = False
        model = make_model(given.p, given.counts, given.smoothing, given.single)
        state = State(model, given.features, 0, 0.0, 0.0, np.zeros(len(given.single), np.bool_))
        limits = Limits(NO_LIMIT, NO_LIMIT, NO_LIMIT)
        turn = np.zeros(0, np.int8)
        storage = available.how.storage
        task = Task(state, 0, turn, limits, given.per_word, self._plan.jobs, Progress(), storage, again=given.again)
        laid = lay_out(available.index, allowed, task, self._threads)
        self._search = ShardSearch(laid, state, begin(state), life, self._threads)
        return self._search.words_and_features

    def rows(self, lines: NDArray[np.int64]) -> tuple[NDArray[np.uint32], ...]:
        """Of some lines, before the rows are laid out: their entries, how many each has, and its lengths."""
        index = self.available.index
        return gather_entries(index, lines), index.entries[lines], index.words[lines], index.features[lines]

    def learn(self, news: News) -> None:
        """Count what was counted elsewhere."""
        assert self._search is not None
        self._search.learn(news)

    def offer(self, request: Request) -> Offer:
        """The best rows at these counts; they are no longer here."""
        assert self._search is not None
        return self._search.offer(request)

    def spans(self, lines: NDArray[np.int64], before: list[int]) -> NDArray[np.int64]:
        """For some lines, where each begins and ends in the text of its file, of which so much is before each piece."""
        part, first, last = self.places.spans(np.array(lines))
        begin = np.array(self._begins, np.int64)[part] - np.array(before, np.int64)[part]
        return np.stack([first - begin, last - begin])

    def peak(self) -> int:
        """Bytes that this process had in memory at most."""
        return peak_memory()

    def write(self, first: int, picks: Picks, path: str, format: str) -> Written:
        """Write picks; `first` is what the first line of this shard is called in AVAILABLE."""
        from .parts import write_part

        return write_part(self.places, self._share.pieces, first, picks, path, format)

    def _pieces(self) -> list[PieceReport]:
        made = []
        lines_by_piece = self.places.lines_by_file()
        corpus = self.places.corpus
        found = zip(self._share.pieces, corpus.parts, lines_by_piece, corpus.checksums, strict=True)
        for piece, part, lines, checksum in found:
            format = "text" if part.records is None else part.records.format
            made.append(
                PieceReport(
                    piece.part,
                    lines,
                    part.end - part.begin,
                    part.path,
                    part.size,
                    format,
                    part.folded,
                    part.bad,
                    part.first_bad,
                    checksum,
                )
            )
        return made

    def _first_broken(self) -> tuple[int, int]:
        name, _, line = self.available.contents.first_broken.rpartition(" line ")
        if not line:
            return -1, 0
        names = [part.name for part in self.places.corpus.parts]
        return names.index(name), int(line)


def make_shard(share: Share, plan: bytes) -> Shard:
    """A shard that is not read yet."""
    unpacked_plan = unpacked(plan)
    assert isinstance(unpacked_plan, Plan)
    return Shard(share, unpacked_plan, ThreadPoolExecutor(unpacked_plan.jobs))
