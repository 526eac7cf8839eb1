"""Other ranking methods, as baselines: each gives every line a score, which decides the order.

The options of methods are declared in options/method.py. A method's home is `module.function` of this package, a
function that gets what a run has prepared, and its options, and has the shards of AVAILABLE give each of their lines a
score (also those that may not be picked, whose scores nobody looks at). Equal scores go to the earlier line.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...options import Method
    from ...selection.available import Available
    from ...selection.prepare import Prepared

    Score = Callable[[Prepared[Available], Method], None]


@dataclass(frozen=True, slots=True)
class Baseline:
    what: str  # for people
    home: str | None  # where its scores come from; None: lines keep their order
    lowest_first: bool = False

    def score(self) -> Score | None:
        if self.home is None:
            return None
        module, _, function = self.home.partition(".")
        found: Score = getattr(importlib.import_module(f".{module}", __name__), function)
        return found


METHODS = {
    "random": Baseline("in random order", "orders.random"),
    "in-order": Baseline("in the original order", None),
    "longest": Baseline("most words first", "orders.longest"),
    "dsir": Baseline(
        "importance resampling: words and word pairs in hash buckets, weighted by how much more frequent they are in "
        "REPRESENTATIVE; lines are sampled by weight (Xie et al. 2023)",
        "dsir.score",
    ),
}
METHODS |= {
    "classifier": Baseline(
        "logistic regression on words and word pairs, REPRESENTATIVE against random lines of AVAILABLE: the "
        "probability that a line is in the language of REPRESENTATIVE",
        "classifier.score",
    ),
    "moore-lewis": Baseline(
        "how much more a line looks like REPRESENTATIVE than like AVAILABLE to n-gram models of both (Moore and Lewis "
        "2010)",
        "moore_lewis.score",
        lowest_first=True,
    ),
    "bilingual-moore-lewis": Baseline(
        "the same on both sides of a parallel corpus (Axelrod et al. 2011)",
        "moore_lewis.both_sides",
        lowest_first=True,
    ),
}
