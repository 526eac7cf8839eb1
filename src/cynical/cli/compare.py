"""cynical compare."""

from __future__ import annotations

import click

from ..errors import CynicalError, tell
from ..options import Corpora, Eligibility, Execution, Measure, Reading, Settings, TextOptions, Writing
from ..options.commands import Comparing, Figures
from .generate import command
from .render import show


@command("Compare with Moore-Lewis, DSIR and random lines.")
def compare(
    corpora: Corpora,
    told: Comparing,
    measure: Measure,
    eligibility: Eligibility,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    figures: Figures,
    writing: Writing,
) -> None:
    """Compare cynical selection with Moore-Lewis, DSIR and a random selection, on your own data.

    Each method ranks AVAILABLE. For each budget, a language model is trained on the first picks and measured on the
    held-out text. A method counts as better only if the difference holds in resampled held-out text.

    \b
    Examples:
      cynical compare -r task.txt -a pool.txt -t test.txt
      cynical compare -r task.txt -a pool.txt -t test.txt --exclude test.txt \\
        --report page.html
    """
    from .._kernels.ahead import compile_ahead
    from ..evaluation.compare import Contest, run
    from ..evaluation.methods import OURS
    from ..evaluation.texts import open_text
    from ..progress import Progress
    from ..reports.latex import comparison_latex
    from ..reports.report import comparison_page
    from ..reports.representative import Corpora as Texts
    from ..reports.tables import comparison_csv, comparison_table
    from ..text.atomic_file import Output, check_different, check_not_input, check_output
    from ..text.tokenizer import Tokenizer
    from .inputs import files_of, inputs_of

    if figures.report is not None and told.methods and not set(told.methods) & set(OURS):
        raise CynicalError("--report shows a cynical ranking, but --methods has none; add cynical to --methods")
    settings = Settings(eligibility=eligibility, text=text, execution=execution)
    files = [file for file in (figures.json, figures.csv, figures.latex, figures.report) if file is not None]
    tests = [*([told.held_out] if told.held_out else []), *told.held_out_with]
    check_not_input(files, [*files_of(corpora, text), *tests, *told.lists])
    check_different(files)
    for file in files:
        check_output(file, overwrite=writing.overwrite)
    inputs = inputs_of(corpora, reading)
    held_out = [open_text(name, "HELDOUT", reading) for name in tests]  # once: it may be a pipe
    progress = Progress(not writing.quiet)
    batch = ["batch", "variants"] if "cynical-batch" in told.methods else []
    compile_ahead(["exact", "ngrams", "widen", "rank", "evaluate", "compare", *batch], progress, execution.jobs)
    outcome = run(inputs, held_out, Contest(settings, measure, told), progress)
    made = outcome.comparison
    show(made.notices)
    if "-" not in files and not (writing.quiet and files):
        click.echo(comparison_table(made))
    page = b""
    if figures.report is not None:
        first = (
            held_out[0] if held_out and (told.side is None or len(held_out) > 1) else None
        )  # of AVAILABLE's language
        texts = Texts((), first, (), Tokenizer.of(text), reading, execution.jobs)
        page = comparison_page(outcome, texts, progress)
    tables = (figures.csv, comparison_csv(made)), (figures.latex, comparison_latex(made))
    for file_name, content in ((figures.json, made.to_json()), *tables, (figures.report, page)):
        if file_name is not None:
            with Output(file_name, overwrite=writing.overwrite) as output:
                output.write(content)
    if not writing.quiet:
        seconds = made.seconds
        ranking, models = seconds["ranking"], seconds["language models"]
        tell(f"took {seconds['total']:.1f} s: {ranking:.1f} to rank, {models:.1f} for language models")
