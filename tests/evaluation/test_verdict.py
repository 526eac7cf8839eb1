"""Who wins a comparison."""

from __future__ import annotations

import math

from cynical.evaluation.records import Contender
from cynical.evaluation.verdict import verdict, winner, wins
from tests.evaluation.examples import comparison, contender, point


def method(name: str, *perplexities: float, **figures: float) -> Contender:
    points = [point(1, 3, ngram_perplexity=one, **figures) for one in perplexities]
    return contender(name, list(zip((0.1, 0.2), points, strict=True)))


def test_who_wins_is_said_in_words() -> None:
    a, b, c = method("a", 5.0, 9.0), method("b", 4.0, 8.0), method("c", math.nan, 8.0, entropy=0.5)
    assert wins([a, b, c], "ngram_perplexity") == ([0, 2, 1], 2)
    assert winner([a, b, c]) == 1 and winner([a, a]) == 0
    assert verdict(comparison([a, b, c])) == [
        "b predicts the held-out text best.",
        "Lowest 4-gram perplexity: b at all 2 budgets, c at 1 of 2 budgets.",
        "Fewest unknown words: a at all 2 budgets, b at all 2 budgets, c at all 2 budgets.",
        "Lowest entropy, in bits a word: c at all 2 budgets.",
    ]
    assert verdict(comparison([a, method("d", 6.0, 7.0)]))[0] == "No method alone predicts the held-out text best."
    assert not any("perplexity" in one for one in verdict(comparison([method("e", math.inf, math.nan)])))
    assert verdict(comparison([])) == []
