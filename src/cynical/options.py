"""Everything that a run is told but the corpora."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .checks import whole
from .errors import CynicalError
from .evaluation.baselines import BUCKETS, METHOD_OPTIONS, METHODS, ORDER, RANDOM_SEED
from .model.budget import NO_LIMIT, PATIENCE, Budget
from .model.classes import Thresholds
from .model.entropy import SMOOTHING, check_smoothing
from .model.kneser_ney import check_order
from .selection import KERNELS, NEED_CLASSES, NEED_COPIES, STRATEGIES
from .selection.checkpoint import EVERY
from .selection.eligible import Choice
from .text.reader import number_of_jobs
from .text.tokenizer import Tokenizer

VOCABULARIES = ("full", "classes")
UTILITIES = ("line", "word")
MOST_BUCKETS = 1 << 24
OF_SELECT = ("price", "money", "patience", "strategy", "vocabulary", "per", "min_count", "ratio_threshold")


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
    checkpoint: str | Path | None = None  # a folder for the picks so far
    checkpoint_every: float = EVERY  # seconds
    memory: int | None = None  # bytes

    def __post_init__(self) -> None:
        for name, value, known in (
            ("strategy", self.strategy, tuple(STRATEGIES)),
            ("vocabulary", self.vocabulary, VOCABULARIES),
            ("per", "line" if self.per is None else self.per, UTILITIES),
        ):
            if value not in known:
                raise CynicalError(f"--{name} {value}: no such thing; choose from {', '.join(known)}")
        check_smoothing(self.smoothing)
        if not self.checkpoint_every >= 0:
            raise CynicalError(f"--checkpoint-every must be a number of seconds, found {self.checkpoint_every!r}")
        number_of_jobs(self.jobs)

    @property
    def per_word(self) -> bool:
        """Does delta per word decide, not delta?"""
        return self.per == "word" or (self.per is None and self.budget.money is not None)

    @property
    def name(self) -> str:
        """What ranks the lines."""
        return "cynical"

    @property
    def needs_classes(self) -> bool:
        return self.vocabulary == "classes" or self.strategy in NEED_CLASSES

    @property
    def needs_copies(self) -> bool:
        return self.strategy in NEED_COPIES

    @property
    def kernel(self) -> str:
        """What takes longest to compile."""
        return KERNELS[self.strategy]

    @property
    def without_effect(self) -> list[str]:
        """Sentences on options that the method has no use for."""
        return []

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


@dataclass(frozen=True, slots=True)
class RankSettings(Settings):
    """The same for a baseline, which has an order of its own and no stopping rule: by default it ranks every line."""

    method: str = "random"
    random_seed: int | None = None
    buckets: int | None = None
    order: int | None = None  # of n-gram models

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise CynicalError(f"--method {self.method}: no such thing; choose from {', '.join(METHODS)}")
        if self.random_seed is not None:
            check_seed(self.random_seed)
        if self.buckets is not None and whole("buckets", self.buckets) > MOST_BUCKETS:
            raise CynicalError(f"--buckets must be at most {MOST_BUCKETS}, found {self.buckets}")
        if self.order is not None:
            check_order(self.order)
        if self.budget.open:
            object.__setattr__(self, "budget", replace(self.budget, all=True))
        Settings.__post_init__(self)

    @property
    def seed(self) -> int:
        return RANDOM_SEED if self.random_seed is None else int(self.random_seed)

    @property
    def number_of_buckets(self) -> int:
        return BUCKETS if self.buckets is None else int(self.buckets)

    @property
    def model_order(self) -> int:
        return ORDER if self.order is None else self.order

    @property
    def name(self) -> str:
        return self.method

    @property
    def needs_classes(self) -> bool:
        return False

    @property
    def needs_copies(self) -> bool:
        return False

    @property
    def kernel(self) -> str:
        return "follow"

    @property
    def without_effect(self) -> list[str]:
        unused = [
            option
            for option in METHOD_OPTIONS
            if getattr(self, option) is not None and option not in METHODS[self.method].options
        ]
        return [f"--{option.replace('_', '-')} has no effect with --method {self.method}" for option in unused]

    def as_dict(self) -> dict[str, Any]:
        own = {"random_seed": self.seed, "buckets": self.number_of_buckets, "order": self.model_order}
        used = METHODS[self.method].options
        return {
            "method": self.method,
            **{option: own[option] if option in used else None for option in METHOD_OPTIONS},
            **{name: value for name, value in Settings.as_dict(self).items() if name not in OF_SELECT},
        }


def check_seed(seed: int) -> None:
    if whole("random-seed", seed, 0) >= 1 << 64:
        raise CynicalError(f"--random-seed must be less than 2^64, found {seed}")


def _bounded(value: int | None) -> int | None:
    """A number that fits where numbers are written; beyond it there is no limit anyway."""
    return None if value is None else min(value, NO_LIMIT)


def _patience(budget: Budget) -> float | str | None:
    """As it was in force."""
    if not budget.open:
        return None
    patience = PATIENCE if budget.patience is None else budget.patience
    return "all" if patience == math.inf else patience
