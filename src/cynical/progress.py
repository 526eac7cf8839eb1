"""Progress: bars on a terminal or in a notebook; in a log, one line per minute."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Protocol

from .errors import tell

HEARTBEAT = 60.0  # seconds between two lines in a log


class Bar(Protocol):
    def update(self, n: float = 1) -> object: ...


class _Doing:
    """What a run is at, and how far it has come; takes the place of a bar where none is shown."""

    def __init__(self, what: str, total: int | None = None, unit: str | None = None) -> None:
        self._what, self._total, self._unit, self._done = what, total, unit, 0.0

    def update(self, n: float = 1) -> None:
        self._done += n

    def __str__(self) -> str:
        if self._unit is None:
            return self._what
        scale, unit = (1e6, " MB") if self._unit == "B" else (1.0, self._unit)
        done = f"{self._what}, {self._done / scale:,.0f}"
        if not self._total:
            return f"{done}{unit}"
        return f"{done} of {self._total / scale:,.0f}{unit} ({100 * self._done / self._total:.0f} %)"


class Heartbeat:
    """Where there is no bar, a line per minute that says what a run is at, from a thread that lives while it is."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._doing: list[_Doing] = []  # the last is part of those before it

    @contextmanager
    def during(self, doing: _Doing) -> Iterator[_Doing]:
        self._doing.append(doing)
        end = threading.Event()
        thread = threading.Thread(target=self._beat, args=(end,), daemon=True) if len(self._doing) == 1 else None
        if thread is not None:
            thread.start()
        try:
            yield doing
        finally:
            self._doing.remove(doing)
            end.set()
            if thread is not None:
                thread.join(1)

    def _beat(self, end: threading.Event) -> None:
        """Minutes are those of the run, not of what it is at, of which there may be much that is short."""
        while not end.wait(HEARTBEAT - (time.monotonic() - self._began) % HEARTBEAT):
            for doing in self._doing[-1:]:
                tell(f"running for {(time.monotonic() - self._began) / 60:.0f} min: {doing}")


class Progress:
    """Bars if wanted, or a heartbeat, and the seconds that each stage took."""

    def __init__(self, shown: bool = False, heartbeat: Heartbeat | None = None) -> None:
        self.wanted = shown
        self.shown = shown and (in_notebook() or (sys.stderr is not None and sys.stderr.isatty()))
        self.seconds: dict[str, float] = {}
        self.during = ""  # what all bars are part of
        self.unmapped = 0  # bytes resident at the end of a stage, at most, without mapped files; 0 if not known
        self._heartbeat = Heartbeat() if heartbeat is None else heartbeat

    def part(self, during: str = "") -> Progress:
        """That of a run within this one, which has stages of its own."""
        made = Progress(self.wanted, self._heartbeat)
        made.during = self.during + during
        return made

    def notice(self, message: str) -> None:
        """A line that a person should see while waiting."""
        if self.wanted:
            tell(message)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the seconds spent inside to the stage."""
        began = time.perf_counter()
        try:
            with self._beating(_Doing(f"{self.during}stage '{name}'")):
                yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began
            self.unmapped = max(self.unmapped, _status("RssAnon"))

    @contextmanager
    def bar(self, what: str, total: int | None, unit: str) -> Iterator[Bar]:
        """A bar with rate and time left; without a total, only how far it has come."""
        if not self.shown:
            with self._beating(_Doing(self.during + what, total, unit)) as doing:
                yield doing
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

    def _beating(self, doing: _Doing) -> AbstractContextManager[_Doing]:
        return self._heartbeat.during(doing) if self.wanted and not self.shown else nullcontext(doing)


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
