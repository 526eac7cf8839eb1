"""Aligned sides: which lines of the other sides of AVAILABLE each shard reads.

Files of different sides have their lines at different bytes. So all sides are first shared out by bytes, and lines are
counted. Then each shard gets, of every other side, the lines that have the numbers of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..options import Reading
from ..selection.sides import check_none_skipped, check_same_lines
from ..text.corpus import Corpus, Part
from ..text.partition import Piece, Share, share_out
from ..text.paths import shown
from .workers import Workers


@dataclass(frozen=True, slots=True)
class _Side:
    """A side whose lines were counted: its files, the pieces they were counted in, and how many lines each has."""

    files: Sequence[str]
    pieces: Sequence[tuple[Piece, int]]

    @property
    def corpus(self) -> Corpus:
        """Names alone."""
        return Corpus(", ".join(map(shown, self.files)), [Part.in_memory(shown(file), b"") for file in self.files])

    def __len__(self) -> int:
        return sum(lines for _, lines in self.pieces)

    def lines_by_file(self) -> list[int]:
        lines = [0] * len(self.files)
        for piece, number in self.pieces:
            lines[piece.part] += number
        return lines


def align(workers: Workers, sides: Sequence[Sequence[str]], reading: Reading) -> list[list[Share]]:
    """For each shard, what it reads of the sides but the first, of whose files it knows its share."""
    shares = [workers.shares, *(_share_out(files, reading, len(workers)) for files in sides[1:])]
    found = workers.ask("count_lines", [(list(some),) for some in zip(*shares, strict=True)])
    counted = []
    for side, (files, of_shards) in enumerate(zip(sides, shares, strict=True)):
        pieces = [piece for share in of_shards for piece in share.pieces]
        counted.append(_Side(files, list(zip(pieces, (n for one in found for n in one[side].lines), strict=True))))
    check_none_skipped(len(sides), any(one.bad for of_shard in found for one in of_shard))
    check_same_lines(counted)
    own = [sum(of_shard[0].lines) for of_shard in found]
    ends = np.cumsum(own).tolist()
    others = [
        [_lines_between(side, end - lines, end) for lines, end in zip(own, ends, strict=True)] for side in counted
    ]
    return [list(some) for some in zip(*others[1:], strict=True)]


def _share_out(files: Sequence[str], reading: Reading, workers: int) -> list[Share]:
    """Shares for as many workers, of which some may be empty; Parquet files are not cut."""
    shares = [
        Share(tuple(replace(one, groups=None) for one in share.pieces if one.groups is None or one.groups.start == 0))
        for share in share_out(files, reading, workers)
    ]
    return shares + [Share(()) for _ in range(workers - len(shares))]


def _lines_between(side: _Side, first: int, end: int) -> Share:
    """The lines of these numbers; a file without lines is of the shard that has the line before it."""
    made, before = [], 0
    of_files = {number: [one for one in side.pieces if one[0].part == number] for number in range(len(side.files))}
    for number, pieces in of_files.items():
        total = sum(lines for _, lines in pieces)
        begin, last = max(first, before), min(end, before + total)
        if begin < last:
            at = before
            for piece, lines in pieces:
                if begin < at + lines:
                    made.append(Piece(number, piece.path, piece.begin, skip=begin - at, lines=last - begin))
                    break
                at += lines
        elif not total and (first < before <= end or (before == first == 0)):
            made.append(Piece(number, side.files[number], lines=0))
        before += total
    return Share(tuple(made))
