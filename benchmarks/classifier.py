"""Is `cynical rank --method classifier` as good, as fast and as small as fastText?

    python benchmarks/classifier.py [--scratch DIR] [--seeds N] [--lines N] [--docs DIR] [TASK ...]

The recipe of those who filter web text: fastText, supervised, with word pairs; the positives are REPRESENTATIVE, the
negatives as many random lines of the pool; lines in the order of the probability that they are positive. Both rank the
pool with N seeds (3) of the negatives, without the lines of the test part. `cynical compare` judges them: perplexity of
the test part under a 4-gram model of 0.3, 1, 3 and 10 % of the pool's words, the mean over seeds and its standard
deviation. fastText has as many threads as the machine has cores, which makes its model random, too.

Then both rank a larger pool (--lines, 1,000,000; the first task): seconds of all processors, and resident memory at
most. Ours writes a ranking of a tenth of the words, with the bits of each line; fastText the numbers of all lines.
Without the package fasttext (`pip install fasttext-wheel`) it says so and ends. With --docs, DIR/quality.md gets
both tables between its marks.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from comparison import NAMES, SHARES, insert
from corpora import MB, Run, Scratch, arguments, cynical, leave, note, run, scratch, side_by_side, warm

CHILD = "--fasttext"
MARKS = "<!-- from benchmarks/classifier.py -->\n", "<!-- to here, classifier -->"
LABELS = "__label__wanted", "__label__other"
TOGETHER = 10_000  # lines that are scored at a time
Points = Mapping[float, Mapping[str, Any]]  # by share


def main() -> None:
    if sys.argv[1:2] == [CHILD]:
        rank_by_fasttext(Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]), int(sys.argv[5]))
        return
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of the random lines (3)")
    parser.add_argument("--lines", type=int, default=1_000_000, metavar="N", help="of the pool that is timed (1000000)")
    parser.add_argument("--docs", type=Path, metavar="DIR", help="write the tables into quality.md here")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="such as medqa (all)")
    options = parser.parse_args()
    if importlib.util.find_spec("fasttext") is None:
        leave("skipped: fastText is not installed; pip install fasttext-wheel")
    with scratch(options.scratch) as here:
        tasks = options.tasks or here.tasks()
        rows = [row for task in tasks for row in compared(here, task, options.seeds)]
        speed = timed(here, tasks[0], options.lines)
    text = "\n".join(
        ["| text wanted | budget | fastText | classifier | ratio |", "|---|---|---|---|---|", *rows, "", *speed]
    )
    print(text)
    if options.docs:
        insert(options.docs / "quality.md", f"{text}\n", MARKS)


def rank_by_fasttext(wanted: Path, pool: Path, numbers: Path, seed: int) -> None:
    """In a process of its own, whose time and memory are measured: the numbers of lines, best first."""
    import fasttext
    import numpy as np

    with wanted.open() as file:
        positive = [line.rstrip("\n") for line in file]
    with pool.open() as file:
        lines = [line.rstrip("\n") for line in file]
    negative = random.Random(seed).sample(lines, min(len(positive), len(lines)))
    labelled = numbers.with_suffix(".labelled")
    with labelled.open("w") as out:
        for label, texts in zip(LABELS, (positive, negative), strict=True):
            out.writelines(f"{label} {text}\n" for text in texts)
    model = fasttext.train_supervised(str(labelled), wordNgrams=2, thread=os.cpu_count() or 1, verbose=0)
    labelled.unlink()
    score = np.empty(len(lines))
    for begin in range(0, len(lines), TOGETHER):
        found, likely = model.predict(lines[begin : begin + TOGETHER], k=1)
        first = np.array([one[0] == LABELS[0] for one in found])
        likely = np.array([one[0] for one in likely])
        score[begin : begin + len(first)] = np.where(first, likely, 1 - likely)
    np.savetxt(numbers, 1 + np.argsort(-score, kind="stable"), fmt="%d")


def fasttext_ranking(wanted: Path, pool: Path, numbers: Path, seed: int) -> Run:
    return run([sys.executable, __file__, CHILD, wanted, pool, numbers, str(seed)])


def compared(here: Scratch, task: str, seeds: int) -> list[str]:
    """Rows of the first table."""
    note(f"{task} ...")
    test, figures = here.test(task), here.folder / "classifiers.json"
    lists = [here.folder / f"fasttext.{seed}.ids" for seed in range(seeds)]
    for seed, numbers in enumerate(lists):
        fasttext_ranking(here.train(task), here.pool, numbers, seed)
    corpora = ("-r", here.train(task), "-a", here.pool, "-t", test, "--exclude", test)
    given = [word for numbers in lists for word in ("--list", numbers)]
    how = ("--methods", "classifier", "--seeds", str(seeds), "--shares", SHARES)
    run(cynical("compare", *corpora, *how, *given, "--json", figures, "--overwrite", "--quiet"))
    ours, *theirs = [
        {point["share"]: point for point in one["points"]} for one in json.loads(figures.read_text())["methods"]
    ]
    return [row(task, share, ours, theirs) for share in ours]


def row(task: str, share: float, ours: Points, theirs: Sequence[Points]) -> str:
    own = ours[share]["by_seed"] or [ours[share]["ngram_perplexity"]]
    other = [one[share]["ngram_perplexity"] for one in theirs]
    ratio = statistics.mean(own) / statistics.mean(other)
    return f"| {NAMES.get(task, task)} | {100 * share:g} % | {shown(other)} | {shown(own)} | {ratio:.3f} |"


def shown(values: Sequence[float]) -> str:
    mean = statistics.mean(values)
    spread = f" \u00b1 {statistics.stdev(values):.1f}" if len(values) > 1 else ""
    return f"{mean:,.1f}{spread}"


def timed(here: Scratch, task: str, lines: int) -> list[str]:
    """The second table."""
    note(f"{lines:,} lines ...")
    pool, ranking, numbers = here.grown(lines), here.folder / "classified.tsv", here.folder / "fasttext.ids"
    warm(pool)
    command = cynical("rank", "-r", here.train(task), "-a", pool, "--method", "classifier", "--share", "0.1")
    ours, theirs = side_by_side(
        2,
        lambda: run([*command, "-o", ranking, "--overwrite", "--quiet"]),
        lambda: fasttext_ranking(here.train(task), pool, numbers, 0),
    )
    rows = [
        f"| {name} | {one.processor:.1f} | {one.seconds:.1f} | {one.peak / MB:,.0f} |"
        for name, one in (("fastText", theirs), ("classifier", ours))
    ]
    return [f"| {lines:,} lines | processor seconds | seconds | peak MB |", "|---|---|---|---|", *rows]


if __name__ == "__main__":
    main()
