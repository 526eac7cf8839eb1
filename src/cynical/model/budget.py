"""How much to pick. A budget is never exceeded, and what it gives is a prefix of the whole ranking."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ..checks import positive, whole
from ..errors import CynicalError

PATIENCE = 0.1
NO_LIMIT = 2**62


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


@dataclass(frozen=True, slots=True)
class Budget:
    """At most one of lines, words, share, all and money; with none, until the stopping point is known."""

    lines: int | None = None
    words: int | None = None
    share: float | None = None
    all: bool = False
    patience: float | None = None  # a share of AVAILABLE's words; math.inf for the end of the lines
    price: float | None = None  # of a word
    money: float | None = None

    def __post_init__(self) -> None:
        given = [f"--{name}" for name in ("lines", "words", "share") if getattr(self, name) is not None]
        given += ["--all"] if self.all else []
        given += ["--money"] if self.money is not None else []
        if len(given) > 1:
            raise CynicalError(f"{' and '.join(given)} contradict each other; give one of them")
        for name in ("lines", "words"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole(name, getattr(self, name)))
        if self.share is not None and not (isinstance(self.share, (int, float)) and 0 < self.share <= 1):
            raise CynicalError(f"--share must be more than 0 and at most 1 (0.1 is a tenth), found {self.share!r}")
        for name in ("price", "money"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(name, getattr(self, name)))
        if self.money is not None and self.price is None:
            raise CynicalError("--money needs to know what a word costs; give --price P too")
        if self.patience is not None and not self.patience > 0:
            raise CynicalError(
                f"--patience must be a share of the words that is more than 0, or 'all', found {self.patience:g}"
            )

    @property
    def open(self) -> bool:
        """True if the stopping point decides."""
        return all(given is None for given in (self.lines, self.words, self.share, self.money)) and not self.all

    def limits(self, available_words: int) -> Limits:
        words = NO_LIMIT if self.words is None else min(self.words, NO_LIMIT)
        if self.share is not None:
            words = share_of(self.share, available_words)
        if self.money is not None and self.price is not None:
            words = min(bought(self.money, self.price), NO_LIMIT)
        lines = NO_LIMIT if self.lines is None else min(self.lines, NO_LIMIT)
        return Limits(lines, words, self.patience_words(available_words))

    def patience_words(self, available_words: int) -> int:
        patience = PATIENCE if self.patience is None else self.patience
        if not self.open or patience == math.inf:
            return NO_LIMIT
        return min(math.ceil(patience * available_words), NO_LIMIT)

    @property
    def sentence(self) -> str:
        """As a person would say it."""
        if self.lines is not None:
            return f"--lines {self.lines}"
        if self.words is not None:
            return f"--words {self.words}"
        if self.share is not None:
            return f"--share {self.share:g}"
        if self.money is not None:
            return f"--money {self.money:g}"
        return "--all" if self.all else "the stopping point"


def share_of(share: float, words: int) -> int:
    """The most words that do not exceed a share; 0.1 is a tenth, not the double nearest to it."""
    return math.floor(Fraction(repr(float(share))) * words)


def bought(money: float, price: float) -> int:
    """How many words the money buys; 0.12 is twelve hundredths, not the double nearest to it."""
    return math.floor(Fraction(repr(float(money))) / Fraction(repr(float(price))))
