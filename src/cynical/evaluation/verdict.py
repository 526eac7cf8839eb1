"""Who wins a comparison, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from .records import Comparison, Contender

Figure = Literal["ngram_perplexity", "oov_tokens", "entropy"]
DECIDES: Figure = "ngram_perplexity"
OTHERS: tuple[tuple[Figure, str], ...] = (
    ("oov_tokens", "Fewest unknown words"),
    ("entropy", "Lowest entropy, in bits a word"),
)


def wins(methods: Sequence[Contender], figure: Figure) -> tuple[list[int], int]:
    """At how many budgets each method has the lowest value, and how many budgets there are; equals win together."""
    values = [{point.share: _finite(getattr(point, figure)) for point in method.measured} for method in methods]
    won, budgets = [0] * len(methods), 0
    for share in sorted({share for own in values for share in own}):
        here = [own.get(share, math.inf) for own in values]
        least = min(here)
        if least == math.inf:
            continue
        budgets += 1
        for place, value in enumerate(here):
            won[place] += value == least
    return won, budgets


def winner(methods: Sequence[Contender]) -> int:
    """The place of the method that is lowest at most budgets; of equals, the first."""
    won, _ = wins(methods, DECIDES)
    return won.index(max(won))


def verdict(comparison: Comparison) -> list[str]:
    """Sentences: who predicts the held-out text best, and who is best at what else."""
    methods = comparison.methods
    won, budgets = wins(methods, DECIDES)
    sentences = []
    if budgets:
        best = methods[winner(methods)].name if won.count(max(won)) == 1 else "No method alone"
        sentences.append(f"{best} predicts the held-out text best.")
        sentences.append(f"Lowest {comparison.order}-gram perplexity: {_told(methods, won, budgets)}.")
    for figure, claim in OTHERS:
        won, budgets = wins(methods, figure)
        if budgets:
            sentences.append(f"{claim}: {_told(methods, won, budgets)}.")
    return sentences


def _told(methods: Sequence[Contender], won: Sequence[int], budgets: int) -> str:
    """Who has won how often, most often first."""
    order = sorted((place for place in range(len(won)) if won[place]), key=lambda place: (-won[place], place))
    return ", ".join(f"{methods[place].name} {_of(won[place], budgets)}" for place in order)


def _of(number: int, budgets: int) -> str:
    if number < budgets:
        return f"at {number} of {budgets} budgets"
    return f"at all {budgets} budgets" if budgets > 1 else "at the one budget"


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.inf
