"""Checkpoints: the picks of a run, kept in a folder while it runs, so that the same command can continue it.

    DIR/run.json   what the run was told, and what tells what it read from other corpora
    DIR/picks      by pick, 8 bytes for the line, 4 for its word and 4 to check them; only ever appended to
    DIR/gains      for --strategy batch, the last known gains after some picks; replaced whole
    DIR/done       once the search has ended: after how many picks, and why

The folder is the checkpoint's own: one that holds anything else is an error, and nothing in it is touched.

Every pick depends on nothing but those before it (for batch, also on the last known gains), so a run that applies the
picks that are there and resumes makes the same picks as one that never stopped. Picks from the first damaged one on are
dropped, and so are `gains` and `done` if they fail their checks; they are found again. A search cannot resume
after a batch that a budget has cut short, so the last picks of a search count only once it is said that it has ended.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from ..errors import CynicalError, os_error
from ..text.tokenizer import fields

EVERY = 30.0  # seconds between two checkpoints
WAIT = 50  # at least this many times what the last one took, so that checkpoints take at most 2 % of the time
FORMAT = 2
RECORD = np.dtype([("line", "<i8"), ("word", "<i4"), ("check", "<u4")])
GAINS = b"cynical gains 2\n"


@dataclass(frozen=True, slots=True)
class WhatWasRead:
    """What tells one AVAILABLE, and the model that its lines are scored with, from another."""

    lines: int
    words: int
    features: int
    digest: str  # of the model, and of the lengths of lines and which may be picked
    signature: str  # of the ranking, which has the hashes of all corpora


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """What tells a run from others whose picks may differ."""

    cynical: str  # the version
    settings: Mapping[str, object]  # by name, as in the summary
    read: WhatWasRead
    format: int = FORMAT

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
    damaged: bool  # was something dropped besides a record that a crash has cut off?
    every: float = EVERY
    _waiting: list[NDArray[np.void]] = field(default_factory=list)
    _last: float = field(default_factory=time.monotonic)
    _took: float = 0.0
    _added: int = 0  # picks since it was opened

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
        self,
        lines: NDArray[np.int64],
        words: NDArray[np.int64],
        gains: Callable[[], NDArray[np.int64]] | None,
        more: bool = True,
    ) -> None:
        """Remember more picks, and write them down if it is time, and if more will come; `gains` says what gains are
        known, if a run could not resume without."""
        new = np.empty(len(lines), RECORD)
        new["line"], new["word"] = lines, words
        new["check"] = _checks(new, len(self.picks) + self._added)
        self._added += len(new)
        self._waiting.append(new)
        if more and time.monotonic() - self._last >= max(self.every, WAIT * self._took):
            self.write(None if gains is None else gains())

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
            _replace(self.folder / "done", orjson.dumps({"picks": picks, "why": why, "check": _check_of(picks, why)}))
        except OSError as error:
            raise os_error(f"{self.folder} (--checkpoint)", error) from error

    def close(self) -> None:
        self.file.close()

    def _write_gains(self, gains: NDArray[np.int64], picks: int) -> None:
        content = gains.astype("<i8", copy=False)
        head = np.array([picks, zlib.crc32(content.data, picks)], "<i8").tobytes()
        _replace(self.folder / "gains", GAINS + head, content.view(np.uint8).data)


def open_checkpoint(folder: str | Path, run: RunIdentity, every: float = EVERY) -> Checkpoint:
    """The checkpoint of a run, new or with the picks that are there; it stays locked until it is closed."""
    home = Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
        _check_own(home)
        file: BinaryIO = (home / "picks").open("a+b")
        try:
            _lock(home, file)
            _check_run(home, run)
            return _read(home, file, run, every)
        except BaseException:
            file.close()
            raise
    except OSError as error:
        raise os_error(error.filename or folder, error) from error


def _check_own(folder: Path) -> None:
    """See to it that a folder is a checkpoint, or may become one: what is in it would be replaced."""
    found = {one.name for one in folder.iterdir()}
    if _written(folder) is not None:
        return
    begun = (
        not (folder / "picks").exists() or not (folder / "picks").stat().st_size
    )  # by a run that was stopped at once
    others = sorted(found - {"run.json.new", "picks"} if begun else found)
    if others:
        raise CynicalError(
            f"{folder}: the folder has other files ({', '.join(others[:3])}{', ...' if others[3:] else ''}); give "
            "--checkpoint an empty folder"
        )


def _written(folder: Path) -> dict[str, object] | None:
    """What a checkpoint says of its run; None if there is none."""
    try:
        found = orjson.loads((folder / "run.json").read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return None
    ours = isinstance(found, dict) and {"cynical", "settings", "read"} <= set(found)
    return found if ours else None


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


def _check_run(folder: Path, run: RunIdentity) -> None:
    """A checkpoint of another run is no use; a new one says what it is of."""
    was, now = _written(folder), orjson.loads(orjson.dumps(run))
    if was is None:
        _replace(folder / "run.json", orjson.dumps(run, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    elif was != now:
        raise CynicalError(
            f"{folder}: this is the checkpoint of another run{_difference(was, now)}; repeat that command to resume "
            "it, or give another --checkpoint DIR"
        )


def _read(folder: Path, file: BinaryIO, run: RunIdentity, every: float) -> Checkpoint:
    """The picks that are there, with gains as many as those go with; and why the search has ended, if it has."""
    file.seek(0)
    data = file.read()
    held = np.frombuffer(data, RECORD, len(data) // RECORD.itemsize)
    whole = _sound(held, run.read)
    damaged = whole < len(held)
    of_gains, done = _read_gains(folder / "gains", run.read.lines), _read_done(folder / "done")
    damaged |= (folder / "gains").exists() and of_gains is None
    picks, gains = (0, None) if of_gains is None else of_gains
    if done is not None and done[0] <= whole:
        return Checkpoint(folder, file, held[: done[0]], gains, done[1], damaged=False, every=every)
    if run.by_batch:
        whole, gains = (picks, gains) if picks <= whole else (0, None)
    os.ftruncate(file.fileno(), whole * RECORD.itemsize)
    return Checkpoint(folder, file, held[:whole], gains, None, damaged, every)


def _sound(picks: NDArray[np.void], read: WhatWasRead) -> int:
    """How many picks there are before the first that is damaged, or that no run could have made."""
    line, word = picks["line"], picks["word"]
    right = picks["check"] == _checks(picks, 0)
    right &= (line >= 0) & (line < read.lines) & (word >= -1) & (word < read.features)
    again = np.ones(len(picks), np.bool_)
    again[np.unique(line, return_index=True)[1]] = False
    wrong = np.flatnonzero(~right | again)
    return int(wrong[0]) if len(wrong) else len(picks)


def _checks(picks: NDArray[np.void], first: int) -> NDArray[np.uint32]:
    """By pick, a hash of its line, its word and its number, of which the first is given (splitmix64)."""
    mixed = picks["line"].astype(np.uint64) << np.uint64(32) ^ picks["word"].astype(np.uint64)
    mixed += (np.arange(len(picks), dtype=np.uint64) + np.uint64(first + 1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return (mixed >> np.uint64(32)).astype(np.uint32)


def _check_of(picks: int, why: int) -> int:
    return zlib.crc32(f"{picks} {why}".encode())


def _read_gains(path: Path, lines: int) -> tuple[int, NDArray[np.int64]] | None:
    """After how many picks gains were last known, and these; None if there are none, or they are damaged."""
    try:
        held = path.read_bytes()
    except FileNotFoundError:
        return None
    head = len(GAINS) + 16
    if not held.startswith(GAINS) or len(held) != head + 8 * lines:
        return None
    picks, check = np.frombuffer(held, "<i8", 2, len(GAINS)).tolist()
    content = memoryview(held)[head:]
    if not 0 <= picks <= lines or zlib.crc32(content, picks) != check:
        return None
    return picks, np.frombuffer(content, "<i8").astype(np.int64)


def _read_done(path: Path) -> tuple[int, int] | None:
    """After how many picks the search has ended, and why; None if that was not said, or is damaged."""
    try:
        said = orjson.loads(path.read_bytes())
        picks, why, check = said["picks"], said["why"], said["check"]
    except (FileNotFoundError, orjson.JSONDecodeError, TypeError, KeyError):
        return None
    numbers = isinstance(picks, int) and isinstance(why, int) and picks >= 0
    return (picks, why) if numbers and check == _check_of(picks, why) else None


def _replace(path: Path, *content: bytes | memoryview) -> None:
    """Write a file whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        for piece in content:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _difference(was: Mapping[str, object], run: Mapping[str, object]) -> str:
    """What tells the other run from this one, in brackets."""
    then, now = was["settings"], run["settings"]
    if isinstance(then, dict) and isinstance(now, dict):
        changed = [_told(name, then.get(name)) for name in now if then.get(name) != now[name]]
        if changed:
            return f" ({', '.join(changed)})"
    if was["cynical"] != run["cynical"] or was.get("format") != run["format"]:
        return f" (by cynical {was['cynical']})"
    read, reads = was.get("read"), run["read"]
    if isinstance(read, dict) and isinstance(reads, dict):
        made, makes = (fields(str(one.get("signature"))).get("tok", "") for one in (read, reads))
        if made != makes:
            return " (the tokenizer has changed since)"
        if makes.startswith("python:"):  # which is known by its name, not by its code
            return " (of other corpora, or the tokenizer has changed since)"
    return " (of other corpora)"


def _told(name: str, value: object) -> str:
    """A setting of the other run, as it would be typed."""
    option = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return f"without {option}"
    return f"with {option}" if value is True else f"with {option} {value}"
