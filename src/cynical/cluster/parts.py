"""Parts: what the shards write of a ranking, each its own picks, and how the parts become one file.

Parts are in a folder that only the user may write to, unless the umask says otherwise. A worker makes its part anew and
follows no link; it answers with a checksum of what it wrote, and a part that is anything else is an error.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, os_error
from ..jaded.columns import batches
from ..jaded.content import PoolContent
from ..jaded.destination import write_with_summary
from ..jaded.files import side_paths
from ..jaded.formats import marked, to_bytes
from ..jaded.summary import Summary, summary_path
from ..text.atomic_file import Output
from ..text.checksum import Checksum, of
from ..text.corpus import Corpus
from ..text.parquet import sum_up
from ..text.partition import Piece
from ..text.places import Places
from .messages import Picks
from .places import ShardPlaces
from .run import FarRun

FORMATS = ("tsv", "text", "jsonl", "ids")  # a line for each pick
SUFFIXES = {"tsv": ".tsv", "text": ".txt", "jsonl": ".jsonl", "ids": ".ids"}


def write_part(
    sides: Sequence[tuple[Places, Sequence[Piece]]], first: int, picks: Picks, path: str, format: str, side: int
) -> Written:
    """Write a shard's picks, with their ranks among all; as text, those of one side."""
    import platform

    places = [
        _places(places, pieces, first, corpus, picks.before if number == 0 else {})
        for number, ((places, pieces), corpus) in enumerate(zip(sides, picks.corpora, strict=True))
    ]
    content = PoolContent(places, picks.columns.line, picks.sides, picks.id_key)
    return Written(platform.node(), _write_new(path, to_bytes(format, picks.columns, content, side)))


def _places(places: Places, pieces: Sequence[Piece], first: int, known: Corpus, before: dict[int, int]) -> ShardPlaces:
    """The lines of a shard among all, of whose files it knows its own besides what is known of all."""
    parts, read = list(known.parts), list(known.read)
    for piece, part, checksum in zip(pieces, places.corpus.parts, places.corpus.checksums, strict=True):
        parts[piece.part], read[piece.part] = part, checksum
    return ShardPlaces(
        Corpus("", parts, read),
        places,
        first,
        file=np.array([piece.part for piece in pieces], np.int64),
        before=np.array([before.get(piece.part, 0) for piece in pieces], np.int64),
    )


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

    picks: int  # of all
    format: str
    paths: list[Path]  # by shard
    checksums: list[Checksum]  # by shard, of what was written
    mine: list[NDArray[np.int64]]  # by shard, which picks are its own

    def merged(self) -> Iterator[bytes]:
        """All picks, best first."""
        from .._kernels.tsv import Texts, gather

        texts = [_read_part(path, checksum) for path, checksum in zip(self.paths, self.checksums, strict=True)]
        ends = [np.flatnonzero(text == 10) + 1 for text in texts]
        begins = [np.concatenate([[0], end[:-1]]) if len(end) else end for end in ends]
        if self.format == "tsv":
            yield texts[0][: ends[0][0]].tobytes()
            begins, ends = [begin[1:] for begin in begins], [end[1:] for end in ends]
        begin, end = np.zeros(self.picks, np.int64), np.zeros(self.picks, np.int64)
        shard = np.zeros(self.picks, np.int64)
        for number, mine in enumerate(self.mine):
            begin[mine], end[mine], shard[mine] = begins[number], ends[number], number
        for rows in batches(len(begin)):
            start = np.concatenate([[0], np.cumsum(end[rows] - begin[rows])])
            lines = Texts(np.empty(int(start[-1]), np.uint8), start)
            for number in np.unique(shard[rows]).tolist():
                gather(texts[number], begin[rows], end[rows], np.flatnonzero(shard[rows] == number), lines)
            yield lines.blob.tobytes()


def write_parts(made: FarRun, folder: Path, format: str, side: int = 0) -> Parts:
    """Have the shards write their picks; as text, those of one side."""
    jaded, shards = made.jaded, made.available.shards
    mine, name = shards.split(jaded.lines), f".{jaded.content.sides[side - 1]}" if side else ""
    paths = [folder / f"part-{one + 1:05d}-of-{len(mine):05d}{name}{SUFFIXES[format]}" for one in range(len(mine))]
    orders = [
        (first, _picks_of(made, own, shard), str(path.absolute()), format, side)
        for shard, (first, own, path) in enumerate(zip(shards.first, mine, paths, strict=True))
    ]
    written: list[Written] = shards.workers.ask("write", orders)
    for path, one in zip(paths, written, strict=True):
        if not os.path.lexists(path):
            raise CynicalError(
                f"{path}: written on {one.machine}, but not to be seen from here; give -o in a folder that all share"
            )
    return Parts(len(jaded), format, paths, [one.checksum for one in written], mine)


