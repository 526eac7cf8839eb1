"""How fast is cynical beside `wc -w` and the yardstick, how does it grow, and how much memory does it take?

    python benchmarks/speed.py [--scratch DIR] [--repeat N] [--task TASK] [--jobs N]

Wall time from the start of the process to its end, reading and writing included, best of N runs of each program in
turn, with the files in the system's cache and the kernels compiled. Prints, a job a row: the seconds of both, their
ratio and its limit, and the peak resident memory of cynical, mapped input included, with its limit (twice the text
plus 300 MB). The last row is how many times as long both take for ten times the lines. `wc` runs in C.UTF-8. The
exit code does not judge: read the column `holds`, and again on a quiet machine where it says no.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from corpora import MB, Run, Scratch, arguments, cynical, note, run, scratch, select, side_by_side, table, warm

HEADER = ("job", "against", "cynical s", "other s", "ratio", "limit", "peak MB", "limit MB", "holds")
LINES_OF_500_MB = 3_710_000
COUNT_LIMIT, SELECT_LIMIT = 1.5, 1.3
TENTH = ("--share", "0.1")


@dataclass(frozen=True)
class Result:
    job: str
    against: str
    ours: Run
    theirs: Run
    limit: float
    text: int  # bytes

    def row(self) -> tuple[str, ...]:
        ratio = self.ours.seconds / self.theirs.seconds
        room = 2 * self.text + 300 * MB
        numbers = [f"{self.ours.seconds:.2f}", f"{self.theirs.seconds:.2f}", f"{ratio:.2f}", f"{self.limit}"]
        memory = [f"{self.ours.peak / MB:.0f}", f"{room / MB:.0f}"]
        holds = "yes" if ratio <= self.limit and self.ours.peak <= room else "NO"
        return self.job, self.against, *numbers, *memory, holds


@dataclass(frozen=True)
class Bench:
    here: Scratch
    yardstick: Path
    task: Path
    repeat: int
    jobs: list[str]

    def warm_up(self) -> None:
        """Compile what is not compiled yet; only a count of many words makes its table grow, which is a kernel too."""
        small = self.here.head(1000)
        run(select(self.task, small, self.here.folder / "jaded.tsv", "--all", *self.jobs))
        self._count(self.here.pool)

    def count(self, corpus: Path) -> Result:
        warm(corpus)
        size = corpus.stat().st_size
        job = f"count, {size / MB:.0f} MB"
        note(f"{job} ...")

        def wc() -> Run:
            return run(["wc", "-w", corpus], environment={"LC_ALL": "C.UTF-8"})

        best = side_by_side(self.repeat, lambda: self._count(corpus), wc)
        return Result(job, "wc -w", *best, COUNT_LIMIT, size)

    def _count(self, corpus: Path) -> Run:
        return run(cynical("count", corpus, "-o", self.here.folder / "words.counts", "--overwrite", *self.jobs))

    def select(self, available: Path, lines: int, *budget: str) -> Result:
        """The yardstick ranks as many lines as cynical picked."""
        warm(available)
        job = f"select {' '.join(budget)}, {lines:,} lines"
        note(f"{job} ...")
        jaded, picks = self.here.folder / "jaded.tsv", self.here.folder / "picks.tsv"

        def ours() -> Run:
            return run(select(self.task, available, jaded, *budget, *self.jobs))

        def theirs() -> Run:
            picked = json.loads(Path(f"{jaded}.json").read_text())["picked"]["lines"]
            return run([self.yardstick, self.task, available, str(picked)], output=picks)

        best = side_by_side(self.repeat, ours, theirs)
        return Result(job, "yardstick", *best, SELECT_LIMIT, available.stat().st_size)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each program (3)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--jobs", metavar="N", help="threads of cynical (every core)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        jobs = ["--jobs", options.jobs] if options.jobs else []
        bench = Bench(here, here.yardstick(), here.train(options.task), options.repeat, jobs)
        bench.warm_up()
        results = [
            bench.count(here.grown(LINES_OF_500_MB)),
            bench.select(here.pool, 250_000, "--all"),
            bench.select(here.grown(100_000), 100_000, "--all"),
            large := bench.select(here.grown(1_000_000), 1_000_000, *TENTH),
            small := bench.select(here.grown(100_000), 100_000, *TENTH),
        ]
    print(table(HEADER, [*(result.row() for result in results), growth(small, large)]))


def growth(small: Result, large: Result) -> tuple[str, ...]:
    ours = large.ours.seconds / small.ours.seconds
    theirs = large.theirs.seconds / small.theirs.seconds
    job = f"growth, {' '.join(TENTH)}, 10 x lines"
    return job, "yardstick", f"{ours:.1f} x", f"{theirs:.1f} x", f"{ours / theirs:.2f}", "", "", "", ""


if __name__ == "__main__":
    main()
