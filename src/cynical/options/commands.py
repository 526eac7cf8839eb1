"""Options of a single command."""

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
    """Names separated by commas; each value may hold several."""
    given = [value] if isinstance(value, str) else value
    return tuple(one.strip() for names in given for one in str(names).split(",") if one.strip())


@dataclass(frozen=True, slots=True)
class Counting(Group):
    """Of `count`."""

    title: ClassVar[str] = OUTPUT

    output: str = output_option(
        "File for the counts; - is standard output.",
        metavar="OUT.counts",
        default="-",
        required=True,
        python=False,
    )
    fold_below: int = option(
        "Replace words seen fewer than K times by one total, so that they cannot be read from the file.",
        metavar="K",
        default=1,
        check=whole,
        python=False,
    )
    ngrams: int = option(
        "Also count n-grams of up to N words, for `select --ngrams N`.",
        metavar="N",
        default=1,
        section=READ,
        check=check_ngrams,
    )
    merge: bool = option(
        "Add up .counts files: CORPUS names the counts of the parts of a text. The result is the same as counting "
        "the whole text.",
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
        "File for the table; - is standard output.",
        default="-",
        python=False,
    )

    def check(self) -> None:
        if not self.unadapted and not self.available:
            raise CynicalError("words are compared with the language you have; give -u UNADAPTED, -a AVAIL or both")
        if len(self.representative) > 1:
            raise CynicalError(
                "-r was given more than once; `cynical words` takes one target: give one file or a pattern"
            )


@dataclass(frozen=True, slots=True)
class Cutting(Group):
    """Of `cut`."""

    title: ClassVar[str] = OUTPUT

    stop: bool = option(
        "Cut at the stopping point: where a model of the picks is best if `select` looked for it, else where the "
        "entropy is lowest.",
        default=False,
        section=HOW_MUCH,
        usual=True,
    )
    output: str = output_option(
        "File for the lines that are kept; - is standard output.",
        default="-",
        required=True,
        python=False,
    )
    format: Format | None = option("Format of OUT.", default_help="from the suffix of OUT, else tsv", python=False)


@dataclass(frozen=True, slots=True)
class Figures(Group):
    """Where the figures of `evaluate` and `compare` go."""

    title: ClassVar[str] = OUTPUT

    json: str | None = option(
        "Also write the figures to this file, as JSON; - is standard output.", metavar="FILE", path=True, python=False
    )
    csv: str | None = option(
        "Also write the table to this file, as CSV; - is standard output.", metavar="FILE", path=True, python=False
    )
    latex: str | None = option(
        "Also write the table to this file, as LaTeX (booktabs); - is standard output.",
        metavar="FILE",
        path=True,
        commands=("compare",),
        python=False,
    )
    report: str | None = option(
        "Write an HTML page with the curves of all methods and the best cynical ranking.",
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
        "Text in the language you want that was not used for ranking.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        default="",
        usual=True,
        required=True,
        path=True,
    )
    representative: str | None = option(
        "Text whose vocabulary coverage is measured.",
        flags=("-r",),
        metavar="REPR",
        default_help="the REPRESENTATIVE of the ranking",
        path=True,
    )
    available: tuple[str, ...] = option(
        "Text to take the lines from, if RANKING is a list of line numbers.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        repeat=True,
        path=True,
    )
    side: str | None = option(
        "Side of a parallel ranking to measure; HELDOUT must be in that language.",
        metavar="NAME",
        default_help="the side of AVAILABLE",
    )


