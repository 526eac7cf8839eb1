"""What a person sees while waiting: bars on standard error, on a terminal, or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from .errors import tell


class Bar(Protocol):
    def update(self, n: float = 1) -> object: ...


class _Silent:
    def update(self, n: float = 1) -> None:
        pass


class Progress:
    """Bars if wanted, and the seconds that each stage took."""

    def __init__(self, shown: bool = False) -> None:
        self.wanted = shown
        self.shown = shown and (in_notebook() or (sys.stderr is not None and sys.stderr.isatty()))
        self.seconds: dict[str, float] = {}
        self.during = ""  # what all bars are part of
        self.unmapped = 0  # bytes resident at the end of a stage, at most, without mapped files; 0 if not known

    def notice(self, message: str) -> None:
        """A line that a person should see while waiting."""
        if self.wanted:
            tell(message)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the seconds spent inside to the stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
            self.unmapped = max(self.unmapped, _status("RssAnon"))

    @contextmanager
    def bar(self, what: str, total: int | None, unit: str) -> Iterator[Bar]:
        """A bar with rate and time left; without a total, only how far it has come."""
        if not self.shown:
            yield _Silent()
            return
        if in_notebook():
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm

        layout = "{desc} {n_fmt}{unit}  {rate_fmt}  {elapsed}"
        if total is not None:
            layout = "{desc} {percentage:3.0f}% {bar} {n_fmt}/{total_fmt}{unit}  {rate_fmt}  {remaining} left"
        with tqdm(
            total=total,
            desc=self.during + what,
            unit=unit,
            unit_scale=True,
            bar_format=layout,
            leave=False,
            dynamic_ncols=True,
        ) as bar:
            yield bar


def in_notebook() -> bool:
    """Is this the kernel of a notebook, where a bar is a widget?"""
    return "ipykernel" in sys.modules


def peak_memory() -> int:
    """Bytes resident at most so far, mapped files included."""
    peak = _status("VmHWM")
    if peak:
        return peak
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _status(field: str) -> int:
    """Bytes that Linux tells of this process; 0 elsewhere."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":")), 0)
