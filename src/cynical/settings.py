"""Everything that a run is told but the corpora."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .classes import Thresholds
from .entropy import SMOOTHING, check_smoothing
from .errors import CynicalError
from .reading import number_of_jobs
from .selection import STRATEGIES
from .selection.budget import NO_LIMIT, PATIENCE, Budget
from .tokens import Tokenizer

VOCABULARIES = ("full", "classes")


@dataclass(frozen=True, slots=True)
class Settings:
    budget: Budget = Budget()
    strategy: str = "exact"
    vocabulary: str = "full"
    smoothing: float = SMOOTHING
    thresholds: Thresholds = Thresholds()
    max_length: int | None = None
    tokenizer: Tokenizer = Tokenizer()
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("strategy", self.strategy, tuple(STRATEGIES)),
            ("vocabulary", self.vocabulary, VOCABULARIES),
        ):
            if value not in known:
                raise CynicalError(f"--{name} {value}: no such {name}; choose from {', '.join(known)}")
        if self.max_length is not None and self.max_length < 1:
            raise CynicalError(f"--max-length must be at least 1, found {self.max_length}")
        check_smoothing(self.smoothing)
        number_of_jobs(self.jobs)

    def as_dict(self) -> dict[str, Any]:
        budget = self.budget
        return {
            "lines": _bounded(budget.lines),
            "words": _bounded(budget.words),
            "share": budget.share,
            "all": budget.all,
            "patience": _patience(budget),
            "strategy": self.strategy,
            "vocabulary": self.vocabulary,
            "smoothing": self.smoothing,
            "min_count": self.thresholds.min_count,
            "ratio_threshold": self.thresholds.ratio,
            "max_length": _bounded(self.max_length),
            "tokenizer": self.tokenizer.name,
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
