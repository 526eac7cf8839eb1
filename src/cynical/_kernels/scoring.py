"""Penalties of lines of any length, for a fixed selection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .formulas import penalty
from .jit import kernel


@kernel
def penalties(features: NDArray[np.int64], selected: int, base: float, out: NDArray[np.float64]) -> None:
    """By line, what its length in features costs, given those that have been selected; base is s * V."""
    for line in range(features.size):
        out[line] = penalty(selected, features[line], base)
