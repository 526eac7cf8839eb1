"""What a strategy returns, whatever it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Ranking:
    """What was picked, best first, and what it took."""

    line: NDArray[np.int64]  # from 0
    words: NDArray[np.int64]
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]
    word: NDArray[np.int64]  # -1 if no word of the line is representative
    types: NDArray[np.int64]  # representative word types seen so far, SEED included
    covered: NDArray[np.float64]  # their share of the representative corpus
    stop: int  # picks at the lowest entropy
    ended: str  # budget, patience or lines
    rescored: int
    refreshes: int
