"""The lines to evaluate, in order: from a ranking, a list of line numbers, or any text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.ids import line_numbers
from ..jaded.jaded import Jaded
from ..jaded.read import read_part, take_rankings
from ..jaded.summary import Summary
from ..jaded.summary_file import read_summary, summary_of_file
from ..options import Reading
from ..progress import Progress
from ..text.compression import inner_suffix
from ..text.corpus import Corpus
from ..text.places import find_lines
from ..text.sources import open_corpus

IDS = ".ids"  # the suffix of line numbers, or of names of records


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Lines in their order, and what is known of how they came into it."""

    name: str
    corpus: Corpus
    summary: Summary | None  # of the run that ranked them
    ranked: bool = False  # is it a Jaded file?

    def marks(self, lines: int) -> tuple[int | None, int | None]:
        """Among this many lines, the stopping point, and where the entropy is lowest if that is another point; none
        where that is only the end of a budget."""
        summary = self.summary
        if summary is None:
            return None, None
        end = None if summary.picked is None else summary.picked.lines
        stop, lowest = (
            None if one is None or not 0 < one.lines <= lines or (one.lines == end and not one.known) else one.lines
            for one in (summary.stopping_point, summary.lowest_entropy)
        )
        return stop, lowest

    @property
    def available_words(self) -> int | None:
        """Words of AVAILABLE, if only one side counts."""
        if self.summary is None or any(side.counts for side in self.summary.available.sides):
            return None
        return self.summary.available.words


def open_listed(
    ranking: Any, available: Any, side: str | None, reading: Reading, jobs: int, progress: Progress
) -> Listed:
    """A Jaded ranking (a file, or in memory), else a text; with AVAILABLE, also a list of its line numbers."""
    source = open_list(ranking, available is not None, reading)
    if side is not None and available is not None:
        raise CynicalError(
            "--side reads the lines from the ranking, and -a reads them from AVAILABLE; give one of them"
        )
    if isinstance(source, Corpus):
        return _plain(source, available, side, reading, jobs, progress)
    summary, name = source.found_summary, source.name
    if available is not None:
        given = open_corpus(available, "AVAILABLE", reading)
        return Listed(name, _from_available(source.lines, name, given, jobs, progress), summary)
    texts = source.content.texts(slice(0, len(source)), _place(side, list(source.content.sides), name))
    return Listed(name, Corpus.in_memory(name, texts), summary, not isinstance(ranking, Jaded))


def open_list(given: Any, beside: bool, reading: Reading) -> Jaded | Corpus:
    """A ranking, or else a text; `beside` says that line numbers are those of an AVAILABLE that is given too."""
    if isinstance(given, (Jaded, Corpus)):
        return given
    if not (beside and is_numbers(given)):
        found, rest = take_rankings(given, reading)
        if len(found) > 1 or (found and rest is not None):
            raise CynicalError(f"{given}: one of these files is a ranking; give one ranking at a time")
        if found:
            return found[0]
    corpus = open_corpus(given, "RANKING", reading, rankings=True)
    if len(corpus.parts) > 1 and any(one.is_ranking for one in corpus.parts):
        raise CynicalError(f"{corpus.name}: one of these files is a ranking; give one ranking at a time")
    return read_part(corpus.parts[0]) if corpus.parts[0].is_ranking else corpus


def is_numbers(given: Any) -> bool:
    """Is this a file of line numbers?"""
    if not isinstance(given, (str, Path)) or inner_suffix(given) != IDS:
        return False
    summary = read_summary(given)
    return summary is None or not summary.available.id_key


def _plain(corpus: Corpus, available: Any, side: str | None, reading: Reading, jobs: int, progress: Progress) -> Listed:
    """Any text, or line numbers of AVAILABLE."""
    if side is not None:
        raise CynicalError(f"{corpus.name}: --side names a column of a ranking, but this is plain text; omit it")
    part = corpus.parts[0]
    summary = summary_of_file(str(part.path)) if part.path is not None and len(corpus.parts) == 1 else None
    if available is None:
        return Listed(corpus.name, corpus, summary)
    given = open_corpus(available, "AVAILABLE", reading)
    return Listed(corpus.name, _from_available(_numbers(corpus), corpus.name, given, jobs, progress), summary)


def _from_available(lines: NDArray[np.int64], name: str, available: Corpus, jobs: int, progress: Progress) -> Corpus:
    """Some lines of AVAILABLE, in this order."""
    places = find_lines(available, jobs, progress, "AVAILABLE")
    _check_there(lines, len(places), name, available.name)
    return Corpus.in_memory(name, places.texts(lines))


def _place(side: str | None, sides: list[str], name: str) -> int:
    if side is None:
        return 0
    if side not in sides:
        has = f"its sides are {', '.join(sides)}" if sides else "it has only one side"
        raise CynicalError(f"--side {side}: {name} does not have this side; {has}")
    return 1 + sides.index(side)


def _check_there(lines: NDArray[np.int64], number: int, ranking: str, available: str) -> None:
    wrong = np.flatnonzero((lines < 0) | (lines >= number))
    if len(wrong):
        raise CynicalError(
            f"{ranking}: pick {int(wrong[0]) + 1:,} names line {int(lines[wrong[0]]) + 1:,}, but {available} has "
            f"{number:,} lines, numbered from 1; give the AVAILABLE that the ranking was made from"
        )


def _numbers(corpus: Corpus) -> NDArray[np.int64]:
    """The line numbers (from 1) in a text, one per line, as numbers from 0."""
    return np.concatenate(
        [line_numbers(bytes(part.content).decode("utf-8", "replace").splitlines(), part.name) for part in corpus.parts]
    )
