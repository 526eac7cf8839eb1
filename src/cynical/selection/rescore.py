"""The bits of a ranking that has only ids: its lines are picked again, in the same order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import UnsetType

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.made_from import available_files, reading_then, representative_files, tokenizer_then
from ..jaded.read import read_ranking
from ..jaded.summary import Summary, Target
from ..options import Ranking, Reading, Rereading, Settings, TextOptions, Thresholds, pick
from ..options.budget import Budget
from ..progress import Progress
from .available import open_local
from .fixed_order import follow
from .inputs import Inputs
from .order import in_given_order
from .prepare import prepare
from .prior import with_prior
from .run import finish
from .search import PICKS


def read_with_bits(path: str | Path, reading: Reading | None = None) -> Jaded:
    """A ranking that is read, with its bits whatever its format is."""
    return with_bits(read_ranking(path, reading))


def with_bits(jaded: Jaded) -> Jaded:
    """A ranking as it is; where its file has no bits, with those of its lines in this order."""
    if jaded.columns.has_bits:
        return jaded
    summary = jaded.summary
    inputs, settings = _inputs_of(summary, jaded.name), _settings_of(summary)
    prepared = prepare(inputs, settings, Progress(False), open_local)
    if inputs.prior is not None:
        prepared = with_prior(prepared)
    made = finish(prepared, lambda task: follow(task, in_given_order(prepared.available, jaded.lines, PICKS)))
    return Jaded(made.columns, jaded.content, summary, made.entropy_before, jaded.stop, jaded.file, made.storage)


def _settings_of(summary: Summary) -> Settings:
    """What decides the bits of a line, as it was."""
    told: dict[str, Any] = {name: value for name, value in summary.settings.items() if value is not None}
    tokenizer_then(summary, Rereading())  # one that runs code is an error
    return Settings(
        budget=Budget(all=True),
        ranking=pick(Ranking, told),
        thresholds=pick(Thresholds, told),
        text=pick(TextOptions, told),
    )


def _inputs_of(summary: Summary, name: str) -> Inputs:
    """The corpora that decide the bits, if they are still there."""
    targets, sides = representative_files(summary), available_files(summary)
    seed = [] if summary.seed is None else summary.seed.paths
    unknown = summary.seed is not None and not seed
    if (
        not targets
        or not sides
        or unknown
        or (summary.unadapted is not None and "classes" in summary.settings.values())
    ):
        what = "REPRESENTATIVE" if not targets else "AVAILABLE" if not sides else "SEED" if unknown else "UNADAPTED"
        raise CynicalError(
            f"{name}: ids have no bits, and {what}, which is needed to compute them, is missing or has changed; cut "
            "a ranking in another format, or restore the file"
        )
    each = [] if summary.representative is None else summary.representative.each
    weights = [float(one.weight) for one in each if isinstance(one, Target) and one.weight]
    counted = len(targets[0])
    return Inputs(
        [list(target) for target in targets],
        [*sides[:counted]],
        [side.column for side in summary.available.sides][: counted - 1],
        [""] * (counted - 1),
        seed=seed or None,
        weights=weights if len(weights) > 1 else None,
        reading=reading_then(summary, Reading()),
        prior=None if isinstance(summary.prior, UnsetType) else summary.prior.name,
    )
