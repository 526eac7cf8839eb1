"""What is judged: lines in some order, from a ranking, a list of line numbers, or any text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.read import read_part
from ..jaded.summary import Summary, read_summary
from ..options import Reading
from ..progress import Progress
from ..text.corpus import Corpus, Part
from ..text.places import find_lines
from ..text.sources import open_corpus

MARKED = 1 << 12  # bytes in which a table's header is looked for
NUMBER = 18  # characters of a line that may be a line number


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Lines in their order, and what is known of how they came into it."""

    name: str
    corpus: Corpus
    summary: Summary | None  # of the run that ranked them
    ranked: bool = False  # is it a Jaded file?

    @property
    def stop(self) -> int | None:
        """The stopping point, if the ranking has one."""
        return None if self.summary is None else self.summary.chosen_stop.lines

    @property
    def available_words(self) -> int | None:
        """Words of AVAILABLE, where those of one side are all that count."""
        if self.summary is None or any(side.counts for side in self.summary.available.sides):
            return None
        return self.summary.available.words


def open_listed(
    ranking: Any, available: Any, side: str | None, reading: Reading, jobs: int, progress: Progress
) -> Listed:
    """A Jaded ranking (a file, or in memory), else a text; with AVAILABLE, also a list of its line numbers."""
    if isinstance(ranking, Jaded):
        place = _place(side, list(ranking.content.sides), ranking.name)
        texts = ranking.content.texts(slice(0, len(ranking)), place)
        return Listed(ranking.name, Corpus.in_memory(ranking.name, texts), ranking.found_summary)
    corpus = open_corpus(ranking, "RANKING", reading, rankings=True)
    part = corpus.parts[0]
    ranked = len(corpus.parts) == 1 and part.is_ranking
    if not ranked and any(one.is_ranking for one in corpus.parts):
        raise CynicalError(f"{corpus.name}: several files, and a ranking among them; give one ranking at a time")
    if part.records is None and b",cynical_rank" in _first_line(part):
        raise CynicalError(f"{part.name}: a table of records; give --text-key to say which column is the text")
    if side is not None and available is not None:
        raise CynicalError("--side reads the ranking, -a reads AVAILABLE instead; give one of them")
    if side is not None and not ranked:
        raise CynicalError(f"{corpus.name}: --side names a column of a ranking, but this is a plain text; leave it out")
    summary = read_summary(part.path) if part.path is not None and len(corpus.parts) == 1 else None
    if not ranked and available is None:
        return Listed(corpus.name, corpus, summary)
    read = read_part(part) if ranked else None
    if available is not None:
        given = open_corpus(available, "AVAILABLE", reading)
        lines = read.lines if read is not None else _numbers(corpus)
        places = find_lines(given, jobs, progress, "AVAILABLE")
        _check_there(lines, len(places), corpus.name, given.name)
        return Listed(corpus.name, Corpus.in_memory(corpus.name, places.texts(lines)), summary)
    assert read is not None
    if summary is not None:
        _check_there(read.lines, summary.available.lines, corpus.name, summary.available.name)
    texts = read.content.texts(slice(0, len(read)), _place(side, list(read.content.sides), part.name))
    return Listed(corpus.name, Corpus.in_memory(corpus.name, texts), summary, True)


def _first_line(part: Part) -> bytes:
    return bytes(part.raw[part.begin : min(part.begin + MARKED, part.end)]).partition(b"\n")[0]


def _place(side: str | None, sides: list[str], name: str) -> int:
    if side is None:
        return 0
    if side not in sides:
        has = f"its sides are {', '.join(sides)}" if sides else "it has no other side"
        raise CynicalError(f"--side {side}: {name} has no such side; {has}")
    return 1 + sides.index(side)


def _check_there(lines: NDArray[np.int64], number: int, ranking: str, available: str) -> None:
    wrong = np.flatnonzero((lines < 0) | (lines >= number))
    if len(wrong):
        raise CynicalError(
            f"{ranking}: pick {int(wrong[0]) + 1:,} names line {int(lines[wrong[0]]) + 1:,}, but {available} has "
            f"{number:,} lines, numbered from 1; give the AVAILABLE that it was made from"
        )


def _numbers(corpus: Corpus) -> NDArray[np.int64]:
    """The line numbers (from 1) that a text holds, one a line, as numbers from 0."""
    found = []
    for part in corpus.parts:
        for place, line in enumerate(bytes(part.content).splitlines(), 1):
            if not line.strip().isdigit() or len(line) > NUMBER:
                raise CynicalError(
                    f"{part.name} line {place}: expected the number of a line of AVAILABLE, found "
                    f"{line[:40].decode(errors='replace')!r}; give such numbers, or leave -a out if these are the lines"
                )
            found.append(int(line) - 1)
    return np.array(found, np.int64)
