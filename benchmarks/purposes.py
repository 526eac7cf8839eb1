"""What do --per word and --ngrams cost beside the plain ranking, in time and in memory?

    python benchmarks/purposes.py [--scratch DIR] [--repeat N] [--task TASK] [--lines N]

Wall time from the start of the process to its end, reading and writing included, the runs in turn and the best of N of
each; and the peak resident memory, mapped input included. Prints, a run a row: seconds, peak memory and their ratios to
the first row of its group; what a line has of features that the representative corpus has too (an n-gram counts as a
word does), and the same ratio; and the limit of the ratio of time and, for n-grams, of memory. The exit code does not
judge: read the column `holds`.
"""

from __future__ import annotations

import json
from pathlib import Path

from corpora import MB, Run, Scratch, arguments, best_of, note, run, scratch, select, table, warm

HEADER = ("budget", "ranking", "seconds", "ratio", "peak MB", "ratio", "features a line", "ratio", "limit", "holds")
RANKINGS = {
    "per line": ("--per", "line"),
    "per word": ("--per", "word"),
    "2-grams": ("--ngrams", "2"),
    "3-grams": ("--ngrams", "3"),
    "2-grams per word": ("--ngrams", "2", "--per", "word"),
}
LIMITS = {"per word": 1.15, "2-grams": 3.0, "2-grams per word": 3.0}
BUDGETS = (("--all",), ("--share", "0.1"))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--lines", type=int, metavar="N", help="lines of AVAILABLE, grown or cut (the pool as it is)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        available = here.grown(options.lines) if options.lines else here.pool
        warm(available)
        rows = [
            row
            for budget in BUDGETS
            for row in compared(here, here.train(options.task), available, budget, options.repeat)
        ]
    print(table(HEADER, rows))


def compared(here: Scratch, task: Path, available: Path, budget: tuple[str, ...], repeat: int) -> list[tuple[str, ...]]:
    """The rankings within one budget, each beside the first."""
    runs: dict[str, list[Run]] = {name: [] for name in RANKINGS}
    features: dict[str, float] = {}
    jaded = here.folder / "jaded.tsv"
    for time in range(repeat + 1):  # the first time compiles
        for name, how in RANKINGS.items():
            note(f"{' '.join(budget)}, {name} ...")
            done = run(select(task, available, jaded, *budget, *how))
            features[name] = features_a_line(jaded)
            if time:
                runs[name].append(done)
    best = {name: best_of(many) for name, many in runs.items()}
    first, plain = best["per line"], features["per line"]
    rows: list[tuple[str, ...]] = []
    for name, one in best.items():
        time_ratio, memory_ratio, limit = one.seconds / first.seconds, one.peak / first.peak, LIMITS.get(name)
        holds = "" if limit is None else "yes" if max(time_ratio, memory_ratio) <= limit else "NO"
        figures = (f"{one.seconds:.2f}", f"{time_ratio:.2f}", f"{one.peak / MB:.0f}", f"{memory_ratio:.2f}")
        of_features = (f"{features[name]:.1f}", f"{features[name] / plain:.2f}")
        rows.append((" ".join(budget), name, *figures, *of_features, "" if limit is None else f"{limit}", holds))
    return rows


def features_a_line(jaded: Path) -> float:
    summary = json.loads(Path(f"{jaded}.json").read_text())
    return float(summary["index"]["entries"] / summary["available"]["lines"])


if __name__ == "__main__":
    main()
