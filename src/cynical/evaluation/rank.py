"""From the corpora to a Jaded ranking in the order of a baseline: read, score, follow."""

from __future__ import annotations

import numpy as np

from ..jaded.jaded import Jaded
from ..options import Method, Settings, pick
from ..progress import Progress
from ..selection.available import Available, LocalAvailable, open_local
from ..selection.fixed_order import follow
from ..selection.inputs import Inputs
from ..selection.order import in_order, scores_of, sort_lines
from ..selection.prepare import Prepared, prepare
from ..selection.run import finish
from ..selection.search import PICKS
from ..selection.shards import Each
from .baselines import METHODS


def run(inputs: Inputs, settings: Settings, progress: Progress) -> Jaded:
    """Rank lines by the baseline that the settings name, on this machine."""
    return rank_prepared(prepare(inputs, settings, progress, open_local))


def rank_prepared(prepared: Prepared[Available]) -> Jaded:
    """The same, wherever the lines are."""
    baseline, available = prepared.settings.baseline, prepared.available
    assert baseline is not None
    with prepared.progress.stage("score"):
        scored = _score(prepared, baseline)
        sort_lines(available, lowest_first=METHODS[baseline.method].lowest_first)
    return finish(
        prepared,
        lambda task: follow(task, in_order(available, PICKS)),
        (lambda lines: scores_of(available, lines)) if scored else None,
    )


def rate(prepared: Prepared[Available], name: str) -> None:
    """Have a method score the lines of AVAILABLE, the highest best."""
    available = prepared.available
    if not _score(prepared, pick(Method, {"method": name})):
        available.tell(_earlier_first, Each(available.first))
    elif METHODS[name].lowest_first:
        available.tell(_turn_round)


def _earlier_first(shard: LocalAvailable, before: int) -> None:
    shard.score = -(before + np.arange(shard.index.lines, dtype=np.float64))


def _turn_round(shard: LocalAvailable) -> None:
    assert shard.score is not None
    shard.score = -shard.score


def _score(prepared: Prepared[Available], method: Method) -> bool:
    """Have lines scored; False if the method has no scores."""
    score = METHODS[method.method].score()
    if score is not None:
        score(prepared, method)
    return score is not None
