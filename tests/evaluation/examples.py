"""Evaluations and comparisons with made-up figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cynical.evaluation.records import BudgetPoint, Comparison, Contender, MeasuredText, Point, TextSizes


def point(lines: int, words: int, **figures: Any) -> Point:
    """A prefix; figures that nobody asks for are all the same."""
    names = ("entropy", "perplexity", "oov_tokens", "oov_types", "ngram_perplexity", "mean_length", "heldout_coverage")
    missing = {"ngram_perplexity_known": None, "representative_coverage": None}
    return Point(lines=lines, words=words, **{**dict.fromkeys(names, 1.0), **missing, **figures})


def contender(name: str, points: Sequence[tuple[float, Point]]) -> Contender:
    measured = [BudgetPoint.of(share, one) for share, one in points]
    return Contender(name=name, what="made up", seconds=0.5, measured=measured)


def comparison(methods: Sequence[Contender], held_out: str = "test.txt", **more: Any) -> Comparison:
    text = MeasuredText(name=held_out, lines=3, words=9, types=5, mean_length=3.0)
    return Comparison(
        **{
            "methods": list(methods),
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
            "seconds": {},
            "notices": [],
            **more,
        }
    )
