"""Units: how a text is split into lines (--unit), and which record of its file each line was taken from.

    document     the whole text
    paragraph    what blank lines separate; the line breaks within it stay
    line         what line breaks separate, blank lines too, so that unit 3 is the third line

Every text has at least one unit, if only an empty one.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..options.reading import Unit
from .folding import fold_all

Numbers = NDArray[np.int64]
Split = Callable[[str], list[str]]
BLANK_LINES = re.compile(r"\r?\n(?:[^\S\n]*\n)+")


def paragraphs(text: str) -> list[str]:
    """What blank lines separate, without blank lines before and after."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    if first == len(text):
        return [""]
    end = text.find("\n", last)
    whole = text[text.rfind("\n", 0, first) + 1 : len(text) if end < 0 else end]
    return BLANK_LINES.split(whole.removesuffix("\r"))


def lines(text: str) -> list[str]:
    """What line breaks separate; one at the end begins no further line."""
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


SPLITS: dict[Unit, Split | None] = {"document": None, "paragraph": paragraphs, "line": lines}


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where the lines of a file's text were: of which records, and where in the file these are."""

    line: Numbers | None = None  # by record: its line in the file, from 1; None if every line is one
    record: Numbers | None = None  # by line of text: its record, from 0, in order; None if each is one
    unit: Unit = "document"

    def records(self, numbers: Sequence[int] | Numbers) -> Numbers:
        """The records that some lines were taken from, from 0."""
        wanted = np.asarray(numbers, np.int64)
        return wanted if self.record is None else self.record[wanted]

    def file_lines(self, numbers: Sequence[int] | Numbers) -> Numbers:
        """Their lines in the file, from 1; of a file without lines, their rows."""
        records = self.records(numbers)
        return records + 1 if self.line is None else self.line[records]

    @property
    def split(self) -> bool:
        """May a record have several lines?"""
        return self.unit != "document"

    def units(self, numbers: Sequence[int] | Numbers) -> Numbers:
        """Which unit of its record each line is, from 1."""
        wanted = np.asarray(numbers, np.int64)
        if self.record is None:
            return np.ones_like(wanted)
        return wanted - np.searchsorted(self.record, self.record[wanted]) + 1


@dataclass(slots=True)
class Origins:
    """The same while a file is read."""

    unit: Unit
    line: array[int] = field(default_factory=lambda: array("q"))  # by record
    record: array[int] = field(default_factory=lambda: array("q"))  # by line of text, if texts are split

    def fold(self, texts: Sequence[str], file_lines: Iterable[int]) -> tuple[bytes, bool]:
        """The texts of some records as lines, a unit each, and is any of them folded? TypeError if one is no string."""
        split_one = SPLITS[self.unit]
        if split_one is None:
            made = fold_all(texts)
        else:
            if not all(isinstance(text, str) for text in texts):
                raise TypeError
            split = [split_one(text) for text in texts]
            made = fold_all([unit for units in split for unit in units])
            before = len(self.line)
            self.record.extend(record for record, units in enumerate(split, before) for _ in units)
        self.line.extend(file_lines)
        return made

    def finish(self) -> Origin:
        line = np.array(self.line, np.int64)
        every = np.array_equal(line, np.arange(1, len(line) + 1))
        record = None if SPLITS[self.unit] is None else np.array(self.record, np.int64)
        return Origin(None if every else line, record, self.unit)
