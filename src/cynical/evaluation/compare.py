"""Cynical selection and the baselines on the same texts, at the same budgets."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, CynicalWarning
from ..jaded.jaded import Jaded
from ..model.budget import Budget, share_of
from ..model.kneser_ney import BESIDES, ORDER
from ..model.sequences import Sequences
from ..options import Settings, check_seed
from ..progress import Progress
from ..selection.eligible import Choice
from ..selection.inputs import Inputs, gather_from_python
from ..text.reader import number_of_jobs
from ..text.sources import Reading, Source
from ..text.tokenizer import Tokenizer
from .arena import Arena, prepare
from .evaluate import Measure
from .language_models import language_model
from .methods import OURS, WHAT, chosen, rank_by
from .prefixes import cuts_at
from .records import BudgetPoint, Comparison, Contender
from .texts import TextReader

SHARES = (0.003, 0.01, 0.03, 0.1)


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is compared, at which budgets, and how it is measured."""

    settings: Settings = Settings()  # what all methods have in common
    measure: Measure = Measure()
    shares: Sequence[float] = SHARES  # of AVAILABLE's words
    methods: Sequence[str] = ()  # all that make sense by default
    lists: Sequence[Jaded | Source] = ()  # what other tools picked, best first
    random_seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A comparison, and the rankings of our own methods by their names."""

    comparison: Comparison
    rankings: dict[str, Jaded]


def compare(
    representative: Source,
    available: Source,
    held_out: Source | None = None,
    *,
    shares: Sequence[float] = SHARES,
    methods: Sequence[str] = (),
    lists: Sequence[Source] = (),
    order: int = ORDER,
    lm: str = "own",
    random_seed: int = 0,
    with_: Any = None,
    representative_with: Any = None,
    exclude: Source | None = None,
    max_copies: int | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    tokenizer: str = "whitespace",
    normalize: str | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    bad_records: str = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Rank by cynical selection and by the baselines, and measure all of them on a held-out text.

    Corpora are as for `select`. Without a held-out text, every tenth line of REPRESENTATIVE is held out. `shares` are
    budgets, of AVAILABLE's words; `lists` are what other tools picked, best first.

    >>> import cynical
    >>> lines = ["a cat ran", "one bird"]
    >>> made = cynical.compare(["a cat", "a dog"], lines, ["the cat"], shares=[1], methods=["random"])
    >>> made.methods[0].points[0][1].words
    5
    """
    settings = Settings(
        choice=Choice(min_length, max_length, max_copies),
        tokenizer=Tokenizer(tokenizer, lowercase, 1, normalize),
        jobs=jobs,
    )
    reading = Reading(text_key, bad_records, scratch)
    inputs = gather_from_python(
        representative, available, None, with_, representative_with, exclude=exclude, reading=reading
    )
    contest = Contest(settings, Measure(order, lm), tuple(shares), methods, lists, random_seed)
    made = run(inputs, held_out, contest, Progress(progress)).comparison
    for notice in made.notices:
        warnings.warn(notice, CynicalWarning, stacklevel=2)
    return made


def run(inputs: Inputs, held_out: Source | None, contest: Contest, progress: Progress) -> Outcome:
    """`compare` with its corpora and its settings together."""
    began = time.perf_counter()
    check_seed(contest.random_seed)
    names = chosen(contest.methods, inputs.counted)
    shares = sorted({Budget(share=share).share or 0.0 for share in contest.shares})
    if not shares:
        raise CynicalError("--shares: give at least one share of AVAILABLE's words, say 0.01")
    settings = replace(contest.settings, budget=Budget(share=shares[-1]))
    with progress.stage("read"):
        reader = TextReader(settings.tokenizer, number_of_jobs(settings.jobs), progress)
        arena = prepare(inputs, held_out, contest.lists, reader)
    contenders, rankings, notices = [], {}, list(arena.notices)
    judged = _Judged(arena, contest.measure, shares, progress)
    for place, name in enumerate(names, 1):
        progress.during = f"{name} ({place}/{len(names)}), "
        own = Progress(progress.wanted)
        own.during = progress.during
        started = time.perf_counter()
        jaded = rank_by(name, arena.inputs, settings, contest.random_seed, own)
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
        settings=settings.as_dict(),
        order=contest.measure.order,
        lm=contest.measure.lm,
        vocabulary=arena.types + BESIDES,
        signature=settings.tokenizer.signature,
        random_seed=contest.random_seed,
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
