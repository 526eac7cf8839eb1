"""Cynical selection and the baselines on the same texts, at the same budgets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

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
from .arena import Arena, Judges, prepare
from .language_models import check_measure
from .methods import OURS, WHAT, chosen, draws, rank_by
from .prefixes import cuts_at
from .records import Comparison, Contender
from .resampling import SAMPLES
from .sides import HowToMeasure, Selection
from .standing import Entry, contenders_of
from .subsamples import Subsamples
from .texts import TextReader

FEW = (2, 3)  # seeds: of so few, the mean is hardly known


@dataclass(frozen=True, slots=True)
class Contest:
    """Who is compared, at which budgets, and how it is measured."""

    settings: Settings = Settings()  # what all methods have in common
    measure: Measure = Measure()
    told: Comparing = Comparing()  # methods, budgets, sides, and what other tools picked


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A comparison, and what gives the rankings of our own methods for all of REPRESENTATIVE, by their names."""

    comparison: Comparison
    rankings: dict[str, Callable[[], Jaded]]


def run(inputs: Inputs, held_out: Sequence[Source], contest: Contest, progress: Progress) -> Outcome:
    """Compare methods; without a held-out text, given by side, a part of REPRESENTATIVE is held out."""
    began, told = time.perf_counter(), contest.told
    check_measure(contest.measure)
    names, shares = chosen(told.methods, inputs.counted), sorted(set(told.shares))
    settings = replace(contest.settings, budget=Budget(share=shares[-1]))
    with progress.stage("read"):
        reader = TextReader(Tokenizer.of(settings.text), number_of_jobs(settings.execution.jobs), progress)
        arena = prepare(inputs, Judges(held_out, told.side, told.lists), reader, settings.eligibility.exclude_ngrams)
        subsamples = Subsamples.of(arena.targets, told.subsample, reader)
        whole = [side for sides in arena.targets for side in sides] if told.subsample < 1 else []
    judged = _Judged.of(arena, contest.measure, shares, progress)
    entries, notices = [], [*arena.notices, *(said for side in whole for said in side.notices("REPRESENTATIVE"))]
    if told.subsample < 1 and told.seeds == 1:
        notices.append(
            f"--subsample {told.subsample:g} with one seed: the intervals do not include how much the picks change "
            "from one part of REPRESENTATIVE to another; give --seeds 5 or more"
        )
    if told.seeds in FEW and any(varies(name, told) for name in names):
        notices.append(f"intervals allow for how little {told.seeds} seeds say, and are wide; give --seeds 5 or more")
    rankings: dict[str, Callable[[], Jaded]] = {}
    for place, name in enumerate(names, 1):
        progress.during = f"{name} ({place}/{len(names)}), "
        entry, ranked = _entered(name, judged, settings, told, subsamples)
        entries.append(entry)
        notices += [notice for notice in ranked.summary.notices if notice not in notices]
        if name in OURS:
            again = partial(rank_by, name, arena.inputs, settings, None, progress.part())
            rankings[name] = partial(_as_it_is, ranked) if told.subsample == 1 else again
    progress.during = ""
    for texts in arena.lists:
        words = np.sum([text.lengths for text in texts], axis=0)
        made = judged.selection(texts, words, arena.sides.words)
        entries.append(Entry(texts[0].name, "a list", 0.0, [], [made]))
    with progress.stage("intervals"):
        divisors = arena.sides.divisors(judged.how.units)
        contenders = contenders_of(entries, shares, divisors, paired=told.subsample < 1)
    notices += _short(arena, contenders, shares)
    progress.seconds["ranking"] = sum(entry.seconds * len(entry.selections) for entry in entries)
    progress.seconds["total"] = time.perf_counter() - began
    comparison = Comparison(
        methods=contenders,
        held_out=arena.sides.held_out,
        available=arena.available,
        representative=arena.representative,
        exclude=arena.exclude,
        settings=settings.recorded(),
        order=contest.measure.order,
        lm=contest.measure.lm,
        vocabulary=arena.sides.types + BESIDES * len(arena.sides.each),
        signature=reader.tokenizer.signature,
        random_seed=told.random_seed,
        side=arena.sides.chosen,
        samples=SAMPLES,
        subsample=told.subsample,
        seconds={name: round(value, 3) for name, value in progress.seconds.items()},
        notices=notices,
    )
    return Outcome(comparison, rankings)


def varies(name: str, told: Comparing) -> bool:
    """Does a method rank otherwise with another seed?"""
    return draws(name) or told.subsample < 1


def _as_it_is(jaded: Jaded) -> Jaded:
    return jaded


def _entered(
    name: str, judged: _Judged, settings: Settings, told: Comparing, subsamples: Subsamples
) -> tuple[Entry, Jaded]:
    """What a method picks with each seed, measured; and its first ranking."""
    arena, progress = judged.arena, judged.how.progress
    seeds = list(range(told.random_seed, told.random_seed + told.seeds)) if varies(name, told) else []
    selections, seconds, first = [], 0.0, None
    for seed in seeds or [told.random_seed]:
        inputs, part, started = subsamples.inputs(arena.inputs, seed), progress.part(), time.perf_counter()
        jaded = rank_by(name, inputs, settings, seed, part)
        seconds += time.perf_counter() - started - part.seconds.get("compile", 0.0)
        selections.append(judged.selection(arena.sides.take(jaded.lines), jaded.words, arena.words))
        first = jaded if first is None else first
    assert first is not None
    return Entry(name, WHAT[name], seconds / len(selections), seeds, selections), first


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """How every selection is measured."""

    arena: Arena
    shares: Sequence[float]
    how: HowToMeasure

    @classmethod
    def of(cls, arena: Arena, measure: Measure, shares: Sequence[float], progress: Progress) -> _Judged:
        how = HowToMeasure(measure, arena.sides.units(), arena.inputs.reading.scratch, progress)
        return cls(arena, shares, how)

    def selection(self, texts: Sequence[Sequences], words: NDArray[np.int64], total: int) -> Selection:
        """The longest prefixes that do not exceed a share of this many words, measured."""
        cuts = cuts_at(words, [share_of(share, total) for share in self.shares])
        return self.arena.sides.measure(texts, cuts, self.how)


def _short(arena: Arena, contenders: Sequence[Contender], shares: Sequence[float]) -> Iterator[str]:
    """Notices: lists that are shorter than the largest budget, and budgets too small for a line."""
    for texts in arena.lists:
        words = sum(text.words for text in texts)
        if words < share_of(shares[-1], arena.sides.words):
            yield f"{texts[0].name} has only {words:,} words, fewer than the largest budget; all of them were used"
    for share in shares:
        if not all(point.words for method in contenders for point in method.measured if point.share == share):
            yield (
                f"{100 * share:g} % of {arena.words:,} words is too small for the first line of some methods; give "
                "larger --shares"
            )
