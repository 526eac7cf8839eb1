"""Everything that a run is told but the corpora."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .choosing import Choice
from .classes import Thresholds
from .entropy import SMOOTHING, check_smoothing
from .errors import CynicalError
from .reading import number_of_jobs
from .selection import STRATEGIES
from .selection.budget import NO_LIMIT, PATIENCE, Budget
from .tokens import Tokenizer

VOCABULARIES = ("full", "classes")
UTILITIES = ("line", "word")


@dataclass(frozen=True, slots=True)
class Settings:
    budget: Budget = Budget()
    strategy: str = "exact"
    vocabulary: str = "full"
    per: str | None = None  # line by default, but word where the budget is money
    smoothing: float = SMOOTHING
    thresholds: Thresholds = Thresholds()
    choice: Choice = Choice()
    tokenizer: Tokenizer = Tokenizer()
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("strategy", self.strategy, tuple(STRATEGIES)),
            ("vocabulary", self.vocabulary, VOCABULARIES),
            ("per", "line" if self.per is None else self.per, UTILITIES),
        ):
            if value not in known:
                raise CynicalError(f"--{name} {value}: no such thing; choose from {', '.join(known)}")
        check_smoothing(self.smoothing)
        number_of_jobs(self.jobs)

    @property
    def per_word(self) -> bool:
        """Does delta per word decide, not delta?"""
        return self.per == "word" or (self.per is None and self.budget.money is not None)

    def as_dict(self) -> dict[str, Any]:
        budget = self.budget
        return {
            "lines": _bounded(budget.lines),
            "words": _bounded(budget.words),
            "share": budget.share,
            "all": budget.all,
            "price": budget.price,
            "money": budget.money,
            "patience": _patience(budget),
            "strategy": self.strategy,
            "vocabulary": self.vocabulary,
            "per": "word" if self.per_word else "line",
            "ngrams": self.tokenizer.ngrams,
            "smoothing": self.smoothing,
            "min_count": self.thresholds.min_count,
            "ratio_threshold": self.thresholds.ratio,
            "min_length": _bounded(self.choice.min_length),
            "max_length": _bounded(self.choice.max_length),
            "max_copies": _bounded(self.choice.max_copies),
            "tokenizer": self.tokenizer.name,
            "normalize": self.tokenizer.normalize,
            "lowercase": self.tokenizer.lowercase,
        }


def _bounded(value: int | None) -> int | None:
    """A number that fits where numbers are written; beyond it there is no limit anyway."""
    return None if value is None else min(value, NO_LIMIT)


def _patience(budget: Budget) -> float | str | None:
    """As it was in force."""
    if not budget.open:
        return None
    patience = PATIENCE if budget.patience is None else budget.patience
    return "all" if patience == math.inf else patience
