"""Orders that need no model: what a selection should beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...options import RankSettings
from ...selection.prepare import Texts
from .random_numbers import draw


def random(texts: Texts, settings: RankSettings) -> NDArray[np.float64]:
    return draw(settings.seed, texts.index.lines)


def longest(texts: Texts, settings: RankSettings) -> NDArray[np.float64]:
    return texts.index.length.astype(np.float64)
