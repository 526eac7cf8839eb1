"""Shares of a corpus: what each shard of a cluster, or each job of a fleet, reads.

Plain files are cut by bytes, and lines belong to where they begin. Parquet files are cut between row groups. Compressed
files, other records and addresses are in one share each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CynicalError, os_error
from ..options import Reading
from .compression import LONGEST_MAGIC, compressed_as
from .corpus import CHUNK, Corpus, Part
from .parquet import row_group_sizes
from .paths import are_files, exists, expand_all, is_file, is_remote, shown
from .sources import check_one_kind, from_paths


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one file of AVAILABLE: those that begin in the bytes begin to end, those of some row groups, or all; or
    a number of lines from some line on."""

    part: int  # which file, from 0
    path: str
    begin: int = 0
    end: int | None = None  # None for the end of the file
    groups: range | None = None  # of a Parquet file
    skip: int = 0  # lines before the first, from `begin` on
    lines: int | None = None  # how many; None for all the other kinds

    def cut(self, part: Part) -> Part:
        """The lines of an opened file that are meant."""
        begin = _behind(part, _line_at(part, self.begin), self.skip)
        if self.lines is not None:
            return replace(part, begin=begin, end=_behind(part, begin, self.lines))
        return replace(part, begin=begin, end=part.end if self.end is None else _line_at(part, self.end))


def _line_at(part: Part, place: int) -> int:
    """Where the first line begins, from a place on."""
    if place <= part.begin:
        return part.begin
    return part.end if place >= part.end else part.line_end(place - 1)


def _behind(part: Part, place: int, lines: int) -> int:
    """Where this many lines end."""
    while lines and place < part.end:
        text = part.text(place, min(place + CHUNK, part.end))
        ends = np.flatnonzero(text == 10)
        if len(ends) >= lines:
            return place + int(ends[lines - 1]) + 1
        lines, place = lines - len(ends), place + len(text)
    return place


@dataclass(frozen=True, slots=True)
class Share:
    """What one of them reads, in the order of AVAILABLE."""

    pieces: tuple[Piece, ...]

    def open(self, reading: Reading) -> tuple[Corpus, list[int]]:
        """Its lines, a part for each piece; and where the whole text begins that each is of."""
        parts, begins = [], []
        for piece in self.pieces:
            path = piece.path if is_remote(piece.path) else Path(piece.path)
            whole = from_paths([path], reading, piece.groups).parts[0]
            if whole.is_counts:
                raise CynicalError(f"{whole.name}: AVAILABLE must be text, but this is a .counts file; give the text")
            parts.append(piece.cut(whole))
            begins.append(whole.begin)
        return Corpus(", ".join(part.name for part in parts), parts), begins


def files_of(source: Any, reading: Reading, option: str = "--engine ray", role: str = "AVAILABLE") -> list[str]:
    """The files that AVAILABLE is; with this option others read them, who cannot read lines in memory or streams."""
    if not (isinstance(source, (str, Path)) or are_files(source)):
        raise CynicalError(
            f"with {option}, {role} must be a file that every machine can read; write the text to a file"
        )
    files = expand_all([source] if isinstance(source, (str, Path)) else source)
    for file in files:
        if file == "-" or not (is_remote(file) or is_file(file) or not exists(file)):
            raise CynicalError(f"{shown(file)}: with {option}, {role} must be a file; write the text to a file")
    check_one_kind(files, reading)
    return files


def share_out(files: Sequence[str], reading: Reading, workers: int) -> list[Share]:
    """Shares of about the same number of bytes, in the order of the files: one for each worker that gets any."""
    return [share for share in shares_of(files, reading, workers, ("text",)) if share.pieces]


def pieces_of(files: Sequence[str], part: tuple[int, int], reading: Reading, cut: Sequence[str]) -> tuple[Piece, ...]:
    """What part K of N has of some files; all parts together have every line once, and a line is in one of them."""
    which, parts = part
    return shares_of(files, reading, parts, cut)[which - 1].pieces


def shares_of(files: Sequence[str], reading: Reading, workers: int, cut: Sequence[str]) -> list[Share]:
    """The same, one for each worker; files of these kinds are cut."""
    sizes = [_size(file) for file in files]
    total = max(sum(sizes), 1)
    pieces: list[list[Piece]] = [[] for _ in range(workers)]
    before = 0
    for number, (file, size) in enumerate(zip(files, sizes, strict=True)):
        groups = _row_groups(file, reading)
        if len(groups) > 1:
            ends = before + size * np.cumsum(groups) / sum(groups)
            shard_of = np.minimum((ends - size * np.array(groups) / sum(groups) / 2) * workers // total, workers - 1)
            for shard in np.unique(shard_of).astype(int).tolist():
                own = np.flatnonzero(shard_of == shard)
                pieces[shard].append(Piece(number, file, groups=range(int(own[0]), int(own[-1]) + 1)))
        elif not _may_be_cut(file, reading, cut):
            middle = before + size // 2
            pieces[min(middle * workers // total, workers - 1)].append(Piece(number, file))
        else:
            for shard in range(workers):
                begin, end = (max(total * one // workers - before, 0) for one in (shard, shard + 1))
                if begin < min(end, size):
                    pieces[shard].append(Piece(number, file, begin, end if end < size else None))
        before += size
    return [Share(tuple(some)) for some in pieces]


def _row_groups(path: str, reading: Reading) -> list[int]:
    """The sizes of the row groups of a Parquet file that is on a disk."""
    return row_group_sizes(path) if not is_remote(path) and check_one_kind([path], reading) == "parquet" else []


def _size(path: str) -> int:
    """Bytes of a file; those of addresses are not asked for, so that they count the same."""
    if is_remote(path):
        return 1 << 20
    try:
        return Path(path).stat().st_size
    except OSError as error:
        raise os_error(shown(path), error) from error


def _may_be_cut(path: str, reading: Reading, kinds: Sequence[str]) -> bool:
    """Does it hold lines of such a kind, and is it on a disk and not compressed?"""
    if is_remote(path) or check_one_kind([path], reading) not in kinds:
        return False
    try:
        with Path(path).open("rb") as file:
            begin = file.read(LONGEST_MAGIC)
    except OSError as error:
        raise os_error(shown(path), error) from error
    return bool(begin) and compressed_as(begin) is None
