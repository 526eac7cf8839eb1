"""The corpora of a run on a cluster: the others are counted here, AVAILABLE is read by shards."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..options import Settings
from ..progress import Progress
from ..selection.eligible import REASONS, check_left
from ..selection.index import Index, collapse_index
from ..selection.inputs import Inputs
from ..selection.prepare import Texts
from ..selection.replay import Rows, replay
from ..selection.search import Begun, Task
from ..selection.seed import Seed
from ..text.corpus import Corpus, Part
from ..text.paths import shown
from ..text.places import Places
from ..text.records import LineRecords
from ..text.sources import open_corpus
from ..version import __version__
from .candidates import Pool
from .messages import Orders, Plan, Report
from .partition import Share, files_of, share_out
from .places import FarPlaces
from .workers import Crew, Worker

NO_RANKING = (
    "an earlier ranking as SEED cannot be had with --engine ray, whose shards cannot leave its lines out; "
    "give its lines (.txt) with -s and --exclude"
)
MOST_LINES = (1 << 31) - 1  # a line's number is half of a number that heaps go by


class FarTexts(Texts):
    """Texts whose AVAILABLE is somewhere else."""

    def __init__(
        self,
        inputs: Inputs,
        settings: Settings,
        progress: Progress,
        workers: int,
        hire: Callable[[Share, bytes, bool], Worker],
    ) -> None:
        self._files = files_of(inputs.available[0], inputs.reading)
        self._shares = share_out(self._files, inputs.reading, workers)
        self._hire = hire
        super().__init__(inputs, settings, progress)

    def _open_seed(self, inputs: Inputs) -> Seed | None:
        seed = super()._open_seed(inputs)
        if seed is not None and seed.earlier:
            raise CynicalError(f"{seed.earlier[0].name}: {NO_RANKING}")
        return seed

    def _open_available(self, inputs: Inputs) -> list[Corpus]:
        """Names alone, until the shards say more."""
        given = inputs.available[0]
        names: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
        parts = [Part.in_memory(shown(file), b"") for file in self._files]
        return [Corpus(", ".join(shown(name) for name in names), parts)]

    def _read_available(
        self, sides: Sequence[Corpus], inputs: Inputs, hashed: bool, excluded: NDArray[np.uint64] | None
    ) -> tuple[Index, tuple[Places, ...]]:
        settings, tokenizer = self._settings, self._settings.tokenizer
        plan = Plan(
            self.target.features,
            (tokenizer.name, tokenizer.lowercase, tokenizer.ngrams, tokenizer.normalize),
            inputs.reading,
            settings.choice,
            excluded,
            inputs.id_key,
            1 if settings.jobs is None else self.jobs,
            os.getcwd(),  # noqa: PTH109 - a folder that was removed has no Path
        )
        self.crew = Crew(self._shares, plan, self._hire)
        self._reports = reports = self.crew.read()
        _check_versions(reports)
        pieces = [piece for report in reports for piece in report.pieces]
        parts, lines_by_file = [], [0] * len(self._files)
        for number, part in enumerate(sides[0].parts):
            of_part = [piece for piece in pieces if piece.part == number]
            one = of_part[0]
            for piece in of_part:
                lines_by_file[number] += piece.lines
            records = None if one.format == "text" else LineRecords(one.format, [], inputs.reading.field)
            parts.append(
                replace(
                    part,
                    end=sum(piece.text for piece in of_part),
                    path=one.path,
                    size=one.size,
                    records=records,
                    several_lines=any(piece.several_lines for piece in of_part),
                    bad=sum(piece.bad for piece in of_part),
                    first_bad=next((piece.first_bad for piece in of_part if piece.bad), ""),
                )
            )
        corpus = Corpus(sides[0].name, parts)
        source, reading = inputs.available[0], inputs.reading
        places = FarPlaces(corpus, lines_by_file, lambda: open_corpus(source, "AVAILABLE", reading))
        lines = [report.lines for report in reports]
        if sum(lines) > MOST_LINES:
            raise CynicalError(f"AVAILABLE has {sum(lines):,} lines, more than 2^31: give it in several parts")
        self.first = (np.cumsum(lines) - lines).tolist()  # the number of each shard's first line
        self._taken = [np.zeros(0, np.int64) for _ in lines]  # by shard, what an earlier run has picked
        index = _Sums(reports, places, self._first_broken(reports, sides[0]))
        if not index.words:
            raise CynicalError(
                f"{sides[0].name}: no word in the AVAILABLE text ({index.lines} lines); give a text with words"
            )
        return index, (places,)

    def _choose(
        self, excluded: NDArray[np.uint64] | None, picked: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.bool_], dict[str, int]]:
        reports = self._reports
        skipped = {reason: sum(report.skipped[reason] for report in reports) for reason in REASONS}
        shortest = min(report.shortest for report in reports if report.longest)
        check_left(skipped, self.index.lines, shortest, max(report.longest for report in reports))
        return np.broadcast_to(np.True_, (self.index.lines - sum(skipped.values()),)), skipped

    def _lines_known(self) -> list[NDArray[Any]]:
        """Nothing: how many shards there are makes no difference."""
        return []

    def replay(self, task: Task, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
        """The shards have the rows of what was picked; they come here once."""
        self._taken = self._local(lines)
        mine = self.by_shard(lines)
        found = self.crew.ask("rows", [(taken,) for taken in self._taken])
        entries, length, features = (np.concatenate([one[part] for one in found]) for part in (1, 2, 3))
        start = np.cumsum(entries, dtype=np.int64) - entries
        rows = Rows(np.concatenate([one[0] for one in found]), start, entries, length, features)
        if self.target.tokens is not None:
            collapse_index(rows, len(self.target.features), self.target.tokens)
        order = np.empty(len(lines), np.int64)
        order[np.concatenate(mine)] = np.arange(len(lines))
        task.allowed = np.broadcast_to(np.True_, (len(task.allowed) - len(lines),))
        return replay(task.state, rows, order, lines, words)

    def _local(self, lines: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """By shard, its own of some lines, as it counts them."""
        return [lines[own] - first for own, first in zip(self.by_shard(lines), self.first, strict=True)]

    def begin(self, task: Task) -> Pool:
        """Let the shards lay out their rows."""
        state, model = task.state, task.state.model
        orders = Orders(
            self.target.tokens,
            model.p,
            model.counts,
            model.smoothing,
            model.single,
            state.seed_features if task.begun is None else int(task.begun.now.features[0]),
            self._settings.per_word,
        )
        return Pool(self.crew.begin(orders, model.counts, self._taken), self.first, self._settings.per_word)

    def by_shard(self, lines: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """For each shard, which of some lines are its own, by their place."""
        shard = np.searchsorted(self.first, lines, side="right") - 1  # an empty one begins where the next does
        return [np.flatnonzero(shard == one) for one in range(len(self.first))]

    def lines_before(self, shard: int) -> dict[int, int]:
        """For each file that a shard has lines of: how many of its lines the shards before it have."""
        earlier = [piece for report in self._reports[:shard] for piece in report.pieces]
        return {
            own.part: sum(piece.lines for piece in earlier if piece.part == own.part)
            for own in self._reports[shard].pieces
        }

    def text_before(self, shard: int) -> list[int]:
        """For each piece of a shard that is some row groups of a file: bytes of text that the file has before it."""
        earlier = [piece for report in self._reports[:shard] for piece in report.pieces]
        return [
            0 if piece.groups is None else sum(one.text for one in earlier if one.part == piece.part)
            for piece in self._shares[shard].pieces
        ]

    def _first_broken(self, reports: Sequence[Report], corpus: Corpus) -> str:
        """The first line that is not UTF-8, in the words of Places."""
        before = [0] * len(corpus.parts)
        for report in reports:
            for place, piece in enumerate(report.pieces):
                if report.first_broken[0] == place:
                    line = report.first_broken[1] + before[piece.part]
                    return f"{corpus.parts[piece.part].name} line {line}"
                before[piece.part] += piece.lines
        return ""


class _Sums(Index):
    """What is known of the lines of all shards together: no rows."""

    def __init__(self, reports: Sequence[Report], places: Places, first_broken: str) -> None:
        nothing = np.zeros(0, np.uint32)
        super().__init__(
            nothing,
            np.zeros(0, np.int64),
            np.array([report.entries for report in reports], np.int64),
            nothing,
            nothing,
            np.zeros(0, np.uint64),
            np.zeros(0, np.uint64),
            np.sum([report.count for report in reports], axis=0),
            [sum(column) for column in zip(*(report.totals for report in reports), strict=True)],
            (places,),
            sum(report.broken for report in reports),
            first_broken,
        )
        self._lines = sum(report.lines for report in reports)

    @property
    def lines(self) -> int:
        return self._lines


def _check_versions(reports: Sequence[Report]) -> None:
    for report in reports:
        if report.version != __version__:
            raise CynicalError(
                f"a worker has cynical {report.version}, but here is {__version__}; install the same on all machines"
            )
