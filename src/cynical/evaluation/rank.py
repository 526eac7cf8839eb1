"""From the corpora to a Jaded ranking in the order of a baseline: read, score, follow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jaded.jaded import Jaded
from ..options import Method, Settings, pick
from ..progress import Progress
from ..selection.available import open_local
from ..selection.fixed_order import best_first, follow
from ..selection.inputs import Inputs
from ..selection.prepare import LocallyPrepared, prepare
from ..selection.run import finish
from .baselines import METHODS


def run(inputs: Inputs, settings: Settings, progress: Progress) -> Jaded:
    """Rank lines by the baseline that the settings name."""
    assert settings.baseline is not None
    method = METHODS[settings.method]
    prepared = prepare(inputs, settings, progress, open_local)
    available = prepared.available
    with progress.stage("score"):
        score = _score(prepared, settings.baseline)
        order = best_first(available.allowed, -score if method.lowest_first and score is not None else score)
    return finish(prepared, lambda task: follow(available.index, task, order), score)


def rate(prepared: LocallyPrepared, name: str) -> NDArray[np.float64]:
    """The scores that a method gives the lines of AVAILABLE, the highest best."""
    score = _score(prepared, pick(Method, {"method": name}))
    if score is None:
        return -np.arange(prepared.available.index.lines, dtype=np.float64)
    return -score if METHODS[name].lowest_first else score


def _score(prepared: LocallyPrepared, method: Method) -> NDArray[np.float64] | None:
    find = METHODS[method.method].score()
    return None if find is None else find(prepared, method)
