"""What do millions of lines take, in time and in memory, and how does it grow?

    python benchmarks/scale.py [--scratch DIR] [--sizes 1,3,10] [--task TASK] [--memory 2G] [--jobs NAME,...]
    python benchmarks/scale.py --lines 100000000 --memory 16G [--scratch DIR] [--task TASK]

The pool is grown to N million lines (135 MB each; they stay in --scratch). For each size: exact selection of 1 and of
10 % of the words, and the whole ranking by batches; then, of the largest, exact selection within --memory. One run
each, after one that is not counted. Prints, a run a row: seconds by stage as the summary has them, the whole in
microseconds per line, processor seconds, what --dry-run had estimated, peak memory with and without memory-mapped
files, bytes per line of the latter, bytes that were written to files, the output included, and the exponent with which
time and memory grew from the size before. Then, from the largest size, what 100 million and a billion lines would take.

With --lines, 1 % of the words of each size, then of N lines within --memory, and nothing else. Text of 4 GB and more is
not read into the system's cache before: it has no room there.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NamedTuple

from corpora import MB, Scratch, arguments, note, run, scratch, select, table, warm

JOBS = {
    "exact 1 %": ("--share", "0.01"),
    "exact 10 %": ("--share", "0.1"),
    "batch all": ("--strategy", "batch", "--all"),
}
STAGES = ("read", "lay out", "select")
HEADER = (
    "million lines",
    "job",
    *STAGES,
    "total s",
    "us/line",
    "processor s",
    "--dry-run",
    "peak MB",
    "unmapped",
    "bytes/line",
    "MB written",
    "time^",
    "memory^",
)
FAR = (100, 1000)
WARM = 4000 * MB  # bytes of text that a disk cache has room for


class Row(NamedTuple):
    millions: float
    job: str
    seconds: dict[str, float]
    total: float
    processor: float
    estimated: str
    peak: int
    unmapped: int
    written: int

    @property
    def lines(self) -> float:
        return self.millions * MB


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sizes", default="1,3,10", help="millions of lines (1,3,10)")
    parser.add_argument("--lines", type=int, help="the lines of the run within --memory (the largest of --sizes)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--memory", default="2G", help="the limit of the last run (2G)")
    parser.add_argument("--jobs", default=",".join(JOBS), help=f"({','.join(JOBS)})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    options = parser.parse_args()
    sizes, jobs = [float(size) for size in options.sizes.split(",")], options.jobs.split(",")
    if options.lines:
        jobs = ["exact 1 %"]
    rows: list[Row] = []
    with scratch(options.scratch) as here:
        run(select(here.train(options.task), here.pool, here.folder / "jaded.tsv", "--share", "0.01", "--quiet"))
        for size in sizes:
            rows += [measured(here, options.task, size, job, JOBS[job]) for job in jobs]
        if options.memory:
            limit = (*JOBS["exact 1 %"], "--memory", options.memory)
            size = options.lines / MB if options.lines else sizes[-1]
            rows.append(measured(here, options.task, size, f"exact 1 %, {options.memory}", limit))
    print(table(HEADER, [shown(row, rows) for row in rows]))
    if options.json:
        options.json.write_text(json.dumps([row._asdict() for row in rows], indent=1) + "\n")
    if options.lines:
        return
    largest = [row for row in rows if before(row, rows) and not any(before(one, rows) is row for one in rows)]
    print("\n" + table(("job", "million lines", "hours", "GB"), [far(row, rows, to) for row in largest for to in FAR]))


def measured(here: Scratch, task: str, millions: float, job: str, how: tuple[str, ...]) -> Row:
    available, jaded = here.grown(round(millions * MB)), here.folder / "jaded.tsv"
    if available.stat().st_size < WARM:
        warm(available)
    note(f"{millions:g} million lines, {job} ...")
    command = select(here.train(task), available, jaded, *how, "--scratch", str(here.folder))
    plan = here.folder / "plan.txt"
    run([*command, "--dry-run"], output=plan)
    estimated = re.search(r"^time +(.*?)  ", plan.read_text(), re.MULTILINE)
    done = run([*command, "--quiet"])
    summary: dict[str, Any] = json.loads(Path(f"{jaded}.json").read_text())
    memory = summary["memory"]
    unmapped = memory["peak_without_mapped_input"]
    said = estimated[1] if estimated else ""
    seconds = summary["seconds"]
    return Row(millions, job, seconds, done.seconds, done.processor, said, done.peak, unmapped, done.written)


def before(row: Row, rows: list[Row]) -> Row | None:
    """The same job on the next smaller size."""
    smaller = [one for one in rows if one.job == row.job and one.millions < row.millions]
    return smaller[-1] if smaller else None


def exponents(row: Row, rows: list[Row]) -> tuple[float, float]:
    """With which power of the lines time and memory grew."""
    smaller = before(row, rows)
    if smaller is None:
        return math.nan, math.nan
    times = math.log(row.millions / smaller.millions)
    return math.log(row.total / smaller.total) / times, math.log(row.unmapped / smaller.unmapped) / times


def shown(row: Row, rows: list[Row]) -> tuple[str, ...]:
    grew = ("" if math.isnan(power) else f"{power:.2f}" for power in exponents(row, rows))
    stages = (f"{row.seconds.get(stage, 0.0):.1f}" for stage in STAGES)
    times = (f"{row.total:.1f}", f"{row.total / row.lines * 1e6:.2f}", f"{row.processor:.1f}", row.estimated)
    memory = (f"{row.peak / MB:,.0f}", f"{row.unmapped / MB:,.0f}", f"{row.unmapped / row.lines:.0f}")
    return (f"{row.millions:g}", row.job, *stages, *times, *memory, f"{row.written / MB:,.0f}", *grew)


def far(row: Row, rows: list[Row], millions: int) -> tuple[str, ...]:
    """As it would continue from here: time by its exponent, memory in proportion to lines."""
    power = exponents(row, rows)[0]
    hours = row.total * (millions / row.millions) ** power / 3600
    return (row.job, f"{millions:,}", f"{hours:.1f}", f"{row.peak / row.lines * millions / 1000:,.0f}")


if __name__ == "__main__":
    main()
