"""What the page's script reads: one record per block, under the names that the script knows them by.

Lists of a block that belong together have one entry per cut, per line or per class. A cut is a number of lines, from 0
on; counts by cut are those of the lines since the cut before, so that the script adds up what it shows.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from ..evaluation.records import BudgetPoint, GivenPoint
from ..jaded.summary import Shares
from ..options import Recorded
from ..records import Record

Reason = tuple[str, int, float, int]  # a word of a line, how often it is there, its gain, and its side


class TextRow(Record):
    """A text: its part in this, its name and its sizes, as far as they are known."""

    role: str
    name: str
    lines: int | UnsetType = UNSET
    words: int | UnsetType = UNSET
    types: int | UnsetType = UNSET
    note: str


class PoolData(Record):
    """AVAILABLE."""

    name: str
    lines: int
    words: int


class StopData(Record):
    """Where the entropy of single words is lowest."""

    lines: int
    known: bool  # False if it may be lower further on
    rises: int  # how many lines before it raise it


class ModelStopData(Record):
    """Where an n-gram model of the picks does best on lines of REPRESENTATIVE that were held out."""

    lines: int
    held_out: int  # how many
    words: list[int]  # of the cuts that were measured
    perplexity: list[float]


class CutData(Record):
    """What is known at each cut."""

    lines: list[int]
    words: list[int]
    entropy: list[float | None]
    features: list[float | None] | None  # the entropy of n-grams too, where they count


class BalanceData(Record):
    """What lines bring and what they cost on average, from one number of lines to the next."""

    lines: list[int]
    words: list[int]
    penalty: list[float]
    gain: list[float]


class LineData(Record):
    """The lines that the page carries, best first."""

    rank: list[int]
    line: list[int]  # in AVAILABLE, from 1
    delta: list[float]
    penalty: list[float]
    gain: list[float]
    entropy: list[float]
    words: list[int]
    word: list[str]  # the one that brings most
    text: list[str]
    whole: list[int]  # 1 where that is all of the line
    others: list[list[tuple[str, bool]]]  # by other side: texts, and whether that is all of them
    label: list[str] | None
    why: list[list[Reason]] | None  # the words that bring most


class LengthData(Record):
    """How many lines are how long."""

    names: list[str]
    representative: list[float] | None  # shares of its lines
    picked: list[list[int]]  # by length, then by cut


class LabelData(Record):
    """Where the picks come from."""

    names: list[str]
    available: list[float] | None  # shares of its lines
    picked: list[list[int]]  # lines, by label, then by cut
    words: list[list[int]]
    paid: list[list[int]] | None  # units that are paid for
    paid_others: list[list[int]] | None  # those at the price of the other sides


class BillData(Record):
    """What is paid for."""

    per: str  # what has the price: word, token, character or line
    currency: str | None
    price_with: float | None  # of a unit of the other sides, if it is another
    units: list[int]  # that are paid for up to each cut
    others: list[int] | None  # those at the price of the other sides


class UnknownShares(Record):
    """By cut: the share of a text's words that SEED and the picks lack."""

    tokens: list[float]
    types: list[float]


class UnknownData(Record):
    representative: UnknownShares
    held_out: UnknownShares | None = msgspec.field(name="heldout")


class WordClass(Record):
    """A class of words: how many there are, and their share of two texts."""

    name: str
    types: int
    representative: float
    available: float


class ClassData(Record):
    rows: list[WordClass]
    picked: list[list[int]]  # words, by class, then by cut


class UsefulWord(Record):
    """A word that brings much, with its gains added up, and how often it is in REPRESENTATIVE and in the picks."""

    word: str
    side: int  # which of the page's sides it is of
    class_: str | None = msgspec.field(name="class")
    bits: float
    representative: int
    picked: int


class EvaluationData(Record):
    points: list[GivenPoint]
    best: GivenPoint | None


class MethodData(Record):
    name: str
    what: str
    points: list[BudgetPoint]


class ComparisonData(Record):
    """Not how long it took, which is never the same."""

    methods: list[MethodData]
    order: int
    lm: str
    vocabulary: int
    subsample: float  # share of the lines of REPRESENTATIVE that each seed ranks for
    changed: list[str] | None  # options other than the defaults


class PageData(Record):
    """All figures of a page; None is what is not known."""

    version: str
    name: str
    kind: str
    ranked: int
    command: tuple[str, str] | None  # what cuts the ranking: the words before the number of lines, and those after it
    available: PoolData | None
    covers: Shares | None  # with all lines of AVAILABLE, where that is of the same words as `unknown`
    seeded: bool  # is there a SEED?
    changed: list[str] | None  # options other than the defaults
    signature: str | None  # what decides the ranking, on one line
    settings: Recorded
    stop: StopData
    model_stop: ModelStopData | None
    start: int  # the lines of the cut that is shown first
    features: bool  # do n-grams count?
    over: str | None  # what the bits are over
    sides: list[str]  # what the sides of a line are called, that of AVAILABLE first
    followed: int  # the words of how many sides are counted here; those come first
    price: float | None
    bill: BillData | None  # where there is a price
    title: str
    texts: list[TextRow]
    verdict: list[str]
    cuts: CutData
    balance: BalanceData
    lines: LineData
    lengths: LengthData | None
    labels: LabelData | None
    unknown: UnknownData | None
    classes: ClassData | None
    useful: list[UsefulWord] | None
    evaluation: EvaluationData | None
    comparison: ComparisonData | None
    notes: list[str]
