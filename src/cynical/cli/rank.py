"""cynical rank: other ways to rank, to compare with."""

from __future__ import annotations

import time

import click

from ..evaluation.baselines import BUCKETS, METHODS, ORDER, RANDOM_SEED
from .generate import (
    all_option,
    budget_options,
    choice_options,
    corpora_options,
    corpus_of,
    format_option,
    id_option,
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

METHODS_HELP = "; ".join(f"{name}: {method.what}" for name, method in METHODS.items()) + "."


@click.command(short_help="Rank by another method.")
@corpora_options
@click.option("--method", required=True, metavar="|".join(METHODS), help=METHODS_HELP)
@click.option(
    "--random-seed", type=int, metavar="N", help=f"Another number draws other lots.  [default: {RANDOM_SEED}]"
)
@click.option("--buckets", type=int, metavar="N", help=f"Hash buckets for dsir.  [default: {BUCKETS}]")
@click.option("--order", type=int, metavar="N", help=f"The longest n-grams for Moore-Lewis.  [default: {ORDER}]")
@weights_option
@side_options
@ranking_option
@budget_options
@all_option
@ngrams_option("2: the bits are those of word pairs too, 3: and of triples; the order is the same.")
@smoothing_option
@choice_options
@id_option
@format_option
@text_options
@record_options
@output_options
def rank(
    representative: tuple[str, ...],
    available: tuple[str, ...],
    method: str,
    random_seed: int | None,
    buckets: int | None,
    order: int | None,
    weights: str | None,
    others: tuple[str, ...],
    representative_with: tuple[str, ...],
    output: str | None,
    lines: int | None,
    words: int | None,
    share: float | None,
    everything: bool,
    ngrams: int,
    smoothing: float,
    exclude: tuple[str, ...],
    max_copies: int | None,
    min_length: int | None,
    max_length: int | None,
    id_key: str | None,
    format: str | None,
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
    """Rank the lines of AVAILABLE by another method, to compare with.

    OUT is the same kind of file as that of `select`: each line with the bits it takes off the cross-entropy of
    REPRESENTATIVE, given the lines before it in this order, and a column `score` with what the method ranked by.
    Without a budget every line is ranked. A budget ends at the first line that does not fit.

    \b
    Examples:
      cynical rank -r task.txt -a pool.txt --method random --share 0.1 -o random.tsv
      cynical rank -r task.txt -a pool.txt --method dsir --random-seed 1 --share 0.1 -o dsir.tsv
    """
    began = time.perf_counter()
    from ..evaluation.rank import run
    from ..model.budget import Budget
    from ..options import RankSettings
    from ..progress import Progress
    from ..selection.eligible import Choice
    from ..selection.inputs import gather
    from ..text.sources import Reading
    from ..text.tokenizer import Tokenizer
    from .destination import Destination

    settings = RankSettings(
        budget=Budget(lines, words, share, everything),
        smoothing=smoothing,
        choice=Choice(min_length, max_length, max_copies),
        tokenizer=Tokenizer(tokenizer, lowercase, ngrams, normalize),
        jobs=jobs,
        method=method,
        random_seed=random_seed,
        buckets=buckets,
        order=order,
    )
    inputs = gather(
        representative,
        corpus_of(available),
        exclude=corpus_of(exclude),
        weights=weights_of(weights),
        sides=others,
        representative_with=representative_with,
        reading=Reading(text_key, bad_records, scratch),
        id_key=id_key,
    )
    read = (*representative, *available, *others, *exclude, *settings.tokenizer.files, *representative_with)
    destination = Destination(required_output(output), format, inputs, read, overwrite)
    destination.write(run(inputs, settings, Progress(not quiet)), quiet, began)
