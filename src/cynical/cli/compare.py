"""cynical compare."""

from __future__ import annotations

import click

from ..errors import CynicalError, tell
from .generate import (
    choice_options,
    corpora_options,
    corpus_of,
    fractions,
    output_options,
    record_options,
    side_options,
    text_options,
)
from .render import show


@click.command(short_help="Cynical beside Moore-Lewis, DSIR and chance.")
@corpora_options
@click.option(
    "-t",
    "--held-out",
    "--heldout",
    "--test",
    metavar="HELDOUT",
    help="Text of the language you want, to judge by.  [default: a tenth of REPRESENTATIVE, held out]",
)
@click.option(
    "--shares",
    default="0.003,0.01,0.03,0.1",
    show_default=True,
    metavar="F,...",
    help="Budgets, as shares of AVAILABLE's words.",
)
@click.option(
    "--methods",
    metavar="NAME,...",
    help="Which, with commas between: cynical (single words), cynical-per-word, cynical-2-grams (per word), "
    "moore-lewis, bilingual-moore-lewis (both sides), dsir, random, longest, in-order.  [default: all that fit, but "
    "cynical-per-word]",
)
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="FILE",
    help="What another tool picked, best first, is judged too: a text, a ranking, or line numbers from 1 (.ids).",
)
@click.option("--order", type=int, default=4, show_default=True, metavar="N", help="The longest n-grams of the judge.")
@click.option(
    "--lm",
    default="own",
    show_default=True,
    metavar="own|kenlm",
    help="kenlm judges by lmplz, where it is on the PATH.",
)
@click.option("--random-seed", type=int, default=0, show_default=True, metavar="N", help="Another number, other lots.")
@side_options
@choice_options
@click.option("--json", "json_file", metavar="FILE", help="Write the figures here too; - is standard output.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write the table here too; - is standard output.")
@click.option(
    "--report", metavar="FILE.html", help="Write a page to look at: the methods' curves, and the best cynical ranking."
)
@text_options
@record_options
@output_options
def compare(
    representative: tuple[str, ...],
    available: tuple[str, ...],
    held_out: str | None,
    shares: str,
    methods: str | None,
    lists: tuple[str, ...],
    order: int,
    lm: str,
    random_seed: int,
    others: tuple[str, ...],
    representative_with: tuple[str, ...],
    exclude: tuple[str, ...],
    max_copies: int | None,
    min_length: int | None,
    max_length: int | None,
    json_file: str | None,
    csv_file: str | None,
    report: str | None,
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
    """Compare cynical selection with Moore-Lewis, DSIR and chance, on your own data.

    Each method ranks AVAILABLE; a language model is trained on its first picks, at each budget, and judged by the
    held-out text.

    \b
    Examples:
      cynical compare -r task.txt -a pool.txt -t test.txt
      cynical compare -r task.txt -a pool.txt -t test.txt --exclude test.txt --report page.html
    """
    from ..evaluation.compare import Contest, run
    from ..evaluation.evaluate import Measure
    from ..evaluation.methods import OURS
    from ..evaluation.texts import open_text
    from ..options import Settings
    from ..progress import Progress
    from ..reports.report import comparison_page
    from ..reports.representative import Corpora
    from ..reports.tables import comparison_csv, comparison_table
    from ..selection.eligible import Choice
    from ..selection.inputs import gather
    from ..selection.prepare import warm_up
    from ..text.atomic_file import Output, check_different, check_not_input, check_output
    from ..text.sources import Reading
    from ..text.tokenizer import Tokenizer

    settings = Settings(
        choice=Choice(min_length, max_length, max_copies),
        tokenizer=Tokenizer(tokenizer, lowercase, 1, normalize),
        jobs=jobs,
    )
    measure, names = Measure(order, lm), methods.split(",") if methods else []
    if report is not None and names and not set(names) & set(OURS):
        raise CynicalError("--report shows a cynical ranking beside the others; add cynical to --methods")
    files = [file for file in (json_file, csv_file, report) if file is not None]
    read = (
        *representative,
        *available,
        *((held_out,) if held_out else ()),
        *lists,
        *others,
        *representative_with,
        *exclude,
    )
    check_not_input(files, (*read, *settings.tokenizer.files))
    check_different(files)
    for file in files:
        check_output(file, overwrite=overwrite)
    inputs = gather(
        representative,
        corpus_of(available),
        exclude=corpus_of(exclude),
        sides=others,
        representative_with=representative_with,
        reading=Reading(text_key, bad_records, scratch),
    )
    decides = None if held_out is None else open_text(held_out, "HELDOUT", inputs.reading)  # once: it may be a pipe
    progress = Progress(not quiet)
    warm_up(progress, "count_lines", "follow", settings.kernel)
    contest = Contest(settings, measure, fractions("--shares", shares), names, lists, random_seed)
    outcome = run(inputs, decides, contest, progress)
    made = outcome.comparison
    show(made.notices)
    if "-" not in files and not (quiet and files):
        click.echo(comparison_table(made))
    page = b""
    if report is not None:
        page = comparison_page(outcome, Corpora((), decides, (), settings.tokenizer, inputs.reading, jobs), progress)
    for file_name, content in ((json_file, made.to_json()), (csv_file, comparison_csv(made)), (report, page)):
        if file_name is not None:
            with Output(file_name, overwrite=overwrite) as output:
                output.write(content)
    if not quiet:
        seconds = made.seconds
        ranking, models = seconds["ranking"], seconds["language models"]
        tell(f"took {seconds['total']:.1f} s: {ranking:.1f} to rank, {models:.1f} for language models")
