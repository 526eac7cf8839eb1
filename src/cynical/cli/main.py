"""The command line: parses and calls."""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path
from typing import Any

import click

from ..errors import CynicalError, os_error, tell
from ..reports.figures import columns
from ..version import __version__
from .compare import compare
from .evaluate import evaluate
from .generate import (
    all_option,
    budget_options,
    choice_options,
    class_options,
    corpora_options,
    corpus_of,
    engine_options,
    format_option,
    id_option,
    known_side_options,
    means_options,
    ngrams_option,
    output_options,
    ranking_option,
    record_options,
    required_output,
    side_options,
    smoothing_option,
    text_options,
    weights_of,
    weights_option,
)
from .plot import plot
from .rank import rank
from .render import show
from .report import report

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main() -> None:
    """Exit codes: 0 done, 2 something the user can put right, 130 Ctrl-C, 1 a bug."""
    try:
        with cli.make_context("cynical", sys.argv[1:]) as context:  # click's own main has other ideas of exit codes
            cli.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes
        sys.exit(0)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _say("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        _say(_usage(error))
        sys.exit(2)
    except CynicalError as error:
        _say(str(error))
        sys.exit(2)
    except OSError as error:
        _say(str(os_error(error.filename or "cynical", error)))
        sys.exit(2)
    except MemoryError:
        _say("not enough memory; pick from a part of AVAILABLE, or use a larger machine")
        sys.exit(2)
    finally:
        _give_up_notices()


def _give_up_notices() -> None:
    """Where nobody can hear what was said on standard error, Python complains when it flushes, unless it can."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _say(message: str) -> None:
    """One line on standard error, whatever a file name holds."""
    tell("cynical: " + " ".join(message.split()))


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "cynical"
    hint = (
        "; quote a pattern such as 'pool/*.txt', or repeat the option for each file"
        if "extra argument" in error.format_message()
        else ""
    )
    return f"{error.format_message().rstrip('.')}{hint}; see {command} --help"


@click.group(context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", message="cynical %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Pick the lines of a large corpus that teach a model most about the language you want.

    \b
    REPRESENTATIVE  the language you want to model, a small text
    AVAILABLE       the lines you can choose from, a large text
    JADED           the output: the best lines, best first, each with its worth in bits

    \b
    A first look:   cynical demo
    The main job:   cynical select -r task.txt -a pool.txt -o jaded.tsv
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _given(**options: Any) -> dict[str, Any]:
    """The options that were given; the others keep their defaults."""
    return {name: value for name, value in options.items() if value is not None}


def _patience(value: str | None) -> float | None:
    try:
        return None if value is None else math.inf if value == "all" else float(value)
    except ValueError:
        raise CynicalError(f"--patience must be a share of AVAILABLE's words, or 'all', found {value!r}") from None


def _bits(entropy: float) -> str:
    return "unknown" if math.isnan(entropy) else f"{entropy:.4f}"


@cli.command(short_help="Rank lines by the bits they take off.")
@corpora_options
@click.option(
    "-u",
    "--unadapted",
    multiple=True,
    metavar="UNADAPTED",
    help="The language you have (text or .counts): decides the classes of words. AVAILABLE by default.",
)
@click.option(
    "-s",
    "--seed",
    multiple=True,
    metavar="SEED",
    help="What you have selected already: text, .counts, or an earlier ranking (.tsv; only its lines are not "
    "picked again).",
)
@weights_option
@side_options
@known_side_options
@ranking_option
@budget_options
@all_option
@click.option("--money", type=float, metavar="M", help="At most so much money, with --price; ranks per word.")
@click.option("--price", type=float, metavar="P", help="What a word costs; words are tokens, of all sides that count.")
@click.option(
    "--patience",
    metavar="F|all",
    help="Without a budget: look for a new low for this share of AVAILABLE's words.  [default: 0.1]",
)
@click.option(
    "--strategy",
    default="exact",
    show_default=True,
    metavar="exact|word|batch",
    help="The best line of all, or the paper's shortcuts: the best line of the best word, or a batch of them.",
)
@click.option(
    "--vocabulary",
    default="full",
    show_default=True,
    metavar="full|classes",
    help="full: every representative word counts for itself; classes: only useful ones do, the others as classes.",
)
@click.option(
    "--per",
    metavar="line|word",
    help="line: the lowest delta first; word: the lowest delta per word, for a budget in words.  "
    "[default: line; word with --money]",
)
@ngrams_option("2: word pairs count too, 3: and triples.")
@smoothing_option
@class_options
@choice_options
@means_options
@id_option
@format_option
@text_options
@record_options
@engine_options
@output_options
def select(
    representative: tuple[str, ...],
    available: tuple[str, ...],
    unadapted: tuple[str, ...],
    seed: tuple[str, ...],
    weights: str | None,
    others: tuple[str, ...],
    representative_with: tuple[str, ...],
    unadapted_with: tuple[str, ...],
    seed_with: tuple[str, ...],
    output: str | None,
    lines: int | None,
    words: int | None,
    share: float | None,
    everything: bool,
    price: float | None,
    money: float | None,
    patience: str | None,
    strategy: str,
    vocabulary: str,
    per: str | None,
    ngrams: int,
    smoothing: float,
    min_count: int | None,
    ratio_threshold: float | None,
    exclude: tuple[str, ...],
    max_copies: int | None,
    min_length: int | None,
    max_length: int | None,
    checkpoint: str | None,
    checkpoint_every: float,
    memory: str | None,
    dry_run: bool,
    id_key: str | None,
    format: str | None,
    tokenizer: str,
    normalize: str | None,
    lowercase: bool,
    jobs: int | None,
    text_key: str | None,
    bad_records: str,
    scratch: str | None,
    engine: str,
    address: str | None,
    workers: int | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Rank the lines of AVAILABLE by the bits each takes off the cross-entropy of REPRESENTATIVE.

    Each pick is the best given all picks before it. Without --lines, --words, --share, --money or --all the ranking
    ends where the entropy is lowest: more lines would only make the model worse. A budget ends at the first line that
    does not fit.

    \b
    Examples: a tenth of the pool, the way that trains the best models;
      cynical select -r task.txt -a pool.txt --share 0.1 --per word --ngrams 2 -o jaded.tsv
    sentences to have translated for 5000, at 0.12 a word;
      cynical select -r task.txt -a stream.txt -s have.txt --price 0.12 --money 5000 -o jaded.tsv
    a parallel corpus, both sides of which count;
      cynical select -r task.en --representative-with task.de -a pool.en --with pool.de -o jaded.tsv
    a thousand more of the same.
      cynical select -r task.txt -a pool.txt -s jaded.tsv --lines 1000 -o more.tsv
    """
    began = time.perf_counter()
    from ..cluster.actors import Engine, run_on_ray
    from ..memory import parse_size
    from ..model.budget import Budget
    from ..model.classes import Thresholds
    from ..options import Settings
    from ..progress import Progress
    from ..selection.eligible import Choice
    from ..selection.inputs import gather
    from ..selection.rehearsal import rehearse
    from ..selection.run import run
    from ..text.sources import Reading
    from ..text.tokenizer import Tokenizer
    from .destination import Destination, FarDestination

    where = Engine(engine, address, workers)
    thresholds = Thresholds(**_given(min_count=min_count, ratio=ratio_threshold))
    settings = Settings(
        Budget(lines, words, share, everything, _patience(patience), price, money),
        strategy,
        vocabulary,
        per,
        smoothing,
        thresholds,
        Choice(min_length, max_length, max_copies),
        Tokenizer(tokenizer, lowercase, ngrams, normalize),
        jobs,
        checkpoint,
        checkpoint_every,
        parse_size(memory),
    )
    inputs = gather(
        representative,
        corpus_of(available),
        unadapted=corpus_of(unadapted),
        seed=corpus_of(seed),
        exclude=corpus_of(exclude),
        weights=weights_of(weights),
        sides=others,
        representative_with=representative_with,
        unadapted_with=unadapted_with,
        seed_with=seed_with,
        reading=Reading(text_key, bad_records, scratch),
        id_key=id_key,
    )
    read = (*representative, *available, *unadapted, *seed, *others, *exclude, *settings.tokenizer.files)
    read += (*representative_with, *unadapted_with, *seed_with)
    if dry_run:
        click.echo(columns(rehearse(inputs, settings, Progress(not quiet)).rows()))
        return
    output = required_output(output)
    if where.name == "ray":
        far = FarDestination(output, format, inputs, settings, read, overwrite)
        with run_on_ray(inputs, settings, Progress(not quiet), where) as made:
            far.write_parts(made, quiet, began)
        return
    destination = Destination(output, format, inputs, read, overwrite)
    destination.write(run(inputs, settings, Progress(not quiet)), quiet, began)


@cli.command(short_help="Counts to share instead of a text.")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="OUT.counts", help="The counts; - is standard output.")
@click.option(
    "--fold-below",
    type=int,
    default=1,
    metavar="K",
    help="Fold words seen less than K times into one total, so that nobody can read them.",
)
@ngrams_option("2: count word pairs too, 3: and triples; for `select --ngrams N`.")
@text_options
@record_options
@output_options
def count(
    corpus: tuple[str, ...],
    output: str,
    fold_below: int,
    ngrams: int,
    tokenizer: str,
    normalize: str | None,
    lowercase: bool,
    jobs: int | None,
    text_key: str | None,
    bad_records: str,
    scratch: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Count the words of CORPUS into a file that can be shared instead of the text.

    `select` and `words` take it wherever they need only counts: for -r, -u and -s.

    \b
    Example, for a client who cannot share the text itself:
      cynical count confidential.txt -o task.counts --fold-below 3
      cynical select -r task.counts -a pool.txt -o jaded.tsv
    """
    began = time.perf_counter()
    from ..model.count import count_words
    from ..model.untokenized import hint
    from ..options import Settings
    from ..progress import Progress
    from ..selection.prepare import warm_up
    from ..selection.summarize import skipped
    from ..selection.texts import opened
    from ..text.atomic_file import check_not_input, check_output
    from ..text.corpus import Corpus
    from ..text.sources import Reading
    from ..text.tokenizer import Tokenizer

    if fold_below < 1:
        raise CynicalError(f"--fold-below must be at least 1, found {fold_below}")
    settings = Settings(tokenizer=Tokenizer(tokenizer, lowercase, ngrams, normalize), jobs=jobs)
    check_not_input([output], (*corpus, *settings.tokenizer.files))
    check_output(output, overwrite=overwrite)
    progress = Progress(not quiet)
    source = opened(corpus_of(corpus), "corpus", Reading(text_key, bad_records, scratch))
    warm_up(progress, "count_words")
    counts = count_words(source, settings.tokenizer, jobs, progress, "corpus")
    if fold_below > 1:
        counts = counts.folded(fold_below)
    counts.write(output, overwrite=overwrite)
    if isinstance(source, Corpus) and source.bad:
        show([skipped(source, "CORPUS")])
    if counts.broken:
        show([f"{counts.broken} lines are not UTF-8; their words were counted as bytes"])
    show(hint("CORPUS", [counts]))
    if not quiet:
        folded = f", {counts.other:,} of them folded" if counts.other else ""
        took = time.perf_counter() - began
        tell(f"{counts.lines:,} lines, {counts.total:,} words{folded}, {len(counts):,} types in {took:.1f} s")
        for order in range(1, ngrams):
            tell(f"{counts.totals[order]:,} {order + 1}-grams, {counts.sizes[order]:,} types")
        if output != "-":
            longer = f" --ngrams {ngrams}" if ngrams > 1 else ""
            tell(f"next: cynical select -r {output} -a pool.txt{longer} -o jaded.tsv")


@cli.command(short_help="Every word with its class and counts.")
@click.option(
    "-r",
    "--representative",
    multiple=True,
    required=True,
    metavar="REPR",
    help="The language you want: a text or a .counts file.",
)
@click.option(
    "-u",
    "--unadapted",
    multiple=True,
    metavar="UNADAPTED",
    help="The language you have: a text or a .counts file. AVAILABLE by default.",
)
@click.option(
    "-a", "--available", multiple=True, metavar="AVAIL", help="The lines to choose from. UNADAPTED by default."
)
@click.option("-o", "--output", default="-", show_default=True, metavar="OUT", help="The table; - is standard output.")
@class_options
@text_options
@record_options
@output_options
def words(
    representative: tuple[str, ...],
    unadapted: tuple[str, ...],
    available: tuple[str, ...],
    output: str,
    min_count: int | None,
    ratio_threshold: float | None,
    tokenizer: str,
    normalize: str | None,
    lowercase: bool,
    jobs: int | None,
    text_key: str | None,
    bad_records: str,
    scratch: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """List every word with its class, its counts and how much more frequent it is in REPRESENTATIVE.

    \b
    useful      much more frequent in REPRESENTATIVE than in UNADAPTED: what selection is about
    meh         about as frequent in both
    bad         much rarer in REPRESENTATIVE
    dubious     too rare to tell
    impossible  in REPRESENTATIVE, but in no available line
    useless     not in REPRESENTATIVE

    \b
    Example:
      cynical words -r task.txt -u pool.txt | less -S
    """
    from ..model.classes import Thresholds
    from ..model.count import count_single_words
    from ..model.untokenized import hint
    from ..model.word_list import list_words
    from ..options import Settings
    from ..progress import Progress
    from ..selection.prepare import warm_up
    from ..selection.texts import opened
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.sources import Reading
    from ..text.tokenizer import Tokenizer
    from .render import class_table

    if not unadapted and not available:
        raise CynicalError("give -u UNADAPTED, -a AVAIL or both: words are compared with the language you have")
    thresholds = Thresholds(**_given(min_count=min_count, ratio=ratio_threshold))
    settings = Settings(tokenizer=Tokenizer(tokenizer, lowercase, normalize=normalize), jobs=jobs)
    check_not_input([output], (*representative, *unadapted, *available, *settings.tokenizer.files))
    check_output(output, overwrite=overwrite)
    progress = Progress(not quiet)
    given = {"REPRESENTATIVE": representative, "UNADAPTED": unadapted, "AVAILABLE": available}
    if len(representative) > 1:
        raise CynicalError("-r was given twice; words has one target, give one file or a pattern")
    reading = Reading(text_key, bad_records, scratch)
    sources = {role: opened(corpus_of(paths), role, reading) for role, paths in given.items() if paths}
    warm_up(progress, "count_words")
    counted = {
        role: count_single_words(source, settings.tokenizer, jobs, progress, role) for role, source in sources.items()
    }
    have, can = counted.get("UNADAPTED"), counted.get("AVAILABLE")
    table = list_words(counted["REPRESENTATIVE"], have if have is not None else counted["AVAILABLE"], can, thresholds)
    with Output(output, overwrite=overwrite) as file:
        for row in table.to_bytes():
            file.write(row)
    show(hint("REPRESENTATIVE", [counted["REPRESENTATIVE"]]))
    if not quiet:
        tell(class_table(table.by_class()))


@cli.command(short_help="Cut a ranking again, without running it.")
@click.argument("ranking")
@budget_options
@click.option("--stop", is_flag=True, help="At the stopping point: where the entropy is lowest.")
@click.option("-o", "--output", required=True, metavar="OUT", help="What is kept; - is standard output.")
@format_option
@output_options
def cut(
    ranking: str,
    lines: int | None,
    words: int | None,
    share: float | None,
    stop: bool,
    output: str,
    format: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Cut RANKING again, without running it again.

    \b
    Example, the lines alone up to the best cut:
      cynical cut jaded.tsv --stop -o best.txt
    """
    from ..jaded.cut import cut as cut_ranking
    from ..model.budget import Budget

    made = cut_ranking(ranking, output, Budget(lines, words, share), stop, format, overwrite)
    show(made.notices)
    if not quiet:
        rows = [
            ("kept", f"{made.lines:,} lines", f"{made.words:,} words, of {made.ranked:,} lines"),
            ("entropy, bits", _bits(made.entropy_before), f"-> {_bits(made.entropy)}"),
        ]
        tell(columns(rows))


@cli.command(short_help="See what it is about.")
@click.option("-o", "--output", default="cynical-demo", show_default=True, metavar="FOLDER", help="Where the files go.")
@click.option("--lines", type=int, default=1000, show_default=True, metavar="N", help="How many lines to pick.")
@output_options
def demo(output: str, lines: int, overwrite: bool, quiet: bool) -> None:
    """Pick sentences about networking from the documentation of your own Python.

    \b
    Example:
      cynical demo
    """
    from .demo import run_demo

    run_demo(Path(output), lines, overwrite, quiet)


cli.add_command(rank)
cli.add_command(evaluate)
cli.add_command(compare)
cli.add_command(report)
cli.add_command(plot)