@dataclass(frozen=True, slots=True)
class Comparing(Group):
    """Of `compare`."""

    title: ClassVar[str] = MEASURED

    held_out: str | None = option(
        "Text in the language you want, to measure on.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        default_help="a tenth of REPRESENTATIVE, held out",
        usual=True,
        path=True,
    )
    held_out_with: tuple[str, ...] = option(
        "The other side of HELDOUT, line by line, so that both sides are measured. Repeat for more sides.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    side: str | None = option(
        "Side of parallel text to measure; HELDOUT must be in that language. both: all sides of HELDOUT.",
        metavar="NAME",
        default_help="the side of AVAILABLE",
    )
    shares: tuple[float, ...] = option(
        "Budgets, as fractions of AVAILABLE's words, for example 0.01,0.1 or 1%,10%.",
        metavar="F,...",
        default=SHARES,
        section=HOW_MUCH,
        usual=True,
        check=values.listed(values.real_number, "fractions separated by commas, for example 0.01,0.1 or 1%,10%"),
    )
    methods: tuple[str, ...] = option(
        "Methods to compare, separated by commas: cynical (single words), cynical-per-word, cynical-2-grams (per "
        "word), cynical-for-model (widened), cynical-batch (the paper's setting), moore-lewis, bilingual-moore-lewis "
        "(both sides), classifier, dsir, random, longest, in-order.",
        flags=("--methods", "--method"),
        metavar="NAME,...",
        default=(),
        default_help="every method that fits the data except cynical-per-word and cynical-batch",
        section=RANKED,
        repeat=True,
        check=_names,
    )
    lists: tuple[str, ...] = option(
        "Also measure what another tool picked, best first: a text, a ranking, or line numbers starting at 1 (.ids). "
        "Repeatable.",
        flags=("--list",),
        metavar="FILE",
        default=(),
        section=RANKED,
        repeat=True,
        path=True,
    )
    random_seed: int = option(
        "Seed of the random number generator.",
        metavar="N",
        default=RANDOM_SEED,
        section=RANKED,
        check=values.random_seed,
    )

    seeds: int = option(
        "Run each method that uses random numbers N times, with seeds --random-seed, --random-seed + 1 and so on, "
        "and show the mean and standard deviation. With --subsample, run every method N times.",
        metavar="N",
        default=1,
        section=RANKED,
        check=partial(whole, most=MOST_SEEDS),
    )
    subsample: float = option(
        "Rank for a random fraction F of the lines of REPRESENTATIVE, for example 0.9 or 90%; each of the --seeds "
        "draws another one. The intervals then include how much the picks change when REPRESENTATIVE changes a little.",
        metavar="F",
        default=1.0,
        default_help="1, all lines",
        section=RANKED,
        check=values.share,
    )

    def check(self) -> None:
        if self.held_out_with and self.held_out is None:
            raise CynicalError("--held-out-with is the other side of HELDOUT, but HELDOUT is missing; give -t FILE too")
        values.random_seed("--random-seed plus --seeds", self.random_seed + self.seeds - 1)
        if not self.shares:
            raise CynicalError("--shares is empty; give at least one fraction of AVAILABLE's words, for example 0.01")
        object.__setattr__(self, "shares", tuple(values.share("--shares", one) for one in self.shares))


@dataclass(frozen=True, slots=True)
class Reporting(Group):
    """Of `report`."""

    title: ClassVar[str] = GOES_IN

    output: str | None = output_option(
        "File for the page; - is standard output.",
        metavar="PAGE.html",
        default_help="JADED.html",
    )
    representative: tuple[str, ...] = option(
        "The language you want: a text or a .counts file.",
        flags=("-r",),
        metavar="REPR",
        default=(),
        default_help="the files named in JADED's summary",
        repeat=True,
        path=True,
    )
    held_out: str | None = option(
        "Text in the language you want that was not used for ranking. The page shows which of its words are unknown "
        "and which cut predicts it best.",
        flags=HELD_OUT,
        metavar="HELDOUT",
        path=True,
    )
    available: tuple[str, ...] = option(
        "The text that was picked from, for the table of word classes and for labels.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        default_help="the files named in JADED's summary",
        repeat=True,
        path=True,
    )
    seed: tuple[str, ...] = option(
        "Lines that were selected before: a text, a .counts file or a ranking.",
        flags=("-s",),
        metavar="SEED",
        default=(),
        default_help="the files named in JADED's summary",
        repeat=True,
        path=True,
    )
    label_key: str | None = option("Field of records, or column of JADED, that labels the lines.", metavar="KEY")
    labels: str | None = option("File with one label, for example a domain, for each line of AVAILABLE.",
        metavar="FILE", path=True)  # fmt: skip
    evaluation: str | None = option(
        "Evaluation of JADED to show, written by `cynical evaluate --json FILE`.", metavar="FILE", path=True
    )
    price: float | None = option(
        "Price per word.",
        metavar="P",
        default_help="from JADED's summary",
        section=HOW_MUCH,
        check=positive,
    )


@dataclass(frozen=True, slots=True)
class Plotting(Group):
    """Of `plot`."""

    title: ClassVar[str] = OUTPUT

    output: str = output_option(
        "File for the plot.",
        metavar="CURVE.png|svg|pdf",
        default="",
        required=True,
    )
    label: tuple[str, ...] = option(
        "Name of a ranking in the legend; give one for each ranking.",
        metavar="NAME",
        default=(),
        default_help="the name of its file",
        repeat=True,
    )
    evaluation: tuple[str, ...] = option(
        "Evaluation to draw, written by `cynical evaluate --json FILE`; give one for each ranking, in the same order.",
        metavar="FILE",
        default=(),
        section=GOES_IN,
        repeat=True,
        path=True,
    )
    width: float = option("Width of the plot.", metavar="INCHES", default=PICTURE_WIDTH, check=_width)
    text_key: str | None = option(
        "Field of JSON lines that holds the text.", metavar="KEY", default_help="text", section=READ
    )


@dataclass(frozen=True, slots=True)
class Demonstration(Group):
    """Of `demo`."""

    title: ClassVar[str] = OUTPUT

    output: str = option("Folder for the files.", flags=("-o",), metavar="FOLDER", default="cynical-demo", path=True)
    lines: int = option(
        "Number of lines to pick, at least 100.",
        metavar="N",
        default=1000,
        section=HOW_MUCH,
        check=partial(whole, least=100),
    )
    open: bool | None = option("Open the page in a browser.", default_help="ask, where there is a screen")
