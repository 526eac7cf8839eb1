"""cynical plot: the curves of rankings as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import CynicalError, tell
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
    from ..reports.evaluations import read_evaluation
    from ..reports.picks import read_picks
    from ..reports.plot import draw, incomparable, plot_format
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.paths import shown
    from ..text.sources import Reading

    format = plot_format(output)
    if label and len(label) != len(jaded):
        raise CynicalError(f"--label was given {len(label)} times for {len(jaded)} rankings; give one for each")
    if len(evaluation) > len(jaded):
        raise CynicalError(
            f"--evaluation was given {len(evaluation)} times for {len(jaded)} rankings; give one for each"
        )
    if not 1 <= width <= 50:
        raise CynicalError(f"--width must lie between 1 and 50 inches, found {width:g}")
    spared = [file for path in jaded for file in (str(summary_path(path)), *all_files(read_summary(path)))]
    check_not_input([output], [*jaded, *evaluation, *spared])
    check_output(output, overwrite=overwrite)
    reading = Reading(text_key)
    names = map(shown, label or (Path(path).name for path in jaded))
    rankings = [(name, read_picks(path, reading)) for name, path in zip(names, jaded, strict=True)]
    evaluations = [read_evaluation(file, picks) for file, (_, picks) in zip(evaluation, rankings, strict=False)]
    picture = draw(rankings, evaluations, format, width)
    with Output(output, overwrite=overwrite) as file:
        file.write(picture)
    show(incomparable(rankings, evaluations))
    if not quiet:
        tell(f"{len(rankings)} curve{'' if len(rankings) == 1 else 's'} in {shown(output)}")
