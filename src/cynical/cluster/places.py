"""Where lines are whose shards are with workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.corpus import Corpus
from ..text.places import Numbers, Places, fetch, find_in_files


class FarPlaces:
    """Where the lines are that were picked: those that shards have said. The text is opened when it is asked for."""

    def __init__(self, corpus: Corpus, lines_by_file: list[int], open_again: Callable[[], Corpus]) -> None:
        self._names, self._lines_by_file, self._open_again = corpus, lines_by_file, open_again
        self._lines, self._spans = np.zeros(0, np.int64), np.zeros((2, 0), np.int64)
        self._opened: Corpus | None = None
        self._learned = False

    def __len__(self) -> int:
        return sum(self._lines_by_file)

    @property
    def corpus(self) -> Corpus:
        """What is known of the text, and from the moment on that the picks are known the text itself."""
        if self._opened is None and self._learned:
            self._opened = self._open_again()
        return self._opened or self._names

    def lines_by_file(self) -> list[int]:
        return self._lines_by_file

    def learn(self, lines: Numbers, spans: NDArray[np.int64]) -> None:
        """Where some lines begin and end in their files."""
        order = np.argsort(lines)
        self._lines, self._spans, self._learned = lines[order], spans[:, order], True

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        file, _ = self.in_files(lines)
        place = np.searchsorted(self._lines, lines)
        begin = np.array([one.begin for one in self.corpus.parts], np.int64)[file]
        return file, begin + self._spans[0, place], begin + self._spans[1, place]

    def in_files(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        return find_in_files(self._lines_by_file, lines)

    def texts(self, lines: Numbers) -> list[bytes]:
        return fetch(self, lines)


@dataclass(frozen=True, slots=True, eq=False)
class ShardPlaces:
    """The lines of one shard by their numbers in AVAILABLE."""

    corpus: Corpus  # all files of AVAILABLE, of which only the shard's own have a text
    places: Places  # of the shard's lines by its own numbers, in pieces of files
    first: int  # the number of its first line in AVAILABLE
    file: Numbers  # by piece, which file it is of
    before: Numbers  # by piece, how many lines its file has in other shards before

    def __len__(self) -> int:
        return len(self.places)

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        piece, begin, end = self.places.spans(lines - self.first)
        return self.file[piece], begin, end

    def in_files(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        piece, number = self.places.in_files(lines - self.first)
        return self.file[piece], number + self.before[piece]

    def lines_by_file(self) -> list[int]:
        counted = np.bincount(self.file, self.places.lines_by_file(), len(self.corpus.parts))
        return [int(number) for number in counted]

    def texts(self, lines: Numbers) -> list[bytes]:
        return fetch(self, lines)
