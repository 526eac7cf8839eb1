"""Other ways to rank, to compare with: each gives every line a score, and the lines are taken in that order.

The command line reads its choices from METHODS, so nothing here imports numpy. A method's home is `module.function` of
this package, a function that gets what a run has prepared, and its settings, and returns a score for each line of
AVAILABLE (also for those that may not be picked, whose scores nobody looks at). Equal scores go to the earlier line.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ...options import RankSettings
    from ...selection.prepare import LocallyPrepared

    Score = Callable[[LocallyPrepared, RankSettings], NDArray[np.float64]]

RANDOM_SEED = 0
BUCKETS = 10_000
ORDER = 3


@dataclass(frozen=True, slots=True)
class Method:
    what: str  # for the help
    home: str | None  # where its scores come from; None: lines are taken as they stand
    options: tuple[str, ...] = ()  # those of METHOD_OPTIONS that it has a use for
    lowest_first: bool = False

    def score(self) -> Score | None:
        if self.home is None:
            return None
        module, _, function = self.home.partition(".")
        found: Score = getattr(importlib.import_module(f".{module}", __name__), function)
        return found


METHODS = {
    "random": Method("lots are drawn", "orders.random", ("random_seed",)),
    "in-order": Method("as they stand", None),
    "longest": Method("most words first", "orders.longest"),
    "dsir": Method(
        "importance resampling: words and word pairs in hash buckets, by how much more frequent they are in "
        "REPRESENTATIVE, and lots drawn by that weight (Xie et al. 2023)",
        "dsir.score",
        ("random_seed", "buckets"),
    ),
}
METHODS |= {
    "moore-lewis": Method(
        "how much more a line looks like REPRESENTATIVE than like AVAILABLE to n-gram models of both (Moore and Lewis "
        "2010)",
        "moore_lewis.score",
        ("random_seed", "order"),
        lowest_first=True,
    ),
    "bilingual-moore-lewis": Method(
        "the same on both sides of a parallel corpus (Axelrod et al. 2011)",
        "moore_lewis.both_sides",
        ("random_seed", "order"),
        lowest_first=True,
    ),
}
METHOD_OPTIONS = ("random_seed", "buckets", "order")
