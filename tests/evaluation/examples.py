"""Evaluations and comparisons with made-up figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cynical.evaluation.records import (
    DECIDING,
    BudgetPoint,
    Certainties,
    Certainty,
    Comparison,
    Contender,
    Interval,
    MeasuredText,
    Point,
    TextSizes,
)


def point(lines: int, words: int, **figures: Any) -> Point:
    """A prefix; figures that nobody asks for are all the same."""
    names = ("entropy", "perplexity", "oov_tokens", "oov_types", "ngram_perplexity", "mean_length", "heldout_coverage")
    missing = {"ngram_perplexity_known": None, "representative_coverage": None}
    return Point(lines=lines, words=words, **{**dict.fromkeys(names, 1.0), **missing, **figures})


def contender(name: str, points: Sequence[tuple[float, Point]]) -> Contender:
    measured = [BudgetPoint.of(share, one) for share, one in points]
    return Contender(name=name, what="made up", seconds=0.5, seeds=[], measured=measured)


def sure(methods: Sequence[Contender]) -> list[Contender]:
    """With intervals of no width: the lowest of each figure leads, and so do its equals."""
    least: dict[tuple[float, str], float] = {}
    for one in (one for method in methods for one in method.measured if one.words):
        for name in DECIDING:
            least[one.share, name] = min(getattr(one, name), least.get((one.share, name), math.inf))
    return [method.replaced(measured=[_sure(one, least) for one in method.measured]) for method in methods]


def _sure(one: BudgetPoint, least: Mapping[tuple[float, str], float]) -> BudgetPoint:
    if not one.words:
        return one
    made = {}
    for name in DECIDING:
        value = getattr(one, name)
        above = value - least[one.share, name]
        interval = None if above == 0 else Interval(low=above, high=above)
        made[name] = Certainty(low=value, high=value, above=interval, leads=not above > 0)
    return one.replaced(intervals=Certainties(**made))


def near(one: Contender, *budgets: int) -> Contender:
    """Within the interval of the lowest at some budgets."""
    measured = list(one.measured)
    for budget in budgets:
        sure = measured[budget].intervals
        assert isinstance(sure, Certainties)
        close = sure.ngram_perplexity.replaced(above=Interval(low=-1.0, high=2.0), leads=True)
        measured[budget] = measured[budget].replaced(intervals=sure.replaced(ngram_perplexity=close))
    return one.replaced(measured=measured)


def comparison(methods: Sequence[Contender], held_out: str = "test.txt", **more: Any) -> Comparison:
    text = MeasuredText(name=held_out, lines=3, words=9, types=5, mean_length=3.0)
    return Comparison(
        **{
            "methods": sure(methods),
            "held_out": text,
            "available": TextSizes(name="pool.txt", lines=100, words=900, types=50),
            "representative": text.replaced(name="task.txt"),
            "exclude": None,
            "settings": {},
            "order": 4,
            "lm": "own",
            "vocabulary": 52,
            "signature": "tok:whitespace|lower:no",
            "random_seed": 0,
            "side": None,
            "samples": 1000,
            "seconds": {},
            "notices": [],
            **more,
        }
    )
