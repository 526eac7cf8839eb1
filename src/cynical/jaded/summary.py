"""The summary of a ranking: its figures, its inputs and its settings; written next to it as JSON.

A summary may come from others, with the ranking. It may name files, which are used only if they are still as large as
they were; it may not name code to run.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..options import Recorded
from ..options.budget import PricePer
from ..options.output import Order
from ..records import Record
from ..text.corpus import File

VERSION = 2  # of the format; summaries of cynical 0.1.0 say nothing of it

Number = Annotated[int, Meta(ge=0)]


class Grams(Record):
    """The n-grams of one length in a text; of UNADAPTED and SEED, those that REPRESENTATIVE has."""

    number: Number
    types: Number  # that are named
    other: Number  # those that are not named: in folded counts, or not in REPRESENTATIVE


class Text(Record):
    """A text, all sides that count together; the lines are those of one side."""

    name: str = ""
    lines: Number = 0
    words: Number = 0
    types: Number = 0
    other: Number = 0  # words of folded counts that are not named
    not_utf8: Number = 0  # lines
    two_grams: Grams | UnsetType = msgspec.field(default=UNSET, name="2-grams")
    three_grams: Grams | UnsetType = msgspec.field(default=UNSET, name="3-grams")


class FiledText(Text):
    """A text that may be read again."""

    files: list[File] = msgspec.field(default_factory=list)  # of its first side
    sides: list[list[File]] | UnsetType = UNSET  # of its other sides that count

    @property
    def paths(self) -> list[list[Path]]:
        """The files of each side that counts, if all are still there as they were."""
        sides = [self.files, *(self.sides or [])]
        there = all(sides) and all(is_there(file) for files in sides for file in files)
        return [[Path(file.path) for file in files] for files in sides] if there else []


class Target(FiledText):
    """One of several REPRESENTATIVE texts."""

    weight: float | UnsetType = UNSET


class Representative(FiledText):
    """REPRESENTATIVE and, if there are several targets, each of them."""

    targets: list[Target] | UnsetType = UNSET

    @property
    def each(self) -> list[Target] | list[Representative]:
        """The targets; itself if it is the only one."""
        return self.targets or [self]


class Widened(Record):
    """What lines of AVAILABLE that look like REPRESENTATIVE add to it."""

    lines: Number  # that count for something
    share_of_lines: float  # of AVAILABLE, that belong to the language
    mass: list[float]  # how much of the target they are: of words, of pairs, of triples
    reach: list[float] = msgspec.field(
        default_factory=list
    )  # how much of the language they or REPRESENTATIVE have, in the same order


class EarlierRanking(Record):
    """A ranking given as SEED: how its lines were found in AVAILABLE, and how many."""

    name: str
    lines: Number
    by: str  # number or words
    found: Number


class Seed(FiledText):
    """SEED: what has been selected already, texts, counts and rankings together."""

    rankings: list[EarlierRanking] = msgspec.field(default_factory=list)


class Side(Record):
    """Another side of AVAILABLE."""

    name: str = ""
    column: str
    replaces: str = ""  # the part of AVAILABLE's name that `column` is in place of
    counts: bool = False  # do its words count?
    files: list[File] = msgspec.field(default_factory=list)
    crc32: Number | UnsetType = UNSET  # of its files


class Shares(Record):
    """Shares of REPRESENTATIVE's words."""

    types: float
    tokens: float


class Available(Record):
    name: str = ""
    format: str = "text"
    shards: Number = 1  # files
    empty_shards: Number = 0
    files: list[File] = msgspec.field(default_factory=list)
    sides: list[Side] = msgspec.field(default_factory=list)
    bytes: Number = 0
    lines: Annotated[int, Meta(gt=0)]
    words: Annotated[int, Meta(gt=0)]
    covers: Shares | None = None  # what of REPRESENTATIVE is in SEED or in any of its lines
    not_utf8: Number = 0
    id_key: str | UnsetType = UNSET  # the field that names its records
    crc32: Number | UnsetType = UNSET  # of its files, whatever they are called


class Exclude(Record):
    name: str
    lines: Number


class Prior(Record):
    """Bits per word that lines are worth besides: from where, what they count, and from what to what they go."""

    name: str
    weight: float
    least: float
    most: float
    crc32: Number  # of the numbers


class Among(Record):
    """Which lines alone may be picked: the best by something."""

    by: str
    share: float  # of AVAILABLE's words
    lines: Number
    crc32: Number  # of the scores


class IndexSize(Record):
    features: Number
    entries: Number


class Picked(Record):
    lines: Number
    words: Number
    share_of_lines: float
    share_of_words: float


class Money(Record):
    """What the picks cost."""

    price: float | None = None  # of a unit
    per: PricePer = "token"  # what a unit is
    price_with: float | None = None  # of a unit of the other sides, if it is another
    currency: str | None = None
    units: Number | None = None  # that were paid for
    budget: float | None = None
    spent: float | None = None
    bits_per_unit: float | None = None


class Change(Record):
    """A figure before the first pick and after the last."""

    before: float
    after: float


