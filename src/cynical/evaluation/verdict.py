"""Who wins a comparison, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

DECIDES = "ngram_perplexity"


def wins(methods: Sequence[dict[str, Any]], measure: str) -> tuple[list[int], int]:
    """At how many budgets each method has the lowest value, and how many budgets there are; equals win together."""
    points = [{point["share"]: _number(point.get(measure)) for point in method["points"]} for method in methods]
    won, budgets = [0] * len(methods), 0
    for share in sorted({share for own in points for share in own}):
        values = [own.get(share, math.inf) for own in points]
        least = min(values)
        if least == math.inf:
            continue
        budgets += 1
        for place, value in enumerate(values):
            won[place] += value == least
    return won, budgets


def winner(methods: Sequence[dict[str, Any]], measure: str = DECIDES) -> int:
    """The place of the method that is lowest at most budgets; of equals, the first."""
    won, _ = wins(methods, measure)
    return won.index(max(won))


def verdict(comparison: dict[str, Any] | None) -> list[str]:
    """Sentences: who predicts the held-out text best, and who is best at what else."""
    if comparison is None:
        return []
    methods, order = comparison["methods"], comparison.get("order")
    perplexity = "n-gram perplexity" if order is None else f"{order}-gram perplexity"
    won, budgets = wins(methods, DECIDES)
    sentences = []
    if budgets:
        best = methods[winner(methods)]["name"] if won.count(max(won)) == 1 else "No method alone"
        sentences.append(f"{best} predicts the held-out text best.")
        sentences.append(f"Lowest {perplexity}: {_told(methods, won, budgets)}.")
    for measure, claim in (("oov_tokens", "Fewest unknown words"), ("entropy", "Lowest entropy, in bits a word")):
        won, budgets = wins(methods, measure)
        if budgets:
            sentences.append(f"{claim}: {_told(methods, won, budgets)}.")
    return sentences


def _told(methods: Sequence[dict[str, Any]], won: Sequence[int], budgets: int) -> str:
    """Who has won how often, most often first."""
    order = sorted((place for place in range(len(won)) if won[place]), key=lambda place: (-won[place], place))
    return ", ".join(f"{methods[place]['name']} {_of(won[place], budgets)}" for place in order)


def _of(number: int, budgets: int) -> str:
    if number < budgets:
        return f"at {number} of {budgets} budgets"
    return f"at all {budgets} budgets" if budgets > 1 else "at the one budget"


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else math.inf
