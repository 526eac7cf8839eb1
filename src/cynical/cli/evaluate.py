"""cynical evaluate."""

from __future__ import annotations

import click

from ..errors import tell
from ..options import Execution, Measure, Reading, Rereading, Writing
from ..options.commands import Evaluating, Figures
from .generate import command
from .render import show


@command("Measure a ranking on held-out text.")
def evaluate(
    ranking: str,
    told: Evaluating,
    measure: Measure,
    rereading: Rereading,
    reading: Reading,
    execution: Execution,
    figures: Figures,
    writing: Writing,
) -> None:
    """Measure growing prefixes of RANKING on a held-out text, and mark the best cut.

    RANKING is the output of `select` or `rank`, or any text, whose lines are taken in their original order. The picks
    of other tools can be measured this way too.

    \b
    Example:
      cynical evaluate jaded.tsv -t test.txt
      cynical evaluate their-picks.txt -t test.txt --json figures.json
    """
    import shlex

    from .._kernels.ahead import compile_ahead
    from ..evaluation.evaluate import EvaluationInputs, run
    from ..jaded.find import files_of_ranking
    from ..progress import Progress
    from ..reports.tables import evaluation_table, to_csv
    from ..text.atomic_file import Output, check_different, check_not_input, check_output
    from .inputs import corpus_of

    files = [file for file in (figures.json, figures.csv) if file is not None]
    inputs = [told.held_out, *([told.representative] if told.representative else []), *told.available]
    check_not_input(files, [*inputs, *files_of_ranking(ranking)])
    check_different(files)
    for file in files:
        check_output(file, overwrite=writing.overwrite)
    progress = Progress(not writing.quiet)
    compile_ahead(["evaluate"], progress, execution.jobs)
    available = corpus_of(told.available)
    texts = EvaluationInputs(ranking, told.held_out, told.representative, available, told.side, rereading, reading)
    made = run(texts, measure, execution.jobs, progress)
    for name, content in ((figures.json, made.to_json()), (figures.csv, to_csv(made))):
        if name is not None:
            with Output(name, overwrite=writing.overwrite) as output:
                output.write(content)
    show(made.notices)
    if "-" not in files and not (writing.quiet and files):
        click.echo(evaluation_table(made))
    still_falls = made.best == made.points[-1] and made.best.lines == made.ranking.lines and len(made.points) > 1
    if not writing.quiet and still_falls:
        tell(
            "next: the perplexity is still falling at the end of the ranking; rank more lines, with a larger budget "
            "or --all"
        )
    elif not writing.quiet and made.ranking.cuttable:
        tell(f"next: cynical cut {shlex.quote(ranking)} --lines {made.best.lines} -o best.txt")
    if not writing.quiet:
        took, models = made.seconds["read"] + made.seconds["evaluate"], made.seconds["language models"]
        tell(f"took {took:.1f} s, {models:.1f} s of it for language models")
