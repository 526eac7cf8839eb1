"""How fast is `cynical score` beside `cynical count` on the same lines, and does its memory stay the same?

    python benchmarks/scoring.py [--scratch DIR] [--lines N] [--task TASK] [--repeat N] [--jobs N]

Both read the same lines, as text and as JSON lines, out of a pipe and from a file; processor seconds from the start of
the process to its end, best of N runs of each in turn, with the kernels compiled. `speed` is how many lines a second
score reads where count reads one; the goal is 0.6. The peak is that of score; a pipe of a million lines must stay
below 300 MB.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from corpora import MB, Run, arguments, cynical, note, run, scratch, side_by_side, table

HEADER = ("job", "score s", "count s", "speed", "goal", "peak MB", "limit MB", "holds")
GOAL, LIMIT = 0.6, 300 * MB
JOBS: dict[str, tuple[str, tuple[str, ...], str]] = {  # input, options of both, and where score writes to
    "text, a file to scores": ("text", (), "scores"),
    "text, a pipe to scores": ("pipe", (), "scores"),
    "text, a pipe to a table": ("pipe", (), "tsv"),
    "text, a pipe, pairs too": ("pipe", ("--ngrams", "2"), "scores"),
    "text, a pipe, --tokenizer words": ("pipe", ("--tokenizer", "words"), "scores"),
    "JSON lines, a pipe to JSON lines": ("records", ("--input-format", "jsonl", "--text-key", "text"), "jsonl"),
}


@dataclass(frozen=True)
class Bench:
    task: Path
    counts: Path  # where counts are written to
    more: list[str]  # options of both

    def measured(self, name: str, pool: Path, repeat: int) -> tuple[str, ...]:
        kind, how, format = JOBS[name]
        note(f"{name} ...")
        source = as_records(pool) if kind == "records" else pool
        pipe, given = (None, source) if kind == "text" else (source, Path("-"))
        where = ("--format", format, "-o", "-", "--quiet")
        score = cynical("score", "-r", self.task, "-a", given, *where, *how, *self.more)
        count = cynical("count", given, "-o", self.counts, "--overwrite", "--quiet", *how, *self.more)
        run(
            cynical("score", "-r", self.task, "-a", self.task, "--format", "tsv", "-q")
        )  # compiles what is not compiled
        made = row(name, *side_by_side(repeat, lambda: piped(pipe, score), lambda: piped(pipe, count)))
        note("  ".join(made))
        return made


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000, metavar="N", help="of the pool (1,000,000)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each program (3)")
    parser.add_argument("--jobs", metavar="N", help="threads of cynical (every core)")
    parser.add_argument("--only", default="", metavar="WORD", help="jobs that have this in their name")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        more = ["--jobs", options.jobs] if options.jobs else []
        bench, pool = Bench(here.train(options.task), here.folder / "words.counts", more), here.grown(options.lines)
        rows = [bench.measured(name, pool, options.repeat) for name in JOBS if options.only in name]
    print(table(HEADER, rows))


def row(name: str, ours: Run, theirs: Run) -> tuple[str, ...]:
    speed = theirs.processor / ours.processor
    numbers = (f"{ours.processor:.2f}", f"{theirs.processor:.2f}", f"{speed:.2f}", f"{GOAL}")
    holds = "yes" if speed >= GOAL and ours.peak < LIMIT else "NO"
    return name, *numbers, f"{ours.peak / MB:.0f}", f"{LIMIT / MB:.0f}", holds


def piped(source: Path | None, command: list[str | Path]) -> Run:
    """A command at the end of a pipe that a file is written to."""
    if source is None:
        return run(command)
    return run(["sh", "-c", f"cat {shlex.quote(str(source))} | {shlex.join(map(str, command))}"])


def as_records(pool: Path) -> Path:
    """The same lines as JSON lines."""
    path = pool.with_suffix(".jsonl")
    if not path.exists():
        with pool.open(encoding="utf-8", newline="\n") as lines, path.open("w", encoding="utf-8") as out:
            for number, line in enumerate(lines):
                out.write(json.dumps({"id": number, "text": line.rstrip("\n")}, ensure_ascii=False) + "\n")
    return path


if __name__ == "__main__":
    main()
