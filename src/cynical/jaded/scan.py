"""Numbers out of the rows of a large table, many rows at a time.

A row is `columns` fields with tabs between them, of which the last may hold tabs too. Most rows hold plain numbers, and
those are taken out in one go; a row with anything else is looked at for itself, as Python reads numbers.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.many_files import LazyFile

BLOCK = 1 << 22  # bytes looked at together
WIDEST = 32  # bytes: no number that we write is as long
DIGITS = np.isin(np.arange(256), list(b"0123456789"))
OF_NUMBERS = np.isin(np.arange(256), list(b"0123456789.eE+-"))
MOST = 2**32  # no whole number is as large


class DamagedRowError(Exception):
    """A row that is not as it should be: which one, from 0, and its fields."""

    def __init__(self, row: int, fields: list[bytes]) -> None:
        super().__init__(row)
        self.row, self.fields = row, fields


@dataclass(frozen=True, slots=True)
class Scanned:
    starts: NDArray[np.int64]  # where each row begins, and where the last one ends
    whole: list[NDArray[np.int64]]  # the columns of whole numbers, from 1 on
    real: list[NDArray[np.float64]]  # the others, all finite


def scan(
    raw: bytes | mmap.mmap | LazyFile, begin: int, columns: int, whole: Sequence[int], real: Sequence[int]
) -> Scanned:
    """What some columns hold in the rows from `begin` on."""
    starts: list[NDArray[np.int64]] = [np.array([begin], np.int64)]
    found: list[list[NDArray[np.float64]]] = [[] for _ in (*whole, *real)]
    rows = 0
    for offset, block in _blocks(raw, begin):
        made = _Block(block, columns)
        parsed = [made.numbers(column, column in whole) for column in (*whole, *real)]
        good = made.complete.copy()
        for _, fits in parsed:
            good &= fits
        for row in np.flatnonzero(~good).tolist():
            values = _one_row(made.fields(row), columns, whole, real, rows + row)
            for (numbers, _), value in zip(parsed, values, strict=True):
                numbers[row] = value
        for kept, (numbers, _) in zip(found, parsed, strict=True):
            kept.append(numbers)
        starts.append(offset + made.end + 1)
        rows += len(made.end)
    joined = [np.concatenate([np.zeros(0), *pieces]) for pieces in found]
    wholes = [numbers.astype(np.int64) for numbers in joined[: len(whole)]]
    return Scanned(np.concatenate(starts), wholes, joined[len(whole) :])


def _blocks(raw: bytes | mmap.mmap | LazyFile, begin: int) -> Iterator[tuple[int, bytes]]:
    """Whole rows, a block of bytes at a time, and where they begin; the last one may lack its end."""
    while begin < len(raw):
        end = raw.find(b"\n", min(begin + BLOCK, len(raw)) - 1) + 1 or len(raw)
        yield begin, raw[begin:end]
        begin = end


class _Block:
    """Rows whose tabs have been found."""

    def __init__(self, block: bytes, columns: int) -> None:
        self._raw, self._columns = block, columns
        self._text = np.frombuffer(block, np.uint8)
        self.end = np.flatnonzero(self._text == 10)
        cut_off = not len(self.end) or self.end[-1] != len(block) - 1
        if cut_off:
            self.end = np.append(self.end, len(block))
        self._begin = np.concatenate([[0], self.end[:-1] + 1])
        self._tab = np.flatnonzero(self._text == 9)
        self._first = np.searchsorted(self._tab, self._begin)
        self.complete = np.searchsorted(self._tab, self.end) - self._first >= columns - 1
        if cut_off:
            self.complete[-1] = False

    def numbers(self, column: int, whole: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """A column as numbers, and which of them are plain."""
        out = np.zeros(len(self.end))
        rows = np.flatnonzero(self.complete)
        begin = self._begin[rows] if column == 0 else self._tab[self._first[rows] + column - 1] + 1
        length = self._tab[self._first[rows] + column] - begin
        fits = (length > 0) & (length <= WIDEST)
        rows, begin, length = rows[fits], begin[fits], length[fits]
        good = np.zeros(len(self.end), np.bool_)
        if not len(rows):
            return out, good
        width = int(length.max())
        bytes_of = np.zeros((len(rows), width), np.uint8)
        for place in range(width):  # most numbers are equally long, so column by column is quickest
            bytes_of[:, place] = self._text[np.minimum(begin + place, len(self._text) - 1)]
        inside = np.arange(width) < length[:, None]
        bytes_of[~inside] = 0
        plain = ((DIGITS if whole else OF_NUMBERS)[bytes_of] | ~inside).all(axis=1)
        cells = bytes_of[plain].view(f"S{width}").ravel()
        try:
            numbers = cells.astype(np.float64)
        except ValueError:  # such as 1-2; which one it is shows row by row
            return out, good
        allowed = (numbers >= 1) & (numbers < MOST) if whole else np.isfinite(numbers)
        rows = rows[plain][allowed]
        out[rows] = numbers[allowed]
        good[rows] = True
        return out, good

    def fields(self, row: int) -> list[bytes]:
        """A row as it is; without its last column if it lacks its end."""
        begin, end = int(self._begin[row]), int(self.end[row])
        fields = self._raw[begin:end].split(b"\t", self._columns - 1)
        return fields if end < len(self._raw) else fields[: self._columns - 1]


def _one_row(fields: list[bytes], columns: int, whole: Sequence[int], real: Sequence[int], row: int) -> list[float]:
    try:
        if len(fields) < columns:
            raise ValueError
        wholes, reals = [int(fields[place]) for place in whole], [float(fields[place]) for place in real]
        if not all(1 <= value < MOST for value in wholes) or not all(map(math.isfinite, reals)):
            raise ValueError
    except ValueError:
        raise DamagedRowError(row, fields) from None
    return [*map(float, wholes), *reals]
