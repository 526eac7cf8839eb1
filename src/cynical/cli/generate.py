"""Options that several commands have in common, and what their values stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import CynicalError

Command = TypeVar("Command", bound=Callable[..., Any])


def text_options(command: Command) -> Command:
    for option in (
        click.option("--jobs", "-j", type=int, help="Threads; every core by default. The result is the same."),
        click.option("--lowercase", is_flag=True, help="Lower-case all text first (full Unicode)."),
        click.option("--normalize", metavar="nfc|nfkc", help="Bring all text into this Unicode normal form first."),
        click.option(
            "--tokenizer",
            default="whitespace",
            show_default=True,
            metavar="NAME",
            help="How lines become words: whitespace (they are apart already), words (punctuation is set apart), "
            "characters, spm:MODEL (SentencePiece), hf:tokenizer.json (Hugging Face) or python:MODULE:FUNCTION "
            "(your own: a line to a list of words).",
        ),
    ):
        command = option(command)
    return command


def rereading_options(command: Command) -> Command:
    """As `text_options`, for who reads a text that was read before."""
    for option in (
        click.option("--jobs", "-j", type=int, help="Threads; every core by default. The result is the same."),
        click.option(
            "--lowercase/--no-lowercase",
            default=None,
            help="Lower-case all text first.  [default: as the ranking was made]",
        ),
        click.option(
            "--normalize", metavar="nfc|nfkc", help="The Unicode normal form.  [default: as the ranking was made]"
        ),
        click.option("--tokenizer", metavar="NAME", help="How lines become words.  [default: as the ranking was made]"),
    ):
        command = option(command)
    return command


def record_options(command: Command) -> Command:
    for option in (
        click.option(
            "--scratch", metavar="DIR", help="Where packed input is kept while it is needed.  [default: TMPDIR]"
        ),
        click.option(
            "--bad-records",
            default="error",
            show_default=True,
            metavar="error|skip",
            help="What to do with records that have no text.",
        ),
        click.option(
            "--text-key",
            metavar="KEY",
            help="Which field of JSON lines (a.b leads into a), which column of Parquet, CSV or TSV is the text; a "
            "number is a column of a table without a header.  [default: text]",
        ),
    ):
        command = option(command)
    return command


def output_options(command: Command) -> Command:
    for option in (
        click.option("--quiet", "-q", is_flag=True, help="No progress and no summary."),
        click.option("--overwrite", is_flag=True, help="Replace OUT if it exists."),
    ):
        command = option(command)
    return command


def class_options(command: Command) -> Command:
    for option in (
        click.option("--ratio-threshold", type=float, help="A word is useful from this ratio on.  [default: e]"),
        click.option("--min-count", type=int, help="Rarer words are dubious.  [default: 3]"),
    ):
        command = option(command)
    return command


def budget_options(command: Command) -> Command:
    for option in (
        click.option("--share", type=float, metavar="F", help="At most this share of AVAILABLE's words, say 0.1."),
        click.option("--words", type=int, metavar="N", help="At most so many words."),
        click.option("--lines", type=int, metavar="N", help="At most so many lines."),
    ):
        command = option(command)
    return command


def side_options(command: Command) -> Command:
    for option in (
        click.option(
            "--representative-with",
            multiple=True,
            metavar="FILE",
            help="The other side of REPRESENTATIVE: both count, and their lengths are added. Repeat it for more sides, "
            "those of the first -r first.",
        ),
        click.option(
            "--with",
            "others",
            multiple=True,
            metavar="FILE",
            help="The other side of AVAILABLE, line for line: it goes along. Repeat it for more sides.",
        ),
    ):
        command = option(command)
    return command


def known_side_options(command: Command) -> Command:
    """The other sides of what one has already."""
    for option in (
        click.option("--seed-with", multiple=True, metavar="FILE", help="The other side of SEED, where both count."),
        click.option(
            "--unadapted-with", multiple=True, metavar="FILE", help="The other side of UNADAPTED, where both count."
        ),
    ):
        command = option(command)
    return command


def choice_options(command: Command) -> Command:
    for option in (
        click.option("--max-length", type=int, metavar="N", help="Never pick lines of more words."),
        click.option("--min-length", type=int, metavar="N", help="Never pick lines of fewer words."),
        click.option("--max-copies", type=int, metavar="K", help="Never pick more than K copies of one line."),
        click.option(
            "--exclude",
            multiple=True,
            metavar="FILE",
            help="Lines never to be picked, say a test set; compared by their words, with the side of -a.",
        ),
    ):
        command = option(command)
    return command


def means_options(command: Command) -> Command:
    """With what, not what: the result is the same."""
    for option in (
        click.option(
            "--checkpoint-every",
            type=float,
            default=30.0,
            show_default=True,
            metavar="SECONDS",
            help="How often --checkpoint writes.",
        ),
        click.option("--dry-run", is_flag=True, help="Read a sample, say what the run will need, and write nothing."),
        click.option(
            "--memory",
            metavar="SIZE",
            help="Keep to so much memory, say 8G; what does not fit is in --scratch, which takes longer.",
        ),
        click.option(
            "--checkpoint",
            metavar="DIR",
            help="Keep the picks so far here: after a crash or a kill, the same command goes on and ends with the same "
            "bytes.",
        ),
    ):
        command = option(command)
    return command


def engine_options(command: Command) -> Command:
    for option in (
        click.option(
            "--workers", type=int, metavar="N", help="With --engine ray: shards.  [default: the cluster's processors]"
        ),
        click.option(
            "--address",
            metavar="ADDRESS",
            help="With --engine ray: the cluster (auto: that of this machine).  [default: start one here]",
        ),
        click.option(
            "--engine",
            default="local",
            show_default=True,
            metavar="local|ray",
            help="ray: many machines hold the lines of AVAILABLE. The ranking is the same; -o FOLDER/ keeps it in "
            "parts.",
        ),
    ):
        command = option(command)
    return command


def ngrams_option(what: str) -> Callable[[Command], Command]:
    return click.option("--ngrams", type=int, default=1, show_default=True, metavar="N", help=what)


def corpora_options(command: Command) -> Command:
    """What is wanted, and what there is to choose from."""
    for option in (
        click.option(
            "-a",
            "--available",
            multiple=True,
            required=True,
            metavar="AVAIL",
            help="The lines to choose from; repeat it, or quote a pattern, for several files; - is standard input.",
        ),
        click.option(
            "-r",
            "--representative",
            multiple=True,
            required=True,
            metavar="REPR",
            help="The language you want: a text or a .counts file. A pattern is one target; repeat -r for several.",
        ),
    ):
        command = option(command)
    return command


weights_option = click.option(
    "--weights", metavar="W,W,...", help="How much each -r counts; only their ratios matter.  [default: all the same]"
)
ranking_option = click.option(
    "-o", "--output", metavar="OUT", help="The ranking; OUT.json gets the summary; - is standard output.  [required]"
)
all_option = click.option("--all", "everything", is_flag=True, help="Rank every line.")
smoothing_option = click.option(
    "--smoothing", type=float, default=0.01, show_default=True, help="Added to every count of the model."
)
id_option = click.option(
    "--id-key", metavar="KEY", help="Which field of the records names them: a column id, and --format ids."
)
format_option = click.option(
    "--format", "format", metavar="tsv|text|jsonl|parquet|csv|ids", help="Otherwise by OUT's suffix, else tsv."
)


def required_output(output: str | None) -> str:
    if output is None:
        raise CynicalError("where should the ranking go? give -o OUT, say -o jaded.tsv; -o - is standard output")
    return output


def corpus_of(paths: tuple[str, ...]) -> Any:
    """Several files are one corpus."""
    return paths[0] if len(paths) == 1 else [Path(path) for path in paths] if paths else None


def whole_numbers(option: str, given: str | None) -> tuple[int, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(int(one) for one in given.split(",")) if given else ()
    except ValueError:
        raise CynicalError(f"{option} {given}: expected whole numbers with commas between, say 10000,100000") from None


def fractions(option: str, given: str) -> tuple[float, ...]:
    try:
        return tuple(float(one) for one in given.split(","))
    except ValueError:
        raise CynicalError(f"{option} {given}: expected fractions with commas between, say 0.01,0.1") from None


def weights_of(value: str | None) -> list[float] | None:
    try:
        return None if value is None else [float(weight) for weight in value.split(",")]
    except ValueError:
        raise CynicalError(
            f"--weights must be numbers with commas between them, say 0.7,0.3; found {value!r}"
        ) from None
