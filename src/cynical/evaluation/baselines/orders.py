"""Orders that need no model: what a selection should beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...model.random_numbers import draw
from ...options import Method
from ...selection.prepare import LocallyPrepared


def random(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64]:
    return draw(method.seed, prepared.available.index.lines)


def longest(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64]:
    return prepared.available.index.words.astype(np.float64)
