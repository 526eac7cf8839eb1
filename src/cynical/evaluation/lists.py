"""The picks of other tools: a ranking, a text, or line numbers (.ids) of AVAILABLE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import CynicalError, if_one, number_of
from ..jaded.jaded import Jaded
from ..model.count import counts_in
from ..model.sequences import Numbering, Sequences
from ..options import Reading
from ..text.corpus import Corpus
from ..text.sources import Source
from .listing import is_numbers, open_list, open_listed
from .texts import LeftOut, TextReader


@dataclass(frozen=True, slots=True, eq=False)
class JudgedText:
    """A side that is judged, as far as lists need it."""

    place: int
    name: str | None
    available: Corpus
    held_out: Corpus
    numbering: Numbering


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """How lists are read."""

    sides: Sequence[JudgedText]
    available: Corpus  # the first side, whose lines are compared with those that are excluded
    excluded: LeftOut | None
    reading: Reading
    reader: TextReader

    def read(self, given: Jaded | Source) -> tuple[list[Sequences], list[str]]:
        """What is judged of a list, by side, without what is excluded; notices."""
        source, numbers = open_list(given, True, self.reading), is_numbers(given)
        plain, name = isinstance(source, Corpus) and not numbers, source.name
        if plain and len(self.sides) > 1:
            raise CynicalError(
                f"{name}: a text has one side, but both sides are measured; give a ranking with both sides, or line "
                "numbers (.ids)"
            )
        found, notices = [], []
        for side in self.sides:
            corpus = self._open(source, numbers, side.available, None if plain else side.name)
            text = self.reader.sequences(side.numbering, corpus, "--list")
            if not text.words:
                raise CynicalError(
                    f"{name}: no words in its {len(text):,} lines, so there is nothing to compare; give a text with "
                    "words"
                )
            if counts_in(corpus) is not None:
                raise CynicalError(f"{name}: this is a .counts file; give the picked lines as text, or as a ranking")
            found.append(text)
            if self.excluded is None:
                test = self.reader.sequences(side.numbering, side.held_out, "HELDOUT")
                notices += self.reader.notices(corpus, side.held_out, name, (text, test), first=side.place == 0)
        if self.excluded is None:
            return found, notices
        if plain and self.sides[0].place:
            return found, [f"{name}: --exclude compares the side of -a only, so no line of this list was excluded"]
        return self._without_excluded(self._open(source, numbers, self.available, None), found, name)

    def _open(self, source: Jaded | Corpus, numbers: bool, available: Corpus, side: str | None) -> Corpus:
        how = self.reading, self.reader.jobs, self.reader.progress
        return open_listed(source, available if numbers else None, None if numbers else side, *how).corpus

    def _without_excluded(
        self, first: Corpus, found: Sequence[Sequences], name: str
    ) -> tuple[list[Sequences], list[str]]:
        assert self.excluded is not None
        left_out = self.excluded.lines_of(first, "--list")
        kept = [text.take(np.flatnonzero(~left_out)) for text in found]
        if not all(text.words for text in kept):
            raise CynicalError(
                f"{name}: --exclude removes all of its lines, so there is nothing to compare; give another list"
            )
        number = int(left_out.sum())
        were = if_one(number, "was", "were")
        return kept, [f"{name}: {number_of(number, 'line')} {were} excluded because of --exclude"] if number else []
