"""How much to pick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from ..errors import CynicalError, positive, whole
from . import values
from .declare import HOW_MUCH, Group, option

if TYPE_CHECKING:
    from .settings import Settings

StopBy = Literal["entropy", "model"]
PricePer = Literal["word", "token", "character", "line"]

PATIENCE = 0.1
NO_LIMIT = 2**62  # beyond it there is no limit


def _no_patience(settings: Settings) -> str:
    """Why --patience has no effect."""
    if not settings.budget.open:
        return f"with {settings.budget.sentence}"
    return "with --stop model" if settings.stop == "model" else ""


@dataclass(frozen=True, slots=True)
class Budget(Group):
    """At most one of lines, words, share, all and money; with none, until the stopping point is known."""

    title: ClassVar[str] = HOW_MUCH

    lines: int | None = option(
        "Pick at most N lines.",
        metavar="N",
        usual=True,
        check=whole,
        recorded=lambda settings: bounded(settings.budget.lines),
    )
    words: int | None = option(
        "Pick lines with at most N words in total, for example 10M (tokens, if the tokenizer makes tokens).",
        flags=("--words", "--tokens"),
        metavar="N",
        usual=True,
        check=whole,
        recorded=lambda settings: bounded(settings.budget.words),
    )
    share: float | None = option(
        "Pick lines with at most this fraction of AVAILABLE's words, for example 0.1 or 10%.",
        metavar="F",
        usual=True,
        read=values.typed_share,
        check=values.share,
        recorded=lambda settings: None if settings.budget.share is None else float(settings.budget.share),
    )
    all: bool = option("Rank every line.", default=False, commands=("select", "rank"), recorded=True)
    price: float | None = option(
        "Price per word, or per unit that --price-per names. Every side of parallel text that counts is paid for.",
        metavar="P",
        commands=("select", "cut"),
        check=positive,
        recorded=True,
    )
    price_per: PricePer | None = option(
        "Unit that --price applies to. word: anything between spaces; punctuation by itself is free. token: whatever "
        "the tokenizer makes. character: spaces included. line: one line, or one pair of lines.",
        default_help="word",
        commands=("select", "cut"),
        recorded=lambda settings: None if settings.budget.price is None else settings.budget.paid_per,
        no_effect=lambda settings: "without --price" if settings.budget.price is None else "",
    )
    price_with: float | None = option(
        "Price on the other sides that count, if it differs.",
        metavar="P",
        default_help="--price",
        commands=("select", "cut"),
        check=positive,
        recorded=True,
        no_effect=lambda settings: "without --price" if settings.budget.price is None else "",
    )
    money: float | None = option(
        "Spend at most M, at --price. Lines are then ranked per word (per line with --price-per line) unless --per "
        "is given.",
        metavar="M",
        commands=("select", "cut"),
        check=positive,
        recorded=True,
    )
    currency: str | None = option(
        "Name of the currency to show, for example EUR; nothing is converted.",
        metavar="NAME",
        commands=("select", "cut"),
        check=values.currency,
        no_effect=lambda settings: "without --price" if settings.budget.price is None else "",
    )
    patience: float | str | None = option(
        "Without a budget, stop when the entropy has reached no new minimum for this fraction of AVAILABLE's words. "
        "all: rank every line.",
        metavar="F|all",
        default_help=f"{PATIENCE}",
        commands=("select",),
        check=values.patience,
        recorded=lambda settings: settings.budget.patience_in_force,
        no_effect=lambda settings: _no_patience(settings),
    )
    stop: StopBy | None = option(
        "How to choose the stopping point without a budget. entropy: where the entropy of single words is lowest. "
        "model: where an n-gram model trained on the picks is best on a tenth of REPRESENTATIVE, which a first "
        "ranking holds out.",
        default_help="entropy; model with n-grams",
        commands=("select",),
        recorded=lambda settings: settings.stop,
    )

    def check(self) -> None:
        given = [f"--{name}" for name in ("lines", "words", "share") if getattr(self, name) is not None]
        given += ["--all"] if self.all else []
        given += ["--money"] if self.money is not None else []
        if len(given) > 1:
            raise CynicalError(f"{' and '.join(given)} cannot be combined; give one of them")
        if self.price_with is not None and self.price_per == "token":
            raise CynicalError(
                "--price-with and --price-per token cannot be combined: tokens are counted over all sides together; "
                "give --price-per word or --price-per character"
            )

    @property
    def open(self) -> bool:
        """True if the stopping point decides."""
        return all(given is None for given in (self.lines, self.words, self.share, self.money)) and not self.all

    @property
    def notices(self) -> list[str]:
        """What may be a slip."""
        if isinstance(self.share, int):
            return ["--share 1 is the whole of AVAILABLE; give 1% or 0.01 for a hundredth"]
        return []

    @property
    def paid_by_text(self) -> bool:
        """Does the text of a line decide what it costs, not the tokens that it has?"""
        return self.paid_per in ("word", "character") or self.price_with is not None

    @property
    def paid_per(self) -> PricePer:
        """What has the price."""
        return self.price_per or "word"

    @property
    def patience_or_default(self) -> float:
        """A share of AVAILABLE's words; infinite if there is no end to it."""
        return PATIENCE if self.patience is None else float(self.patience)

    @property
    def patience_in_force(self) -> float | str | None:
        """For the summary: nothing where a budget decides."""
        if not self.open:
            return None
        return "all" if self.patience_or_default == math.inf else self.patience_or_default

    @property
    def sentence(self) -> str:
        """As it would be typed."""
        if self.lines is not None:
            return f"--lines {self.lines}"
        if self.words is not None:
            return f"--words {self.words}"
        if self.share is not None:
            return f"--share {self.share:g}"
        if self.money is not None:
            return f"--money {shortest(self.money)}"
        return "--all" if self.all else "the stopping point"

    @property
    def with_price(self) -> str:
        """The same, with the price of what money buys if one is given."""
        if self.money is None or self.price is None:
            return self.sentence
        other = "" if self.price_with is None else f" --price-with {shortest(self.price_with)}"
        return f"{self.sentence} --price {shortest(self.price)} --price-per {self.paid_per}{other}"


def shortest(amount: float) -> str:
    """An amount of money with no more digits than it has."""
    return repr(amount).removesuffix(".0")


def bounded(value: int | None) -> int | None:
    """A number that fits where numbers are written."""
    return None if value is None else min(value, NO_LIMIT)
