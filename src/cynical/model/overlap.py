"""Which lines of a text are in another: word for word, inside longer lines of it, such as documents, or by a run of
words that both share.

Of the lines that are looked for, the words are in memory, 4 bytes each; a table of runs takes 8 to 16 bytes per word
more, one of whole lines 8 to 16 bytes per line. The other text may be read piece by piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..progress import Progress
from ..text.corpus import Chunk, Corpus
from ..text.reader import Words, read_all
from ..text.tokenizer import Tokenizer
from .hash_tables import WordTable
from .sequences import Numbering, Sequences, numbered

if TYPE_CHECKING:
    from .._kernels import runs as kernels

WINDOW = 8  # words: shorter lines are contained in many others by coincidence
RUN = 13  # words that held-out text and training text share by coincidence too rarely to matter
MOST_WORDS = (1 << 32) - 2  # so that a place fits its slot


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Every run of `length` words of some lines."""

    length: int
    lines: Sequences
    number: int  # of different runs
    table: kernels.Runs
    words: WordTable | None = None  # what the words are numbered by, to read other texts

    @classmethod
    def of(cls, lines: Sequences, length: int, words: WordTable | None = None) -> Runs:
        from .._kernels.runs import add_runs

        if lines.words > MOST_WORDS:
            raise CynicalError(
                f"{lines.name}: {lines.words:,} words are too many to compare n-grams; give a part of the text"
            )
        runs = int(np.maximum(lines.lengths - length + 1, 0).sum())
        table = _empty_table(lines, runs)
        return cls(length, lines, int(add_runs(table, lines.start, length)) if runs else 0, table, words)

    def in_lines(self, text: Sequences) -> NDArray[np.bool_]:
        """By line of a text that is numbered alike, does it have one of the runs?"""
        return self._lines_with(text, np.zeros(0, np.bool_)) if self.number else np.zeros(len(text), np.bool_)

    def shared_with(self, text: Sequences) -> NDArray[np.bool_]:
        """By line of its own, does it share a run with a text that is numbered alike?"""
        from .._kernels.runs import mark_runs

        if not self.number:
            return np.zeros(len(self.lines), np.bool_)
        hit = np.zeros(max(self.lines.words, 1), np.bool_)
        mark_runs(self.table, _lines(text), self.length, hit)
        return self._lines_with(self.lines, hit)

    def of_chunk(self, words: Words) -> NDArray[np.bool_]:
        """By line of a chunk of text, does it have one of the runs?"""
        assert self.words is not None
        if not self.number:
            return np.zeros(len(words.line_end), np.bool_)
        return self.in_lines(Sequences.of(*numbered(self.words, words, closed=True)))

    def _lines_with(self, text: Sequences, hit: NDArray[np.bool_]) -> NDArray[np.bool_]:
        from .._kernels.runs import lines_with_runs

        found = np.zeros(len(text), np.bool_)
        lines_with_runs(self.table, _lines(text), self.length, hit, found)
        return found


def read_runs(corpus: Corpus, length: int, tokenizer: Tokenizer, jobs: int, progress: Progress, role: str) -> Runs:
    """The runs of a text, with what is needed to look for them in others."""
    numbering = Numbering()
    return Runs.of(numbering.read(corpus, tokenizer, jobs, progress, role), length, numbering.table)


def lines_with_runs(
    corpus: Corpus, runs: Runs, tokenizer: Tokenizer, jobs: int, progress: Progress, role: str
) -> NDArray[np.bool_]:
    """By line of a text, does it have one of the runs? Only a chunk for each thread is in memory."""
    takers = read_all(corpus, tokenizer, jobs, progress, lambda: _Looker(runs, []), role)
    pieces = sorted((piece for taker in takers for piece in taker.pieces), key=lambda piece: piece[0])
    return np.concatenate([np.zeros(0, np.bool_), *(found for _, found in pieces)])


@dataclass(frozen=True, slots=True)
class _Looker:
    """One thread's share of looking for runs."""

    runs: Runs
    pieces: list[tuple[int, NDArray[np.bool_]]]

    def take(self, chunk: Chunk, words: Words) -> None:
        self.pieces.append((chunk.number, self.runs.of_chunk(words)))


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """Lines that are looked for inside longer ones, by their first WINDOW words; shorter lines are not.

    A text is walked over once. Where it has the first words of lines, each of these is compared, up to the first word
    that differs, until it was found: so a thousand lines that begin alike take a thousand looks at each such place.
    """

    lines: Sequences
    found: NDArray[np.bool_]  # by line, inside any of the texts so far
    table: kernels.Runs
    same: kernels.SameBeginning

    @classmethod
    def of(cls, lines: Sequences) -> Inside:
        from .._kernels.runs import SameBeginning, add_beginnings

        table = _empty_table(lines, int(np.count_nonzero(lines.lengths >= WINDOW)))
        same = SameBeginning(np.zeros(len(table.slot), np.uint32), np.zeros(len(lines), np.uint32))
        add_beginnings(table, lines.start, WINDOW, same)
        return cls(lines, np.zeros(len(lines), np.bool_), table, same)

    def look(self, text: Sequences) -> None:
        """Look for them in a text, or in a piece of one, that is numbered alike."""
        from .._kernels.runs import find_inside

        find_inside(self.table, self.lines.start, self.same, _lines(text), WINDOW, self.found)


def inside_longer(lines: Sequences, text: Sequences) -> NDArray[np.bool_]:
    """For each line of WINDOW words or more whether its words are inside a longer line of a text; both are numbered
    alike."""
    inside = Inside.of(lines)
    inside.look(text)
    return inside.found


def same_words(lines: Sequences, others: Sequences) -> NDArray[np.bool_]:
    """Line by line, do both have the same words in the same order?"""
    out = np.equal(lines.lengths, others.lengths)
    for line in np.flatnonzero(out).tolist():
        own = lines.ids[int(lines.start[line]) : int(lines.start[line + 1])]
        out[line] = np.array_equal(own, others.ids[int(others.start[line]) : int(others.start[line + 1])])
    return out


def _lines(text: Sequences) -> kernels.Lines:
    from .._kernels.runs import Lines

    return Lines(text.ids, text.start)


def _empty_table(lines: Sequences, runs: int) -> kernels.Runs:
    """With room for that many runs, twice as many slots at least."""
    from .._kernels.runs import Runs as Table

    return Table(lines.ids, np.zeros(1 << max(2 * runs - 1, 3).bit_length(), np.uint32))
