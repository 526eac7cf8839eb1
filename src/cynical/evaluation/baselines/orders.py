"""Orders that need no model: what a selection should beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...options import RankSettings
from ...selection.prepare import LocallyPrepared
from .random_numbers import draw


def random(prepared: LocallyPrepared, settings: RankSettings) -> NDArray[np.float64]:
    return draw(settings.seed, prepared.available.index.lines)


def longest(prepared: LocallyPrepared, settings: RankSettings) -> NDArray[np.float64]:
    return prepared.available.index.words.astype(np.float64)
