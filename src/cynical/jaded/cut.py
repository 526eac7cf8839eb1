"""Cut a ranking to a budget without ranking again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..options import Budget, Reading
from .destination import Destination
from .find import find_ranking
from .jaded import Jaded
from .money import paid_sides, spent, terms_of
from .prefix import check_cut
from .read import open_found
from .rows import Reasons
from .summary import Money


@dataclass(frozen=True, slots=True)
class Cut:
    """What was kept of what there was."""

    lines: int
    words: int
    ranked: int
    entropy_before: float
    entropy: float
    money: Money | None
    notices: list[str]


def cut(
    path: str | Path,
    destination: Destination,
    budget: Budget,
    stop: bool,
    complete: Callable[[Jaded], Jaded] = lambda jaded: jaded,
) -> Cut:
    """Keep the longest prefix of a ranking that fits the budget, or ends at its stopping point; `complete` finds the
    bits of one that has none."""
    check_cut(budget, stop)
    found = find_ranking(path)
    jaded = complete(open_found(found, Reading()))
    part, notices = jaded.prefix(budget, stop)
    if destination.layout.rejected is not None:
        part = part.replaced(reasons=_reasons(jaded))
    notices += destination.write(part, found.files)
    kept, summary = len(part), part.found_summary
    entropy = float(part.entropy[-1]) if kept else part.entropy_before
    bits = part.entropy_before - entropy
    money = spent(part.columns, part.content, terms_of(budget, summary), paid_sides(summary), bits)
    return Cut(kept, part.columns.words_of(kept), len(jaded), part.entropy_before, entropy, money, notices)


def _reasons(jaded: Jaded) -> Reasons:
    """Why lines are not in a part of a ranking: they were cut off, or not ranked at all."""
    code = np.ones(jaded.summary.available.lines, np.uint8)
    code[jaded.lines] = 0
    return Reasons(code, ("not_ranked",), "cut")
