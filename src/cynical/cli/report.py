"""cynical report: a ranking as one HTML file."""

from __future__ import annotations

import click

from ..errors import tell
from .generate import output_options, record_options, rereading_options
from .render import show


@click.command(short_help="A page to look at, with a slider on the cut.")
@click.argument("jaded")
@click.option(
    "-r",
    "--representative",
    multiple=True,
    metavar="REPR",
    help="The language you want: a text or a .counts file.  [default: the files that JADED's summary names]",
)
@click.option(
    "-t",
    "--held-out",
    "--heldout",
    "--test",
    "heldout",
    metavar="HELDOUT",
    help="Text of the language you want, not used to rank: what is unknown of it, and which cut predicts it best.",
)
@click.option(
    "-a", "--available", multiple=True, metavar="AVAIL", help="What was picked from: for words by class, and labels."
)
@click.option("--label-key", metavar="KEY", help="The field of records, or column of JADED, that labels a line.")
@click.option("--labels", metavar="FILE", help="A label for each line of AVAILABLE, say its domain.")
@click.option("--evaluation", metavar="FILE", help="What `cynical evaluate --json FILE` has written of JADED.")
@click.option("--price", type=float, metavar="P", help="What a word costs.  [default: as in JADED's summary]")
@click.option("-o", "--output", metavar="PAGE.html", help="The page; - is standard output.  [default: JADED.html]")
@rereading_options
@record_options
@output_options
def report(
    jaded: str,
    representative: tuple[str, ...],
    heldout: str | None,
    available: tuple[str, ...],
    label_key: str | None,
    labels: str | None,
    evaluation: str | None,
    price: float | None,
    output: str | None,
    tokenizer: str | None,
    normalize: str | None,
    lowercase: bool | None,
    jobs: int | None,
    text_key: str | None,
    bad_records: str,
    scratch: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Show JADED as a page: its curve, its words, its lines, and a slider to choose the cut.

    The page is one file that needs no network; open it in a browser, or send it to whoever decides.

    \b
    Example:
      cynical report jaded.tsv --labels pool.domains -o jaded.html
    """
    from ..checks import positive
    from ..evaluation.evaluate import TextOverrides
    from ..jaded.summary import all_files, read_summary, summary_path
    from ..progress import Progress
    from ..reports.report import ReportInputs, run
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.paths import shown
    from ..text.sources import Reading

    output = f"{jaded}.html" if output is None else output
    read = [jaded, *representative, *available, *(one for one in (heldout, labels, evaluation) if one is not None)]
    check_not_input([output], [*read, str(summary_path(jaded)), *all_files(read_summary(jaded))])
    check_output(output, overwrite=overwrite)
    inputs = ReportInputs(
        representative=representative,
        held_out=heldout,
        available=available,
        label_key=label_key,
        labels=labels,
        evaluation=evaluation,
        price=None if price is None else positive("price", price),
        overrides=TextOverrides(tokenizer, normalize, lowercase),
        reading=Reading(text_key, bad_records, scratch),
        jobs=jobs,
    )
    made = run(jaded, inputs, Progress(not quiet))
    show(made.notices)
    with Output(output, overwrite=overwrite) as file:
        file.write(made.page)
    if not quiet and output != "-":
        tell(f"{made.lines:,} lines, {len(made.page) / 1e6:.1f} MB; next: open {shown(output)} in a browser")
