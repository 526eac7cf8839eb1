"""What goes in, and where a ranking goes. Values are those of the command line; Python's functions take texts too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from . import values
from .declare import GOES_IN, OUTPUT, PICKED, RANKED, Group, option, output_option

Format = Literal["tsv", "text", "jsonl", "parquet", "csv", "ids", "scores"]


@dataclass(frozen=True, slots=True)
class Corpora(Group):
    title: ClassVar[str] = GOES_IN

    representative: tuple[str, ...] = option(
        "The language you want: a text, or a .counts file. A pattern is one target; repeat -r for several.",
        flags=("-r",),
        metavar="REPR",
        default=(),
        usual=True,
        required=True,
        repeat=True,
        path=True,
    )
    available: tuple[str, ...] = option(
        "The lines to choose from. Repeat -a, or quote a pattern, for several files; - is standard input.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        usual=True,
        required=True,
        repeat=True,
        path=True,
    )
    unadapted: tuple[str, ...] = option(
        "The language you have (text or .counts), which decides the classes of words.",
        flags=("-u",),
        metavar="UNADAPTED",
        default=(),
        default_help="AVAILABLE",
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    seed: tuple[str, ...] = option(
        "What you have selected already: text, .counts, or an earlier ranking in any format, whose lines are not "
        "picked again.",
        flags=("-s",),
        metavar="SEED",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    weights: tuple[float, ...] | None = option(
        "Weights of the -r targets; only their ratios matter.",
        metavar="W,W,...",
        default_help="all the same",
        commands=("select", "rank", "score"),
        check=values.listed(values.real_number, "numbers with commas between them, say 0.7,0.3"),
    )
    with_: tuple[str, ...] = option(
        "The other side of AVAILABLE, line for line, which is written beside each pick. Repeat it for more sides.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    representative_with: tuple[str, ...] = option(
        "The other side of REPRESENTATIVE, so that both sides count. Repeat it for more sides, those of the first -r "
        "first.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    unadapted_with: tuple[str, ...] = option(
        "The other side of UNADAPTED, where both count.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    seed_with: tuple[str, ...] = option(
        "The other side of SEED, where both count.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    exclude: tuple[str, ...] = option(
        "Never pick the lines of this text or ranking, say a test set. Lines are compared by their words, on the side "
        "of -a.",
        metavar="FILE",
        default=(),
        section=PICKED,
        repeat=True,
        path=True,
        commands=("select", "rank", "compare"),
    )
    prior: str | None = option(
        "Add these bits per word to the worth of a line, more for a better line: a field of AVAILABLE's records, or a "
        "file with a number for each line. --prior-weight multiplies them. Which numbers are the best: see --by.",
        metavar="FIELD|FILE",
        section=RANKED,
        commands=("select",),
    )
    by: str | None = option(
        "What --among goes by: a method of cynical rank, or scores: a field of AVAILABLE's records, or a file with a "
        "number for each line. The highest are the best, except in what cynical score writes (files named .scores, "
        "fields named delta, bits_per_word or gain), where the lowest are; lowest:FILE or highest:FILE says which.",
        metavar="METHOD|FIELD|FILE",
        default_help="classifier",
        section=PICKED,
        commands=("select",),
    )


@dataclass(frozen=True, slots=True)
class RankingOutput(Group):
    title: ClassVar[str] = OUTPUT

    output: str | None = output_option(
        "Write the ranking here, a file or an address such as s3://..., and its summary to OUT.json; - is standard "
        "output.",
        default_help="required",
        python=False,
    )
    format: Format | None = option("Format of OUT.", default_help="by its suffix, else tsv", python=False)
    id_key: str | None = option(
        "Take the names of records from this field: for a column id, and for --format ids.", metavar="KEY"
    )
