"""The measurements of a language model on the held-out text."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.sequences import Sequences


class Judged(NamedTuple):
    """What the held-out text costs under a model."""

    perplexity: float
    perplexity_known: float | None  # without unknown words; None if there are no others
    bits: NDArray[np.float64]  # by line


class LanguageModel(Protocol):
    """What learns from a text that grows, and says what the held-out text costs."""

    vocabulary: int

    def judge(self, text: Sequences, lines: int) -> Judged:
        """When the first lines of a text have been learnt."""
        ...