class Stop(Record):
    """The stopping point: where the entropy is lowest."""

    lines: Number
    words: Number = 0
    entropy: float | None = None
    known: bool  # False if it may be lower further on


class ModelStop(Record):
    """The stopping point for a model: where an n-gram model of the picks does best on lines that were held out."""

    lines: Number
    words: Number
    perplexity: float  # of the held-out lines
    held_out: Number  # lines of REPRESENTATIVE
    known: bool  # False if it may be lower further on
    measured: list[tuple[Number, float]] = msgspec.field(default_factory=list)  # words and perplexity, cut by cut


class Search(Record):
    ended_by: str = ""
    ranked: Number = 0
    rescored: Number = 0
    refreshes: Number = 0


class Memory(Record):
    """Bytes."""

    peak: Number
    peak_without_mapped_input: Number | None = None
    limit: Number | None = None
    in_scratch: Number = 0


class EngineFacts(Record):
    """The cluster, where a run was on one."""

    name: str
    version: str
    processors: int
    workers: int = 0
    rounds: int = 0
    candidates: int = 0  # rows that workers gave away,
    returned: int = 0  # and those that went back to them
    sent: int = 0  # bytes between the driver and the workers in all rounds
    rescored_by_workers: int = 0
    rebuilt: int = 0
    peak_of_a_worker: int = 0


class CutFrom(Record):
    """The ranking that this one is the beginning of."""

    from_: str = msgspec.field(name="from")
    to: str


class Shard(Record):
    """One of several files of a ranking, beside the summary."""

    name: str  # without the folder
    lines: Number
    bytes: Number


class WrittenAs(Record):
    """How a ranking was written, where it is not one file with the best line first."""

    order: Order = "rank"
    random_seed: int | None = None  # of a random order
    shards: list[Shard] = msgspec.field(default_factory=list)  # none if it is one file


class ReadAs(Record):
    """How records were read."""

    text_key: str | None = None
    text_template: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET  # of texts that were split
    bad_records: str = "error"
    input_format: str | None = None


class Summary(Record):
    """Everything that is known of a ranking besides its lines. A field is None if the run did not have it."""

    cynical: str  # the version
    schema_: int = msgspec.field(default=VERSION, name="schema")
    versions: dict[str, str] = msgspec.field(default_factory=dict)
    signature: str | None = None
    text_signature: str | None = None  # how text becomes words
    method: str = "cynical"
    settings: Recorded = msgspec.field(default_factory=dict)
    reading: ReadAs = ReadAs()
    representative: Representative | None = None
    widened: Widened | UnsetType = UNSET
    unadapted: Text | None = None
    seed: Seed | None = None
    available: Available
    exclude: Exclude | None = None
    prior: Prior | UnsetType = UNSET
    among: Among | UnsetType = UNSET
    index: IndexSize | None = None
    classes: dict[str, int] | None = None  # types by class of words
    skipped: dict[str, int] = msgspec.field(default_factory=dict)  # lines by reason
    picked: Picked | None = None
    money: Money | None = None
    entropy: Change  # bits per word
    feature_entropy: Change | None = None
    perplexity: Change | None = None
    stop: Stop  # where the entropy of single words is lowest
    model_stop: ModelStop | UnsetType = UNSET
    covered: Shares | None = None  # what of REPRESENTATIVE is in SEED or in the picks
    search: Search
    notices: list[str] = msgspec.field(default_factory=list)
    seconds: dict[str, float] = msgspec.field(default_factory=dict)  # by stage
    memory: Memory | None = None
    engine: EngineFacts | UnsetType = UNSET
    cut: CutFrom | UnsetType = UNSET
    written: WrittenAs | UnsetType = UNSET

    @property
    def shards(self) -> list[Shard]:
        """The files of the ranking, if it has several."""
        return [] if isinstance(self.written, UnsetType) else self.written.shards

    @property
    def stop_for_model(self) -> ModelStop | None:
        """The stopping point for a model, if it was looked for."""
        return None if isinstance(self.model_stop, UnsetType) else self.model_stop

    @property
    def stopping_point(self) -> Stop | ModelStop | None:
        """Where to stop. A ranking with n-grams knows it only if a model was asked, or if the user chose the lowest
        entropy of single words."""
        by_entropy = self.feature_entropy is None or self.settings.get("stop") == "entropy"
        return self.stop_for_model or (self.stop if by_entropy else None)

    @property
    def lowest_entropy(self) -> Stop | None:
        """Where the entropy of single words is lowest, if that is not the stopping point."""
        return None if self.stopping_point is self.stop else self.stop

    @property
    def chosen_stop(self) -> Stop | ModelStop:
        """The stopping point or, if it is not known, where the entropy is lowest."""
        return self.stopping_point or self.stop


def perplexity_of(bits: float) -> float:
    """At most 2^1023, which is as large as numbers are."""
    return math.pow(2.0, min(bits, 1023.0))


def is_there(file: File) -> bool:
    """Is a file that a summary names still as large as it was?"""
    path = Path(file.path)
    try:
        return path.is_file() and path.stat().st_size == file.bytes
    except (OSError, ValueError):  # no such name, or one that no path can be
        return False
