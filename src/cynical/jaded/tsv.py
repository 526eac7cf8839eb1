"""A Jaded file, as it is read back."""

from __future__ import annotations

import math
import mmap
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, os_error
from ..text.compression import LONGEST_MAGIC, blocks, packed_as
from ..text.kinds import BYTE_ORDER_MARK, RANKING_COLUMNS, is_ranking
from .scan import DamagedRowError, scan
from .summary import Summary

COLUMNS = (*RANKING_COLUMNS, "text")
FEATURE_ENTROPY = "feature_entropy"  # stands behind `word` where n-grams count
SCORE = "score"  # behind that, where lines are ranked by something else than bits
SHARDS = ("shard", "shard_line", "id")  # columns that say where a line is from
RANK, LINE, DELTA, PENALTY, GAIN, ENTROPY, WORDS, WORD, _ = range(len(COLUMNS))
MORE = len(COLUMNS) - 1  # where columns of other features begin


class Ranking:
    """A Jaded file, mapped: where its rows begin, and what they say."""

    def __init__(self, path: str | Path, raw: bytes | mmap.mmap | None = None, summary: Summary | None = None) -> None:
        """`raw` is what the file holds, if it has been opened already; the summary tells more of its columns."""
        self._escaped = summary is not None and summary.available.format != "text"  # the text of records is escaped
        self._raw = _mapped(path) if raw is None else raw
        if self._raw[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK:
            self._raw = bytes(self._raw[len(BYTE_ORDER_MARK) :])
        end = self._raw.find(b"\n")
        header = self._raw[: max(end, 0)].rstrip(b"\r").split(b"\t")
        if not is_ranking(self._raw[: max(end, 0)]) or header[-1] != b"text":
            raise CynicalError(
                f"{path} line 1: expected the header of a ranking ({' '.join(COLUMNS[:3])} ...); "
                "give a .tsv file that cynical select has written"
            )
        more = [name.decode(errors="replace") for name in header[MORE:-1]]
        self._columns = len(header)
        self.of_features = FEATURE_ENTROPY in more
        self._place = {name: place for place, name in enumerate(more, MORE)}
        self.sides = [name for name in more if name not in (FEATURE_ENTROPY, SCORE, *SHARDS)]
        if summary is not None:
            self.sides = [one.column for one in summary.available.sides if one.column in self._place]
        numbers = [DELTA, PENALTY, GAIN, ENTROPY]
        if self.of_features:
            numbers.append(MORE + more.index(FEATURE_ENTROPY))
        try:
            scanned = scan(self._raw, end + 1, self._columns, (RANK, LINE, WORDS), numbers)
        except DamagedRowError as damaged:
            raise CynicalError(
                f"{path} line {damaged.row + 2}: expected {self._columns} columns with numbers, found "
                f"{b' '.join(damaged.fields)[:40].decode(errors='replace')!r}; the ranking is damaged, make it anew"
            ) from None
        self._starts = scanned.starts
        ranks, self.lines, self.words = scanned.whole  # lines are numbered from 1
        strange = np.flatnonzero(ranks != np.arange(1, len(ranks) + 1))
        if len(strange):
            row = int(strange[0])
            raise CynicalError(
                f"{path} line {row + 2}: expected rank {row + 1}, found {int(ranks[row])}; rows are missing, doubled "
                "or in another order: give the ranking as it was written"
            )
        self.delta, self.penalty, self.gain, self.entropy = scanned.real[:4]
        self.feature_entropy = scanned.real[4] if self.of_features else None
        self.before = math.nan  # the entropy before the first pick, where the columns tell
        if len(self.words) and not self.of_features:
            self.before = float(self.entropy[0] - self.delta[0])

    def __len__(self) -> int:
        return len(self.words)

    @property
    def scores(self) -> list[float] | None:
        """What the lines were ranked by; None if it was bits."""
        return [float(score) for score in self.column(SCORE)] if SCORE in self._place else None

    def stop(self, lines: int) -> int:
        """Where the entropy is lowest among the first lines, as far as nine digits tell."""
        return lowest(self.before, self.entropy[:lines])

    def words_of(self, lines: int) -> int:
        """How many words the first lines have."""
        return int(self.words[:lines].sum())

    def entropy_at(self, lines: int, before: float) -> float:
        """The entropy of the first lines; before the first it is what the caller knows it to be."""
        return float(self.entropy[lines - 1]) if lines else before

    def rows(self, lines: int) -> bytes:
        """The header and the first rows, as they are."""
        return self._raw[: int(self._starts[lines])]

    @property
    def names(self) -> list[str]:
        """What the columns of other features are called."""
        return list(self._place)

    def texts(self, lines: int, side: int = 0) -> Iterator[bytes]:
        """The first lines of one side, each with its newline; 0 is the column `text`, then come the others."""
        column = self._place[self.sides[side - 1]] if side else self._columns - 1
        for field in self.cells(range(lines), column, self._escaped or side > 0):
            yield field.replace(b"\n", b" ") + b"\n"

    def texts_of(self, rows: Iterable[int]) -> Iterator[bytes]:
        """The text of some rows (from 0), as it was."""
        return self.cells(rows, self._columns - 1, self._escaped)

    def column(self, name: str) -> Iterator[bytes]:
        """A column of another feature."""
        return self.cells(range(len(self)), self._place[name], True)

    def cells(self, rows: Iterable[int], column: int, escaped: bool) -> Iterator[bytes]:
        """One column of some rows."""
        raw, last = self._raw, self._columns - 1
        for row in rows:
            begin, end = self._starts[row : row + 2].tolist()
            field = raw[begin : end - 1].split(b"\t", last)[column]
            yield unescape(field) if escaped else field


def lowest(before: float, entropy: NDArray[np.float64]) -> int:
    """After how many lines the entropy is lowest; where that before the first is not known, it is not the lowest."""
    path = np.append(math.inf if math.isnan(before) else before, entropy)
    return int(np.argmin(path)) if len(entropy) else 0


def numbers(ranking: Ranking) -> NDArray[np.int64]:
    """The line numbers of a ranking, from 0."""
    return ranking.lines - 1


def escape_field(text: bytes) -> bytes:
    """A text as a column holds it: without tabs and newlines."""
    text = text.replace(b"\\", b"\\\\").replace(b"\t", b"\\t")
    return text.replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def unescape(field: bytes) -> bytes:
    """What a column holds whose tabs, newlines and backslashes were escaped."""
    if b"\\" not in field:
        return field
    meaning = {b"\\t": b"\t", b"\\n": b"\n", b"\\r": b"\r", b"\\\\": b"\\"}
    return re.sub(rb"\\[tnr\\]", lambda found: meaning[found[0]], field)


def _mapped(path: str | Path) -> bytes | mmap.mmap:
    try:
        with Path(path).open("rb") as file:
            file.seek(0, 2)
            size = file.tell()
            file.seek(0)
            if packed_as(file.read(LONGEST_MAGIC)) is not None:
                file.seek(0)
                return b"".join(blocks(file, str(path)))
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    except OSError as error:
        raise os_error(path, error) from error
