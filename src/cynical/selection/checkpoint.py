"""Checkpoints: the picks of a run, kept in a folder while it goes on, so that the same command can continue it.

    DIR/run.json   what the run was told, and a digest of what it read
    DIR/picks      by pick, 8 bytes for the line and 8 for its word; only ever appended to
    DIR/gains      for --strategy batch, the last known gains after so many picks; replaced whole
    DIR/done       once the search has ended: after how many picks, and why

Every pick depends on nothing but those before it (for batch, also on the last known gains), so a run that applies the
picks that are there and goes on makes the same picks as one that never stopped. A record that was cut off by a crash is
dropped; nothing that stands before it is ever touched. A batch that a budget has cut short cannot be gone on from, so
the last picks of a search count only once it is said that it has ended.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError, os_error

EVERY = 30.0  # seconds between two checkpoints
DEAR = 50  # and at least so many times what the last one took: a checkpoint may cost 2 %
RECORD = np.dtype([("line", "<i8"), ("word", "<i8")])
GAINS = b"cynical gains 1\n"


class Checkpoint:
    """A folder that one run at a time writes to."""

    def __init__(self, folder: str | Path, run: dict[str, Any], every: float = EVERY) -> None:
        self._folder, self._every = Path(folder), every
        self._by_batch = run["settings"].get("strategy") == "batch"
        self._waiting: list[NDArray[Any]] = []
        self._last, self._took = time.monotonic(), 0.0
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = (self._folder / "picks").open("a+b")
            self._lock()
            self._check(run)
            self.picks, self.gains, self.ended = self._read()
        except OSError as error:
            raise os_error(error.filename or folder, error) from error

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
        if more and time.monotonic() - self._last >= max(self._every, DEAR * self._took):
            self.write(gains)

    def write(self, gains: NDArray[np.int64] | None) -> None:
        """Write down all picks so far."""
        began = time.monotonic()
        size = self._file.seek(0, os.SEEK_END)
        new = np.concatenate(self._waiting) if self._waiting else np.empty(0, RECORD)
        try:
            self._file.write(new.tobytes())
            self._file.flush()
            os.fsync(self._file.fileno())
            if gains is not None:
                self._write_gains(gains, (size + new.nbytes) // RECORD.itemsize)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), size)
            raise os_error(f"{self._folder} (--checkpoint)", error) from error
        self._waiting.clear()
        self._last = time.monotonic()
        self._took = self._last - began

    def finish(self, why: int) -> None:
        """Write down the last picks, and that there are no more."""
        self.write(None)
        picks = self._file.seek(0, os.SEEK_END) // RECORD.itemsize
        try:
            _replace(self._folder / "done", orjson.dumps({"picks": picks, "why": why}))
        except OSError as error:
            raise os_error(f"{self._folder} (--checkpoint)", error) from error

    def close(self) -> None:
        self._file.close()

    def _write_gains(self, gains: NDArray[np.int64], picks: int) -> None:
        new = self._folder / "gains.new"
        with new.open("wb") as file:
            file.write(GAINS + np.array([picks, len(gains)], "<i8").tobytes())
            gains.astype("<i8", copy=False).tofile(file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._folder / "gains")

    def _lock(self) -> None:
        """Two runs on one checkpoint would mix their picks."""
        try:
            fcntl = importlib.import_module("fcntl")
        except ImportError:  # Windows has no such locks
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CynicalError(
                f"{self._folder}: another run is writing this checkpoint; wait for it, or give another --checkpoint DIR"
            ) from None

    def _check(self, run: dict[str, Any]) -> None:
        """A checkpoint of another run is no use; a new one says what it is of."""
        path = self._folder / "run.json"
        if not path.exists():
            os.ftruncate(self._file.fileno(), 0)
            for left in ("gains", "done"):
                (self._folder / left).unlink(missing_ok=True)
            _replace(path, orjson.dumps(run, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
            return
        try:
            was = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            was = None
        run = orjson.loads(orjson.dumps(run))
        if was != run:
            raise CynicalError(
                f"{self._folder}: the checkpoint of another run{_difference(was, run)}; "
                "give the same command to continue it, or another --checkpoint DIR"
            )

    def _read(self) -> tuple[NDArray[Any], NDArray[np.int64] | None, int | None]:
        """The picks that are there, with gains as many as those go with; and why the search has ended, if it has."""
        self._file.seek(0)
        data = self._file.read()
        whole = len(data) // RECORD.itemsize
        gains = None
        path = self._folder / "gains"
        if path.exists():
            held = path.read_bytes()
            head = len(GAINS) + 16
            picks, number = np.frombuffer(held[len(GAINS) : head], "<i8").tolist()
            gains = np.frombuffer(held, "<i8", number, head).astype(np.int64)
        done = self._folder / "done"
        said: dict[str, int] = orjson.loads(done.read_bytes()) if done.exists() else {"picks": whole + 1}
        if said["picks"] <= whole:
            return np.frombuffer(data, RECORD, said["picks"]), gains, said["why"]
        if self._by_batch:
            whole = 0 if gains is None else picks
        os.ftruncate(self._file.fileno(), whole * RECORD.itemsize)
        return np.frombuffer(data, RECORD, whole), gains, None


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _difference(was: Any, run: dict[str, Any]) -> str:
    """What tells the other run from this one, in brackets."""
    if not isinstance(was, dict):
        return ""
    then, now = was.get("settings") or {}, run["settings"]
    changed = [f"--{name.replace('_', '-')} {then.get(name)}" for name in now if then.get(name) != now[name]]
    if changed:
        return f" (with {', '.join(changed)})"
    return " (of other corpora)" if was.get("read") != run["read"] else f" (by cynical {was.get('cynical')})"
