"""A Jaded file, as it is read back."""

from __future__ import annotations

import itertools
import math
import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .corpus import BYTE_ORDER_MARK, Part
from .errors import CynicalError, os_error
from .streams import LONGEST_MAGIC, blocks, packed_as

COLUMNS = ("rank", "line", "delta", "penalty", "gain", "entropy", "words", "word", "text")
FEATURE_ENTROPY = "feature_entropy"  # stands behind `word` where n-grams count
HEAD = "\t".join(COLUMNS[:-1]).encode() + b"\t"  # how every Jaded file begins
SCORE = "score"  # behind that, where lines are ranked by something else than bits
SHARDS = ("shard", "shard_line", "id")  # columns that say where a line is from
LINE, DELTA, ENTROPY, WORDS = (COLUMNS.index(name) for name in ("line", "delta", "entropy", "words"))
MOST = 2**32  # no line number, and no line, is as large
MORE = len(COLUMNS) - 1  # where columns of other features begin


class Ranking:
    """A Jaded file, mapped: where its rows begin, and what they say."""

    def __init__(
        self, path: str | Path, raw: bytes | mmap.mmap | None = None, summary: dict[str, Any] | None = None
    ) -> None:
        """`raw` is what the file holds, if it has been opened already; the summary tells more of its columns."""
        available = (summary or {}).get("available", {})
        self._escaped = available.get("format", "text") != "text"  # the text of records is escaped
        self._raw = _mapped(path) if raw is None else raw
        if self._raw[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK:
            self._raw = bytes(self._raw[len(BYTE_ORDER_MARK) :])
        end = self._raw.find(b"\n")
        header = self._raw[: max(end, 0)].rstrip(b"\r").split(b"\t")
        if self._raw[: len(HEAD)] != HEAD or header[-1] != b"text":
            raise CynicalError(
                f"{path} line 1: expected the header of a ranking ({' '.join(COLUMNS[:3])} ...); "
                "give a .tsv file that cynical select has written"
            )
        more = [name.decode(errors="replace") for name in header[MORE:-1]]
        self._columns = len(header)
        self.of_features = FEATURE_ENTROPY in more
        self._place = {name: place for place, name in enumerate(more, MORE)}
        self.sides = [name for name in more if name not in (FEATURE_ENTROPY, SCORE, *SHARDS)]
        if "sides" in available:
            self.sides = [one["column"] for one in available["sides"] if one["column"] in self._place]
        self.lines: list[int] = []  # from 1
        self.words: list[int] = []
        self.entropy: list[float] = []
        self.feature_entropy: list[float] = []  # where n-grams count
        self._starts = [end + 1]
        self.before = math.nan  # the entropy before the first pick, where the columns tell
        while (begin := self._starts[-1]) < len(self._raw):
            end = self._raw.find(b"\n", begin)
            fields = self._raw[begin : end if end >= 0 else len(self._raw)].split(b"\t", self._columns - 1)
            try:
                if end < 0 or len(fields) < self._columns:
                    raise ValueError
                self.lines.append(int(fields[LINE]))
                self.words.append(int(fields[WORDS]))
                self.entropy.append(float(fields[ENTROPY]))
                if self.of_features:
                    self.feature_entropy.append(float(fields[MORE + more.index(FEATURE_ENTROPY)]))
                if not 1 <= self.lines[-1] < MOST or not 1 <= self.words[-1] < MOST:
                    raise ValueError
                if not math.isfinite(self.entropy[-1]):
                    raise ValueError
                if len(self.words) == 1 and not self.of_features:
                    self.before = self.entropy[0] - float(fields[DELTA])
            except ValueError:
                raise CynicalError(
                    f"{path} line {len(self._starts) + 1}: expected {self._columns} columns with numbers, found "
                    f"{b' '.join(fields)[:40].decode(errors='replace')!r}; the ranking is damaged, make it anew"
                ) from None
            self._starts.append(end + 1)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def scores(self) -> list[float] | None:
        """What the lines were ranked by; None if it was bits."""
        if SCORE not in self._place:
            return None
        rows = itertools.pairwise(self._starts)
        return [float(self._raw[begin:end].split(b"\t", self._columns - 1)[self._place[SCORE]]) for begin, end in rows]

    def stop(self, lines: int) -> int:
        """Where the entropy is lowest among the first lines, as far as nine digits tell."""
        path = [math.inf if math.isnan(self.before) else self.before, *self.entropy[:lines]]
        return path.index(min(path)) if lines else 0

    def rows(self, lines: int) -> bytes:
        """The header and the first rows, as they are."""
        return self._raw[: self._starts[lines]]

    def texts(self, lines: int, side: int = 0) -> Iterator[bytes]:
        """The first lines of one side, each with its newline; 0 is the column `text`, then come the others."""
        column = self._place[self.sides[side - 1]] if side else self._columns - 1
        escaped = self._escaped or side > 0
        for begin, end in zip(self._starts[:lines], self._starts[1 : lines + 1], strict=True):
            field = self._raw[begin : end - 1].split(b"\t", self._columns - 1)[column]
            yield (unescape(field).replace(b"\n", b" ") if escaped else field) + b"\n"


def numbers(ranking: Ranking) -> NDArray[np.int64]:
    """The line numbers of a ranking, from 0."""
    return np.array(ranking.lines, np.int64) - 1


def is_ranking(part: Part) -> bool:
    """Jaded files are known by their header."""
    return part.raw[part.begin : part.begin + len(HEAD)] == HEAD


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
