"""The log2 of arrays, the same on every machine (see _kernels/log2.py)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LN2 = 0.6931471805599453


def log2(x: NDArray[np.float64]) -> NDArray[np.float64]:
    from .._kernels.log2 import log2_of

    out = np.empty(len(x))
    log2_of(x, out)
    return out
