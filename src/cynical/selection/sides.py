"""The sides of a text, such as a sentence and its translation: read one by one, joined into rows over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..memory import Storage
from ..model.count import no_words
from ..model.counts import Counts
from ..text.corpus import Corpus
from .index import HowToRead, Index, read_side, sum_before


def build(sides: Sequence[Corpus], how: HowToRead, *, may_be_empty: bool = False) -> Index:
    """Read AVAILABLE once, all sides that count."""
    index = read_side(sides[0], 0, how)
    for number, corpus in enumerate(sides[1:], 1):
        other = read_side(corpus, number, how)
        if not how.aligned:
            check_same_lines([index.places[0], other.places[0]])
        index = _join(index, other, how.storage)
    if not (index.totals[0] or may_be_empty):
        raise CynicalError(no_words(sides[0].name, "AVAILABLE", index.lines))
    return index


def join_hashes(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One hash for both sides of each line."""
    from .._kernels.mix import MIX

    mixed = (first ^ (first >> np.uint64(29))) * MIX
    return (mixed ^ (mixed >> np.uint64(32))) + second


class HasLines(Protocol):
    """What has lines, in files."""

    @property
    def corpus(self) -> Corpus: ...
    def __len__(self) -> int: ...
    def lines_by_file(self) -> list[int]: ...


def check_same_lines(sides: Sequence[HasLines | Counts]) -> None:
    """Sides of one text have the same lines, one for one."""
    for side in sides[1:]:
        for (name, lines), (other, others) in zip(_lines_of(sides[0], side), _lines_of(side, sides[0]), strict=True):
            if lines != others:
                raise CynicalError(
                    f"{name} has {lines:,} lines, but {other} has {others:,}; the sides of a parallel text must "
                    "match line by line"
                )


def check_none_skipped(sides: int, bad: bool) -> None:
    """Records that were skipped would pair lines that do not belong together."""
    if sides > 1 and bad:
        raise CynicalError(
            "--bad-records skip is not available for parallel text, because the sides would no longer match; fix the "
            "records"
        )


def _lines_of(side: HasLines | Counts, beside: HasLines | Counts) -> list[tuple[str, int]]:
    """A side's name and number of lines; file by file where the other side has as many files."""
    if isinstance(side, Counts):
        return [(side.name, side.lines)]
    parts = side.corpus.parts
    if not isinstance(beside, Counts) and len(beside.corpus.parts) == len(parts) > 1:
        return list(zip([part.name for part in parts], side.lines_by_file(), strict=True))
    return [(side.corpus.name, len(side))]


def _join(a: Index, b: Index, storage: Storage) -> Index:
    """Both sides of each line as one row."""
    from .._kernels.entries import Rows
    from .._kernels.index import join_rows

    entries = a.entries + b.entries
    start = sum_before(entries)
    entry = storage.array(int(entries.sum(dtype=np.int64)), np.uint32)
    join_rows(Rows(a.entry, a.start, a.entries), Rows(b.entry, b.start, b.entries), entry, start)
    words = a.words + b.words
    return Index(
        entry,
        start,
        entries,
        words,
        words if a.features is a.words else a.features + b.features,
        join_hashes(a.same, b.same) if len(a.same) else a.same,
        a.source,
        a.shares_run,
        a.count + b.count,
        [one + other for one, other in zip(a.totals, b.totals, strict=True)],
        a.places + b.places,
        a.broken + b.broken,
        a.first_broken or b.first_broken,
        a.of_sides + b.of_sides,
    )
