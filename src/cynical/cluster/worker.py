"""Shard: a share of AVAILABLE, read and indexed, that gives away its best lines when asked."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..memory import Storage
from ..model.budget import Limits
from ..model.entropy import State, make_model
from ..options.budget import NO_LIMIT
from ..progress import Progress, peak_memory
from ..selection.available import LocalAvailable, LocalFiles
from ..selection.documents import documents_of, no_documents
from ..selection.exact import lay_out
from ..selection.index import HowToOpen, HowToRead, gather_entries
from ..selection.layout import first_gains
from ..selection.search import Task, begin
from ..text.checksum import Checksum
from ..text.corpus import Corpus
from ..text.partition import Share
from ..text.places import find_lines
from ..text.records import LineRecords
from ..text.tokenizer import Tokenizer
from ..version import __version__
from .messages import (
    About,
    LineCounts,
    ListOffer,
    ListRequest,
    News,
    Offer,
    Orders,
    PieceReport,
    Plan,
    Report,
    Request,
    Scored,
    WhatToRead,
    unpickled,
    unpickled_call,
)
from .shard_lists import ShardLists, list_lines
from .shard_search import ShardSearch

if TYPE_CHECKING:
    from ..jaded.columns import Columns
    from ..jaded.content import PoolContent
    from .parts import Written


@dataclass(slots=True, eq=False)
class Shard:
    """What a worker does; plain Python, wherever it runs."""

    _share: Share
    _plan: Plan
    _threads: ThreadPoolExecutor
    _along: Sequence[Share] = ()  # of the other sides
    _opened: list[tuple[Corpus, list[int]]] = field(default_factory=list)  # by side, and where texts begin
    _files: LocalFiles | None = None  # once it is opened, until it is read
    _available: LocalAvailable | None = None  # once it is read
    _search: ShardSearch | ShardLists | None = None  # once it has begun
    _about: tuple[bytes, About] | None = None  # what it was told of its lines
    _picks: tuple[bytes, NDArray[np.int64] | None] | None = None  # which of them it was told to expect

    def read(self, message: bytes) -> Report:
        """Read the share and say what is in it."""
        plan, what, files = self._plan, unpickled(message), self.files
        assert isinstance(what, WhatToRead)
        storage = Storage(plan.memory, plan.reading.scratch)
        how = HowToRead(
            files.how.tokenizer, what.features, plan.jobs, Progress(), what.hashed, what.runs, storage, aligned=True
        )
        self._available = available = files.read(how, may_be_empty=True)
        self._files = None
        contents = available.contents
        return Report(
            __version__,
            [self._pieces(side) for side in range(len(self._shares))],
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
        function, arguments = unpickled_call(common, own)
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
            self._open(self._along)
            how = HowToOpen(Tokenizer.of(plan.text, plan.ngrams), plan.jobs, Progress())
            self._files = LocalFiles([corpus for corpus, _ in self._opened], plan.counted, plan.id_key, how)
        return self._files

    def _open(self, along: Sequence[Share]) -> None:
        """Open what was not opened yet of the share, and of shares of other sides."""
        shares = [self._share, *along]
        self._opened += [share.open(self._plan.reading) for share in shares[len(self._opened) :]]

    def count_lines(self, shares: Sequence[Share]) -> list[LineCounts]:
        """How many lines some shares have, of which the first is its own."""
        self._open(())
        made = []
        for side, share in enumerate(shares):
            corpus = share.open(self._plan.reading)[0] if side else self._opened[0][0]
            places = find_lines(corpus, self._plan.jobs, Progress(), "AVAILABLE")
            made.append(LineCounts(places.lines_by_file(), corpus.bad))
        return made

    def take_along(self, shares: Sequence[Share]) -> None:
        """Read these lines of other sides too, which are those of the share, one for one."""
        self._along = shares

    @property
    def available(self) -> LocalAvailable:
        assert self._available is not None
        return self._available

    @property
    def _shares(self) -> list[Share]:
        """By side."""
        return [self._share, *self._along]

    def begin(self, orders: bytes, taken: NDArray[np.int64], life: int) -> NDArray[np.int64]:
        """Lay the rows out for the search, except the lines that were picked before; the lengths that lines have or,
        for batches, how many lines have each word."""
        given, available = unpickled(orders), self.available
        assert isinstance(given, Orders)
        allowed = available.allowed.copy()
        allowed[taken] = False
        model = make_model(given.p, given.counts, given.smoothing, given.ngram_added, given.single)
        state = State(model, given.features, 0, 0.0, 0.0, np.zeros(len(given.single), np.bool_))
        if given.strategy == "batch":
            gain = first_gains(available.index, state, self._plan.jobs, self._threads)
            self._search = list_lines(available.index, allowed, gain, len(given.p))
            return self._search.number.copy()
        limits = Limits(NO_LIMIT, NO_LIMIT, NO_LIMIT)
        turn = np.zeros(0, np.int8)
        storage = available.how.storage
        task = Task(state, 0, turn, limits, given.per_word, self._plan.jobs, Progress(), storage, again=given.again)
        laid = lay_out(available.index, allowed, task, self._threads)
        documents = no_documents() if given.max_share is None else documents_of(available, given.max_share, taken)
        self._search = ShardSearch(laid, state, begin(state), life, self._threads, documents)
        return self._search.words_and_features

    def rows(self, lines: NDArray[np.int64]) -> tuple[NDArray[np.uint32], ...]:
        """Of some lines, before the rows are laid out: their entries, how many each has, and its lengths."""
        index = self.available.index
        return gather_entries(index, lines), index.entries[lines], index.words[lines], index.features[lines]

    def learn(self, news: News | Scored) -> None:
        """Count, or know of lines, what was counted or scored elsewhere."""
        self._begun.learn(news)

    def offer(self, request: Request | ListRequest) -> Offer | ListOffer:
        """The best rows at these counts, which are no longer here; for batches, lines of some words."""
        made: Offer | ListOffer = self._begun.offer(request)
        return made

    def gains(self, scored: Scored) -> NDArray[np.int64]:
        """For batches, the last known gains of all lines."""
        made: NDArray[np.int64] = self._begun.gains(scored)
        return made

    @property
    def _begun(self) -> Any:
        """The search, which gets the messages of its own kind."""
        assert self._search is not None
        return self._search

    def spans(self, side: int, lines: NDArray[np.int64], before: list[int]) -> NDArray[np.int64]:
        """For some lines, where each begins and ends in the text of its file, of which so much is before each piece."""
        part, first, last = self.available.places[side].spans(np.array(lines))
        begin = np.array(self._opened[side][1], np.int64)[part] - np.array(before, np.int64)[part]
        return np.stack([first - begin, last - begin])

    def peak(self) -> int:
        """Bytes that this process had in memory at most."""
        return peak_memory()

    def reasons(self, lines: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Why some lines may not be picked."""
        return self.available.reason[lines]

    def content(
        self, about: bytes, picks: bytes, lines: NDArray[np.int64], method: str, arguments: Sequence[object]
    ) -> object:
        """What some lines consist of: what a method of PoolContent says. `picks` are the lines that will be asked for,
        if they are known."""
        from .content import answer

        if self._picks is None or self._picks[0] != picks:
            self._picks = picks, unpickled(picks) if picks else None
        return answer(replace(self._content(about, lines), whole=self._picks[1]), method, arguments)

    def write(self, about: bytes, columns: Columns, path: str, format: str, side: int) -> Written:
        """Write picks, with their ranks among all; as text, those of one side."""
        from ..jaded.formats import to_bytes
        from .parts import write_part

        return write_part(path, to_bytes(format, columns, self._content(about, columns.line), side))

    def _content(self, about: bytes, lines: NDArray[np.int64]) -> PoolContent:
        from .content import content_of

        if self._about is None or self._about[0] != about:
            self._about = about, unpickled(about)
        places = zip(self.available.places, self._shares, strict=True)
        return content_of([(one, share.pieces) for one, share in places], self._about[1], np.array(lines))

    def _pieces(self, side: int) -> list[PieceReport]:
        made, places = [], self.available.places[side]
        corpus = places.corpus
        found = zip(self._shares[side].pieces, corpus.parts, places.lines_by_file(), corpus.checksums, strict=True)
        for piece, part, lines, checksum in found:
            format = "text" if part.records is None else part.records.format
            if part.records is not None and piece.skip:  # that of the whole file, once
                checksum = Checksum()
            made.append(
                PieceReport(
                    piece.part,
                    lines,
                    part.end - part.begin,
                    part.path,
                    part.size,
                    format,
                    part.records.header if isinstance(part.records, LineRecords) else [],
                    part.folded,
                    part.bad,
                    part.first_bad,
                    checksum,
                )
            )
        return made

    def _first_broken(self) -> tuple[int, int, int]:
        name, _, line = self.available.contents.first_broken.rpartition(" line ")
        for side, corpus in enumerate(self.available.sides):
            names = [part.name for part in corpus.parts]
            if line and name in names:
                return side, names.index(name), int(line)
        return 0, -1, 0


def make_shard(share: Share, plan: bytes) -> Shard:
    """A shard that is not read yet."""
    its_plan = unpickled(plan)
    assert isinstance(its_plan, Plan)
    return Shard(share, its_plan, ThreadPoolExecutor(its_plan.jobs))
