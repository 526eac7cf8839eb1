"""Other methods to rank by, and how rankings are measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from ..errors import CynicalError, whole
from . import values
from .declare import MEASURED, RANKED, Group, option

if TYPE_CHECKING:
    from .settings import Settings

MethodName = Literal["random", "in-order", "longest", "dsir", "classifier", "moore-lewis", "bilingual-moore-lewis"]
LanguageModelName = Literal["own", "kenlm"]

METHODS: tuple[str, ...] = get_args(MethodName)
NGRAM_MODELS = ("moore-lewis", "bilingual-moore-lewis")
USED_BY = {  # options of which only some methods have a use
    "random_seed": ("random", "dsir", "classifier", *NGRAM_MODELS),
    "buckets": ("dsir",),
    "order": NGRAM_MODELS,
}
RANDOM_SEED, BUCKETS, METHOD_ORDER = 0, 10_000, 3
MOST_BUCKETS = 1 << 24
ORDER, LONGEST_ORDER = 4, 5
POINTS, MOST_POINTS = 20, 1000
MOST_WORDS = 10**12


def check_order(name: str, value: Any) -> int:
    if isinstance(value, bool) or value not in range(1, LONGEST_ORDER + 1):
        raise CynicalError(f"{name} must be 1 to {LONGEST_ORDER}, found {value}")
    return int(value)


def _in_force(name: str) -> Callable[[Settings], int | None]:
    """The value or default of a method's option; None for a method that does not use it."""
    return lambda settings: None if settings.baseline is None else settings.baseline.in_force(name)


def _unused(name: str) -> Callable[[Settings], str]:
    def why(settings: Settings) -> str:
        used = settings.baseline is None or settings.baseline.uses(name)
        return "" if used or settings.baseline is None else f"with --method {settings.baseline.method}"

    return why


@dataclass(frozen=True, slots=True)
class Method(Group):
    """A method that gives lines an order of its own."""

    title: ClassVar[str] = RANKED

    method: MethodName = option(
        "Method to rank by (see above).",
        metavar="NAME",
        default="random",
        required=True,
        usual=True,
        recorded=True,
    )
    random_seed: int | None = option(
        "Seed of the random number generator.",
        metavar="N",
        default_help=f"{RANDOM_SEED}",
        check=values.random_seed,
        recorded=_in_force("random_seed"),
        short="seed",
        no_effect=_unused("random_seed"),
    )
    buckets: int | None = option(
        "Number of hash buckets for dsir.",
        metavar="N",
        default_help=f"{BUCKETS}",
        check=partial(whole, most=MOST_BUCKETS),
        recorded=_in_force("buckets"),
        no_effect=_unused("buckets"),
    )
    order: int | None = option(
        f"Longest n-grams of the Moore-Lewis models, 1 to {LONGEST_ORDER}.",
        metavar="N",
        default_help=f"{METHOD_ORDER}",
        check=check_order,
        recorded=_in_force("order"),
        no_effect=_unused("order"),
    )

    @property
    def seed(self) -> int:
        return RANDOM_SEED if self.random_seed is None else self.random_seed

    @property
    def number_of_buckets(self) -> int:
        return BUCKETS if self.buckets is None else self.buckets

    @property
    def model_order(self) -> int:
        return METHOD_ORDER if self.order is None else self.order

    def uses(self, name: str) -> bool:
        return self.method in USED_BY[name]

    def in_force(self, name: str) -> int | None:
        """The value of an option, or its default, if the method uses it."""
        values = {"random_seed": self.seed, "buckets": self.number_of_buckets, "order": self.model_order}
        return values[name] if self.uses(name) else None


@dataclass(frozen=True, slots=True)
class Measure(Group):
    """How prefixes of a ranking are measured."""

    title: ClassVar[str] = MEASURED

    order: int = option(
        f"Longest n-grams of the language model, 1 to {LONGEST_ORDER}.", metavar="N", default=ORDER, check=check_order
    )
    lm: LanguageModelName = option(
        "Language models to train. own: built in. kenlm: KenLM's lmplz and query, which must be on the PATH.",
        default="own",
    )
    points: int = option(
        "Number of prefixes to measure, each 1.4 times as long as the previous one.",
        metavar="N",
        default=POINTS,
        commands=("evaluate",),
        check=partial(whole, most=MOST_POINTS),
    )
    at: tuple[int, ...] = option(
        "Lengths of the prefixes to measure, in words, instead of --points.",
        metavar="WORDS,...",
        default=(),
        commands=("evaluate",),
        check=values.listed(values.whole_number, "whole numbers separated by commas, for example 10000,100k"),
    )
    vocabulary_size: int | None = option(
        "Number of words in the language, including unknown words. Use the same number for rankings that you compare.",
        metavar="N",
        default_help="word types in the whole ranking, plus 2",
        commands=("evaluate",),
        check=partial(whole, most=MOST_WORDS),
    )

    def check(self) -> None:
        for words in self.at:
            whole("--at", words)
        if self.lm == "kenlm" and self.order == 1:
            raise CynicalError(
                "--order 1: KenLM cannot train unigram models; omit --lm kenlm, or give --order 2 or more"
            )
