"""cynical score."""

from __future__ import annotations

import time

from ..errors import number_of, tell
from ..options import Cluster, Corpora, Execution, Ranking, Reading, Settings, TextOptions, Thresholds, Writing
from ..options.scoring import InputPart, Scoring
from .generate import command
from .render import show

EMPTY = (
    "no SEED was given (-s), so every line is scored as a first pick, which says little about later picks; to filter "
    "lines, give -s REPR, or -s with a ranking of a sample"
)


@command("Score the lines of a stream independently.")
def score(
    corpora: Corpora,
    scoring: Scoring,
    input_part: InputPart,
    ranking: Ranking,
    thresholds: Thresholds,
    text: TextOptions,
    reading: Reading,
    execution: Execution,
    cluster: Cluster,
    writing: Writing,
) -> None:
    """Score every line of AVAILABLE, in the original order, against a fixed state: REPRESENTATIVE and SEED.

    A line gets the bits that `select` would give it as the next pick: delta = penalty + gain, and delta per word. Lower
    is better. Lines are read once, as a stream, in constant memory. For --vocabulary classes and --widen, `select`
    learns from AVAILABLE; here, give a sample of the lines with -u.

    \b
    One number per line:
      cynical score -r task.txt -s jaded.tsv -a pool.txt -o pool.scores
    Filter a stream of records to those that would lower the entropy:
      zstdcat crawl.jsonl.zst | cynical score -r task.txt -s jaded.tsv -a - \\
        --input-format jsonl --below 0 | next-tool
    One job of sixteen:
      cynical score -r task.txt -s jaded.tsv -a 'web/*.jsonl' --part 3/16 \\
        -o 3.jsonl.zst
    """
    began = time.perf_counter()
    from ..progress import Progress
    from ..scoring.freeze import freeze
    from ..scoring.frozen import tables_of
    from ..scoring.run import run
    from ..scoring.stream import HowToStream
    from ..text.atomic_file import check_not_input, check_output
    from ..text.reader import number_of_jobs
    from ..text.streams import Told
    from .inputs import files_of, inputs_of

    input_part.check_engine(cluster.engine)
    settings = Settings(ranking=ranking, thresholds=thresholds, text=text, execution=execution)
    check_not_input([scoring.output], files_of(corpora, text))
    check_output(scoring.output, overwrite=writing.overwrite)
    inputs, progress = inputs_of(corpora, reading), Progress(not writing.quiet)
    made = freeze(inputs, settings, progress, scoring.classifier)
    if cluster.engine == "ray":
        from ..cluster.actors import score_on_ray
        from ..cluster.score import HowToScore

        told = HowToScore(made.frozen, made.of_records, reading, execution.jobs)
        done = score_on_ray(inputs, scoring, told, cluster, overwrite=writing.overwrite)
    else:
        how = HowToStream(reading, number_of_jobs(execution.jobs), progress, Told([]), made.of_records)
        done = run(tables_of(made.frozen), inputs, scoring, how, input_part.which, overwrite=writing.overwrite)
    show([*made.notices, *done.notices, *([] if corpora.seed else [EMPTY])])
    if writing.quiet:
        return
    kept = f", {done.written:,} of them below {scoring.below:g}" if scoring.below is not None else ""
    took = time.perf_counter() - began
    sizes = f"{number_of(done.lines, 'line')}, {number_of(done.words, 'word')}{kept}"
    tell(f"{sizes}; {done.better:,} would lower the entropy; {took:.1f} s")
