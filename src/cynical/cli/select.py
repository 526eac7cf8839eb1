"""cynical select."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import click

from ..options import (
    Budget,
    Cluster,
    Corpora,
    Eligibility,
    Execution,
    Layout,
    Ranking,
    RankingOutput,
    Reading,
    Settings,
    TextOptions,
    Thresholds,
    Writing,
)
from .generate import command


@command("Rank lines by how much they lower the entropy.")
def select(
    corpora: Corpora,
    output: RankingOutput,
    layout: Layout,
    budget: Budget,
    ranking: Ranking,
    thresholds: Thresholds,
    eligibility: Eligibility,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    cluster: Cluster,
    writing: Writing,
) -> None:
    """Rank the lines of AVAILABLE by how much each lowers the cross-entropy of REPRESENTATIVE.

    Each pick is the best line given all picks before it. Without --lines, --words, --share, --money or --all, the
    ranking ends where the entropy is lowest: more lines would make the model worse. A budget ends at the first line
    that does not fit.

    \b
    A tenth of the pool, to train a language model:
      cynical select -r task.txt -a pool.txt --share 0.1 --for model -o jaded.tsv
    Sentences to translate for 5000, at 0.12 per word:
      cynical select -r task.txt -a stream.txt -s have.txt -o jaded.tsv \\
        --price 0.12 --money 5000
    A parallel corpus in which both sides count:
      cynical select -r task.en -a pool.en -o jaded.tsv \\
        --representative-with task.de --with pool.de
    A thousand more lines after an earlier ranking:
      cynical select -r task.txt -a pool.txt -s jaded.tsv --lines 1000 -o more.tsv
    """
    began = time.perf_counter()
    from ..progress import Progress
    from .inputs import files_of, inputs_of, required_output

    def rate(*told: Any) -> Any:  # few runs need what it imports
        from ..evaluation.rank import rate

        return rate(*told)

    settings = Settings(budget, ranking, thresholds, eligibility, text, execution)
    inputs, progress = inputs_of(corpora, reading, output.id_key), Progress(not writing.quiet)
    if execution.dry_run:
        from ..reports.figures import columns
        from ..selection.rehearsal import rehearse

        click.echo(columns(rehearse(inputs, settings, progress, rate).rows()))
        return
    read, where = files_of(corpora, text), required_output(output.output)
    if cluster.engine == "ray":
        from ..selection.run import rank_prepared
        from .cluster_destination import choose_cluster_destination

        to = choose_cluster_destination(where, output.format, layout, inputs, settings, read, writing.overwrite)
        to.rank(inputs, settings, progress, cluster, partial(rank_prepared, rate=rate), writing.quiet, began)
        return
    from ..selection.run import run
    from .destination import choose

    destination = choose(where, output.format, layout, inputs, read, writing.overwrite)
    destination.write(run(inputs, settings, progress, rate), writing.quiet, began)
