"""cynical plot: the curves of rankings as a picture."""

from __future__ import annotations

import click

from ..errors import tell
from .generate import output_options
from .render import show


@click.command(short_help="The curves of rankings, for a paper.")
@click.argument("jaded", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="CURVE.png|svg|pdf", help="The picture.")
@click.option("--label", multiple=True, metavar="NAME", help="What to call each ranking.  [default: its file's name]")
@click.option(
    "--evaluation",
    multiple=True,
    metavar="FILE",
    help="What `cynical evaluate --json FILE` has written; once for each ranking, in the same order.",
)
@click.option("--width", type=float, default=5.0, show_default=True, metavar="INCHES", help="How wide the picture is.")
@click.option("--text-key", metavar="KEY", help="Which field of JSON lines is the text.  [default: text]")
@output_options
def plot(
    jaded: tuple[str, ...],
    output: str,
    label: tuple[str, ...],
    evaluation: tuple[str, ...],
    width: float,
    text_key: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Draw the entropy of rankings against the words picked, with their stopping points, for a paper.

    \b
    Example, two rankings over one another:
      cynical plot lines.tsv words.tsv --label 'per line' --label 'per word' -o curve.svg
    """
    from ..jaded.summary import all_files, read_summary, summary_path
    from ..reports.plot import PlotOptions, plot_format, run
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.paths import shown
    from ..text.sources import Reading

    format, options = plot_format(output), PlotOptions(label, evaluation, width, Reading(text_key))
    options.check(len(jaded))
    spared = [file for path in jaded for file in (str(summary_path(path)), *all_files(read_summary(path)))]
    check_not_input([output], [*jaded, *evaluation, *spared])
    check_output(output, overwrite=overwrite)
    made = run(jaded, format, options)
    with Output(output, overwrite=overwrite) as file:
        file.write(made.picture)
    show(made.notices)
    if not quiet:
        tell(f"{len(jaded)} curve{'' if len(jaded) == 1 else 's'} in {shown(output)}")
