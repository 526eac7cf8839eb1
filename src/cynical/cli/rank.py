"""cynical rank: other ranking methods, as baselines."""

from __future__ import annotations

import time

from ..options import (
    Budget,
    Cluster,
    Corpora,
    Eligibility,
    Execution,
    Layout,
    Method,
    Ranking,
    RankingOutput,
    Reading,
    Settings,
    TextOptions,
    Writing,
)
from .generate import command


@command("Rank lines by another method.")
def rank(
    corpora: Corpora,
    output: RankingOutput,
    layout: Layout,
    method: Method,
    budget: Budget,
    ranking: Ranking,
    eligibility: Eligibility,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    cluster: Cluster,
    writing: Writing,
) -> None:
    """Rank the lines of AVAILABLE by another method, as a baseline.

    OUT has the same format as the output of `select`: each line with its change to the cross-entropy of REPRESENTATIVE
    in bits, given the lines before it, and a column `score` with the number that the method ranks by. Without a budget,
    every line is ranked. A budget ends at the first line that does not fit.

    \b
    random                 a random order
    in-order               the original order
    longest                most words first
    dsir                   importance resampling (Xie et al. 2023): lines drawn at
                           random, weighted by how much more frequent their words
                           and word pairs are in REPRESENTATIVE
    classifier             logistic regression on words and word pairs, lines of
                           REPRESENTATIVE against random lines of AVAILABLE; the
                           score is a calibrated probability
    moore-lewis            how much more likely n-gram models of REPRESENTATIVE
                           make a line than those of AVAILABLE (Moore and Lewis
                           2010)
    bilingual-moore-lewis  the same on both sides of a parallel corpus (Axelrod et
                           al. 2011)

    \b
    Examples:
      cynical rank -r task.txt -a pool.txt --method random --share 0.1 -o r.tsv
      cynical rank -r task.txt -a pool.txt --method dsir --share 0.1 -o dsir.tsv
    """
    began = time.perf_counter()
    from ..evaluation.rank import rank_prepared, run
    from ..progress import Progress
    from .destination import choose
    from .inputs import files_of, inputs_of, required_output

    settings = Settings(budget, ranking, eligibility=eligibility, text=text, execution=execution, baseline=method)
    inputs, where = inputs_of(corpora, reading, output.id_key), required_output(output.output)
    read, progress = files_of(corpora, text), Progress(not writing.quiet)
    if cluster.engine == "ray":
        from .cluster_destination import choose_cluster_destination

        to = choose_cluster_destination(where, output.format, layout, inputs, settings, read, writing.overwrite)
        to.rank(inputs, settings, progress, cluster, rank_prepared, writing.quiet, began)
        return
    destination = choose(where, output.format, layout, inputs, read, writing.overwrite)
    destination.write(run(inputs, settings, progress), writing.quiet, began)
