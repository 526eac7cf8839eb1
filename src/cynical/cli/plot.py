"""cynical plot: the curves of rankings."""

from __future__ import annotations

from ..errors import tell
from ..options import Reading, Writing
from ..options.commands import Plotting
from .generate import command
from .render import show


@command("Plot the curves of rankings.")
def plot(jaded: tuple[str, ...], told: Plotting, writing: Writing) -> None:
    """Plot the entropy of rankings against the number of words picked, with their stopping points.

    \b
    Two rankings in one plot:
      cynical plot lines.tsv words.tsv -o curve.svg \\
        --label 'per line' --label 'per word'
    """
    from ..jaded.find import files_of_ranking
    from ..reports.plot import PlotOptions, plot_format, run
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.paths import shown

    output = told.output
    format, options = plot_format(output), PlotOptions(told.label, told.evaluation, told.width, Reading(told.text_key))
    options.check(len(jaded))
    check_not_input([output], [*told.evaluation, *(file for path in jaded for file in files_of_ranking(path))])
    check_output(output, overwrite=writing.overwrite)
    made = run(jaded, format, options)
    with Output(output, overwrite=writing.overwrite) as file:
        file.write(made.picture)
    show(made.notices)
    if not writing.quiet:
        tell(f"{len(jaded)} curve{'' if len(jaded) == 1 else 's'} in {shown(output)}")
