"""Random parts of REPRESENTATIVE: how much a ranking depends on which lines REPRESENTATIVE happens to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..model.random_numbers import draw
from ..selection.inputs import Given, Inputs
from ..text.corpus import Corpus
from ..text.places import Places, find_lines, part_of
from .texts import TextReader

APART = 1 << 60  # where the numbers begin: those of the method `random` begin at 0


@dataclass(frozen=True, slots=True, eq=False)
class Subsamples:
    """The same share of REPRESENTATIVE for every seed, and other lines."""

    targets: list[list[Places]]  # by target, then by side that counts; empty if the share is 1
    share: float

    @classmethod
    def of(cls, targets: Sequence[Sequence[Corpus]], share: float, reader: TextReader) -> Subsamples:
        if share == 1:
            return cls([], share)
        jobs, progress = reader.jobs, reader.progress
        return cls([[find_lines(side, jobs, progress, "REPRESENTATIVE") for side in sides] for sides in targets], share)

    def inputs(self, inputs: Inputs, seed: int) -> Inputs:
        """The inputs with a part of each target, with the same lines on all sides."""
        if self.share == 1:
            return inputs
        targets: list[list[Given]] = []
        for sides in self.targets:
            lines = self.lines(len(sides[0]), seed)
            targets.append([part_of(places, lines[lines < len(places)]) for places in sides])
        return replace(inputs, targets=targets)

    def lines(self, number: int, seed: int) -> NDArray[np.int64]:
        """Those of a text of `number` lines that a seed chooses, in their order."""
        kept = max(round(self.share * number), 1)
        return np.sort(np.argsort(draw(seed, number, before=APART), kind="stable")[:kept])
