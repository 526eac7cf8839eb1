"""The input corpora and the output of a ranking. Values are those of the command line; the Python functions also take
texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from . import values
from .declare import GOES_IN, OUTPUT, PICKED, RANKED, Group, option, output_option

DIRECTIONS = ("lowest", "highest")  # which numbers of --by and --prior are the best


def direction_of(given: str) -> tuple[str, str]:
    """A field or file without the direction before it, such as "lowest:"; and the direction, if there is one."""
    before, colon, name = given.partition(":")
    return (name, before) if colon and before in DIRECTIONS else (given, "")


Format = Literal["tsv", "text", "jsonl", "parquet", "csv", "ids", "scores"]


@dataclass(frozen=True, slots=True)
class Corpora(Group):
    title: ClassVar[str] = GOES_IN

    representative: tuple[str, ...] = option(
        "The language you want: a text or a .counts file. All files of a pattern are one target; repeat -r for "
        "several targets.",
        flags=("-r",),
        metavar="REPR",
        default=(),
        usual=True,
        required=True,
        repeat=True,
        path=True,
    )
    available: tuple[str, ...] = option(
        "The lines to choose from. For several files, repeat -a or quote a pattern; - is standard input.",
        flags=("-a",),
        metavar="AVAIL",
        default=(),
        usual=True,
        required=True,
        repeat=True,
        path=True,
    )
    unadapted: tuple[str, ...] = option(
        "The language you have: a text or a .counts file. It decides the classes of words.",
        flags=("-u",),
        metavar="UNADAPTED",
        default=(),
        default_help="AVAILABLE",
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    seed: tuple[str, ...] = option(
        "Lines that you have selected before: a text, a .counts file, or an earlier ranking in any format, whose "
        "lines are not picked again.",
        flags=("-s",),
        metavar="SEED",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    weights: tuple[float, ...] | None = option(
        "Weights of the targets (-r); only their ratios matter.",
        metavar="W,W,...",
        default_help="all equal",
        commands=("select", "rank", "score"),
        check=values.listed(values.real_number, "numbers separated by commas, for example 0.7,0.3"),
    )
    with_: tuple[str, ...] = option(
        "The other side of AVAILABLE, line by line; it is written next to each pick. Repeat for more sides.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    representative_with: tuple[str, ...] = option(
        "The other side of REPRESENTATIVE, so that both sides count. Repeat for more sides, with those of the first "
        "-r first.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
    )
    unadapted_with: tuple[str, ...] = option(
        "The other side of UNADAPTED, if both sides count.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    seed_with: tuple[str, ...] = option(
        "The other side of SEED, if both sides count.",
        metavar="FILE",
        default=(),
        repeat=True,
        path=True,
        commands=("select", "score"),
    )
    exclude: tuple[str, ...] = option(
        "Never pick the lines of this text or ranking, for example a test set. Lines are compared by their words, on "
        "the side of -a.",
        metavar="FILE",
        default=(),
        section=PICKED,
        repeat=True,
        path=True,
        commands=("select", "rank", "compare"),
    )
    prior: str | None = option(
        "Add these bits per word to the value of a line: a field of AVAILABLE's records, or a file with one number per "
        "line. --prior-weight multiplies them. Which numbers are better: see --by.",
        metavar="FIELD|FILE",
        section=RANKED,
        commands=("select",),
    )
    by: str | None = option(
        "Ranking that --among uses: a method of `cynical rank`, or scores from a field of AVAILABLE's records or a "
        "file with one number per line. Higher is better, except for the output of `cynical score` (files named "
        ".scores; fields delta, bits_per_word and gain), where lower is better; lowest:FILE or highest:FILE overrides "
        "this.",
        metavar="METHOD|FIELD|FILE",
        default_help="classifier",
        section=PICKED,
        commands=("select",),
    )


@dataclass(frozen=True, slots=True)
class RankingOutput(Group):
    title: ClassVar[str] = OUTPUT

    output: str | None = output_option(
        "File or address, such as s3://..., for the ranking; its summary is written to OUT.json. - is standard output.",
        default_help="required",
        python=False,
    )
    format: Format | None = option("Format of OUT.", default_help="from the suffix of OUT, else tsv", python=False)
    id_key: str | None = option(
        "Field that identifies records; it is written as the column id, and by --format ids.", metavar="KEY"
    )
