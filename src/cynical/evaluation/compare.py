"""Cynical selection and the baselines on the same texts, at the same budgets."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..jaded.jaded import Jaded
from ..model.budget import share_of
from ..model.kneser_ney import BESIDES
from ..model.sequences import Sequences
from ..options import Budget, Measure, Settings
from ..options.commands import Comparing
from ..progress import Progress
from ..selection.inputs import Inputs
from ..text.reader import number_of_jobs
from ..text.sources import Source
from ..text.tokenizer import Tokenizer
from .arena import Arena, prepare
from .language_models import check_measure, language_model
from .methods import OURS, WHAT, chosen, rank_by
from .prefixes import cuts_at
from .records import BudgetPoint, Comparison, Contender
from .texts import TextReader


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is compared, at which budgets, and how it is measured."""

    settings: Settings = Settings()  # what all methods have in common
    measure: Measure = Measure()
    told: Comparing = Comparing()  # methods, budgets, and what other tools picked


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A comparison, and the rankings of our own methods by their names."""

    comparison: Comparison
    rankings: dict[str, Jaded]


def run(inputs: Inputs, held_out: Source | None, contest: Contest, progress: Progress) -> Outcome:
    """Compare methods; without a held-out text, a part of REPRESENTATIVE is held out."""
    began = time.perf_counter()
    check_measure(contest.measure)
    names, shares = chosen(contest.told.methods, inputs.counted), sorted(set(contest.told.shares))
    settings = replace(contest.settings, budget=Budget(share=shares[-1]))
    with progress.stage("read"):
        reader = TextReader(Tokenizer.of(settings.text), number_of_jobs(settings.execution.jobs), progress)
        arena = prepare(inputs, held_out, contest.told.lists, reader)
    contenders, rankings, notices = [], {}, list(arena.notices)
    judged = _Judged(arena, contest.measure, shares, progress)
    for place, name in enumerate(names, 1):
        progress.during = f"{name} ({place}/{len(names)}), "
        own = Progress(progress.wanted)
        own.during = progress.during
        started = time.perf_counter()
        jaded = rank_by(name, arena.inputs, settings, contest.told.random_seed, own)
        seconds = time.perf_counter() - started
        notices += [notice for notice in jaded.summary.notices if notice not in notices]
        points = judged.points(arena.pool.take(jaded.lines), jaded.words, arena.words)
        contenders.append(Contender(name=name, what=WHAT[name], seconds=round(seconds, 3), measured=points))
        if name in OURS:
            rankings[name] = jaded
    progress.during = ""
    for text in arena.lists:
        points = judged.points(text, text.lengths, arena.pool.words)
        contenders.append(Contender(name=text.name, what="a list", seconds=0.0, measured=points))
    notices += _short(arena, contenders, shares)
    progress.seconds["ranking"] = sum(contender.seconds for contender in contenders)
    progress.seconds["total"] = time.perf_counter() - began
    comparison = Comparison(
        methods=contenders,
        held_out=arena.held_out,
        available=arena.available,
        representative=arena.representative,
        exclude=arena.exclude,
        settings=settings.recorded(),
        order=contest.measure.order,
        lm=contest.measure.lm,
        vocabulary=arena.types + BESIDES,
        signature=reader.tokenizer.signature,
        random_seed=contest.told.random_seed,
        seconds={name: round(value, 3) for name, value in progress.seconds.items()},
        notices=notices,
    )
    return Outcome(comparison, rankings)


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """How every selection is measured."""

    arena: Arena
    measure: Measure
    shares: Sequence[float]
    progress: Progress

    def points(self, text: Sequences, words: NDArray[np.int64], total: int) -> list[BudgetPoint]:
        """The longest prefixes that do not exceed a share of so many words, measured."""
        arena, judge = self.arena, self.arena.judge
        cuts = cuts_at(words, [share_of(share, total) for share in self.shares])
        size = max(arena.types, len(np.unique(text.ids))) + BESIDES
        scratch = arena.inputs.reading.scratch
        with (
            self.progress.stage("evaluate"),
            language_model(self.measure, judge.text, judge.types, size, scratch) as model,
        ):
            points = judge.points(text, cuts, model, self.progress)
        return [BudgetPoint.of(share, point) for share, point in zip(self.shares, points, strict=True)]


def _short(arena: Arena, contenders: Sequence[Contender], shares: Sequence[float]) -> Iterator[str]:
    """Notices: lists that are shorter than the largest budget, and budgets too small for a line."""
    for text in arena.lists:
        if text.words < share_of(shares[-1], arena.pool.words):
            yield f"{text.name} has only {text.words:,} words, fewer than the largest budget; all were taken"
    for share in shares:
        if not all(point.words for method in contenders for point in method.measured if point.share == share):
            yield f"{100 * share:g} % of {arena.words:,} words has no room for the first line of some methods"
