"""The columns of a ranking: what it says of each pick, as arrays of one length, best pick first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..text.kinds import RANKING_COLUMNS

COLUMNS = (*RANKING_COLUMNS, "text")  # of every ranking, in this order; others are between `word` and `text`
FEATURE_ENTROPY = "feature_entropy"  # first among the others, where n-grams count
SCORE = "score"  # after it, where lines are ranked by something other than bits
SHARD_LINE, UNIT = "shard_line", "unit"
SHARDS = ("shard", SHARD_LINE, "id", UNIT)  # the file that a line is from, which line of it; what its record is
# called, and which unit of this record it is

BATCH = 1 << 13  # picks that are written together

Numbers = NDArray[np.int64]
Bits = NDArray[np.float64]
Rows = slice | Numbers  # some picks, by their places in the ranking, from 0


class BestWords(Protocol):
    """The word of each pick that gains most."""

    def take(self, rows: Rows) -> BestWords:
        """Those of some picks."""
        ...

    def coded(self) -> CodedWords:
        """As places in a vocabulary."""
        ...

    def strings(self) -> list[str]:
        """As they are read; empty where no word gains."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CodedWords:
    """Words as places in a vocabulary."""

    place: Numbers  # -1 where no word gains
    vocabulary: Sequence[bytes]

    def take(self, rows: Rows) -> CodedWords:
        return CodedWords(self.place[rows], self.vocabulary)

    def coded(self) -> CodedWords:
        return self

    def strings(self) -> list[str]:
        return [
            self.vocabulary[place].decode("utf-8", "replace") if place >= 0 else "" for place in self.place.tolist()
        ]


@dataclass(frozen=True, slots=True, eq=False)
class WordsInFile:
    """Words that are read when somebody asks for them."""

    fetch: Callable[[Numbers], list[bytes]]  # the words of some rows of the file
    rows: Numbers

    def take(self, rows: Rows) -> WordsInFile:
        return WordsInFile(self.fetch, self.rows[rows])

    def coded(self) -> CodedWords:
        number: dict[bytes, int] = {}
        found = self.fetch(self.rows)
        place = np.fromiter((number.setdefault(word, len(number)) if word else -1 for word in found), np.int64)
        return CodedWords(place, list(number))

    def strings(self) -> list[str]:
        return [word.decode("utf-8", "replace") for word in self.fetch(self.rows)]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What a ranking says of each pick; bits are per word of REPRESENTATIVE."""

    rank: Numbers  # from 1
    line: Numbers  # in AVAILABLE, from 0
    delta: Bits  # penalty + gain: the change of the entropy
    penalty: Bits
    gain: Bits
    entropy: Bits  # after the pick; of single words
    words: Numbers  # of the line
    best: BestWords
    feature_entropy: Bits | None = None  # after the pick; of words and n-grams together, where these count
    score: Bits | None = None  # what the lines were ranked by, if it was something else than bits

    def __len__(self) -> int:
        return len(self.line)

    @property
    def has_bits(self) -> bool:
        """Does anybody know what the picks bring? Nobody does of ids."""
        return not bool(np.isnan(self.entropy).any())

    def take(self, rows: Rows) -> Columns:
        """Those of some picks."""
        return replace(
            self,
            rank=self.rank[rows],
            line=self.line[rows],
            delta=self.delta[rows],
            penalty=self.penalty[rows],
            gain=self.gain[rows],
            entropy=self.entropy[rows],
            words=self.words[rows],
            best=self.best.take(rows),
            feature_entropy=None if self.feature_entropy is None else self.feature_entropy[rows],
            score=None if self.score is None else self.score[rows],
        )

    @property
    def more(self) -> dict[str, Bits]:
        """The columns of numbers that not every ranking has, by name."""
        columns = {FEATURE_ENTROPY: self.feature_entropy, SCORE: self.score}
        return {name: column for name, column in columns.items() if column is not None}

    def lowest(self, before: float) -> int:
        """After how many picks the entropy is lowest; `before` is that before the first, or not a number."""
        path = np.append(np.inf if np.isnan(before) else before, self.entropy)
        return int(np.argmin(path)) if len(self) else 0

    def words_of(self, picks: int) -> int:
        """How many words the first picks have."""
        return int(self.words[:picks].sum())


def batches(picks: int) -> Iterator[slice]:
    """All picks, some at a time."""
    return (slice(begin, min(begin + BATCH, picks)) for begin in range(0, picks, BATCH))
