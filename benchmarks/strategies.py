"""How do the strategies compare: in time, in work, in memory, and in the entropy that each reaches with N words?

    python benchmarks/strategies.py [--scratch DIR] [--repeat N] [--jobs N] [--growth TASK] [TASK ...]

First table, a representative corpus (all by default) and a strategy a row, on the 250,000-line pool: wall time of
`--all` from the start of the process to its end; lines scored again, for each line of the pool; peak resident memory,
mapped input included; the entropy of REPRESENTATIVE at 1, 3, 10 and 50 % of the pool's words, and how many bits that is
above exact (below: a minus); the stopping point; the share of representative word types that were seen after 1 % of the
words. The entropies are read off the ranking of everything; that the ranking of 1 % is a prefix of it is checked.

Second table: growth, from 30,000 to 1,000,000 lines made from the pool, ranked whole for medqa (--growth). Seconds,
on the clock and of all cores together, are less those of a 1,000-line pool; memory is set beside that of exact. Third
table: how many times as long 1,000,000 lines take as 100,000, with the limit for batch (N log N is 12).

Times are the best of N runs, the strategies in turn, with the files in the system's cache and the kernels compiled. The
exit code does not judge: read the columns `holds`, and again on a quiet machine where one says no.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import MB, Run, Scratch, arguments, best_of, note, run, scratch, select, table, warm

STRATEGIES = ("exact", "word", "batch")
SHARES = (0.01, 0.03, 0.1, 0.5)
SIZES = (30_000, 100_000, 300_000, 1_000_000)
TENFOLD = (100_000, 1_000_000)
START_UP = 1000  # lines
TIME_LIMITS = {"batch": 14.0}
MEMORY_LIMIT = 1.5
QUALITY = (
    *("corpus", "strategy", "s", "rescored", "MB"),
    *(name for share in SHARES for name in (f"H {share:.0%}", "- exact")),
    *("stop: lines", "words", "bits", "types 1%"),
)
GROWTH = ("lines", "strategy", "s", "processor s", "rescored", "MB", "/ exact", "limit", "holds")
FACTORS = (
    "strategy",
    "start-up s",
    *(f"{lines:,} lines: s" for lines in TENFOLD),
    "factor",
    "limit",
    "holds",
    "processor",
)


class Result(NamedTuple):
    """What was measured of one strategy on one input."""

    cost: Run
    summary: dict[str, Any]

    @property
    def rescored(self) -> str:
        """Lines scored again, for each line ranked."""
        return f"{self.summary['search']['rescored'] / self.summary['search']['ranked']:.1f}"

    @property
    def megabytes(self) -> str:
        return f"{self.cost.peak / MB:.0f}"


class Walk(NamedTuple):
    """A ranking as a path through entropies."""

    words: NDArray[np.int64]  # of all picks so far
    entropy: NDArray[np.float64]

    def at(self, share: float) -> float:
        """The entropy of the longest prefix that has at most a share of the words."""
        return float(self.entropy[np.searchsorted(self.words, share * self.words[-1], side="right") - 1])


@dataclass(frozen=True)
class Bench:
    here: Scratch
    repeat: int
    jobs: list[str]

    def jaded(self, strategy: str) -> Path:
        return self.here.folder / f"jaded.{strategy}.tsv"

    def once(self, train: Path, available: Path, strategy: str, *budget: str) -> Result:
        jaded = self.jaded(strategy)
        done = run(select(train, available, jaded, "--strategy", strategy, *budget, *self.jobs))
        return Result(done, json.loads(Path(f"{jaded}.json").read_text()))

    def rank_all(self, train: Path, available: Path) -> dict[str, Result]:
        """Each strategy's shortest time and largest peak; the rankings are left in the scratch folder."""
        warm(available)
        turns = [{name: self.once(train, available, name, "--all") for name in STRATEGIES} for _ in range(self.repeat)]
        return {
            name: Result(best_of([turn[name].cost for turn in turns]), last.summary) for name, last in turns[-1].items()
        }

    def quality(self, task: str) -> list[tuple[str, ...]]:
        """The rows of a task in the first table."""
        note(f"ranking the pool for {task} ...")
        train, rows = self.here.train(task), []
        results = self.rank_all(train, self.here.pool)
        walks = {name: read_walk(self.jaded(name)) for name in STRATEGIES}
        for name, result in results.items():
            tip = self.once(train, self.here.pool, name, "--share", f"{SHARES[0]}").summary
            if abs(tip["entropy"]["after"] - walks[name].at(SHARES[0])) > 1e-7:
                raise SystemExit(f"{task}, {name}: --share {SHARES[0]} is not a prefix of --all")
            reached = [walks[name].at(share) for share in SHARES]
            above = [entropy - walks["exact"].at(share) for entropy, share in zip(reached, SHARES, strict=True)]
            stop = result.summary["stop"]
            rows.append(
                (
                    *(task, name, f"{result.cost.seconds:.1f}", result.rescored, result.megabytes),
                    *(cell for pair in zip(reached, above, strict=True) for cell in bits(*pair, name)),
                    *(f"{stop['lines']:,}", f"{stop['words']:,}", f"{stop['entropy']:.3f}"),
                    f"{tip['covered']['types']:.1%}",
                )
            )
        return rows

    def growth(self, task: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """The rows of the second and the third table."""
        train, rows = self.here.train(task), []
        start_up = self.rank_all(train, self.here.grown(START_UP))
        took: dict[tuple[str, int], tuple[float, float]] = {}  # on the clock, and of all cores
        for lines in SIZES:
            available = self.here.grown(lines)
            note(f"ranking {lines:,} lines for {task} ...")
            results = self.rank_all(train, available)
            for name, result in results.items():
                cost, less = result.cost, start_up[name].cost
                took[name, lines] = cost.seconds - less.seconds, cost.processor - less.processor
                memory = cost.peak / results["exact"].cost.peak
                limit = None if name == "exact" else MEMORY_LIMIT
                times = [f"{seconds:.2f}" for seconds in took[name, lines]]
                measured = (*times, result.rescored, result.megabytes, f"{memory:.2f}")
                rows.append((f"{lines:,}", name, *measured, *judged(memory, limit)))
        factors = []
        for name in STRATEGIES:
            few, many = (took[name, lines] for lines in TENFOLD)
            factor, of_processor = (large / small for small, large in zip(few, many, strict=True))
            times = [f"{seconds:.2f}" for seconds in (start_up[name].cost.seconds, few[0], many[0])]
            judgement = judged(factor, TIME_LIMITS.get(name))
            factors.append((name, *times, f"{factor:.1f}", *judgement, f"{of_processor:.1f}"))
        return rows, factors


def main() -> None:
    options = parse()
    with scratch(options.scratch) as here:
        bench = Bench(here, options.repeat, ["--jobs", options.jobs] if options.jobs else [])
        warm_up(bench, here.train(options.growth))
        quality = [row for task in options.tasks or here.tasks() for row in bench.quality(task)]
        print(table(QUALITY, quality), end="\n\n", flush=True)
        growth, factors = bench.growth(options.growth)
    print(table(GROWTH, growth), table(FACTORS, factors), sep="\n\n")


def parse() -> argparse.Namespace:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each strategy (3)")
    parser.add_argument("--jobs", metavar="N", help="threads of cynical (every core)")
    parser.add_argument("--growth", default="medqa", metavar="TASK", help="REPRESENTATIVE of the growth table (medqa)")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="rows of the first table, such as medqa (all)")
    return parser.parse_args()


def warm_up(bench: Bench, train: Path) -> None:
    """Compile what is not compiled yet."""
    small = bench.here.grown(START_UP)
    for strategy in STRATEGIES:
        bench.once(train, small, strategy, "--all")


def read_walk(jaded: Path) -> Walk:
    """Row by row: a large benchmark would pass for memory of the programs it starts (see `run`)."""
    with jaded.open("rb") as file:
        header = next(file).rstrip(b"\n").split(b"\t")
        entropy, words = header.index(b"entropy"), header.index(b"words")
        split = (row.split(b"\t", max(entropy, words) + 1) for row in file)
        path = np.fromiter(((int(row[words]), float(row[entropy])) for row in split), "i8, f8")
    return Walk(np.cumsum(path["f0"]), path["f1"])


def bits(entropy: float, above_exact: float, strategy: str) -> Sequence[str]:
    return f"{entropy:.3f}", "" if strategy == "exact" else f"{above_exact:+.3f}"


def judged(measured: float, limit: float | None) -> Sequence[str]:
    """The limit, and whether it holds."""
    return ("", "") if limit is None else (f"{limit:g}", "yes" if measured <= limit else "NO")


if __name__ == "__main__":
    main()
