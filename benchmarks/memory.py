"""Is the plan true? What runs of several shapes take in memory, beside what --memory plans for them.

    python benchmarks/memory.py [--scratch DIR] [--lines N] [--task TASK] [--only NAME,...]

For each shape: the planned and the measured peak of resident memory without a limit, mapped input included, and the
smallest limit that is accepted with the peak of a run under that limit. In MB. Peaks without a limit include pages of
the text that were touched when lines were written, which the system takes back when it needs them.
"""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

from corpora import MB, Scratch, arguments, note, run, scratch, select, table

HEADER = ("shape", "planned", "peak", "peak/planned", "least limit", "peak there", "peak/limit")
SHAPES: dict[str, tuple[str, ...]] = {
    "small": (),
    "natural": (),
    "copies": ("--max-copies", "1"),
    "3-grams": ("--ngrams", "3"),
    "short lines": (),
    "batch": ("--strategy", "batch"),
    "word": ("--strategy", "word"),
}
SAID = re.compile(r"at least ([\d.]+ [kMGT]B),.* and ([\d.]+ [kMGT]B) without")
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000, metavar="N", help="of the pool (1,000,000)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--only", default=",".join(SHAPES), metavar="NAME,...", help="these shapes (all)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        rows = [measured(here, name, options.lines, options.task) for name in options.only.split(",")]
    print(table(HEADER, rows))


def measured(here: Scratch, name: str, lines: int, task: str) -> tuple[str, ...]:
    note(f"{name} ...")
    wanted, available, jaded = here.train(task), pool(here, name, lines), here.folder / "jaded.tsv"
    how = (*SHAPES[name], "--lines", "1000", "--quiet")
    run(select(wanted, here.head(1000), jaded, *how))  # compiles what is not compiled yet
    refused = subprocess.run(select(wanted, available, jaded, *how, "--memory", "1M"), capture_output=True, text=True)
    found = SAID.search(refused.stderr)
    assert found is not None, refused.stderr
    least, planned = (float(said.split()[0]) * UNITS[said.split()[1]] for said in found.groups())
    limit = round(1.01 * least / MB) + 1
    free = run(select(wanted, available, jaded, *how)).peak
    limited = run(select(wanted, available, jaded, *how, "--memory", f"{limit}M", "--scratch", str(here.folder))).peak
    figures = (planned / MB, free / MB, limit, limited / MB)
    shown = [f"{figure:,.0f}" for figure in figures]
    return name, *shown[:2], f"{free / planned:.2f}", *shown[2:], f"{limited / limit / MB:.2f}"


def pool(here: Scratch, name: str, lines: int) -> Path:
    if name == "small":
        return here.head(20_000)
    if name != "short lines":
        return here.grown(lines)
    path = here.folder / f"short.{lines}.txt"
    if not path.exists():
        words, choose = here.head(2000).read_text(encoding="utf-8").split(), random.Random(1).choices
        with path.open("w", encoding="utf-8") as file:
            for _ in range(lines):
                file.write(" ".join(choose(words, k=3)) + "\n")
    return path


if __name__ == "__main__":
    main()
