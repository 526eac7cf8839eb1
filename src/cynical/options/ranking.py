"""How lines are ranked, and which may be picked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ..errors import CynicalError, whole
from . import values
from .budget import bounded
from .declare import PICKED, RANKED, Group, option

if TYPE_CHECKING:
    from .settings import Settings

Strategy = Literal["exact", "word", "batch"]
Vocabulary = Literal["full", "classes"]
Per = Literal["line", "word"]
LengthPer = Literal["line", "side"]
Goal = Literal["coverage", "model"]

GOALS: dict[str, dict[str, Any]] = {  # what options are that were not given
    "coverage": {"per": None, "ngrams": 1, "widen": 0.0, "ngram_smoothing": 0.0},
    "model": {"per": "word", "ngrams": 2, "widen": 0.7, "ngram_smoothing": 5000.0},
}

FOR_MODEL = GOALS["model"]

NEED_CLASSES = ("word", "batch")  # strategies that go by the classes of words
NEED_COPIES = ("batch",)  # and that must know copies of lines

NO_WORDS = (
    "it would need a message to all machines for every pick; use --strategy exact, which picks better lines and "
    "needs one message for thousands of picks"
)  # why --strategy word is not available on a cluster

SMOOTHING = 0.01
LEAST_SMOOTHING, MOST_SMOOTHING = 1e-30, 1e9  # between these every gain fits its integer
LONGEST = 3  # n-grams
MIN_COUNT = 3
RATIO_THRESHOLD = math.e


def _smoothing(name: str, value: Any) -> float:
    if not value > 0:
        raise CynicalError(f"{name} must be more than 0, found {value:g}; try the default, {SMOOTHING}")
    if not LEAST_SMOOTHING <= value <= MOST_SMOOTHING:
        limits = f"{LEAST_SMOOTHING:g} and {MOST_SMOOTHING:g}"
        raise CynicalError(f"{name} must be between {limits}, found {value:g}; try the default, {SMOOTHING}")
    return float(value)


def _ngram_smoothing(name: str, value: Any) -> float:
    if not 0 <= value <= MOST_SMOOTHING:
        raise CynicalError(
            f"{name} must be between 0 and {MOST_SMOOTHING:g}, found {value:g}; 0 is off, --for model has "
            f"{FOR_MODEL['ngram_smoothing']:g}"
        )
    return float(value)


def check_ngrams(name: str, value: Any) -> int:
    if isinstance(value, (bool, float)) or value not in range(1, LONGEST + 1):
        raise CynicalError(f"{name} must be 1, 2 or 3, found {value}")
    return int(value)


def _ratio(name: str, value: Any) -> float:
    if not 1 <= value < math.inf:
        raise CynicalError(f"{name} must be at least 1, found {value}")
    return float(value)


def _finite(name: str, value: Any) -> float:
    if not -math.inf < value < math.inf:
        raise CynicalError(f"{name} must be a number, found {value:g}")
    return float(value)


def _strength(name: str, value: Any) -> float:
    if not 0 <= value < math.inf:
        raise CynicalError(f"{name} must be 0 or more, found {value:g}; 1 adds as much as the sample is likely to lack")
    return float(value)


@dataclass(frozen=True, slots=True)
class Ranking(Group):
    title: ClassVar[str] = RANKED

    strategy: Strategy = option(
        "How to find the next line. exact: the best of all lines. word, batch: the faster approximations of the "
        "paper, which take the best line of the best word, or several lines at once.",
        default="exact",
        commands=("select",),
        recorded=True,
        cluster=lambda value: NO_WORDS if value == "word" else "",
    )
    vocabulary: Vocabulary = option(
        "What is counted. full: every word of REPRESENTATIVE. classes: useful words individually, all other words by "
        "their class.",
        default="full",
        commands=("select", "score"),
        recorded=True,
        short="vocab",
    )
    for_: Goal = option(
        "Purpose of the picks. coverage: cover the words of REPRESENTATIVE, as in the paper. model: train a language "
        f"model; a shorthand for --ngrams {FOR_MODEL['ngrams']} --per {FOR_MODEL['per']} --widen "
        f"{FOR_MODEL['widen']:g} --ngram-smoothing {FOR_MODEL['ngram_smoothing']:g}, each of which you can override.",
        default="coverage",
        commands=("select", "score"),
        usual=True,
    )
    per: Per | None = option(
        "What lines are ranked by. line: delta, the change in bits that a line makes. word: delta per word, for a "
        "budget in words.",
        default_help="line; word with --money (except with --price-per line) or --for model",
        commands=("select", "score"),
        recorded=lambda settings: "word" if settings.per_word else "line",
    )
    ngrams: int = option(
        "Longest n-grams to count: 1 is single words, 2 adds word pairs, 3 adds triples.",
        metavar="N",
        default_help="1; 2 with --for model",
        check=check_ngrams,
        recorded=True,
        short="n",
    )
    widen: float = option(
        "Add words to REPRESENTATIVE that a sample of its size misses, from lines of AVAILABLE that a classifier "
        "finds similar; F times the amount estimated from REPRESENTATIVE (--widen alone: 1).",
        metavar="F",
        default_help=f"0, off; {FOR_MODEL['widen']:g} with --for model",
        commands=("select", "score"),
        check=_strength,
        recorded=True,
        bare=1.0,
    )
    prior_weight: float = option(
        "Factor for the numbers of --prior.",
        metavar="F",
        default=1.0,
        commands=("select",),
        check=_finite,
        recorded=True,
    )
    smoothing: float = option(
        "Number that is added to every count of the model.",
        metavar="F",
        default=SMOOTHING,
        check=_smoothing,
        recorded=True,
    )
    ngram_smoothing: float = option(
        "Smooth n-grams towards what independent words would give, as if the model had seen N more n-grams of each "
        "length whose last word does not depend on the words before it.",
        metavar="N",
        default_help=f"0, off; {FOR_MODEL['ngram_smoothing']:g} with --for model",
        commands=("select", "score"),
        check=_ngram_smoothing,
        recorded=lambda settings: 0.0 if settings.ranking.ngrams == 1 else settings.ranking.ngram_smoothing,
        no_effect=lambda settings: "with --ngrams 1" if settings.ranking.ngrams == 1 else "",
    )

    def check(self) -> None:
        for name, value in GOALS[self.for_].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)


def without_classes(settings: Settings) -> str:
    """Why thresholds of classes have no effect."""
    return "" if settings.needs_classes else "with --strategy exact and --vocabulary full"


@dataclass(frozen=True, slots=True)
class Thresholds(Group):
    """What decides the class of a word."""

    title: ClassVar[str] = RANKED

    min_count: int = option(
        "Words that occur less often than this in both texts are classed as dubious.",
        metavar="N",
        default=MIN_COUNT,
        commands=("select", "words", "score"),
        check=values.whole_from_0,
        recorded=True,
        no_effect=without_classes,
    )
    ratio_threshold: float = option(
        "Words that are more than this many times as frequent in REPRESENTATIVE are classed as useful.",
        metavar="F",
        default=RATIO_THRESHOLD,
        default_help="e, 2.718",
        commands=("select", "words", "score"),
        check=_ratio,
        recorded=True,
        short="ratio",
        no_effect=without_classes,
    )


def _no_length(eligibility: Eligibility) -> str:
    """Why --length-per has no effect."""
    unlimited = eligibility.min_length is None and eligibility.max_length is None
    return "without --min-length and --max-length" if unlimited else ""


@dataclass(frozen=True, slots=True)
class Eligibility(Group):
    """Bounds on lines; None where there is none."""

    title: ClassVar[str] = PICKED

    min_length: int | None = option(
        "Exclude lines of fewer than N words.",
        metavar="N",
        check=whole,
        recorded=lambda settings: bounded(settings.eligibility.min_length),
    )
    max_length: int | None = option(
        "Exclude lines of more than N words.",
        metavar="N",
        check=whole,
        recorded=lambda settings: bounded(settings.eligibility.max_length),
    )
    length_per: LengthPer = option(
        "What --min-length and --max-length apply to if several sides count. line: the sum of all sides. side: every "
        "side by itself.",
        default="line",
        recorded=True,
        no_effect=lambda settings: _no_length(settings.eligibility),
    )
    max_copies: int | None = option(
        "Pick at most K copies of the same line.",
        metavar="K",
        check=whole,
        recorded=lambda settings: bounded(settings.eligibility.max_copies),
    )
    exclude_ngrams: int | None = option(
        "Exclude lines or documents that share N consecutive words, for example 13, with a line of --exclude. "
        "Shorter lines of --exclude are compared as a whole.",
        metavar="N",
        check=whole,
        recorded=lambda settings: bounded(settings.eligibility.exclude_ngrams),
        default_help="compare whole lines",
    )
    among: float | None = option(
        "Pick only from the lines that --by ranks best, up to this fraction of AVAILABLE's words.",
        metavar="F",
        commands=("select",),
        check=values.share,
        recorded=True,
    )
    max_share_of_document: float | None = option(
        "Pick at most this fraction of the words of each document; lines are parts of documents with --unit.",
        metavar="F",
        commands=("select",),
        check=values.share,
        recorded=True,
    )

    def check(self) -> None:
        if self.min_length and self.max_length and self.min_length > self.max_length:
            raise CynicalError(
                f"--min-length {self.min_length} and --max-length {self.max_length} leave no possible length"
            )
