"""How long does one wait before cynical does anything?

    python benchmarks/startup.py [--scratch DIR] [--repeat N]

Prints, a command a row: best and worst wall time of N runs beside the limit, how often a run said that it compiles,
and whether a mere glance imported numba. `select` ranks the first 1,000 lines of the pool for medqa; warm, with the
kernels compiled; first, with an empty NUMBA_CACHE_DIR each time. The column `holds` says yes where the worst run keeps
the limit, and "at best" where only the best does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpora import Run, Scratch, arguments, cynical, note, run, scratch, select, table

HEADER = ("command", "best s", "worst s", "limit s", "holds", "says compiling", "imports numba")
GLANCE_LIMIT, WARM_LIMIT, FIRST_LIMIT = 0.3, 1.5, 25.0


@dataclass(frozen=True)
class Waits:
    here: Scratch
    repeat: int

    def glance(self, option: str) -> tuple[str, ...]:
        """An option that only prints something."""
        command = cynical(option)
        return *self._measure(f"cynical {option}", lambda: run(command), GLANCE_LIMIT), imports_numba(command)

    def warm(self) -> tuple[str, ...]:
        self._rank({})
        return *self._measure("select, 1,000 lines, warm", lambda: self._rank({}), WARM_LIMIT), ""

    def first(self) -> tuple[str, ...]:
        return *self._measure("select, 1,000 lines, first", self._rank_first, FIRST_LIMIT), ""

    def _rank_first(self) -> Run:
        with tempfile.TemporaryDirectory(dir=self.here.folder, prefix="kernels-") as empty:
            return self._rank({"NUMBA_CACHE_DIR": empty})

    def _rank(self, environment: dict[str, str]) -> Run:
        command = select(self.here.train("medqa"), self.here.head(1000), self.here.folder / "jaded.tsv")
        return run(command, environment=environment)

    def _measure(self, command: str, start: Callable[[], Run], limit: float) -> tuple[str, ...]:
        note(f"{command} ...")
        runs = [start() for _ in range(self.repeat)]
        best, worst = min(one.seconds for one in runs), max(one.seconds for one in runs)
        holds = "yes" if worst <= limit else "at best" if best <= limit else "NO"
        said = "/".join(sorted({str(one.said.count("compiling")) for one in runs}))
        return command, f"{best:.2f}", f"{worst:.2f}", f"{limit}", holds, f"{said} x"


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
        print(table(HEADER, [waits.glance("--version"), waits.glance("--help"), waits.warm(), waits.first()]))


if __name__ == "__main__":
    main()
