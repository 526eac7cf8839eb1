"""With what and where a run is done; the result is the same."""

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
        "Use N threads. The result is the same.", flags=("-j",), metavar="N", default_help="all cores", check=whole
    )
    memory: int | str | None = option(
        "Keep to this much memory, say 8G, on a cluster each worker. What does not fit is put into --scratch, which "
        "takes longer.",
        metavar="SIZE",
        default_help="no limit",
        commands=("select",),
        check=values.size,
    )
    checkpoint: str | Path | None = option(
        "Save the picks so far in this folder. After a crash the same command resumes, and ends with the same bytes.",
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
        "Read a sample, print what the run will need, and write nothing.",
        default=False,
        commands=("select",),
        python=False,
    )


@dataclass(frozen=True, slots=True)
class Cluster(Group):
    """Where a selection runs."""

    title: ClassVar[str] = RUNS

    engine: EngineName = option(
        "ray: read and hold the lines on many machines. The result is the same; -o FOLDER/ keeps a ranking in parts.",
        default="local",
    )
    address: str | None = option(
        "With --engine ray: connect to the cluster at this address (auto: that of this machine).",
        metavar="ADDRESS",
        default_help="start one here",
    )
    workers: int | None = option(
        "With --engine ray: use N workers.", metavar="N", default_help="one for each processor", check=whole
    )

    def check(self) -> None:
        for name in ("address", "workers"):
            if self.engine == "local" and getattr(self, name) is not None:
                raise CynicalError(f"--{name} is for a cluster; give --engine ray too, or leave it out")


@dataclass(frozen=True, slots=True)
class Writing(Group):
    """What every command that writes has."""

    title: ClassVar[str] = OUTPUT

    overwrite: bool = option("Replace files that exist.", default=False, commands=WRITERS, python=False)
    quiet: bool = option("Print neither progress nor a summary.", flags=("-q",), default=False, python=False)
