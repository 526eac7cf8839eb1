"""Compile kernels before they are called, in several processes at once.

What a kernel must be compiled for is known when it is called. So each of these processes does a small run, with Python
in place of machine code, and notes what kernels are called with. Then it compiles those that no other has claimed.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..progress import Progress
from . import jit
from .machine_code import Described, NotSupportedError, flat_types

if TYPE_CHECKING:
    import subprocess

SMALL_RUNS = "cynical.small_runs"  # the program of these processes
MOST_PROCESSES = 8  # each takes 200 MB
NO_FOLDER = "no folder to store machine code in is writable; set NUMBA_CACHE_DIR to the absolute path of one"


def compile_ahead(runs: Sequence[str], progress: Progress, jobs: int | None = None) -> bool:
    """See to it that what small runs (see small_runs.py) call is compiled; False if first calls must do it."""
    if jit.IN_PYTHON or jit.recorded is not None:
        return True
    missing = [run for run in runs if jit.FOLDER is None or not _stamp(jit.FOLDER, run).exists()]
    if jit.CHECKED or not missing:
        return not missing
    if jit.FOLDER is None or not jit.is_writable(jit.FOLDER.parent):
        progress.notice(f"compiling for this run only (10 to 20 s): {NO_FOLDER}")
        return False
    jit.forget_older(jit.FOLDER)
    import tempfile

    progress.notice("compiling, once for each kind of run (5 to 20 s); `cynical warm-up` does it for all ...")
    processes = min(jit.cores(), jobs or MOST_PROCESSES, MOST_PROCESSES)
    with progress.stage("compile"), tempfile.TemporaryDirectory(prefix="cynical-") as claims:
        done = _in_processes([claims, *missing], processes, progress)
    for run in missing if done else []:
        _stamp(jit.FOLDER, run).touch()
    return done


def _stamp(folder: Path, run: str) -> Path:
    """The file that says that what a small run calls is compiled."""
    return folder / f"{run}{jit.READY}"


def _in_processes(arguments: list[str], number: int, progress: Progress) -> bool:
    """Compile in other processes, which say how many kernels there are and when one is done; did all go well?"""
    import subprocess

    package = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-P", "-m", SMALL_RUNS, *arguments]
    started: list[subprocess.Popen[str]] = []
    try:
        for _ in range(number):
            started.append(
                subprocess.Popen(
                    command,
                    env={**os.environ, "PYTHONPATH": path},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
            )
        total = int((started[0].stdout or sys.stdin).readline() or 0)
        with progress.bar("compiling", total, " kernels") as bar:
            readers = [threading.Thread(target=_follow, args=(one, bar.update)) for one in started]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
        return not any(one.wait() for one in started)
    except (OSError, ValueError):  # no process can be started here: kernels are compiled when they are called
        return False
    finally:
        for one in started:
            one.kill()
            one.wait()


def _follow(process: subprocess.Popen[str], update: object) -> None:
    """Move the bar whenever a process has compiled a kernel."""
    assert process.stdout is not None and callable(update)
    for line in process.stdout:
        if line.startswith("done"):
            update(1)


def record(run: Callable[[], object]) -> list[tuple[jit.Kernel, Described]]:
    """The kernels that something calls, and for what each must be compiled; what takes longest first, more or less."""
    jit.recorded = []
    try:
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # of hashes, which overflow
            run()
        found = {f"{kernel!r} {described}": (kernel, described) for kernel, described in jit.recorded}
    finally:
        jit.recorded = None
    return sorted(found.values(), key=lambda one: -len(flat_types(one[1])))


def compile_claimed(claims: Path, run: Callable[[], object]) -> None:
    """Compile what something calls and other processes with these claims do not, and say so on standard output."""
    gc.disable()  # this is over soon
    found = [(kernel, described, kernel.file(described)) for kernel, described in record(run)]
    missing = [(kernel, described, path) for kernel, described, path in found if path is not None and not path.exists()]
    print(len(missing), flush=True)
    for kernel, described, path in missing:
        with contextlib.suppress(FileExistsError):
            (claims / path.name).touch(exist_ok=False)
            with contextlib.suppress(NotSupportedError):  # numba compiles it when it is called
                kernel.code(described)
            print("done", flush=True)
