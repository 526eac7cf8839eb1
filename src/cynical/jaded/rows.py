"""Rows of a file: records with the fields that are added to them, some at a time."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..text.fields import TEXT
from .columns import BATCH, Columns, Numbers, batches
from .content import PREFIX, AnyLine, Content, shard_columns

Fields = dict[str, Sequence[object]]  # by name, what each row gets
BLOCK = 1 << 20  # lines whose reasons are compressed together
NOT_REACHED = "not_reached"  # the ranking ended before it


class Batch(NamedTuple):
    """Some rows: which of a content, and how one finds what they get."""

    content: Content
    rows: slice
    fields: Callable[[], Fields]


class RowBatches(Protocol):
    """All rows, in batches; there is at least one, though it may be empty."""

    def __len__(self) -> int:
        """How many batches there are."""
        ...

    def __iter__(self) -> Iterator[Batch]: ...


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The picks of a ranking."""

    columns: Columns
    content: Content

    def __len__(self) -> int:
        return max(1, sum(1 for _ in batches(len(self.columns))))

    def __iter__(self) -> Iterator[Batch]:
        for rows in batches(len(self.columns)) if len(self.columns) else [slice(0, 0)]:
            yield Batch(self.content, rows, partial(ranking_fields, self.columns, self.content, rows))


def ranking_fields(columns: Columns, content: Content, rows: slice) -> Fields:
    """What records get, by name: what the ranking says of them, with as many digits as in a table."""
    here = columns.take(rows)
    fields: Fields = {
        "rank": here.rank.tolist(),
        "line": (here.line + 1).tolist(),
        "delta": digits(here.delta),
        "penalty": digits(here.penalty),
        "gain": digits(here.gain),
        "entropy": digits(here.entropy),
        "words": here.words.tolist(),
        "word": here.best.strings(),
    }
    fields |= {name: digits(column) for name, column in here.more.items()}
    return _prefixed(fields, content, rows, list(here.more))


def _prefixed(fields: Fields, content: Content, rows: slice, more: Sequence[str] = ()) -> Fields:
    """Fields with those that say where lines are from, and the other sides, as records have them."""
    fields |= shard_columns(content, rows, more)
    if content.split:  # the record has the whole text
        fields[TEXT] = [text.decode("utf-8", "replace") for text in content.texts(rows)]
    for side, name in enumerate(content.sides, 1):
        fields[name] = [text.decode("utf-8", "replace") for text in content.texts(rows, side)]
    return {PREFIX + name: values for name, values in fields.items()}


def digits(values: NDArray[np.float64]) -> list[float]:
    return [float(f"{value:.9g}") for value in values.tolist()]


class Codes(Protocol):
    """Why lines of AVAILABLE were not picked, by line: 0 for one that might have been."""

    def __len__(self) -> int:
        """How many lines AVAILABLE has."""
        ...

    def __getitem__(self, lines: Numbers, /) -> NDArray[np.uint8]: ...


@dataclass(slots=True, eq=False)
class CompressedCodes:
    """Codes, compressed: most are 0, or equal to those around them."""

    blocks: list[bytes]  # of BLOCK lines each
    number: int  # of all lines
    _last: tuple[int, NDArray[np.uint8]] | None = None  # the block that was asked for last

    @classmethod
    def of(cls, codes: NDArray[np.uint8]) -> CompressedCodes:
        blocks = [zlib.compress(codes[begin : begin + BLOCK].tobytes(), 1) for begin in range(0, len(codes), BLOCK)]
        return cls(blocks, len(codes))

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, lines: Numbers, /) -> NDArray[np.uint8]:
        codes, block = np.zeros(len(lines), np.uint8), lines // BLOCK
        for one in np.unique(block).tolist():
            codes[block == one] = self._block(one)[lines[block == one] - one * BLOCK]
        return codes

    def _block(self, number: int) -> NDArray[np.uint8]:
        if self._last is None or self._last[0] != number:
            self._last = number, np.frombuffer(zlib.decompress(self.blocks[number]), np.uint8)
        return self._last[1]


@dataclass(frozen=True, slots=True, eq=False)
class CompressedShards:
    """Those of several shards of AVAILABLE, one after another."""

    shards: Sequence[CompressedCodes]

    def __len__(self) -> int:
        return sum(map(len, self.shards))

    def __getitem__(self, lines: Numbers, /) -> NDArray[np.uint8]:
        first = np.cumsum([0, *map(len, self.shards)])
        codes, shard = np.zeros(len(lines), np.uint8), np.searchsorted(first, lines, side="right") - 1
        for one in np.unique(shard).tolist():
            codes[shard == one] = self.shards[one][lines[shard == one] - first[one]]
        return codes


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """Why lines of AVAILABLE were not picked."""

    code: Codes
    names: Sequence[str]  # of the codes from 1 on
    otherwise: str = NOT_REACHED  # what is said of those that might have been

    def compressed(self) -> Reasons | None:
        """The same in little memory; None if that is not known here."""
        if isinstance(self.code, np.ndarray):
            return replace(self, code=CompressedCodes.of(self.code))
        return self if isinstance(self.code, CompressedCodes | CompressedShards) else None

    def of(self, lines: Numbers) -> list[str]:
        names = [self.otherwise, *self.names]
        return [names[code] for code in self.code[lines].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class RejectedRows:
    """The lines of AVAILABLE that were not picked, in their order, each with the reason."""

    available: AnyLine
    reasons: Reasons
    picked: Numbers  # lines, in ascending order

    def __len__(self) -> int:
        return max(1, sum(1 for _ in self._lines()))

    def __iter__(self) -> Iterator[Batch]:
        none = True
        for lines in self._lines():
            none = False
            yield self._batch(lines)
        if none:
            yield self._batch(np.zeros(0, np.int64))

    def _batch(self, lines: Numbers) -> Batch:
        content, rows = self.available.at(lines), slice(0, len(lines))

        def fields() -> Fields:
            said: Fields = {"line": (lines + 1).tolist(), "reason": self.reasons.of(lines)}
            return _prefixed(said, content, rows)

        return Batch(content, rows, fields)

    def _lines(self) -> Iterator[Numbers]:
        """Lines that were not picked, some at a time."""
        number = len(self.reasons.code)
        for begin in range(0, number, BATCH):
            end = min(begin + BATCH, number)
            out = np.ones(end - begin, np.bool_)
            first, last = np.searchsorted(self.picked, [begin, end])
            out[self.picked[first:last] - begin] = False
            if out.any():
                yield begin + np.flatnonzero(out)
