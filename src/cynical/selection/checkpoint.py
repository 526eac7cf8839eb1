"""Checkpoints: the picks of a run, kept in a folder while it goes on, so that the same command can continue it.

    DIR/run.json   what the run was told, and a digest of what it read
    DIR/picks      by pick, 8 bytes for the line and 8 for its word; only ever appended to
    DIR/gains      for --strategy batch, the last known gains after so many picks; replaced whole
    DIR/done       once the search has ended: after how many picks, and why

Every pick depends on nothing but those before it (for batch, also on the last known gains), so a run that applies the
picks that are there and resumes makes the same picks as one that never stopped. A record that was cut off by a crash is
dropped; nothing before it is ever touched. A search cannot resume after a batch that a budget has cut short, so the
last picks of a search count only once it is said that it has ended.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError, os_error

EVERY = 30.0  # seconds between two checkpoints
DEAR = 50  # and at least so many times what the last one took: a checkpoint may cost 2 %
RECORD = np.dtype([("line", "<i8"), ("word", "<i8")])
GAINS = b"cynical gains 1\n"


@dataclass(frozen=True, slots=True)
class WhatWasRead:
    """What tells one AVAILABLE, and the model that its lines are scored with, from another."""

    lines: int
    words: int
    digest: str


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """What tells a run from others whose picks may differ."""

    cynical: str  # the version
    settings: Mapping[str, object]  # by name, as in the summary
    read: WhatWasRead

    @property
    def by_batch(self) -> bool:
        return self.settings.get("strategy") == "batch"


@dataclass(slots=True)
class Checkpoint:
    """A folder that one run at a time writes to."""

    folder: Path
    file: BinaryIO  # of the picks
    picks: NDArray[np.void]  # that were there when it was opened
    gains: NDArray[np.int64] | None  # that go with them
    ended: int | None  # why the search has ended, if it has
    every: float = EVERY
    _waiting: list[NDArray[np.void]] = field(default_factory=list)
    _last: float = field(default_factory=time.monotonic)
    _took: float = 0.0

    def __len__(self) -> int:
        """Picks that were there when it was opened."""
        return len(self.picks)

    @property
    def lines(self) -> NDArray[np.int64]:
        return self.picks["line"].astype(np.int64)

    @property
    def words(self) -> NDArray[np.int64]:
        return self.picks["word"].astype(np.int64)

    def add(
        self, lines: NDArray[np.int64], words: NDArray[np.int64], gains: NDArray[np.int64] | None, more: bool = True
    ) -> None:
        """Remember more picks, and write them down if it is time, and if more will come."""
        new = np.empty(len(lines), RECORD)
        new["line"], new["word"] = lines, words
        self._waiting.append(new)
        if more and time.monotonic() - self._last >= max(self.every, DEAR * self._took):
            self.write(gains)

    def write(self, gains: NDArray[np.int64] | None) -> None:
        """Write down all picks so far."""
        began = time.monotonic()
        size = self.file.seek(0, os.SEEK_END)
        new = np.concatenate(self._waiting) if self._waiting else np.empty(0, RECORD)
        try:
            self.file.write(new.tobytes())
            self.file.flush()
            os.fsync(self.file.fileno())
            if gains is not None:
                self._write_gains(gains, (size + new.nbytes) // RECORD.itemsize)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self.file.fileno(), size)
            raise os_error(f"{self.folder} (--checkpoint)", error) from error
        self._waiting.clear()
        self._last = time.monotonic()
        self._took = self._last - began

    def finish(self, why: int) -> None:
        """Write down the last picks, and that there are no more."""
        self.write(None)
        picks = self.file.seek(0, os.SEEK_END) // RECORD.itemsize
        try:
            _replace(self.folder / "done", orjson.dumps({"picks": picks, "why": why}))
        except OSError as error:
            raise os_error(f"{self.folder} (--checkpoint)", error) from error

    def close(self) -> None:
        self.file.close()

    def _write_gains(self, gains: NDArray[np.int64], picks: int) -> None:
        new = self.folder / "gains.new"
        with new.open("wb") as file:
            file.write(GAINS + np.array([picks, len(gains)], "<i8").tobytes())
            gains.astype("<i8", copy=False).tofile(file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.folder / "gains")


def open_checkpoint(folder: str | Path, run: RunIdentity, every: float = EVERY) -> Checkpoint:
    """The checkpoint of a run, new or with the picks that are there; it stays locked until it is closed."""
    home = Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
        file: BinaryIO = (home / "picks").open("a+b")
        try:
            _lock(home, file)
            _check(home, file, run)
            return Checkpoint(home, file, *_read(home, file, run.by_batch), every=every)
        except BaseException:
            file.close()
            raise
    except OSError as error:
        raise os_error(error.filename or folder, error) from error


def _lock(folder: Path, file: BinaryIO) -> None:
    """Two runs on one checkpoint would mix their picks."""
    try:
        fcntl = importlib.import_module("fcntl")
    except ImportError:  # Windows has no such locks
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CynicalError(
            f"{folder}: another run is writing this checkpoint; wait for it, or give another --checkpoint DIR"
        ) from None


def _check(folder: Path, file: BinaryIO, run: RunIdentity) -> None:
    """A checkpoint of another run is no use; a new one says what it is of."""
    path = folder / "run.json"
    if not path.exists():
        os.ftruncate(file.fileno(), 0)
        for left in ("gains", "done"):
            (folder / left).unlink(missing_ok=True)
        _replace(path, orjson.dumps(run, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        return
    try:
        was = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        was = None
    now = orjson.loads(orjson.dumps(run))
    if was != now:
        raise CynicalError(
            f"{folder}: the checkpoint of another run{_difference(was, now)}; "
            "give the same command to continue it, or another --checkpoint DIR"
        )


def _read(
    folder: Path, file: BinaryIO, by_batch: bool
) -> tuple[NDArray[np.void], NDArray[np.int64] | None, int | None]:
    """The picks that are there, with gains as many as those go with; and why the search has ended, if it has."""
    file.seek(0)
    data = file.read()
    whole = len(data) // RECORD.itemsize
    gains = None
    path = folder / "gains"
    if path.exists():
        held = path.read_bytes()
        head = len(GAINS) + 16
        picks, number = np.frombuffer(held[len(GAINS) : head], "<i8").tolist()
        gains = np.frombuffer(held, "<i8", number, head).astype(np.int64)
    done = folder / "done"
    said: dict[str, int] = orjson.loads(done.read_bytes()) if done.exists() else {"picks": whole + 1}
    if said["picks"] <= whole:
        return np.frombuffer(data, RECORD, said["picks"]), gains, said["why"]
    if by_batch:
        whole = 0 if gains is None else picks
    os.ftruncate(file.fileno(), whole * RECORD.itemsize)
    return np.frombuffer(data, RECORD, whole), gains, None


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _difference(was: object, run: dict[str, object]) -> str:
    """What tells the other run from this one, in brackets."""
    if not isinstance(was, dict):
        return ""
    then, now = was.get("settings") or {}, run["settings"]
    assert isinstance(now, dict)
    changed = [f"--{name.replace('_', '-')} {then.get(name)}" for name in now if then.get(name) != now[name]]
    if changed:
        return f" (with {', '.join(changed)})"
    return " (of other corpora)" if was.get("read") != run["read"] else f" (by cynical {was.get('cynical')})"
