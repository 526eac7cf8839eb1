"""The selections of all methods compared with each other, with the intervals of their figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import blending
from .records import BudgetPoint, Certainties, Contender, rounded
from .resampling import Sums, certainties, resample
from .sides import Selection


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A method, or a list, and what it picked: once, or with each of several seeds."""

    name: str
    what: str
    seconds: float  # to rank, once
    seeds: list[int]  # empty where nothing is random
    selections: list[Selection]


def contenders_of(
    entries: Sequence[Entry], shares: Sequence[float], divisors: Sums, *, paired: bool = False
) -> list[Contender]:
    """With every method measured on the same samples of the held-out text; `paired` says that a seed decides the same
    for all of them."""
    budgets = range(len(shares))
    sums = [[one.sums[budget] for one in entry.selections] for entry in entries for budget in budgets]
    samples = resample(sums, divisors, paired)
    certain: list[list[Certainties | None]] = []  # by budget, then by entry
    for budget in budgets:
        own = samples[budget :: len(shares)]
        there = [any(one.points[budget].words for one in entry.selections) for entry in entries]
        certain.append(certainties([one if is_there else None for one, is_there in zip(own, there, strict=True)]))
    return [
        Contender(
            name=entry.name,
            what=entry.what,
            seconds=round(entry.seconds, 3),
            seeds=entry.seeds,
            measured=[_point(entry, budget, shares[budget], certain[budget][place]) for budget in budgets],
        )
        for place, entry in enumerate(entries)
    ]


def _point(entry: Entry, budget: int, share: float, intervals: Certainties | None) -> BudgetPoint:
    points = [one.points[budget] for one in entry.selections]
    reductions = [one.reductions[budget] for one in entry.selections]
    known = [one for one in reductions if one is not None]
    by_seed = [point.ngram_perplexity for point in points] if len(points) > 1 else []
    return BudgetPoint.of(
        share,
        blending.of_seeds(points),
        kl_reduction=rounded(float(np.mean(known))) if known else None,
        intervals=intervals,
        by_seed=by_seed,
        spread=rounded(float(np.std(by_seed, ddof=1))) if by_seed else None,
    )
