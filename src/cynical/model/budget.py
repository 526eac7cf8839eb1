"""How much to pick. A budget is never exceeded, and what it gives is a prefix of the whole ranking."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..options import Budget
from ..options.budget import NO_LIMIT
from .cost import exactly


@dataclass(frozen=True, slots=True)
class Limits:
    """A budget in numbers: picks, words, and words without a new low."""

    picks: int
    words: int
    patience: int

    def progress(self, lines: int) -> tuple[int | None, str]:
        """How far there is to go, with `lines` to choose from, and in what; None if nobody knows yet."""
        if self.words < NO_LIMIT:
            return self.words, " words"
        if self.patience < NO_LIMIT:
            return None, " lines"
        return min(self.picks, lines), " lines"


def limits(budget: Budget, available_words: int) -> Limits:
    """What a budget comes to, where AVAILABLE has this many words; for money that buys words or characters, see
    Spending."""
    words = NO_LIMIT if budget.words is None else min(budget.words, NO_LIMIT)
    if budget.share is not None:
        words = share_of(budget.share, available_words)
    lines = NO_LIMIT if budget.lines is None else min(budget.lines, NO_LIMIT)
    if budget.money is not None and budget.price is not None:
        units = min(bought(budget.money, budget.price), NO_LIMIT)
        words = units if budget.paid_per == "token" else words
        lines = units if budget.paid_per == "line" else lines
    patience = patience_words(budget, available_words) if budget.open else NO_LIMIT
    return Limits(lines, words, patience)


def patience_words(budget: Budget, available_words: int) -> int:
    """How many words without a new low are enough to know the stopping point."""
    share = budget.patience_or_default
    return NO_LIMIT if share == math.inf else min(math.ceil(share * available_words), NO_LIMIT)


def share_of(share: float, words: int) -> int:
    """The most words that do not exceed a share; 0.1 is a tenth, not the double nearest to it."""
    return math.floor(exactly(share) * words)


def bought(money: float, price: float) -> int:
    """How many units the money buys."""
    return math.floor(exactly(money) / exactly(price))
