"""Random parts of REPRESENTATIVE: how much do picks change when REPRESENTATIVE changes a little?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, number_of
from ..model.random_numbers import draw
from ..selection.inputs import Given, Inputs
from ..selection.sides import check_same_lines
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
        """Find the lines of all targets, if there is something to leave out."""
        if share == 1:
            return cls([], share)
        jobs, progress = reader.jobs, reader.progress
        made = cls([], share)
        for target in targets:
            sides = [find_lines(side, jobs, progress, "REPRESENTATIVE") for side in target]
            made.targets.append([*sides])
            check_same_lines(sides)
            number = len(sides[0])
            if number and made.size(number) == number:
                raise CynicalError(
                    f"--subsample {share:g} leaves out none of {number_of(number, 'line')} ({sides[0].corpus.name}); "
                    "give a smaller fraction or a longer text"
                )
        return made

    def inputs(self, inputs: Inputs, seed: int) -> Inputs:
        """The inputs with a part of each target, with the same lines on all sides."""
        if self.share == 1:
            return inputs
        lines = [self.lines(len(sides[0]), seed) for sides in self.targets]
        parts = [[part_of(side, own) for side in sides] for sides, own in zip(self.targets, lines, strict=True)]
        return with_parts(inputs, parts)

    def lines(self, number: int, seed: int) -> NDArray[np.int64]:
        """Those of a text of `number` lines that a seed chooses, in their order."""
        return np.sort(np.argsort(draw(seed, number, before=APART), kind="stable")[: self.size(number)])

    def size(self, number: int) -> int:
        """How many these are."""
        return max(round(self.share * number), 1)


def with_parts(inputs: Inputs, parts: Sequence[Sequence[Corpus]]) -> Inputs:
    """The inputs with other targets, which are in memory: no records, whatever they were taken from."""
    targets: list[list[Given]] = [list(sides) for sides in parts]
    reading = replace(inputs.reading, text_key=None, text_template=None, unit="document")
    return replace(inputs, targets=targets, reading=reading)
