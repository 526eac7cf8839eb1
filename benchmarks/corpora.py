"""What the benchmarks have in common: real corpora of any size, the yardstick, timed child processes, tables.

Not a script. The corpora are looked for in `../shared/corpora` beside the checkout, or where CYNICAL_CORPORA points;
the yardstick in `../shared/yardstick`, or where CYNICAL_YARDSTICK points. Without them a benchmark says so and ends.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPORA = Path(os.environ.get("CYNICAL_CORPORA") or SHARED / "corpora")
YARDSTICK = Path(os.environ.get("CYNICAL_YARDSTICK") or SHARED / "yardstick")
MB = 1_000_000


@dataclass(frozen=True)
class Run:
    """A finished child process: wall time, and the bytes that were resident at most, mapped files included."""

    seconds: float
    peak: int
    said: str  # on standard error
    processor: float  # seconds of all cores together: what others do on the machine hardly moves it
    written: int = 0  # bytes of files that were written or, where they are mapped, made dirty; on Linux alone


@dataclass(frozen=True)
class Scratch:
    """The folder in which corpora are decompressed and grown and results are written; what is there already is
    reused."""

    folder: Path

    @property
    def pool(self) -> Path:
        """AVAILABLE: 250,000 lines of 15 domains."""
        return self.folder / "corpora" / "pool.en.tok"

    def train(self, task: str) -> Path:
        """REPRESENTATIVE of a task, such as medqa."""
        return self._part(task, "train")

    def test(self, task: str) -> Path:
        """Held-out text of a task."""
        return self._part(task, "test")

    def _part(self, task: str, part: str) -> Path:
        path = self.folder / "corpora" / "repr" / f"{task}.{part}.tok"
        if not path.exists():
            sys.exit(f"there is no task {task!r}; choose from {', '.join(self.tasks())}")
        return path

    def tasks(self) -> list[str]:
        found = (self.folder / "corpora" / "repr").glob("*.train.tok")
        return sorted(path.name.removesuffix(".train.tok") for path in found)

    def grown(self, lines: int) -> Path:
        """The pool made larger or smaller; the same every time."""
        path = self.folder / f"pool.{lines}.tok"
        if not path.exists():
            note(f"growing a pool of {lines:,} lines ...")
            part = path.with_suffix(".part")
            run([sys.executable, CORPORA / "grow", self.pool, str(lines)], output=part)
            part.rename(path)
        return path

    def head(self, lines: int) -> Path:
        """The first lines of the pool."""
        path = self.folder / f"head.{lines}.tok"
        with self.pool.open("rb") as pool:
            path.write_bytes(b"".join(itertools.islice(pool, lines)))
        return path

    def yardstick(self) -> Path:
        """The yardstick, compiled by the command in its first lines."""
        source, program = YARDSTICK / "yardstick.cpp", self.folder / "yardstick"
        if not source.exists():
            leave(f"skipped: no yardstick in {YARDSTICK}; let CYNICAL_YARDSTICK name the folder of yardstick.cpp")
        with source.open() as lines:
            given = next(line for line in lines if line.startswith("//   g++"))
        compiler, *options = shlex.split(given.removeprefix("//"))
        if shutil.which(compiler) is None:
            leave(f"skipped: the yardstick needs the compiler {compiler}, which is not installed")
        places = {"yardstick.cpp": str(source), "yardstick": str(program)}
        run([compiler, *(places.get(option, option) for option in options)])
        return program


@contextmanager
def scratch(chosen: Path | None) -> Iterator[Scratch]:
    """The chosen folder, or one that is removed in the end; with the decompressed corpora in it."""
    if not (CORPORA / "unpack").exists():
        leave(f"skipped: no corpora in {CORPORA}; let CYNICAL_CORPORA name the folder of its script unpack")
    with tempfile.TemporaryDirectory(prefix="cynical-benchmark-") as passing:
        folder = (chosen or Path(passing)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        note(f"decompressing into {folder} ...")
        run([sys.executable, CORPORA / "unpack", folder / "corpora"])
        yield Scratch(folder)


def arguments(documentation: str | None) -> argparse.ArgumentParser:
    """The options that every benchmark has; its docstring is its help."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=Path, metavar="DIR", help="unpack here, keep it and reuse it")
    return parser


def leave(sentence: str) -> NoReturn:
    """End without a failure: there is nothing to measure here."""
    print(sentence)
    raise SystemExit(0)


def note(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def cynical(*options: str | Path) -> list[str | Path]:
    """The command as users type it, of the Python that runs the benchmark."""
    command = Path(sys.executable).with_name("cynical")
    return [command, *options] if command.exists() else [sys.executable, "-m", "cynical", *options]


def select(task: Path, available: Path, jaded: Path, *options: str) -> list[str | Path]:
    jaded.unlink(missing_ok=True)
    return cynical("select", "-r", task, "-a", available, "-o", jaded, *options)


def run(
    command: Sequence[str | Path], *, output: Path | None = None, environment: Mapping[str, str] | None = None
) -> Run:
    """Run a command with its output in a file; anything but success ends the benchmark with what the command said.

    Python may keep its byte code, as it does for users: compiling all modules again takes longer than a small run.
    Linux starts a child's peak memory from that of its parent, so a benchmark that reports it must stay small.
    """
    with Path(output or os.devnull).open("wb") as out, tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        around = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        child = subprocess.Popen(command, stdout=out, stderr=errors, env={**around, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    if child.returncode:
        sys.exit(f"{shlex.join(map(str, command))} ended with {child.returncode}:\n{said}")
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    written = usage.ru_oublock * 512 if sys.platform == "linux" else 0
    return Run(seconds, peak, said, usage.ru_utime + usage.ru_stime, written)


def side_by_side(repeat: int, ours: Callable[[], Run], theirs: Callable[[], Run]) -> tuple[Run, Run]:
    """The two in turn, so that what else the machine does hits both; the shortest time and the largest peak of each."""
    runs = [(ours(), theirs()) for _ in range(repeat)]
    return best_of([one for one, _ in runs]), best_of([other for _, other in runs])


def best_of(runs: Sequence[Run]) -> Run:
    """The shortest times and the largest peak."""
    processor = min(one.processor for one in runs)
    return Run(min(one.seconds for one in runs), max(one.peak for one in runs), runs[-1].said, processor)


def warm(path: Path) -> None:
    """Read a file once, so that it is in the system's cache when the clock runs."""
    with path.open("rb") as file:
        while file.read(MB):
            pass


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lined-up columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    ruled = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in cells).rstrip()
        for cells in (enumerate(zip(row, widths, strict=True)) for row in ruled)
    )
