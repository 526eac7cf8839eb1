"""The places of lines whose shards are on workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..text.corpus import Corpus
from ..text.places import Numbers, Places, fetch, find_file_lines, find_in_files, find_lines
from ..text.reader import number_of_jobs


class Finder(Protocol):
    """Finds lines of AVAILABLE in their files."""

    def __call__(self, lines: Numbers) -> NDArray[np.int64]:
        """Where lines begin, and where they end, counted from where the text of their file begins."""
        ...


class _InFiles:
    """Lines by file."""

    __slots__ = ()
    _lines_by_file: list[int]

    @property
    def corpus(self) -> Corpus:
        raise NotImplementedError

    def __len__(self) -> int:
        return sum(self._lines_by_file)

    def in_files(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        return find_in_files(self._lines_by_file, lines)

    def file_lines(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        file, number = self.in_files(lines)
        return file, find_file_lines(self.corpus, file, number)

    def lines_by_file(self) -> list[int]:
        return self._lines_by_file


@dataclass(frozen=True, slots=True, eq=False)
class ShardedPlaces(_InFiles):
    """The lines of all shards, on one side of AVAILABLE."""

    _corpus: Corpus  # names and sizes; the text is with the workers
    _lines_by_file: list[int]
    _find: Finder
    _fetch: Callable[[Numbers], list[bytes]]
    _open: Callable[[], Corpus]

    @property
    def corpus(self) -> Corpus:
        return self._corpus

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Counted from where the text of a file begins."""
        file, _ = self.in_files(lines)
        first, last = self._find(lines)
        return file, first, last

    def texts(self, lines: Numbers) -> list[bytes]:
        return self._fetch(lines)

    def known(self, lines: Numbers) -> KnownPlaces:
        """The same of some lines, for when there are no workers to be asked any more."""
        order = np.argsort(lines)
        return KnownPlaces(self._lines_by_file, KnownSpans(lines[order], self._find(lines)[:, order]), self._open)


@dataclass(slots=True, eq=False)
class KnownPlaces(_InFiles):
    """Lines that were found before; the text is opened when it is asked for."""

    _lines_by_file: list[int]
    _find: KnownSpans
    _open: Callable[[], Corpus]
    _opened: list[Corpus] = field(default_factory=list)
    _all: list[Places] = field(default_factory=list)  # of all lines, once others than those that were found are wanted

    @property
    def corpus(self) -> Corpus:
        if not self._opened:
            self._opened.append(self._open())
        return self._opened[0]

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        if not self._find.knows(lines):
            self._all = self._all or [find_lines(self.corpus, number_of_jobs(None), Progress(), "AVAILABLE")]
            return self._all[0].spans(lines)
        file, _ = self.in_files(lines)
        begin = np.array([one.begin for one in self.corpus.parts], np.int64)[file]
        first, last = self._find(lines)
        return file, begin + first, begin + last

    def texts(self, lines: Numbers) -> list[bytes]:
        return fetch(self, lines)


@dataclass(frozen=True, slots=True, eq=False)
class KnownSpans:
    """Finds lines that were found before."""

    lines: Numbers  # in ascending order
    found: NDArray[np.int64]  # where each begins, and where each ends

    def knows(self, lines: Numbers) -> bool:
        place = np.searchsorted(self.lines, lines)
        return bool((place < len(self.lines)).all() and (self.lines[place] == lines).all())

    def __call__(self, lines: Numbers) -> NDArray[np.int64]:
        return self.found[:, np.searchsorted(self.lines, lines)]


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
        return self.file[piece], number

    def file_lines(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        piece, number = self.places.file_lines(lines - self.first)
        of_text = np.array([part.records is None for part in self.places.corpus.parts])
        return self.file[piece], number + np.where(of_text, self.before, 0)[piece]

    def lines_by_file(self) -> list[int]:
        counted = np.bincount(self.file, self.places.lines_by_file(), len(self.corpus.parts))
        return [int(number) for number in counted]

    def texts(self, lines: Numbers) -> list[bytes]:
        return fetch(self, lines)
