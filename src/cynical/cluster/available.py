"""AVAILABLE with its lines on workers, one shard each: what is known of all shards together."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.summary import EarlierRanking
from ..model.classes import Tokens
from ..model.count import no_words
from ..model.entropy import State
from ..options import Settings
from ..options.ranking import Strategy
from ..selection.available import Contents, LocalAvailable
from ..selection.fixed_order import Rows, replay
from ..selection.index import HowToRead, HowToTokenize, sum_before
from ..selection.inputs import Inputs
from ..selection.search import Begun, Ranking, Task
from ..selection.second_model import Lines
from ..selection.shards import numbered, owned
from ..text.checksum import joined
from ..text.compression import begin_of
from ..text.corpus import Corpus, Part
from ..text.fields import text_key
from ..text.kinds import BEGIN
from ..text.partition import files_of, share_out
from ..text.paths import shown
from ..text.places import Numbers
from ..text.reader import number_of_jobs
from ..text.records import LineRecords
from ..text.sources import check_one_kind, open_corpus, remarks
from ..version import __version__
from .aligned import align
from .batches import BatchDriver
from .batches import start as start_batches
from .candidates import make_pool
from .driver import Driver, start
from .messages import Orders, PieceReport, Plan, Report, WhatToRead
from .places import ShardedPlaces
from .workers import Hire, Workers, hire_workers

T = TypeVar("T")
MOST_LINES = (1 << 31) - 1  # a line's number is half of a number that heaps go by


@dataclass(frozen=True, slots=True, eq=False)
class Shards:
    """What each worker has, in the order of AVAILABLE."""

    workers: Workers
    reports: Sequence[Report]
    first: Sequence[int]  # the number of each shard's first line

    def ask(self, question: Callable[..., T], *arguments: object) -> list[T]:
        return self.workers.call(question, arguments, lasting=False)

    def tell(self, order: Callable[..., T], *arguments: object) -> list[T]:
        return self.workers.call(order, arguments, lasting=True)

    def split(self, lines: Numbers) -> list[NDArray[np.int64]]:
        """For each shard, which of some lines are its own, by their place."""
        return owned(self, lines)

    def numbered(self, lines: Numbers) -> list[NDArray[np.int64]]:
        """For each shard, its own of some lines, as it counts them."""
        return numbered(self, lines)

    def texts(self, side: int, lines: Numbers) -> list[bytes]:
        """Some lines of a side, as they were given."""
        texts: list[bytes] = [b""] * len(lines)
        found = self.workers.ask("texts", [(side, own) for own in self.numbered(lines)])
        for own, of_shard in zip(self.split(lines), found, strict=True):
            for place, text in zip(own.tolist(), of_shard, strict=True):
                texts[place] = text
        return texts

    def lines_before(self, shard: int) -> dict[int, int]:
        """For each file that a shard has lines of: how many of its lines the shards before it have."""
        earlier = [piece for report in self.reports[:shard] for piece in report.pieces]
        return {
            own.part: sum(piece.lines for piece in earlier if piece.part == own.part)
            for own in self.reports[shard].pieces
        }

    def find(self, side: int, lines: Numbers) -> NDArray[np.int64]:
        """Where lines begin, and where they end, counted from where the text of their file begins."""
        asked = [(side, own, self._text_before(side, shard)) for shard, own in enumerate(self.numbered(lines))]
        found = np.zeros((2, len(lines)), np.int64)
        for own, of_shard in zip(self.split(lines), self.workers.ask("spans", asked), strict=True):
            found[:, own] = of_shard
        return found

    def _text_before(self, side: int, shard: int) -> list[int]:
        """For each piece of a shard that is some row groups of a file: bytes of text that the file has before it."""
        if side:
            return [0] * len(self.reports[shard].sides[side])
        earlier = [piece for report in self.reports[:shard] for piece in report.pieces]
        return [
            0 if piece.groups is None else sum(one.text for one in earlier if one.part == piece.part)
            for piece in self.workers.shares[shard].pieces
        ]


@dataclass(frozen=True, slots=True, eq=False)
class ShardedCodes:
    """Why lines were not picked, for as long as there are workers to say so."""

    shards: Shards

    def __len__(self) -> int:
        return sum(report.lines for report in self.shards.reports)

    def __getitem__(self, lines: Numbers, /) -> NDArray[np.uint8]:
        places, own = self.shards.split(lines), self.shards.numbered(lines)
        asked = {shard: (some,) for shard, some in enumerate(own) if len(some)}
        codes = np.zeros(len(lines), np.uint8)
        for shard, found in self.shards.workers.ask_some("reasons", asked).items():
            codes[places[shard]] = found
        return codes


@dataclass(slots=True, eq=False)
class ShardedAvailable:
    """AVAILABLE, read by workers."""

    shards: Shards
    contents: Contents
    corpus: Corpus  # names and sizes; the text is with the workers
    places: tuple[ShardedPlaces, ...]
    taken: Sequence[NDArray[np.int64]]  # by shard, what an earlier run has picked
    after_round: Callable[[int], None] | None  # called with the number of each round of a search that is over
    drivers: list[Driver | BatchDriver] = field(default_factory=list)  # of the searches that there were
    skipped: Mapping[str, int] = field(default_factory=dict)
    earlier: Sequence[EarlierRanking] = field(default_factory=list)

    @property
    def first(self) -> Sequence[int]:
        return self.shards.first

    def ask(self, question: Callable[..., T], *arguments: object) -> list[T]:
        return self.shards.ask(question, *arguments)

    def tell(self, order: Callable[..., T], *arguments: object) -> list[T]:
        return self.shards.tell(order, *arguments)

    @property
    def reason(self) -> ShardedCodes:
        return ShardedCodes(self.shards)

    def fingerprints(self) -> list[NDArray[Any]]:
        """Nothing: how many shards there are makes no difference."""
        return []

    def collapse(self, features: int, tokens: Tokens) -> None:
        self.tell(LocalAvailable.collapse, features, tokens)

    def replay(self, state: State, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
        """The shards have the rows of what was picked; they come here once."""
        self.taken = self.shards.numbered(lines)
        found = self.shards.workers.ask("rows", [(taken,) for taken in self.taken])
        entry, entries, of_words, of_features = (np.concatenate(column) for column in zip(*found, strict=True))
        rows = Rows(entry, sum_before(entries), entries, of_words, of_features)
        order = np.empty(len(lines), np.int64)
        order[np.concatenate(self.shards.split(lines))] = np.arange(len(lines))
        return replay(state, rows, order, lines, words)

    def search(self, task: Task, strategy: Strategy) -> Ranking:
        shards = self.shards
        with task.progress.stage("lay out"):
            found = self.begin(task, strategy)
        driver: Driver | BatchDriver
        if strategy == "batch":
            lines = [report.lines for report in shards.reports]
            driver = start_batches(task, shards.workers, shards.first, found, lines, self.after_round)
        else:
            pool = make_pool(found, shards.first, task.per_word)
            driver = start(task, shards.workers, pool, self.after_round)
        shards.workers.tell_again(driver.learnt)
        self.drivers.append(driver)
        return driver.search()

    def begin(self, task: Task, strategy: Strategy) -> list[NDArray[np.int64]]:
        """Let the shards lay out their rows for a search; what each says of them."""
        state, model = task.state, task.state.model
        orders = Orders(
            model.p,
            model.counts,
            model.smoothing,
            model.ngram_added,
            model.single,
            state.seed_features if task.begun is None else int(task.begun.now.features[0]),
            task.per_word,
            task.again,
            task.max_share,
            strategy,
        )
        return self.shards.workers.begin(orders, self.taken)


@dataclass(slots=True, eq=False)
class SharedFiles:
    """AVAILABLE as files that all machines can read, shared out among workers, not read yet."""

    inputs: Inputs
    sides: Sequence[Sequence[str]]  # the files of AVAILABLE and of its other sides
    workers: Workers
    after_round: Callable[[int], None] | None
    _first: Sequence[int] = ()  # the number of each shard's first line, once somebody asks

    @property
    def name(self) -> str:
        return _name(self.inputs.available[0])

    @property
    def of_records(self) -> bool:
        return any(check_one_kind(files, self.inputs.reading) != "text" for files in self.sides)

    @property
    def first(self) -> Sequence[int]:
        if not self._first:
            self._first = sum_before(np.array(self.ask(_number_of_lines))).tolist()
        return self._first

    def ask(self, question: Callable[..., T], *arguments: object) -> list[T]:
        return self.workers.call(question, arguments, lasting=False)

    def tell(self, order: Callable[..., T], *arguments: object) -> list[T]:
        return self.workers.call(order, arguments, lasting=True)

    def read(self, how: HowToRead) -> ShardedAvailable:
        workers = self.workers
        reports = workers.read(WhatToRead(how.features, how.hashed, how.runs))
        _check_versions(reports)
        corpora = [self._describe(side, reports) for side in range(len(self.sides))]
        contents = _add_up(reports, corpora)
        if contents.lines > MOST_LINES:
            raise CynicalError(
                f"AVAILABLE has {contents.lines:,} lines, more than the limit of 2^31; split it into parts"
            )
        if not contents.words:
            raise CynicalError(no_words(self.name, "AVAILABLE", contents.lines))
        lines = np.array([report.lines for report in reports])
        small = [replace(report, count=np.zeros(0, np.int64)) for report in reports]  # they are added up
        shards = Shards(workers, small, sum_before(lines).tolist())
        places = tuple(self._places(side, corpus, shards) for side, corpus in enumerate(corpora))
        taken = [np.zeros(0, np.int64) for _ in reports]
        return ShardedAvailable(shards, contents, corpora[0], places, taken, self.after_round)

    def _describe(self, side: int, reports: Sequence[Report]) -> Corpus:
        """What is known of a side, without its text."""
        files, inputs = self.sides[side], self.inputs
        pieces = [piece for report in reports for piece in report.sides[side]]
        corpus = _describe(_name(inputs.available[side]), files, pieces, inputs)
        if check_one_kind(files, inputs.reading) == "text":
            corpus.remarks = remarks(files[0], shown(files[0]), begin_of(files[0], BEGIN)[:BEGIN], inputs.reading)
        return corpus

    def _places(self, side: int, corpus: Corpus, shards: Shards) -> ShardedPlaces:
        lines = [0] * len(corpus.parts)
        for piece in (piece for report in shards.reports for piece in report.sides[side]):
            lines[piece.part] += piece.lines
        open_text = partial(open_corpus, self.inputs.available[side], "AVAILABLE", self.inputs.reading)
        return ShardedPlaces(corpus, lines, partial(shards.find, side), partial(shards.texts, side), open_text)


def _name(given: Any) -> str:
    names: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
    return ", ".join(shown(name) for name in names)


def _number_of_lines(shard: Lines) -> int:
    return len(shard.counted_places[0])


def open_sharded(
    inputs: Inputs,
    how: HowToTokenize,
    *,
    settings: Settings,
    workers: int,
    hire: Hire,
    after_round: Callable[[int], None] | None = None,
) -> SharedFiles:
    """Find the files of AVAILABLE, and share them out among workers."""
    reading, sides = inputs.reading, [files_of(side, inputs.reading) for side in inputs.available]
    plan = Plan(
        how.tokenizer.options,
        how.tokenizer.ngrams,
        reading,
        inputs.counted,
        inputs.id_key,
        1 if settings.execution.jobs is None else number_of_jobs(settings.execution.jobs),
        settings.memory_limit,
        os.getcwd(),  # noqa: PTH109 - a folder that was removed has no Path
    )
    hired = hire_workers(share_out(sides[0], reading, workers), plan, hire)
    if len(sides) > 1:
        hired.tell("take_along", [(along,) for along in align(hired, sides, reading)])
    return SharedFiles(inputs, sides, hired, after_round)


def _describe(name: str, files: Sequence[str], pieces: Sequence[PieceReport], inputs: Inputs) -> Corpus:
    """What is known of the files, without their text."""
    parts, read = [], []
    for number, file in enumerate(files):
        of_file = [piece for piece in pieces if piece.part == number]
        first, checksum = of_file[0], joined(piece.checksum for piece in of_file)
        records = LineRecords(first.format, first.header, text_key(inputs.reading), checksum=checksum)
        read.append(checksum)
        parts.append(
            replace(
                Part.in_memory(shown(file), b""),
                end=sum(piece.text for piece in of_file),
                path=first.path,
                size=first.size,
                records=None if first.format == "text" else records,
                folded=any(piece.folded for piece in of_file),
                bad=sum(piece.bad for piece in of_file),
                first_bad=next((piece.first_bad for piece in of_file if piece.bad), ""),
            )
        )
    return Corpus(name, parts, read)


def _add_up(reports: Sequence[Report], corpora: Sequence[Corpus]) -> Contents:
    return Contents(
        sum(report.lines for report in reports),
        [sum(column) for column in zip(*(report.totals for report in reports), strict=True)],
        sum(report.entries for report in reports),
        np.sum([report.count for report in reports], axis=0),
        sum(report.broken for report in reports),
        _first_broken(reports, corpora),
        shortest=min((report.shortest for report in reports if report.longest), default=0),
        longest=max(report.longest for report in reports),
    )


def _first_broken(reports: Sequence[Report], corpora: Sequence[Corpus]) -> str:
    """The first line that is not UTF-8, on the first side that has one: its file, and its number there (from 1)."""
    for side, corpus in enumerate(corpora):
        before = [0] * len(corpus.parts)
        for report in reports:
            for place, piece in enumerate(report.sides[side]):
                if report.first_broken[:2] == (side, place):
                    line = report.first_broken[2] + before[piece.part]
                    return f"{corpus.parts[piece.part].name} line {line}"
                before[piece.part] += piece.lines
    return ""


def _check_versions(reports: Sequence[Report]) -> None:
    for report in reports:
        if report.version != __version__:
            raise CynicalError(
                f"a worker has cynical {report.version}, but this machine has {__version__}; install the same "
                "version on all machines"
            )
