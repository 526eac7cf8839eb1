"""Where a run is executed and with which resources; the result does not depend on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from ..errors import CynicalError, whole
from . import values
from .declare import COMMANDS, OUTPUT, RUNS, Group, option

EngineName = Literal["local", "ray"]
WRITERS = tuple(one for one in COMMANDS if one != "warm-up")  # of files
CHECKPOINT_EVERY = 30.0


def _seconds(name: str, value: Any) -> float:
    if not value >= 0:
        raise CynicalError(f"{name} must be a number of seconds, found {value!r}")
    return float(value)


@dataclass(frozen=True, slots=True)
class Execution(Group):
    title: ClassVar[str] = RUNS

    jobs: int | None = option(
        "Number of threads. The result does not depend on it.",
        flags=("-j",),
        metavar="N",
        default_help="all cores",
        check=whole,
    )
    memory: int | str | None = option(
        "Limit on memory, for example 8G; on a cluster, per worker. Data that does not fit is stored in --scratch, "
        "which takes longer.",
        metavar="SIZE",
        default_help="no limit",
        commands=("select",),
        check=values.size,
    )
    checkpoint: str | Path | None = option(
        "Folder in which the picks so far are saved. After a crash, the same command resumes and writes the same "
        "output.",
        metavar="DIR",
        path=True,
        commands=("select",),
    )
    checkpoint_every: float = option(
        "Seconds between checkpoints.",
        metavar="SECONDS",
        default=CHECKPOINT_EVERY,
        commands=("select",),
        check=_seconds,
    )
    dry_run: bool = option(
        "Read a sample, print an estimate of the time and memory that the run will need, and write nothing.",
        default=False,
        commands=("select",),
        python=False,
    )


@dataclass(frozen=True, slots=True)
class Cluster(Group):
    """Where a selection runs."""

    title: ClassVar[str] = RUNS

    engine: EngineName = option(
        "ray: distribute the lines over many machines. The result is the same. -o FOLDER/ writes the ranking in "
        "parts, one per worker.",
        default="local",
    )
    address: str | None = option(
        "With --engine ray: address of the cluster (auto: the one that runs on this machine).",
        metavar="ADDRESS",
        default_help="start a cluster on this machine",
    )
    workers: int | None = option(
        "With --engine ray: number of workers.", metavar="N", default_help="one per processor", check=whole
    )

    def check(self) -> None:
        for name in ("address", "workers"):
            if self.engine == "local" and getattr(self, name) is not None:
                raise CynicalError(f"--{name} applies to a cluster only; give --engine ray too, or omit it")


@dataclass(frozen=True, slots=True)
class Writing(Group):
    """What every command that writes has."""

    title: ClassVar[str] = OUTPUT

    overwrite: bool = option("Replace files that exist.", default=False, commands=WRITERS, python=False)
    quiet: bool = option("Do not print progress or a summary.", flags=("-q",), default=False, python=False)
