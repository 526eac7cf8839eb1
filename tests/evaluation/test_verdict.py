"""Who wins a comparison."""

from __future__ import annotations

import math

from cynical.evaluation.records import Contender
from cynical.evaluation.verdict import leaders, verdict, winner
from tests.evaluation.examples import comparison, contender, near, point


def method(name: str, *perplexities: float, **figures: float) -> Contender:
    points = [point(1, 3, ngram_perplexity=one, **figures) for one in perplexities]
    return contender(name, list(zip((0.1, 0.2), points, strict=True)))


def test_a_method_is_ahead_only_where_no_other_is_within_the_interval_of_the_lowest() -> None:
    made = comparison([method("a", 5.0, 9.0), method("b", 4.0, 8.0), method("c", 7.0, 8.5, entropy=0.5)])
    assert leaders(made.methods, "ngram_perplexity") == [[1], [1]]
    assert verdict(made) == [
        "b predicts the held-out text best.",
        "4-gram perplexity: b is ahead at both budgets.",
        "Unknown words: no method is ahead; not significantly different from the lowest: a at both budgets, b at "
        "both budgets, c at both budgets.",
        "Entropy, in bits per word: c is ahead at both budgets.",
    ]
    a, b, c = made.methods
    closer = made.replaced(methods=[near(a, 0), b, c])
    assert verdict(closer)[:2] == [
        "b predicts the held-out text best.",
        "4-gram perplexity: b is ahead at 1 of 2 budgets; not significantly different from the lowest: a at 1 of 2 "
        "budgets, b at 1 of 2 budgets.",
    ]
    equal = made.replaced(methods=[near(a, 0, 1), b, c])
    assert verdict(equal)[:2] == [
        "No single method predicts the held-out text best: a and b do not differ significantly.",
        "4-gram perplexity: no method is ahead; not significantly different from the lowest: a at both budgets, b "
        "at both budgets.",
    ]


def test_methods_that_lead_at_different_budgets_are_told_apart() -> None:
    a, b, c = method("a", 5.0, 7.0), method("b", 6.0, 8.0), method("c", 7.0, 5.0)
    assert (
        verdict(comparison([a, c]))[0]
        == "No single method predicts the held-out text best: a and c are best at the same number of budgets."
    )
    assert (
        verdict(
            comparison(
                [
                    contender("a", [(0.1, point(1, 3)), (0.2, point(1, 3)), (0.3, point(1, 3, ngram_perplexity=3.0))]),
                    contender(
                        "b",
                        [
                            (0.1, point(1, 3, ngram_perplexity=2.0)),
                            (0.2, point(1, 3, ngram_perplexity=2.0)),
                            (0.3, point(1, 3, ngram_perplexity=2.0)),
                        ],
                    ),
                ]
            )
        )[0]
        == "a predicts the held-out text best at 2 of 3 budgets."
    )
    assert winner([a, b, c]) == 0 and winner([a, a]) == 0 and winner([method("d", math.nan, math.inf), b]) == 1


def test_nothing_is_said_of_methods_that_picked_nothing() -> None:
    nothing = contender("nothing", [(0.1, point(0, 0))])
    assert verdict(comparison([nothing])) == [] == verdict(comparison([]))
    assert verdict(comparison([nothing, contender("a", [(0.1, point(1, 3))])]))[:2] == [
        "a predicts the held-out text best.",
        "4-gram perplexity: a is ahead at the one budget.",
    ]


def test_what_ranks_by_the_best_method_is_said() -> None:
    best, random = method("cynical-2-grams", 4.0, 8.0), method("random", 5.0, 9.0)
    assert verdict(comparison([best, random]))[4:] == [
        "To rank by cynical-2-grams: cynical select --per word --ngrams 2"
    ]
    other = method("random", 3.0, 9.0)
    assert verdict(comparison([method("cynical-for-model", 4.0, 8.0), other]))[4:] == [
        "To rank by cynical-for-model: cynical select --for model",
        "To rank by random: cynical rank --method random",
    ]


def test_one_method_alone_is_not_the_best() -> None:
    assert verdict(comparison([method("dsir", 4.0, 8.0)])) == [
        "dsir was compared with no other method; add some with --methods or --list."
    ]
