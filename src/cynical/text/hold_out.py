"""Hold out a part of a text, to measure what was learnt from the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from .corpus import Corpus
from .places import Places, find_lines, part_of

EVERY = 10  # the tenth line, the twentieth, ...


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A text, side by side, and which of its lines are held out."""

    places: Sequence[Places]  # by side
    held: NDArray[np.bool_]  # by line

    def __len__(self) -> int:
        """How many are."""
        return int(np.count_nonzero(self.held))

    @property
    def kept(self) -> list[Corpus]:
        """The other lines of every side."""
        lines = np.arange(len(self.held))
        return [part_of(places, lines[: len(places)][~self.held[: len(places)]]) for places in self.places]

    def held_out(self, side: int) -> Corpus:
        """The lines of a side that are held out."""
        places = self.places[side]
        lines = np.flatnonzero(self.held[: len(places)])
        return Corpus.in_memory(f"a tenth of {places.corpus.name}", places.texts(lines))


def hold_out(sides: Sequence[Corpus], jobs: int, progress: Progress, most: int | None = None) -> Split:
    """Hold out every tenth line of a text; where those are more than `most`, every twentieth, thirtieth, ..."""
    places = [find_lines(side, jobs, progress, "REPRESENTATIVE") for side in sides]
    lines = len(places[0])
    every = EVERY if most is None else EVERY * max(-(-lines // (EVERY * most)), 1)
    return Split(places, np.arange(lines) % every == every - 1)
