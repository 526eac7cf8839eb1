"""The results of `evaluate` and `compare` as records: the figures of each prefix, and the texts they refer to.

The keys of the JSON files are the names of the fields, except `held_out`, which is `heldout` there. Every figure of a
point is about the held-out text and a model of the first lines of a ranking: see prefixes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..errors import CynicalError, number_of
from ..jaded.summary import Exclude, Number
from ..options import Recorded, Value
from ..records import Record
from ..version import __version__
from .notebook import html_table

if TYPE_CHECKING:
    import pandas

VERSION = 1  # of the format of an evaluation
COMPARISON_VERSION = 2  # of the format of a comparison
MOST = 1e100  # no figure is as large

Figure = Annotated[float, Meta(gt=-MOST, lt=MOST)]


class GivenPoint(Record):
    """A prefix as a file may describe it that somebody else has written: every figure may be missing or null."""

    share: Figure | UnsetType | None = UNSET  # of AVAILABLE's words, in a comparison
    lines: Number
    words: Number
    entropy: Figure | UnsetType | None = UNSET
    perplexity: Figure | UnsetType | None = UNSET
    oov_tokens: Figure | UnsetType | None = UNSET
    oov_types: Figure | UnsetType | None = UNSET
    ngram_perplexity: Figure | UnsetType | None = UNSET
    ngram_perplexity_known: Figure | UnsetType | None = UNSET
    mean_length: Figure | UnsetType | None = UNSET
    heldout_coverage: Figure | UnsetType | None = UNSET
    representative_coverage: Figure | UnsetType | None = UNSET


class Point(GivenPoint, repr_omit_defaults=True):
    """A prefix of a ranking, measured; shares of unknown words are fractions."""

    entropy: float
    perplexity: float
    oov_tokens: float
    oov_types: float
    ngram_perplexity: float
    ngram_perplexity_known: float | None  # None if every word is unknown
    mean_length: float  # words per line, of lines that have words
    heldout_coverage: float  # of its types
    representative_coverage: float | None  # the same of REPRESENTATIVE, if it is known


class Interval(Record):
    """The 95 % interval of a figure over samples of the held-out lines."""

    low: float
    high: float


class Certainty(Interval):
    """The interval of a figure, and what is left of its distance to the lowest of its budget."""

    above: Interval | None  # how much it is above the lowest, on the same samples; None: it is the lowest
    leads: bool  # is it the lowest, or within the interval of the lowest: is 0 in `above`?


class Certainties(Record):
    """Of each figure that decides something."""

    ngram_perplexity: Certainty
    oov_tokens: Certainty
    entropy: Certainty


class BudgetPoint(Point):
    """The figures of the longest prefix that fits a share of AVAILABLE's words; with several seeds, their mean."""

    share: float
    kl_reduction: float | None  # in nats; None if nothing was picked
    intervals: Certainties | None  # None if nothing was picked
    by_seed: list[float]  # the n-gram perplexity with each of several seeds
    spread: float | None  # their standard deviation; None with one seed

    @classmethod
    def of(cls, share: float, point: Point, **more: Any) -> BudgetPoint:
        """A point with its budget, and with what is known of it besides."""
        besides = {"kl_reduction": None, "intervals": None, "by_seed": [], "spread": None, **more}
        return cls(share=share, **{name: getattr(point, name) for name in FIGURES}, **besides)

    @property
    def point(self) -> Point:
        """Without its budget."""
        return Point(**{name: getattr(self, name) for name in FIGURES})


FIGURES = tuple(field.name for field in msgspec.structs.fields(Point) if field.name != "share")
DECIDING = tuple(field.name for field in msgspec.structs.fields(Certainties))
CERTAIN = tuple(f"{figure}_{part}" for figure in DECIDING for part in ("low", "high", "leads"))
COMPARED = ("method", "seconds", "share", *FIGURES, "kl_reduction", *CERTAIN, "spread")  # columns of a comparison


class TextSizes(Record):
    """A text that the figures refer to; with several sides, the words of every side that counts."""

    name: str
    lines: Number
    words: Number
    types: Number


class MeasuredText(TextSizes):
    """A text that is judged by, or for."""

    mean_length: float  # words per line, of lines that have words


class EvaluatedRanking(TextSizes):
    """The ranking, or the lines in some order, that was evaluated."""

    available_words: Number | None  # of the AVAILABLE that it was picked from, if that is known
    cuttable: bool  # can `cynical cut` cut it?


