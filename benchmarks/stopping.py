"""Does a ranking without a budget end where a language model of it is best?

    python benchmarks/stopping.py [--scratch DIR] [--share F] [TASK ...]

For each task of the shared corpora, and for `--for model` and `--ngrams 2 --per word`: where the ranking ends by itself
(in words), the perplexity of a 4-gram model of it on the test text, that of the best cut of a long ranking (F of the
pool's words, 0.4), by how much the first is above the second, and the seconds of the run beside those of a run that is
told as many words with --words. Lines of the test are excluded. The exit code does not judge.
"""

from __future__ import annotations

from pathlib import Path

import cynical
from corpora import Run, Scratch, arguments, best_of, note, run, scratch, select, table, warm

HEADER = (
    "task",
    "ranking",
    "stop, words",
    "perplexity",
    "best cut",
    "best",
    "above it",
    "seconds",
    "with --words",
    "ratio",
)
RANKINGS = {"model": ("--for", "model"), "2-grams": ("--ngrams", "2", "--per", "word")}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--share", default="0.4", metavar="F", help="share of the words that a long ranking has (0.4)")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="all by default")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        warm(here.pool)
        rows = [
            measured(here, task, name, options.share) for task in options.tasks or here.tasks() for name in RANKINGS
        ]
    print(table(HEADER, rows))


def measured(here: Scratch, task: str, name: str, share: str) -> tuple[str, ...]:
    note(f"{task}, {name} ...")
    jaded, long = here.folder / "jaded.tsv", here.folder / "long.tsv"
    how = (*RANKINGS[name], "--exclude", str(here.test(task)))

    def ranked(out: Path, *budget: str) -> Run:
        return run(select(here.train(task), here.pool, out, *how, *budget))

    ranked(jaded)  # compiles
    alone = [ranked(jaded)]
    stop = cynical.read(jaded).words.sum()
    told = [ranked(long, "--words", str(stop)), ranked(long, "--words", str(stop))]
    alone.append(ranked(jaded))
    ranked(long, "--share", share)
    types = len({word for line in here.pool.read_bytes().splitlines() for word in line.split()})
    both = [
        cynical.evaluate(one, here.test(task), vocabulary_size=types, **at).points
        for one, at in ((jaded, {"at": [stop]}), (long, {"points": 30}))
    ]
    ended, best = both[0][-1], min(both[1], key=lambda point: point.ngram_perplexity)
    lowest = min(best.ngram_perplexity, ended.ngram_perplexity)
    seconds = [best_of(alone).seconds, best_of(told).seconds]
    return (
        task,
        name,
        f"{stop:,}",
        f"{ended.ngram_perplexity:.1f}",
        f"{best.words:,}",
        f"{best.ngram_perplexity:.1f}",
        f"{100 * (ended.ngram_perplexity / lowest - 1):.1f} %",
        f"{seconds[0]:.1f}",
        f"{seconds[1]:.1f}",
        f"{seconds[0] / seconds[1]:.2f}",
    )


if __name__ == "__main__":
    main()
