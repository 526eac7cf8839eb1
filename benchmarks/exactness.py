"""Does cynical pick the same lines as the yardstick, in the same order?

    python benchmarks/exactness.py [--scratch DIR] [TASK ...]

For each task of the shared corpora (all by default) both rank every line of the 250,000-line pool. Prints, a task a
row: how many lines each picked, the first pick that differs, and the largest difference of delta and of entropy, in
bits, up to there (both programs write nine significant digits). The exit code is 1 if a pick differs.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Scratch, arguments, note, run, scratch, select, table

HEADER = ("task", "cynical picks", "yardstick picks", "first difference", "delta differs", "entropy differs")


class Picks(NamedTuple):
    line: NDArray[np.int64]
    delta: NDArray[np.float64]
    entropy: NDArray[np.float64]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="such as medqa")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        yardstick = here.yardstick()
        compared = [(task, *picks_of(here, yardstick, task)) for task in options.tasks or here.tasks()]
    rows = [(task, *row(ours, theirs)) for task, ours, theirs in compared]
    print(table(HEADER, rows))
    if any(first_difference(ours, theirs) is not None for _, ours, theirs in compared):
        raise SystemExit(1)


def picks_of(here: Scratch, yardstick: Path, task: str) -> tuple[Picks, Picks]:
    """All picks of cynical and of the yardstick."""
    note(f"ranking the pool for {task} ...")
    train, jaded, picks = here.train(task), here.folder / "jaded.tsv", here.folder / "picks.tsv"
    run(select(train, here.pool, jaded, "--strategy", "exact", "--smoothing", "0.01", "--all"))
    run([yardstick, train, here.pool], output=picks)
    with jaded.open("rb") as file:
        header = next(file).rstrip(b"\n").split(b"\t")
    columns = [header.index(name) for name in (b"line", b"delta", b"entropy")]
    return read(jaded, columns, skip=1), read(picks, [0, 1, 2], skip=0)


def read(path: Path, columns: list[int], skip: int) -> Picks:
    """Columns for line, delta and entropy; the last column may hold tabs and is never one of them."""
    last = max(columns) + 1
    with path.open("rb") as file:
        cells = [row.rstrip(b"\n").split(b"\t", last) for row in file][skip:]
    line, delta, entropy = ([row[column] for row in cells] for column in columns)
    return Picks(np.array(line, np.int64), np.array(delta, np.float64), np.array(entropy, np.float64))


def first_difference(ours: Picks, theirs: Picks) -> int | None:
    """The first pick, from 0, where the lines differ or only one program continues."""
    both = min(len(ours.line), len(theirs.line))
    differing = np.flatnonzero(ours.line[:both] != theirs.line[:both])
    if differing.size:
        return int(differing[0])
    return None if len(ours.line) == len(theirs.line) else both


def row(ours: Picks, theirs: Picks) -> tuple[str, ...]:
    at = first_difference(ours, theirs)
    same = len(ours.line) if at is None else at
    numbers = [
        f"{np.abs(one[:same] - other[:same]).max(initial=0):.1e}"
        for one, other in ((ours.delta, theirs.delta), (ours.entropy, theirs.entropy))
    ]
    first = "none" if at is None else f"pick {at + 1:,}: line {_line(ours, at)}, yardstick {_line(theirs, at)}"
    return f"{len(ours.line):,}", f"{len(theirs.line):,}", first, *numbers


def _line(picks: Picks, at: int) -> str:
    return str(picks.line[at]) if at < len(picks.line) else "none"


if __name__ == "__main__":
    main()
