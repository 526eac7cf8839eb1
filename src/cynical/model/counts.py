"""Counts: a distribution over words and, optionally, n-grams."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import os_error
from ..text.atomic_file import Output
from .hash_tables import GramTable, WordTable
from .ngrams import BOUNDARY, GRAM, Grams, fold, in_order, inverse

if TYPE_CHECKING:
    from .._kernels.vocabulary import Vocabulary

TOGETHER = 1 << 16  # words that are copied in one go


@dataclass(frozen=True, eq=False)
class Counts:
    """The number of occurrences of each word, in the order of first appearance, and optionally of each n-gram."""

    blob: NDArray[np.uint8]  # the words, concatenated
    start: NDArray[np.int64]
    count: NDArray[np.int64]
    signature: str
    lines: int
    other: int = 0  # words known only by their number
    broken: int = field(default=0, compare=False)  # lines that are not UTF-8
    name: str = field(default="", compare=False)  # where they come from
    grams: Grams | None = None

    @property
    def total(self) -> int:
        """W: all words."""
        return int(self.count.sum()) + self.other

    @property
    def ngrams(self) -> int:
        """The length of the longest n-grams that were counted; 1 for words only."""
        return 1 if self.grams is None else 1 + len(self.grams.sizes)

    @property
    def totals(self) -> tuple[int, ...]:
        """W of each order: all words, all pairs, all triples."""
        if self.grams is None:
            return (self.total,)
        parts = zip(self.grams.bounds, self.grams.other, strict=True)
        return (self.total, *(int(self.grams.count[a:b].sum()) + other for (a, b), other in parts))

    @property
    def others(self) -> tuple[int, ...]:
        """By order: the number of tokens that are counted but not named."""
        return (self.other,) if self.grams is None else (self.other, *self.grams.other)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Types of each order."""
        return (len(self),) if self.grams is None else (len(self), *self.grams.sizes)

    @property
    def of_features(self) -> NDArray[np.int64]:
        """The counts of words, pairs and triples, concatenated."""
        return self.count if self.grams is None else np.concatenate([self.count, self.grams.count])

    def __len__(self) -> int:
        return len(self.count)

    def __repr__(self) -> str:
        return f"<Counts: {self.total:,} words, {len(self):,} types, {self.signature}>"

    @cached_property
    def words(self) -> list[bytes]:
        raw, start = self.blob.tobytes(), self.start.tolist()
        return [raw[a:b] for a, b in itertools.pairwise(start)]

    def word(self, number: int) -> bytes:
        """One word, without a list of all."""
        return self.blob[self.start[number] : self.start[number + 1]].tobytes()

    def parts_of(self, feature: int) -> tuple[bytes, ...]:
        """The words of a feature: a word's id or, after those, an n-gram's; the boundary of a line is empty."""
        if feature < len(self):
            return (self.word(feature),)
        assert self.grams is not None
        left, right = int(self.grams.left[feature - len(self)]), int(self.grams.right[feature - len(self)])
        if left == BOUNDARY:
            before: tuple[bytes, ...] = (b"",)
        else:
            before = self.parts_of(len(self) + (left & ~GRAM) if left & GRAM else left)
        return (*before, b"" if right == BOUNDARY else self.word(right))

    def __getitem__(self, word: str | bytes) -> int:
        """The count of a word, or of an n-gram, given as its words separated by spaces."""
        parts = tuple((word.encode() if isinstance(word, str) else word).split(b" "))
        if len(parts) > 1:
            return self._of_parts.get(parts, 0)
        start = np.array([0, len(parts[0])], np.int64)
        found = int(self._table.find(np.frombuffer(parts[0], np.uint8), start)[0])
        return int(self.count[found]) if found >= 0 else 0

    @cached_property
    def _of_parts(self) -> dict[tuple[bytes, ...], int]:
        number = range(len(self), sum(self.sizes))
        return {self.parts_of(i): int(n) for i, n in zip(number, self.of_features[len(self) :], strict=True)}

    @cached_property
    def _table(self) -> WordTable:
        return WordTable.of(self.blob, self.start)

    @property
    def vocabulary(self) -> Vocabulary:
        """A hash table of the words; a word's id is its place."""
        return self._table.vocabulary

    @cached_property
    def gram_slots(self) -> NDArray[np.uint64]:
        """A hash table of the n-grams (see _kernels/ngrams.py); an n-gram's number is its place."""
        if self.grams is None:
            return np.zeros((1, 2), np.uint64)
        table, held = GramTable(len(self.grams.count)), self.grams
        zeros = np.zeros(len(held.count), np.int64)
        table.add(held.left, held.right, zeros, zeros, np.arange(len(self), dtype=np.int64))
        return table.grams.slot

    def find(self, other: Counts) -> NDArray[np.int64]:
        """For each word of another distribution its id here, or -1."""
        return self._table.find(other.blob, other.start)

    def aligned(self, other: Counts) -> NDArray[np.int64]:
        """How often the words of this distribution, and its n-grams, were seen in the other."""
        out = np.zeros(sum(self.sizes), np.int64)
        place, count = self.located(other)
        out[place] = count
        return out

    def located(self, other: Counts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which words and n-grams of this distribution the other has, and how often."""
        found = self.find(other)
        if self.grams is not None and other.grams is not None:
            from .._kernels.ngrams import find_grams

            number = np.empty(len(other.grams.count), np.int64)
            find_grams(self.gram_slots, other.grams.left, other.grams.right, found, number)
            found = np.concatenate([found, np.where(number >= 0, number + len(self), -1)])
        return found[found >= 0], other.of_features[: len(found)][found >= 0]

    def folded(self, below: int) -> Counts:
        """The same counts, with words and n-grams seen less than `below` times folded into one total."""
        keep = self.count >= below
        words = [word for word, kept in zip(self.words, keep.tolist(), strict=True) if kept]
        folded = Counts.from_pairs(list(zip(words, self.count[keep].tolist(), strict=True)), self.signature)
        other = self.other + int(self.count[~keep].sum())
        grams = None if self.grams is None else fold(self.grams, below, np.cumsum(keep) - 1)
        return Counts(
            folded.blob, folded.start, folded.count, self.signature, self.lines, other, self.broken, self.name, grams
        )

    @classmethod
    def from_pairs(cls, pairs: list[tuple[bytes, int]], signature: str, lines: int = 0, other: int = 0) -> Counts:
        start = np.zeros(len(pairs) + 1, np.int64)
        np.cumsum([len(word) for word, _ in pairs], out=start[1:])
        blob = np.frombuffer(b"".join(word for word, _ in pairs), np.uint8)
        return cls(blob, start, np.array([count for _, count in pairs], np.int64), signature, lines, other)

    @classmethod
    def from_tables(cls, words: WordTable, grams: GramTable | None, signature: str, lines: int, broken: int) -> Counts:
        """What tables hold, in the order in which it was first seen."""
        arena, begin, count, first = words.contents()
        order = np.argsort(first, kind="stable")
        length = np.diff(begin)[order]
        start = np.zeros(len(order) + 1, np.int64)
        np.cumsum(length, out=start[1:])
        blob = np.empty(start[-1], np.uint8)
        for first_word in range(0, len(order), TOGETHER):
            part = slice(first_word, first_word + TOGETHER)
            shift = np.repeat(begin[:-1][order[part]] - start[:-1][part], length[part])
            a, b = start[first_word], start[min(first_word + TOGETHER, len(order))]
            blob[a:b] = arena[shift + np.arange(a, b)]
        held = None if grams is None else in_order(grams, inverse(order), ngrams_of(signature))
        return cls(blob, start, count[order], signature, lines, 0, broken, "", held)

    @classmethod
    def read(cls, path: str | Path) -> Counts:
        from .counts_file import parse

        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise os_error(path, error) from error
        return parse(raw, str(path))

    def write(self, path: str | Path, *, overwrite: bool = False) -> None:
        with Output(path, overwrite=overwrite) as output:
            output.write(self.to_bytes())

    def to_bytes(self) -> bytes:
        """As a .counts file holds them."""
        from .counts_file import written

        return written(self)


def union(members: list[Counts]) -> Counts:
    """Everything that some distributions have, counts added; what comes first in the first of them comes first."""
    if len(members) == 1:
        return members[0]
    words, grams = WordTable(), GramTable() if members[0].grams is not None else None
    before = 0
    for counts in members:
        words.add(counts.blob, counts.start, counts.count, before + np.arange(len(counts)))
        if grams is not None and counts.grams is not None:
            more, first = counts.grams, before + np.arange(len(counts.grams.count))
            grams.add(more.left, more.right, more.count, first, words.find(counts.blob, counts.start))
        before += sum(counts.sizes)
    lines, broken = sum(counts.lines for counts in members), sum(counts.broken for counts in members)
    whole = Counts.from_tables(words, grams, members[0].signature, lines, broken)
    other = [sum(column) for column in zip(*(counts.others for counts in members), strict=True)]
    held = None if whole.grams is None else replace(whole.grams, other=tuple(other[1:]))
    return replace(whole, other=other[0], grams=held, name=", ".join(counts.name for counts in members))


def ngrams_of(signature: str) -> int:
    """The longest n-grams of counts with this signature."""
    found = re.search(r"\|ngrams:([1-9])$", signature)
    return int(found[1]) if found else 1
