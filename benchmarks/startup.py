"""How long does one wait before cynical does anything?

    python benchmarks/startup.py [--scratch DIR] [--repeat N]

Prints, a command a row: best and worst wall time of N runs, and the least processor time of all its processes; the
limit of the wall time, where there is one; how often a run said that it compiles; and whether it imported numba.
`select` ranks the first 1,000 lines of the pool for medqa. Warm: its kernels are compiled. First: with an empty
NUMBA_CACHE_DIR; the commands below it come after it, and compile what those before did not. `warm-up` compiles
everything. The column `holds` says yes where the worst run keeps the limit, and "at best" where only the best does.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from corpora import Run, Scratch, arguments, cynical, note, run, scratch, select, table

HEADER = ("command", "best s", "worst s", "processor s", "limit s", "holds", "says compiling", "imports numba")
GLANCE_LIMIT, WARM_LIMIT, FIRST_LIMIT = 0.3, 0.4, 8.0


@dataclass(frozen=True)
class Waits:
    here: Scratch
    repeat: int

    def quick(self) -> list[tuple[str, ...]]:
        """What need not compile anything."""
        commands: dict[str, tuple[list[str | Path], float]] = {
            "cynical --version": (cynical("--version"), GLANCE_LIMIT),
            "cynical --help": (cynical("--help"), GLANCE_LIMIT),
            "import cynical": ([sys.executable, "-c", "import cynical"], GLANCE_LIMIT),
            "select, 1,000 lines, warm": (self._select(), WARM_LIMIT),
        }
        rows = []
        for name, (command, limit) in commands.items():
            run(command)
            runs = [_noted(name, command) for _ in range(self.repeat)]
            rows.append((*_row(name, runs, limit), imports_numba(command)))
        return rows

    def first(self) -> list[tuple[str, ...]]:
        """Commands one after another, each for the first time; and then all at once."""
        commands = {
            "select, first": self._select(),
            "then select --strategy batch": self._select("--strategy", "batch"),
            "then select --strategy word": self._select("--strategy", "word"),
            "then select --ngrams 2": self._select("--ngrams", "2"),
            "then evaluate": cynical("evaluate", self.here.folder / "jaded.tsv", "-t", self.here.test("medqa")),
        }
        runs: dict[str, list[Run]] = {name: [] for name in (*commands, "warm-up, first")}
        for _ in range(self.repeat):
            for name, many in runs.items():
                if name.endswith("first"):
                    empty = tempfile.TemporaryDirectory(dir=self.here.folder, prefix="kernels-")
                many.append(_noted(name, commands.get(name, cynical("warm-up")), empty.name))
        limits = {"select, first": FIRST_LIMIT}
        return [(*_row(name, many, limits.get(name)), "") for name, many in runs.items()]

    def _select(self, *options: str) -> list[str | Path]:
        task, pool = self.here.train("medqa"), self.here.head(1000)
        return select(task, pool, self.here.folder / "jaded.tsv", "--overwrite", *options)


def _noted(name: str, command: list[str | Path], kernels: str | None = None) -> Run:
    note(f"{name} ...")
    return run(command, environment=None if kernels is None else {"NUMBA_CACHE_DIR": kernels})


def _row(name: str, runs: list[Run], limit: float | None) -> tuple[str, ...]:
    best, worst = min(one.seconds for one in runs), max(one.seconds for one in runs)
    holds = "" if limit is None else "yes" if worst <= limit else "at best" if best <= limit else "NO"
    said = "/".join(sorted({str(one.said.count("compiling")) for one in runs}))
    processor = min(one.processor for one in runs)
    return name, f"{best:.2f}", f"{worst:.2f}", f"{processor:.2f}", f"{limit or ''}", holds, f"{said} x"


def imports_numba(command: list[str | Path]) -> str:
    """Python lists every import on standard error when asked to."""
    listed = run(command, environment={"PYTHONPROFILEIMPORTTIME": "1"}).said.splitlines()
    return "yes" if any(line.rpartition("|")[2].strip() == "numba" for line in listed) else "no"


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each command (3)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        waits = Waits(here, options.repeat)
        print(table(HEADER, [*waits.quick(), *waits.first()]))


if __name__ == "__main__":
    main()