class Evaluation(Record):
    """An evaluation: the figures of prefixes of increasing length on a held-out text. The last prefix is the whole
    ranking, or the longest one that was requested."""

    points: list[Point]
    best: Point  # the lowest n-gram perplexity
    stop: Point | None  # the stopping point of the ranking, if it has one
    lowest_entropy: Point | None = None  # where the entropy is lowest, in a ranking with n-grams: no place to stop
    ranking: EvaluatedRanking
    held_out: MeasuredText = msgspec.field(name="heldout")
    representative: MeasuredText | None
    order: int  # of the n-gram model
    lm: str
    vocabulary: Number  # words of the language that all prefixes are taken to be of
    signature: str  # how text becomes words
    schema_: int = msgspec.field(default=VERSION, name="schema")
    cynical: str = msgspec.field(default_factory=lambda: __version__)
    seconds: dict[str, float]  # by stage
    notices: list[str]

    def __repr__(self) -> str:
        return f"<Evaluation of {self._about}: {number_of(len(self.points), 'point')}, {self._best}>"

    @property
    def _about(self) -> str:
        return f"{self.ranking.name} on {self.held_out.name}"

    @property
    def _best(self) -> str:
        return f"best cut {number_of(self.best.lines, 'line')}, perplexity {self.best.ngram_perplexity:.5g}"

    def rows(self) -> list[dict[str, Value]]:
        """One row per prefix: its figures, and whether it is the best cut, the stopping point, or where the entropy of
        single words is lowest without being the stopping point."""
        marked = {"best": self.best, "stop": self.stop, "lowest_entropy": self.lowest_entropy}
        return [{**figures(point), **{name: point == mark for name, mark in marked.items()}} for point in self.points]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of these rows."""
        return _data_frame(self.rows())

    def _repr_html_(self) -> str:
        return html_table(f"Evaluation of {self._about}: {self._best}", self.rows())


class Contender(Record):
    """A method, or a list that was given, with its figures at increasing budgets."""

    name: str
    what: str
    seconds: float  # to rank, once; 0 for a list that was given
    seeds: list[int]  # of its random numbers, if it has any, and of the parts of REPRESENTATIVE
    measured: list[BudgetPoint] = msgspec.field(name="points")

    @property
    def points(self) -> list[tuple[float, Point]]:
        """By share of AVAILABLE's words."""
        return [(one.share, one.point) for one in self.measured]


class Comparison(Record):
    """A comparison of methods on the same texts, budgets and held-out text."""

    methods: list[Contender]
    held_out: MeasuredText = msgspec.field(name="heldout")
    available: TextSizes
    representative: MeasuredText
    exclude: Exclude | None
    settings: Recorded  # that all methods have in common
    order: int  # of the n-gram model
    lm: str
    vocabulary: Number
    signature: str  # how text becomes words
    random_seed: int
    side: str | None  # of parallel text that was judged, "both" for all; None: the first
    samples: int  # of the held-out lines, that intervals are found with
    subsample: float = 1.0  # share of the lines of REPRESENTATIVE that each seed ranks for
    schema_: int = msgspec.field(default=COMPARISON_VERSION, name="schema")
    cynical: str = msgspec.field(default_factory=lambda: __version__)
    seconds: dict[str, float]  # by stage
    notices: list[str]

    def __repr__(self) -> str:
        return f"<{self._about}>"

    @property
    def _about(self) -> str:
        return f"Comparison of {', '.join(method.name for method in self.methods)} on {self.held_out.name}"

    @property
    def seeds(self) -> int:
        """How often a method was run that ranks otherwise with another seed; 0 if none does."""
        return max((len(method.seeds) for method in self.methods), default=0)

    def rows(self) -> list[dict[str, Value]]:
        """One row per method and budget, with the columns COMPARED."""
        return [
            {
                "method": method.name,
                "seconds": method.seconds,
                "share": point.share,
                **figures(point),
                "kl_reduction": point.kl_reduction,
                **_certain(point.intervals),
                "spread": point.spread,
            }
            for method in self.methods
            for point in method.measured
        ]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per method and budget."""
        return _data_frame(self.rows())

    def _repr_html_(self) -> str:
        return html_table(f"{self._about}; 95 % intervals", [_shown(row) for row in self.rows()])


def _certain(intervals: Certainties | None) -> dict[str, Value]:
    """The intervals of a point, by column."""
    if intervals is None:
        return dict.fromkeys(CERTAIN)
    found = ((name, getattr(intervals, name)) for name in DECIDING)
    return {f"{name}_{part}": getattr(one, part) for name, one in found for part in ("low", "high", "leads")}


def _shown(row: dict[str, Value]) -> dict[str, Value]:
    """What a notebook shows of a row: what decides."""
    low, high = row["ngram_perplexity_low"], row["ngram_perplexity_high"]
    return {
        **{name: row[name] for name in ("method", "share", "lines", "words", "ngram_perplexity")},
        "interval": None if low is None else f"{low:,.6g} \u2013 {high:,.6g}",
        "leads": row["ngram_perplexity_leads"],
        **{name: row[name] for name in ("spread", "oov_tokens", "entropy", "kl_reduction", "seconds")},
    }


def figures(point: Point) -> dict[str, Value]:
    """The figures of a point by name."""
    return {name: getattr(point, name) for name in FIGURES}


def rounded(value: float) -> float:
    """Without the digits that differ between machines."""
    return float(f"{value:.9g}")


def _data_frame(rows: list[dict[str, Value]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise CynicalError("to_pandas needs pandas: pip install 'cynical[pandas]'") from error
    return pandas.DataFrame(rows)
