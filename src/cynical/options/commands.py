"""Options that one command alone has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from ..errors import CynicalError, positive, whole
from . import values
from .corpora import Format
from .declare import GOES_IN, HOW_MUCH, MEASURED, OUTPUT, RANKED, READ, Group, option, output_option
from .method import RANDOM_SEED
from .ranking import check_ngrams

SHARES = (0.003, 0.01, 0.03, 0.1)
HELD_OUT = ("-t", "--held-out", "--heldout", "--test")
PICTURE_WIDTH = 5.0
MOST_SEEDS = 100


def _width(name: str, value: Any) -> float:
    if not 1 <= value <= 50:
        raise CynicalError(f"{name} must be between 1 and 50 inches, found {value:g}")
    return float(value)


def _names(name: str, value: Any) -> tuple[str, ...]:
    """Names with commas between, each of which may be several."""
    given = [value] if isinstance(value, str) else value
    return tuple(one.strip() for names in given for one in str(names).split(",") if one.strip())


@dataclass(frozen=True, slots=True)
class Counting(Group):
    """Of `count`."""

    title: ClassVar[str] = OUTPUT

    output: str = output_option(
        "Write the counts here; - is standard output.",
        metavar="OUT.counts",
        default="-",
        required=True,
        python=False,
    )
    fold_below: int = option(
        "Fold words seen fewer than K times into one total, so that nobody can read them.",
        metavar="K",
        default=1,
        check=whole,
        python=False,
    )
    ngrams: int = option(
        "Count n-grams up to N words long too, for `select --ngrams N`.",
        metavar="N",
        default=1,
        section=READ,
        check=check_ngrams,
    )
    merge: bool = option(
        "Add counts: CORPUS is .counts files of parts of a text. The result is what counting the whole text gives.",
        default=False,
        section=GOES_IN,
    )


@dataclass(frozen=True, slots=True)
class Listing(Group):
    """Of `words`."""

    title: ClassVar[str] = GOES_IN

    representative: tuple[str, ...] = option(
        "The language you want: a text or a .counts file.",
        flags=("-r",),
        metavar="REPR",
        default=(),
        usual=True,
        required=True,
        repeat=True,
        path=True,
    )
    unadapted: tuple[str, ...] = option(
        "The language you have: a text or a .counts file.",
        flags=("-u",),
        metavar="UNADAPTED",
        default=(),
        default_help="AVAILABLE",
        usual=True,
        repeat=True,
        path=True,
    )
    available: tuple[str, ...] = option(
        "The lines to choose from.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        default_help="UNADAPTED",
        usual=True,
        repeat=True,
        path=True,
    )
    output: str = output_option(
        "Write the table here; - is standard output.",
        default="-",
        python=False,
    )

    def check(self) -> None:
        if not self.unadapted and not self.available:
            raise CynicalError("give -u UNADAPTED, -a AVAIL or both: words are compared with the language you have")
        if len(self.representative) > 1:
            raise CynicalError("-r was given twice; words has one target, give one file or a pattern")


@dataclass(frozen=True, slots=True)
class Cutting(Group):
    """Of `cut`."""

    title: ClassVar[str] = OUTPUT

    stop: bool = option(
        "Cut at the stopping point: where the entropy is lowest.", default=False, section=HOW_MUCH, usual=True
    )
    output: str = output_option(
        "Write what is kept here; - is standard output.",
        default="-",
        required=True,
        python=False,
    )
    format: Format | None = option("Format of OUT.", default_help="by its suffix, else tsv", python=False)


@dataclass(frozen=True, slots=True)
class Figures(Group):
    """Where the figures of `evaluate` and `compare` go."""

    title: ClassVar[str] = OUTPUT

    json: str | None = option(
        "Write the figures here too, as JSON; - is standard output.", metavar="FILE", path=True, python=False
    )
    csv: str | None = option(
        "Write the table here too, as CSV; - is standard output.", metavar="FILE", path=True, python=False
    )
    latex: str | None = option(
        "Write the table here too, as LaTeX for a paper (booktabs); - is standard output.",
        metavar="FILE",
        path=True,
        commands=("compare",),
        python=False,
    )
    report: str | None = option(
        "Write a page to look at: the methods' curves, and the best cynical ranking.",
        metavar="FILE.html",
        path=True,
        commands=("compare",),
        python=False,
    )


@dataclass(frozen=True, slots=True)
class Evaluating(Group):
    """Of `evaluate`."""

    title: ClassVar[str] = GOES_IN

    held_out: str = option(
        "Text of the language you want that was not used to rank.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        default="",
        usual=True,
        required=True,
        path=True,
    )
    representative: str | None = option(
        "Measure how much of this text's vocabulary is covered.",
        flags=("-r",),
        metavar="REPR",
        default_help="what the ranking was made with",
        path=True,
    )
    available: tuple[str, ...] = option(
        "Take the lines from here, if RANKING is a list of line numbers.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        repeat=True,
        path=True,
    )
    side: str | None = option(
        "Measure this side of a parallel ranking, on HELDOUT of that language.",
        metavar="NAME",
        default_help="that of AVAILABLE",
    )


@dataclass(frozen=True, slots=True)
class Comparing(Group):
    """Of `compare`."""

    title: ClassVar[str] = MEASURED

    held_out: str | None = option(
        "Text of the language you want, to measure on.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        default_help="a tenth of REPRESENTATIVE, held out",
        usual=True,
        path=True,
    )
    held_out_with: tuple[str, ...] = option(
        "The other side of HELDOUT, line for line, so that both sides are judged. Repeat it for more sides.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    side: str | None = option(
        "Judge this side of parallel text, on HELDOUT of that language; both: all sides of HELDOUT.",
        metavar="NAME",
        default_help="that of AVAILABLE",
    )
    shares: tuple[float, ...] = option(
        "Budgets, as shares of AVAILABLE's words.",
        metavar="F,...",
        default=SHARES,
        section=HOW_MUCH,
        usual=True,
        check=values.listed(float, "fractions with commas between, say 0.01,0.1"),
    )
    methods: tuple[str, ...] = option(
        "Methods to compare, with commas between: cynical (single words), cynical-per-word, cynical-2-grams (per "
        "word), cynical-for-model (widened), cynical-batch (the paper's setting), moore-lewis, bilingual-moore-lewis "
        "(both sides), classifier, dsir, random, longest, in-order.",
        flags=("--methods", "--method"),
        metavar="NAME,...",
        default=(),
        default_help="all that fit, without cynical-per-word and cynical-batch",
        section=RANKED,
        repeat=True,
        check=_names,
    )
    lists: tuple[str, ...] = option(
        "Measure what another tool picked too, best first: a text, a ranking, or line numbers from 1 (.ids).",
        flags=("--list",),
        metavar="FILE",
        default=(),
        section=RANKED,
        repeat=True,
        path=True,
    )
    random_seed: int = option(
        "Start the random numbers from N.",
        metavar="N",
        default=RANDOM_SEED,
        section=RANKED,
        check=values.random_seed,
    )

    seeds: int = option(
        "Rank N times by each method that draws random numbers, with seeds from --random-seed on; the mean and the "
        "standard deviation are shown.",
        metavar="N",
        default=1,
        section=RANKED,
        check=partial(whole, most=MOST_SEEDS),
    )

    def check(self) -> None:
        if self.held_out_with and self.held_out is None:
            raise CynicalError("--held-out-with is the other side of HELDOUT, but there is none; give -t FILE too")
        values.random_seed("--random-seed plus --seeds", self.random_seed + self.seeds - 1)
        if not self.shares:
            raise CynicalError("--shares: give at least one share of AVAILABLE's words, say 0.01")
        for one in self.shares:
            values.share("--shares", one)


@dataclass(frozen=True, slots=True)
class Reporting(Group):
    """Of `report`."""

    title: ClassVar[str] = GOES_IN

    output: str | None = output_option(
        "Write the page here; - is standard output.",
        metavar="PAGE.html",
        default_help="JADED.html",
    )
    representative: tuple[str, ...] = option(
        "The language you want: a text or a .counts file.",
        flags=("-r",),
        metavar="REPR",
        default=(),
        default_help="the files that JADED's summary names",
        repeat=True,
        path=True,
    )
    held_out: str | None = option(
        "Text of the language you want that was not used to rank: shows which of its words are unknown, and which cut "
        "predicts it best.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        path=True,
    )
    available: tuple[str, ...] = option(
        "The text that was picked from: for words by class, and labels.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        default_help="the files that JADED's summary names",
        repeat=True,
        path=True,
    )
    seed: tuple[str, ...] = option(
        "What has been selected already: a text, a .counts file or a ranking.",
        flags=("-s",),
        metavar="SEED",
        default=(),
        default_help="the files that JADED's summary names",
        repeat=True,
        path=True,
    )
    label_key: str | None = option("Label lines by this field of records, or column of JADED.", metavar="KEY")
    labels: str | None = option("Label each line of AVAILABLE by a line of this file, say its domain.",
        metavar="FILE", path=True)  # fmt: skip
    evaluation: str | None = option(
        "Show what `cynical evaluate --json FILE` wrote of JADED.", metavar="FILE", path=True
    )
    price: float | None = option(
        "Price of a word.",
        metavar="P",
        default_help="as in JADED's summary",
        section=HOW_MUCH,
        check=positive,
    )


@dataclass(frozen=True, slots=True)
class Plotting(Group):
    """Of `plot`."""

    title: ClassVar[str] = OUTPUT

    output: str = output_option(
        "Write the picture here.",
        metavar="CURVE.png|svg|pdf",
        default="",
        required=True,
    )
    label: tuple[str, ...] = option(
        "Name of a ranking; once for each.", metavar="NAME", default=(), default_help="its file's name", repeat=True
    )
    evaluation: tuple[str, ...] = option(
        "Draw what `cynical evaluate --json FILE` wrote; once for each ranking, in the same order.",
        metavar="FILE",
        default=(),
        section=GOES_IN,
        repeat=True,
        path=True,
    )
    width: float = option("Width of the picture.", metavar="INCHES", default=PICTURE_WIDTH, check=_width)
    text_key: str | None = option(
        "Take the text from this field of JSON lines.", metavar="KEY", default_help="text", section=READ
    )


@dataclass(frozen=True, slots=True)
class Demonstration(Group):
    """Of `demo`."""

    title: ClassVar[str] = OUTPUT

    output: str = option("Write the files here.", flags=("-o",), metavar="FOLDER", default="cynical-demo", path=True)
    lines: int = option(
        "Pick N lines, at least 100.", metavar="N", default=1000, section=HOW_MUCH, check=partial(whole, least=100)
    )
    open: bool | None = option("Open the page in a browser.", default_help="ask, where there is a screen")