def _open_part(path: Path) -> BinaryIO:
    try:
        return os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "rb")
    except OSError as error:
        raise os_error(path, error) from error


def _read_part(path: Path, checksum: Checksum) -> NDArray[np.uint8]:
    with _open_part(path) as file:
        content = np.frombuffer(file.read(checksum.size + 1), np.uint8)
    _check(path, of(content.data), checksum)
    return content


def _check(path: Path, found: Checksum, written: Checksum) -> None:
    """See to it that a part is what was written."""
    if found != written:
        raise CynicalError(
            f"{path}: not what the worker has written; see that nobody else writes to the folder of -o, and run again"
        )


def _picks_of(made: FarRun, mine: NDArray[np.int64], shard: int) -> Picks:
    content, available = made.jaded.content, made.available
    assert isinstance(content, PoolContent)
    corpora, before = [places.corpus for places in available.places], available.shards.lines_before(shard)
    return Picks(made.jaded.columns.take(mine), corpora, list(content.sides), before, content.id_key)


def _sides_of(made: FarRun, format: str) -> range:
    """Sides that have files of their own."""
    return range(1 + len(made.jaded.content.sides) if format == "text" else 1)


@contextmanager
def scratch_beside(path: str) -> Iterator[Path]:
    """A folder for parts that become one file, beside that file, where there is room for it."""
    beside = Path(tempfile.gettempdir() if path == "-" else Path(path).absolute().parent)
    folder = beside / f".cynical-parts-{secrets.token_hex(8)}"
    try:
        folder.mkdir(0o700 if path == "-" else 0o777)  # less the umask; workers may be other users of its group
    except OSError as error:
        raise os_error(beside, error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_merged(made: FarRun, path: str, format: str, *, overwrite: bool) -> None:
    """One file, as a run in one place writes it."""
    summary, columns = made.jaded.summary, made.jaded.content.sides
    replaces = [side.replaces for side in summary.available.sides]
    paths = [path, *(side_paths(path, columns, replaces) if format == "text" else ())]
    with scratch_beside(path) as folder:
        files = [(to, write_parts(made, folder, format, side).merged()) for side, to in enumerate(paths)]
        write_with_summary([(to, marked(pieces)) for to, pieces in files], summary, overwrite=overwrite)


def write_folder(made: FarRun, path: str, format: str, *, overwrite: bool) -> None:
    """The parts themselves, and the summary beside their folder."""
    with scratch_beside(str(Path(path))) as folder:
        written = [write_parts(made, folder, format, side) for side in _sides_of(made, format)]
        home, paths = Path(path), [part for parts in written for part in parts.paths]
        for part, checksum in zip(paths, (one for parts in written for one in parts.checksums), strict=True):
            _check(part, sum_up(partial(_open_part, part)), checksum)
        try:
            home.mkdir(exist_ok=True)
            for older in home.glob("part-*-of-*") if overwrite else ():
                older.unlink()
            for part in paths:
                part.replace(home / part.name)
        except OSError as error:
            raise os_error(path, error) from error
        write_summary(home, made.jaded.summary)


def write_summary(folder: Path, summary: Summary) -> None:
    with Output(summary_path(folder), overwrite=True) as beside:
        beside.write(summary.to_json())


def is_folder(path: str) -> bool:
    return path.endswith("/") or (path != "-" and Path(path).is_dir())


def check_format(format: str) -> None:
    if format not in FORMATS:
        raise CynicalError(f"--format {format} cannot be had with --engine ray; choose from {', '.join(FORMATS)}")


def check_folder(path: str, *, overwrite: bool) -> None:
    """Refuse at once what could not be written after hours of work."""
    home = Path(path)
    if home.exists() and not home.is_dir():
        raise CynicalError(f"{path}: there is a file of this name; give another folder")
    if not home.absolute().parent.is_dir():
        raise CynicalError(f"{path}: the folder {home.parent} does not exist; make it first")
    if home.is_dir() and any(home.glob("part-*-of-*")) and not overwrite:
        raise CynicalError(f"{path}: has parts of a ranking already; give another folder, or --overwrite")
