"""cynical report: a ranking as one HTML file."""

from __future__ import annotations

from ..errors import number_of, tell
from ..options import Execution, Reading, Rereading, Writing
from ..options.commands import Reporting
from .generate import command
from .render import show


@command("Make an HTML page with a slider for the cut.")
def report(
    jaded: str,
    told: Reporting,
    rereading: Rereading,
    reading: Reading,
    execution: Execution,
    writing: Writing,
) -> None:
    """Make an HTML page of JADED: its curve, words and lines, and a slider to choose the cut.

    The page is a single file that needs no network: open it in a browser, or send it to a colleague.

    \b
    Example:
      cynical report jaded.tsv --labels pool.domains -o jaded.html
    """
    from ..jaded.find import files_of_ranking
    from ..jaded.names import whole_name, whole_of_glob
    from ..progress import Progress
    from ..reports.report import ReportInputs, run
    from ..text.atomic_file import Output, check_not_input, check_output
    from ..text.paths import shown

    output = f"{whole_of_glob(whole_name(jaded))}.html" if told.output is None else told.output
    single = (one for one in (told.held_out, told.labels, told.evaluation) if one is not None)
    read = [*told.representative, *told.available, *told.seed, *single]
    check_not_input([output], [*read, *files_of_ranking(jaded)])
    check_output(output, overwrite=writing.overwrite)
    inputs = ReportInputs(
        representative=told.representative,
        held_out=told.held_out,
        available=told.available,
        seed=told.seed,
        label_key=told.label_key,
        labels=told.labels,
        evaluation=told.evaluation,
        price=told.price,
        overrides=rereading,
        reading=reading,
        jobs=execution.jobs,
    )
    made = run(jaded, inputs, Progress(not writing.quiet))
    show(made.notices)
    with Output(output, overwrite=writing.overwrite) as file:
        file.write(made.page)
    if not writing.quiet and output != "-":
        tell(f"{number_of(made.lines, 'line')}, {len(made.page) / 1e6:.1f} MB; next: open {shown(output)} in a browser")
