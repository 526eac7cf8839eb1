"""Hold out a part of a text, to judge by it what was learnt from the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import CynicalError
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.places import find_lines, part_of

EVERY = 10  # the tenth line, the twentieth, ...


def hold_out(sides: Sequence[Corpus], jobs: int, progress: Progress) -> tuple[list[Corpus], Corpus]:
    """Every side of a text without every tenth line, and those lines of the first side."""
    places = [find_lines(side, jobs, progress, "REPRESENTATIVE") for side in sides]
    lines = np.arange(len(places[0]))
    held = lines % EVERY == EVERY - 1
    if not held.any():
        raise CynicalError(
            f"{sides[0].name}: only {len(lines)} lines, of which none can be held out; give a held-out text with -t"
        )
    kept = [part_of(place, lines[: len(place)][~held[: len(place)]]) for place in places]
    return kept, Corpus.in_memory(f"a tenth of {sides[0].name}", places[0].texts(lines[held]))
