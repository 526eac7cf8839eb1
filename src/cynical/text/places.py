"""Where the lines of a corpus are, and how one is fetched back.

Of each line only its place within its chunk is kept: 4 bytes per line. Lines are counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from .corpus import Chunk, Corpus
from .folding import unfold_bytes
from .reader import Words, read_all
from .tokenizer import Tokenizer

BATCH = 1 << 14  # lines that are fetched at a time
BATCH_BYTES = 1 << 24  # and about how many bytes at most

Numbers = NDArray[np.int64]
Found = tuple[Chunk, NDArray[np.uint32], int]  # a chunk, where its lines begin and where its last one ends, within it


class Places(Protocol):
    """Where each line of a corpus is, wherever the corpus is."""

    @property
    def corpus(self) -> Corpus:
        """The text that the lines are in."""
        ...

    def __len__(self) -> int: ...

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """For each line its file (a part of the corpus), where it begins there, and where it ends."""
        ...

    def in_files(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        """For each line its file, and its number among the lines that this part of the corpus has of it, from 0."""
        ...

    def file_lines(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        """For each line its file, and where it is there: its line, or that of its record, or its row; from 1."""
        ...

    def lines_by_file(self) -> list[int]:
        """How many lines each file has."""
        ...

    def texts(self, lines: Numbers) -> list[bytes]:
        """Some lines, as they were given."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LocalPlaces:
    """Places of a corpus that was read here, by chunk; one of several files is here one for each."""

    corpus: Corpus
    file: Numbers  # by chunk
    begin: Numbers  # by chunk, where its first line begins
    end: Numbers  # and where its last line ends
    first: Numbers  # by chunk, the number of its first line; followed by the number of all lines
    start: NDArray[np.uint32]  # by line, where it begins in its chunk; one more at the end

    def __len__(self) -> int:
        return int(self.first[-1])

    def spans(self, lines: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        chunk = np.searchsorted(self.first, lines, side="right") - 1
        file = self.file[chunk]
        begin = self.begin[chunk] + self.start[lines]
        last = lines + 1 == self.first[chunk + 1]
        end = np.where(last, self.end[chunk], self.begin[chunk] + self.start[lines + 1] - 1)
        with_returns = self.corpus.with_returns
        for number, here in by_file(file) if with_returns is None or with_returns else ():
            part = self.corpus.parts[number]
            if with_returns is not None and part not in with_returns:
                continue
            text, before, _ = part.spans(np.maximum(end[here] - 1, 0), end[here])
            carriage_return = text[before] == 13
            end[here] -= carriage_return & (end[here] > begin[here])
        return file, begin, end

    def lines_by_file(self) -> list[int]:
        lines = np.bincount(self.file, np.diff(self.first), len(self.corpus.parts))
        return [int(number) for number in lines]

    def in_files(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        return find_in_files(self.lines_by_file(), lines)

    def file_lines(self, lines: Numbers) -> tuple[Numbers, Numbers]:
        file, number = self.in_files(lines)
        return file, find_file_lines(self.corpus, file, number)

    def texts(self, lines: Numbers) -> list[bytes]:
        return fetch(self, lines)

    def name_of(self, line: int) -> str:
        """Where a line is, for a message: the file, and the line within it (from 1)."""
        file, number = self.file_lines(np.array([line]))
        return f"{self.corpus.parts[int(file[0])].name} line {int(number[0])}"


def locate(corpus: Corpus, chunks: Sequence[Found]) -> LocalPlaces:
    """Places of the lines that were found in the chunks of a corpus, which are given in their order."""
    number = {part: i for i, part in enumerate(corpus.parts)}
    by_part = [_by_part(*found) for found in chunks]
    empty = [np.zeros(0, np.int64)]
    first = np.zeros(sum(len(chunk.parts) for chunk, _, _ in chunks) + 1, np.int64)
    np.cumsum(np.concatenate([*(lines for lines, _, _, _ in by_part), *empty]), out=first[1:])
    return LocalPlaces(
        corpus,
        file=np.array([number[part] for chunk, _, _ in chunks for part in chunk.parts], np.int64),
        begin=np.concatenate([*(begin for _, begin, _, _ in by_part), *empty]),
        end=np.concatenate([*(end for _, _, end, _ in by_part), *empty]),
        first=first,
        start=np.concatenate([*(start for _, _, _, start in by_part), np.zeros(1, np.uint32)]),
    )


def _by_part(
    chunk: Chunk, start: NDArray[np.uint32], last_end: int
) -> tuple[Numbers, Numbers, Numbers, NDArray[np.uint32]]:
    """By part of a chunk, how many lines it has and where these begin and end; by line, where it begins there."""
    begin = np.array([chunk.begin, *(part.begin for part in chunk.parts[1:])], np.int64)
    end = np.append(begin[1:] - 1, chunk.begin + last_end)
    if len(begin) == 1:
        return np.array([len(start)]), begin, end, start
    lines = np.diff(np.append(np.searchsorted(start, begin - chunk.begin), len(start)))
    return lines, begin, end, start - np.repeat((begin - chunk.begin).astype(np.uint32), lines)


def find_lines(corpus: Corpus, jobs: int, progress: Progress, role: str) -> LocalPlaces:
    """Places of the lines of a corpus of which nothing else is wanted."""
    takers = read_all(corpus, Tokenizer(), jobs, progress, _Finder, role)
    return locate(corpus, sorted((found for taker in takers for found in taker.found), key=lambda one: one[0].number))


def find_in_files(lines_by_file: Sequence[int], lines: Numbers) -> tuple[Numbers, Numbers]:
    """For each line its file, and its number there; files have this many lines each."""
    first = np.concatenate([[0], np.cumsum(lines_by_file)]).astype(np.int64)
    file = np.searchsorted(first, lines, side="right") - 1
    return file, lines - first[file]


def find_file_lines(corpus: Corpus, file: Numbers, number: Numbers) -> Numbers:
    """Where lines are in their files, from 1, by their numbers there; of records, where these are."""
    made = number + 1
    for one, here in by_file(file) if corpus.of_records else ():
        records = corpus.parts[one].records
        if records is not None:
            made[here] = records.origin.file_lines(number[here])
    return made


def by_file(file: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Each file that lines are in, and which lines these are."""
    order = np.argsort(file, kind="stable")
    for here in np.split(order, np.flatnonzero(np.diff(file[order])) + 1) if len(order) else ():
        yield int(file[here[0]]), here


def fetch(places: Places, lines: Numbers) -> list[bytes]:
    """Some lines, as they were given: unfolded where they are folded."""
    file, begin, end = places.spans(lines)
    texts: list[bytes] = [b""] * len(lines)
    for number, here in by_file(file):
        part = places.corpus.parts[number]
        held, first, last = part.spans(begin[here], end[here])
        view = memoryview(held.data)
        for place, a, b in zip(here.tolist(), first.tolist(), last.tolist(), strict=True):
            texts[place] = unfold_bytes(bytes(view[a:b])) if part.folded else bytes(view[a:b])
        places.corpus.check_unchanged([number])
    return texts


def part_of(places: Places, lines: Numbers) -> Corpus:
    """Some lines, as a corpus of their own in memory."""
    return Corpus.in_memory(places.corpus.name, places.texts(lines))


def in_batches(places: Places, lines: Numbers) -> Iterator[Numbers]:
    """Some lines, at most BATCH at a time, and fewer where they are long."""
    for at in range(0, len(lines), BATCH):
        some = lines[at : at + BATCH]
        _, begin, end = places.spans(some)
        full = np.cumsum(end - begin) // BATCH_BYTES
        yield from np.split(some, np.flatnonzero(np.diff(full)) + 1)


class _Finder:
    """One thread's share of looking for line ends."""

    def __init__(self) -> None:
        self.found: list[Found] = []

    def take(self, chunk: Chunk, words: Words) -> None:
        self.found.append((chunk, words.line_start, words.last_end))
