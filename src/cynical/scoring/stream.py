"""Lines scored while they are read: a batch at a time, on all cores, in the original order, in constant memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.content import PoolContent
from ..options import Reading
from ..progress import Bar, Progress
from ..text.corpus import Corpus, Part
from ..text.partition import Piece
from ..text.places import locate
from ..text.reader import Reader
from ..text.streams import Told, batches_of
from .frozen import Tables
from .lines import OfSide, Scores, SideWorker, joined, put_together

ROLE = "AVAILABLE"
Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class SideFiles:
    """One side of the lines."""

    name: str
    pieces: Sequence[Piece]
    column: str = ""  # what it is called beside the first


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Lines of one side, some of a batch."""

    of_side: OfSide | None  # None if the side does not count
    content: PoolContent
    broken: int = 0  # lines that are not UTF-8
    first_broken: int = 0  # the first of them, from 0

    def __len__(self) -> int:
        return len(self.content)

    def part(self, begin: int, end: int) -> Read:
        content = self.content.take(slice(begin, end))
        return Read(None if self.of_side is None else self.of_side.part(begin, end), content)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Lines and what they are worth; of other sides, the texts."""

    scores: Scores
    content: PoolContent
    others: Sequence[PoolContent]

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, rows: NDArray[np.int64]) -> Scored:
        others = [other.take(rows) for other in self.others]
        return Scored(self.scores.take(rows), self.content.take(rows), others)


@dataclass(frozen=True, slots=True)
class HowToStream:
    """How lines are read."""

    reading: Reading
    jobs: int
    progress: Progress
    told: Told
    of_records: bool = False  # is REPRESENTATIVE, or what else was read before?


def score_stream(tables: Tables, sides: Sequence[SideFiles], how: HowToStream) -> Iterator[Scored]:
    """Score lines, of which the sides that count are given first."""
    counted = len(tables.frozen.sides)
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(how.jobs)) if how.jobs > 1 else None
        bar = stack.enter_context(how.progress.bar("scoring", None, "B"))
        streams = [
            _ordered(_SideReader(tables, number if number < counted else None, how), side, pool, how, bar)
            for number, side in enumerate(sides)
        ]
        for reads in _aligned(streams, [side.name for side in sides]):
            of_sides = [read.of_side for read in reads if read.of_side is not None]
            yield Scored(put_together(tables, of_sides), reads[0].content, [read.content for read in reads[1:]])


def nothing_scored(tables: Tables, sides: Sequence[SideFiles], how: HowToStream) -> Scored:
    """No lines: what tables take their header from where there are none."""
    counted = len(tables.frozen.sides)
    nothing = Corpus("", [Part.in_memory("", b"")])
    reads = [
        _SideReader(tables, number if number < counted else None, how).read(nothing) for number in range(len(sides))
    ]
    of_sides = [read.of_side for read in reads if read.of_side is not None]
    return Scored(put_together(tables, of_sides), reads[0].content, [read.content for read in reads[1:]])


class _SideReader:
    """Reads batches of one side; what threads need for it is used again."""

    def __init__(self, tables: Tables, side: int | None, how: HowToStream) -> None:
        self._tables, self._side, self._how = tables, side, how
        self._idle: list[tuple[Reader, SideWorker | None]] = []

    def read(self, batch: Corpus) -> Read:
        try:
            own = self._idle.pop()
        except IndexError:
            own = self._make()
        reader, worker = own
        pieces, found = [], []
        lines = broken = first_broken = 0
        for chunk in batch.chunks():
            words = reader.read(chunk)
            if words.broken and not broken:
                first_broken = lines + words.first_broken
            lines, broken = lines + len(words.line_end), broken + words.broken
            found.append((chunk, words.line_start, words.last_end))
            if worker is not None:
                pieces.append(worker.score(words))
        self._idle.append(own)
        places = locate(batch, found)
        of_side = joined(pieces) if worker is not None else None
        return Read(of_side, PoolContent([places], np.arange(len(places))), broken, first_broken)

    def _make(self) -> tuple[Reader, SideWorker | None]:
        worker = None if self._side is None else SideWorker(self._tables, self._side)
        return Reader(self._tables.frozen.tokenizer), worker


def _ordered(
    reader: _SideReader, side: SideFiles, pool: ThreadPoolExecutor | None, how: HowToStream, bar: Bar
) -> Iterator[Read]:
    """The batches of a side, read by threads, in their order."""

    def batches() -> Iterator[Corpus]:
        for batch in batches_of(side.pieces, how.reading, ROLE, how.told):
            bar.update(batch.size)
            yield batch

    lines = 0
    for read in _in_order(pool, how.jobs + 1, reader.read, batches()):
        if read.broken and not how.told.broken:
            how.told.first_broken = lines + read.first_broken + 1
        how.told.broken += read.broken
        lines += len(read)
        yield read


def _in_order(
    pool: ThreadPoolExecutor | None, most: int, work: Callable[[Given], Made], items: Iterator[Given]
) -> Iterator[Made]:
    """Work on items, at most this many at once; results come in the order of the items."""
    if pool is None:
        yield from map(work, items)
        return
    waiting: deque[Future[Made]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _aligned(streams: Sequence[Iterator[Read]], names: Sequence[str]) -> Iterator[list[Read]]:
    """Lines of all sides that belong together; sides come in batches of other sizes."""
    if len(streams) == 1:
        yield from ([read] for read in streams[0])
        return
    held: list[Read | None] = [None] * len(streams)
    lines = 0
    while True:
        for number, stream in enumerate(streams):
            read = held[number]
            while read is None or not len(read):
                read = next(stream, None)
                if read is None:
                    break
            held[number] = read
        here = [read for read in held if read is not None]
        if not here:
            return
        if len(here) < len(held):
            ended, more = (next(n for n, one in enumerate(held) if (one is None) == none) for none in (True, False))
            raise CynicalError(
                f"{names[ended]} ends after {lines:,} lines, but {names[more]} has more; the sides of a parallel "
                "text must match line by line"
            )
        size = min(map(len, here))
        yield [read.part(0, size) for read in here]
        held = [read.part(size, len(read)) for read in here]
        lines += size


def below(scored: Scored, limit: float | None) -> Scored:
    """The lines that score lower."""
    if limit is None:
        return scored
    return scored.take(np.flatnonzero(scored.scores.score < limit))
