"""Parts: what the shards write of a ranking, each its own picks, to a folder that all machines share or a remote store.

In a folder, parts are first in another one, that only the user may write to unless the umask says otherwise. A worker
makes its part and follows no link; it answers with a checksum of what it wrote, and a part that is anything else is an
error.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ..errors import CynicalError, os_error
from ..jaded.content import PoolContent
from ..jaded.destination import remove
from ..jaded.summary import Summary
from ..jaded.summary_file import summary_path
from ..text.atomic_file import Output
from ..text.checksum import Checksum
from ..text.parquet import sum_up
from ..text.paths import expand, is_remote
from .content import about_shards
from .run import ClusterRun

SUFFIXES = {"tsv": ".tsv", "text": ".txt", "jsonl": ".jsonl", "ids": ".ids", "csv": ".csv", "parquet": ".parquet"}
PART = "part-*-of-*"


def write_part(path: str, pieces: Iterable[bytes]) -> Written:
    """Write a part; in a remote store it is there whole or not at all, as a folder that machines share gets it before
    anybody looks for it."""
    import platform

    return Written(platform.node(), _write_remote(path, pieces) if is_remote(path) else _write_new(path, pieces))


def _write_remote(path: str, pieces: Iterable[bytes]) -> Checksum:
    made = Checksum()
    with Output(path, overwrite=True) as output:
        for piece in pieces:
            output.write(piece)
            made = made.update(piece)
    return made


def _write_new(path: str, pieces: Iterable[bytes]) -> Checksum:
    """Write a file that is not there; what a worker that was lost has left of it goes first."""
    made = Checksum()
    try:
        Path(path).unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
            for piece in pieces:
                file.write(piece)
                made = made.update(piece)
    except OSError as error:
        raise os_error(path, error) from error
    return made


@dataclass(frozen=True, slots=True)
class Written:
    """What a worker says of its part: on which machine it is, and what it has."""

    machine: str
    checksum: Checksum


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of one ranking, in a folder."""

    paths: list[str]  # by shard
    checksums: list[Checksum]  # by shard, of what was written


def write_parts(made: ClusterRun, folder: str, format: str, side: int = 0) -> Parts:
    """Have the shards write their picks; as text, those of one side."""
    jaded, shards = made.jaded, made.available.shards
    mine, name = shards.split(jaded.lines), f".{jaded.content.sides[side - 1]}" if side else ""
    paths = [f"{folder}/part-{one + 1:05d}-of-{len(mine):05d}{name}{SUFFIXES[format]}" for one in range(len(mine))]
    content = jaded.content
    assert isinstance(content, PoolContent)
    orders = [
        (about, jaded.columns.take(own), path, format, side)
        for about, own, path in zip(about_shards(content, made.available), mine, paths, strict=True)
    ]
    written: list[Written] = shards.workers.ask("write", orders)
    for path, one in zip(paths, written, strict=True):
        check_seen(path, one.machine)
    return Parts(paths, [one.checksum for one in written])


def check_seen(path: str, machine: str) -> None:
    """See to it that what was written on a machine is to be seen here."""
    if not is_remote(path) and not os.path.lexists(path):
        raise CynicalError(
            f"{path}: written on {machine}, but not visible on this machine; give -o a folder that all machines share"
        )


def _open_part(path: Path) -> BinaryIO:
    try:
        return os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb")
    except OSError as error:
        raise os_error(path, error) from error


def _check(path: Path, found: Checksum, written: Checksum) -> None:
    """See to it that a part is what was written."""
    if found != written:
        raise CynicalError(
            f"{path}: the content differs from what the worker wrote; check that no other program writes to the "
            "folder of -o, and run again"
        )


def _sides_of(made: ClusterRun, format: str) -> range:
    """Sides that have files of their own."""
    return range(1 + len(made.jaded.content.sides) if format == "text" else 1)


@contextmanager
def scratch_beside(path: str) -> Iterator[Path]:
    """A folder for parts that are not all written yet, beside the one that they go to."""
    beside = Path(path).absolute().parent
    folder = beside / f".cynical-parts-{secrets.token_hex(8)}"
    try:
        folder.mkdir(0o777)  # less the umask; workers may be other users of its group
    except OSError as error:
        raise os_error(beside, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_folder(made: ClusterRun, path: str, format: str, *, overwrite: bool) -> None:
    """A part of each worker, and the summary beside their folder, which gets its name last."""
    if is_remote(path):
        _write_remote_folder(made, path.rstrip("/"), format)
        return
    with scratch_beside(str(Path(path))) as folder:
        written = [write_parts(made, str(folder), format, side) for side in _sides_of(made, format)]
        home, paths = Path(path), [Path(part) for parts in written for part in parts.paths]
        for part, checksum in zip(paths, (one for parts in written for one in parts.checksums), strict=True):
            _check(part, sum_up(partial(_open_part, part)), checksum)
        try:
            home.mkdir(exist_ok=True)
            for older in home.glob(PART) if overwrite else ():
                older.unlink()
            for part in paths:
                part.replace(home / part.name)
        except OSError as error:
            raise os_error(path, error) from error
        write_summary(str(home), made.jaded.summary)


def _write_remote_folder(made: ClusterRun, path: str, format: str) -> None:
    """Workers write straight to the store; parts of an earlier run that have other names go when all are written."""
    older = set(_remote_parts(path))
    new: set[str] = set()
    try:
        for side in _sides_of(made, format):
            new.update(write_parts(made, path, format, side).paths)
    except BaseException:
        remove(set(_remote_parts(path)) - older)
        raise
    remove(older - new)
    write_summary(path, made.jaded.summary)


def _remote_parts(path: str) -> list[str]:
    try:
        return expand(f"{path}/{PART}")
    except CynicalError:  # there is none
        return []


def write_summary(folder: str, summary: Summary) -> None:
    with Output(summary_path(folder), overwrite=True) as beside:
        beside.write(summary.to_json())


def is_folder(path: str) -> bool:
    return path.endswith("/") or (path != "-" and not is_remote(path) and Path(path).is_dir())


def check_folder(path: str, format: str, *, overwrite: bool) -> None:
    """Raise an error at once for what could not be written after hours of work."""
    if format not in SUFFIXES:
        raise CynicalError(
            f"--format {format} cannot be written in parts; give -o the name of a file, or choose from "
            f"{', '.join(SUFFIXES)}"
        )
    home = Path(path)
    if is_remote(path):
        there = _remote_parts(path.rstrip("/"))
    else:
        if home.exists() and not home.is_dir():
            raise CynicalError(f"{path}: a file of this name exists; give another folder")
        if not home.absolute().parent.is_dir():
            raise CynicalError(f"{path}: the folder {home.parent} does not exist; create it first")
        there = [str(part) for part in home.glob(PART)] if home.is_dir() else []
    if there and not overwrite:
        raise CynicalError(f"{path}: the folder has parts of a ranking already; give another folder, or --overwrite")
