"""From the corpora to a Jaded ranking in the order of a baseline: read, score, follow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jaded.jaded import Jaded
from ..options import Settings
from ..progress import Progress
from ..selection.available import open_local
from ..selection.fixed_order import follow
from ..selection.inputs import Inputs
from ..selection.prepare import prepare
from ..selection.run import finish
from .baselines import METHODS


def run(inputs: Inputs, settings: Settings, progress: Progress) -> Jaded:
    """Rank lines by the baseline that the settings name."""
    assert settings.baseline is not None
    method = METHODS[settings.method]
    prepared = prepare(inputs, settings, progress, open_local)
    available = prepared.available
    with progress.stage("score"):
        find = method.score()
        score = None if find is None else find(prepared, settings.baseline)
        order = in_order(available.allowed, score, method.lowest_first)
    return finish(prepared, lambda task: follow(available.index, task, order), score)


def in_order(
    allowed: NDArray[np.bool_], score: NDArray[np.float64] | None, lowest_first: bool = False
) -> NDArray[np.int64]:
    """The lines that may be picked, by their scores, the best first, ties to the earlier; as they stand without."""
    lines = np.flatnonzero(allowed)
    if score is None:
        return lines
    key = score[lines] if lowest_first else -score[lines]
    return lines[np.argsort(key, kind="stable")]
