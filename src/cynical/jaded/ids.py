"""A ranking as ids: names of records, or line numbers, best first. Their texts are in AVAILABLE.

Where lines are units of records, each is the name of its record, a tab, and the number of the unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import CynicalError
from ..text.compression import blocks, open_stream
from ..text.records import line_groups
from .columns import CodedWords, Columns, Numbers, batches
from .content import PoolContent, units_of
from .tsv import unescape

LONGEST = 18  # digits of a line number


def read_ids(files: Sequence[str]) -> list[str]:
    """The ids of some files, in their order."""
    found: list[str] = []
    for file in files:
        with open_stream(file) as stream:
            for lines in line_groups(blocks(stream, file)):
                found += [unescape(line.rstrip(b"\r")).decode("utf-8", "replace") for line in lines]
    return found


def line_numbers(ids: Sequence[str], name: str) -> Numbers:
    """Line numbers (from 1) as numbers from 0."""
    found = np.zeros(len(ids), np.int64)
    for place, one in enumerate(ids):
        if not one.strip().isdecimal() or len(one) > LONGEST:
            raise CynicalError(
                f"{name} line {place + 1}: expected a line number of AVAILABLE, found {one[:40]!r}; give line "
                "numbers, or omit -a if this file holds the lines themselves"
            )
        found[place] = int(one) - 1
    return found


def find_ids(ids: Sequence[str], available: PoolContent, name: str) -> Numbers:
    """The lines of AVAILABLE whose records are called so."""
    wanted = {one: place for place, one in enumerate(ids)}
    if len(wanted) < len(ids):
        twice = next(one for place, one in enumerate(ids) if wanted[one] != place)
        raise CynicalError(f"{name}: {twice!r} is listed twice, so the record is ambiguous; remove one of them")
    found = np.full(len(ids), -1, np.int64)
    for rows in batches(len(available)):
        called, units = available.ids(rows), units_of(available, rows)
        assert called is not None
        if units is not None:
            called = [f"{one}\t{unit}" for one, unit in zip(called, units, strict=True)]
        for line, one in enumerate(called, rows.start):
            place = wanted.get(one)
            if place is not None and found[place] >= 0:
                raise CynicalError(f"{name}: two records of AVAILABLE have the id {one!r}; use line numbers instead")
            if place is not None:
                found[place] = line
    if (found < 0).any():
        missing = ids[int(np.flatnonzero(found < 0)[0])]
        raise CynicalError(
            f"{name}: no record of AVAILABLE has the id {missing!r}; give the AVAILABLE that the list was made from"
        )
    return found


def without_bits(lines: Numbers) -> Columns:
    """The columns of lines of which nothing but their order is known: bits are not numbers, and words not counted."""
    unknown = np.full(len(lines), np.nan)
    return Columns(
        rank=np.arange(1, len(lines) + 1),
        line=lines,
        delta=unknown,
        penalty=unknown,
        gain=unknown,
        entropy=unknown,
        words=np.zeros(len(lines), np.int64),
        best=CodedWords(np.full(len(lines), -1, np.int64), []),
    )
