"""The options of `score`, and the part of a corpus that one of several parallel jobs reads."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from ..errors import CynicalError
from .declare import GOES_IN, OUTPUT, RANKED, Group, option, output_option

ScoreFormat = Literal["scores", "tsv", "text", "jsonl", "csv", "parquet"]
FORMATS: tuple[str, ...] = get_args(ScoreFormat)


def _part(name: str, value: Any) -> str:
    found = re.fullmatch(r"0*([1-9][0-9]{0,8})/0*([1-9][0-9]{0,8})", str(value))
    if found is None or int(found[1]) > int(found[2]):
        raise CynicalError(f"{name} {value}: expected K/N, part K of N, from 1/N to N/N, for example 3/16")
    return f"{found[1]}/{found[2]}"


def _limit(name: str, value: Any) -> float:
    if math.isnan(value):
        raise CynicalError(f"{name} must be a number of bits, for example 0, found {value}")
    return float(value)


@dataclass(frozen=True, slots=True)
class Scoring(Group):
    """Of `score`."""

    title: ClassVar[str] = OUTPUT

    output: str = output_option(
        "File for the scores; - is standard output.",
        default="-",
        python=False,
    )
    format: ScoreFormat | None = option(
        "Format of OUT. scores: one number per line, delta or, with --per word, delta per word. jsonl, csv, parquet: "
        "the records with added fields. tsv: a table. text: the lines that --below keeps.",
        default_help="from the suffix of OUT, else records for records and scores for text",
        python=False,
    )
    below: float | None = option(
        "Write only lines whose score is lower than X. 0 keeps the lines that would lower the entropy.",
        metavar="X",
        usual=True,
        check=_limit,
        python=False,
    )
    classifier: bool = option(
        "Add the probability that a line is in the language of REPRESENTATIVE, from a classifier trained on the "
        "lines of -r and -u.",
        default=False,
        section=RANKED,
    )


@dataclass(frozen=True, slots=True)
class InputPart(Group):
    """Of `count` and `score`."""

    title: ClassVar[str] = GOES_IN

    part: str | None = option(
        "Read only part K of N parts of about equal size, for jobs that run in parallel. Together, the N parts hold "
        "every line once.",
        metavar="K/N",
        check=_part,
    )

    def check_merge(self, merge: bool, engine: str) -> None:
        """Counts that are added are read whole, and here."""
        if merge and self.part is not None:
            raise CynicalError("--merge and --part cannot be combined; count the parts first, then merge their counts")
        self.check_engine(engine, "--merge" if merge else "")

    def check_engine(self, engine: str, other: str = "") -> None:
        """A cluster reads all parts."""
        if engine != "local" and self.part is not None:
            raise CynicalError(
                f"--part {self.part} reads a part where each machine has its own command; --engine {engine} reads all "
                "parts, each on a worker: omit one of them"
            )
        if engine != "local" and other:
            raise CynicalError(f"{other} and --engine {engine} cannot be combined; omit one of them")

    @property
    def which(self) -> tuple[int, int] | None:
        """The part and how many there are."""
        if self.part is None:
            return None
        part, _, parts = self.part.partition("/")
        return int(part), int(parts)
