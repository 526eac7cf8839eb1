"""The verdict of a comparison, in words: a method is ahead only where every other differs from it significantly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from .methods import command_of
from .records import Comparison, Contender

Figure = Literal["ngram_perplexity", "oov_tokens", "entropy"]
DECIDES: Figure = "ngram_perplexity"


def leaders(methods: Sequence[Contender], figure: Figure) -> list[list[int]]:
    """At each budget, which methods are lowest or not significantly different from the lowest."""
    found: dict[float, list[int]] = {}
    for place, method in enumerate(methods):
        for point in method.measured:
            if point.intervals is not None:
                here = found.setdefault(point.share, [])
                here += [place] if getattr(point.intervals, figure).leads else []
    return [found[share] for share in sorted(found)]


def winner(methods: Sequence[Contender]) -> int:
    """The place of the method whose perplexity is lowest at most budgets; of equals, the first."""
    won = [0] * len(methods)
    for share in {point.share for method in methods for point in method.measured}:
        own = [_value(method, share) for method in methods]
        least = min(own)
        won = [number + (value == least < math.inf) for number, value in zip(won, own, strict=True)]
    return won.index(max(won))


def verdict(comparison: Comparison) -> list[str]:
    """Sentences: who predicts the held-out text best, and who is best at what else."""
    methods = comparison.methods
    budgets = leaders(methods, DECIDES)
    claims: tuple[tuple[Figure, str], ...] = (
        (DECIDES, f"{comparison.order}-gram perplexity"),
        ("oov_tokens", "Unknown words"),
        ("entropy", "Entropy, in bits per word"),
    )
    if not budgets:
        return []
    if len(methods) == 1:
        return [f"{methods[0].name} was compared with no other method; add some with --methods or --list."]
    leads = _counts(methods, budgets)
    best = [place for place, number in enumerate(leads) if number == max(leads)]
    return [
        _best(methods, budgets, leads, best),
        *(f"{claim}: {_told(methods, leaders(methods, one))}." for one, claim in claims),
        *(f"To rank by {methods[one].name}: {command}" for one in best if (command := command_of(methods[one].name))),
    ]


def _best(
    methods: Sequence[Contender], budgets: Sequence[Sequence[int]], leads: Sequence[int], equals: Sequence[int]
) -> str:
    if len(equals) > 1:
        together = all(set(equals) <= set(here) or not set(equals) & set(here) for here in budgets)
        how = "do not differ significantly" if together else "are best at the same number of budgets"
        names = _and([methods[place].name for place in equals])
        return f"No single method predicts the held-out text best: {names} {how}."
    where = "" if max(leads) == len(budgets) else f" at {max(leads)} of {len(budgets)} budgets"
    return f"{methods[equals[0]].name} predicts the held-out text best{where}."


def _told(methods: Sequence[Contender], budgets: Sequence[Sequence[int]]) -> str:
    """How often each method is ahead, and which do not differ significantly from the lowest where none is."""
    alone = _counts(methods, [here for here in budgets if len(here) == 1])
    tied = _counts(methods, [here for here in budgets if len(here) > 1])
    ahead = [f"{name} is ahead {_of(number, len(budgets))}" for name, number in _ordered(methods, alone)]
    if not any(tied):
        return ", ".join(ahead)
    within = [f"{name} {_of(number, len(budgets))}" for name, number in _ordered(methods, tied)]
    return (
        f"{', '.join(ahead) or 'no method is ahead'}; not significantly different from the lowest: {', '.join(within)}"
    )


def _counts(methods: Sequence[Contender], budgets: Sequence[Sequence[int]]) -> list[int]:
    return [sum(place in here for here in budgets) for place in range(len(methods))]


def _ordered(methods: Sequence[Contender], numbers: Sequence[int]) -> list[tuple[str, int]]:
    """Those that have any, most first."""
    order = sorted((place for place in range(len(numbers)) if numbers[place]), key=lambda place: -numbers[place])
    return [(methods[place].name, numbers[place]) for place in order]


def _of(number: int, budgets: int) -> str:
    if number < budgets:
        return f"at {number} of {budgets} budgets"
    if budgets == 2:
        return "at both budgets"
    return f"at all {budgets} budgets" if budgets > 1 else "at the one budget"


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _value(method: Contender, share: float) -> float:
    found = [point.ngram_perplexity for point in method.measured if point.share == share]
    return found[0] if found and math.isfinite(found[0]) else math.inf
