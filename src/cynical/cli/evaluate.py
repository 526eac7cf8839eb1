"""cynical evaluate."""

from __future__ import annotations

import click

from ..errors import tell
from .generate import corpus_of, output_options, record_options, rereading_options, whole_numbers
from .render import show


@click.command(short_help="Measure a ranking on held-out text.")
@click.argument("ranking")
@click.option(
    "-t",
    "--held-out",
    "--heldout",
    "--test",
    required=True,
    metavar="HELDOUT",
    help="Text of the language you want, not used to rank.",
)
@click.option(
    "-r",
    "--representative",
    metavar="REPR",
    help="To see how much of its vocabulary is there.  [default: what the ranking was made with]",
)
@click.option(
    "-a",
    "--available",
    multiple=True,
    metavar="AVAIL",
    help="Where the lines stand, if RANKING is a list of line numbers.",
)
@click.option("--side", metavar="NAME", help="Judge this side of a parallel ranking, on HELDOUT of that language.")
@click.option(
    "--order",
    type=int,
    default=4,
    show_default=True,
    metavar="N",
    help="The longest n-grams of the language model, 1 to 5.",
)
@click.option(
    "--lm",
    default="own",
    show_default=True,
    metavar="own|kenlm",
    help="kenlm uses lmplz and query, where they are on the PATH.",
)
@click.option(
    "--points",
    type=int,
    default=20,
    show_default=True,
    metavar="N",
    help="How many prefixes, each 1.4 times the one before.",
)
@click.option("--at", metavar="WORDS,...", help="Prefixes of so many words, in place of --points.")
@click.option(
    "--vocabulary-size",
    type=int,
    metavar="N",
    help="Words of the language, unknown ones included: the same for rankings that you compare.  "
    "[default: words of the whole ranking, and 2]",
)
@click.option("--json", "json_file", metavar="FILE", help="Write the figures here too; - is standard output.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write the table here too; - is standard output.")
@rereading_options
@record_options
@output_options
def evaluate(
    ranking: str,
    held_out: str,
    representative: str | None,
    available: tuple[str, ...],
    side: str | None,
    order: int,
    lm: str,
    points: int,
    at: str | None,
    vocabulary_size: int | None,
    json_file: str | None,
    csv_file: str | None,
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
    """Measure growing prefixes of RANKING on a held-out text, and mark the best cut.

    RANKING is what `select` or `rank` wrote, or any text: its lines are taken in their order, so that what other tools
    picked can be judged too.

    \b
    Example:
      cynical evaluate jaded.tsv -t test.txt
      cynical evaluate their-picks.txt -t test.txt --json figures.json
    """
    import shlex

    from ..evaluation.evaluate import EvaluationInputs, Measure, TextOverrides, run
    from ..jaded.summary import all_files, read_summary, summary_path
    from ..progress import Progress
    from ..reports.tables import evaluation_table, to_csv
    from ..selection.prepare import warm_up
    from ..text.atomic_file import Output, check_different, check_not_input, check_output
    from ..text.sources import Reading

    measure = Measure(order, lm, points, whole_numbers("--at", at), vocabulary_size)
    files = [file for file in (json_file, csv_file) if file is not None]
    inputs = [ranking, held_out, *([representative] if representative else []), *available]
    spared = [str(summary_path(ranking)), *all_files(read_summary(ranking))]
    check_not_input(files, [*inputs, *spared])
    check_different(files)
    for file in files:
        check_output(file, overwrite=overwrite)
    progress = Progress(not quiet)
    warm_up(progress, "count_lines")
    texts = EvaluationInputs(
        ranking,
        held_out,
        representative,
        corpus_of(available),
        side,
        TextOverrides(tokenizer, normalize, lowercase),
        Reading(text_key, bad_records, scratch),
    )
    made = run(texts, measure, jobs, progress)
    for name, content in ((json_file, made.to_json()), (csv_file, to_csv(made))):
        if name is not None:
            with Output(name, overwrite=overwrite) as output:
                output.write(content)
    show(made.notices)
    if "-" not in files and not (quiet and files):
        click.echo(evaluation_table(made))
    if not quiet and made.best == made.points[-1] and made.best.lines == made.ranking.lines and len(made.points) > 1:
        tell("next: the perplexity still falls where the ranking ends; rank further, with a larger budget or --all")
    elif not quiet and made.ranking.cuttable:
        tell(f"next: cynical cut {shlex.quote(ranking)} --lines {made.best.lines} -o best.txt")
    if not quiet:
        took, models = made.seconds["read"] + made.seconds["evaluate"], made.seconds["language models"]
        tell(f"took {took:.1f} s, of which {models:.1f} for language models")
