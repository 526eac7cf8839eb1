"""The methods to compare: cynical selection and the baselines, each with its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..options import Method, Settings, pick
from ..options.method import USED_BY
from ..options.ranking import Ranking
from ..progress import Progress
from ..selection.inputs import Inputs
from .baselines import METHODS

OURS: dict[str, tuple[str, dict[str, Any]]] = {  # what it is, and its options
    "cynical": ("single words, per line", {}),
    "cynical-per-word": ("single words, per word", {"per": "word"}),
    "cynical-2-grams": ("words and word pairs, per word", {"per": "word", "ngrams": 2}),
    "cynical-for-model": (
        "the same, widened by lines that look like REPRESENTATIVE, and pairs smoothed towards independent words",
        {"for_": "model"},
    ),
    "cynical-batch": (
        "the paper's own setting: batches, words by class",
        {"strategy": "batch", "vocabulary": "classes"},
    ),
}
ONE_SIDE, BOTH_SIDES = "moore-lewis", "bilingual-moore-lewis"
ORDER = (*OURS, ONE_SIDE, BOTH_SIDES, "classifier", "dsir", "random", "longest", "in-order")
BY_REQUEST = ("cynical-per-word", "cynical-batch")
WHAT = {name: what for name, (what, _) in OURS.items()} | {name: method.what for name, method in METHODS.items()}


def chosen(names: Sequence[str], sides: int) -> list[str]:
    """The requested methods, else every method that fits the number of sides that count."""
    unknown = [name for name in names if name not in ORDER]
    if unknown:
        raise CynicalError(f"--methods {unknown[0]}: unknown method; choose from {', '.join(ORDER)}")
    senseless = BOTH_SIDES if sides == 1 else ONE_SIDE
    if senseless in names:
        reason = (
            "needs both sides; give --with and --representative-with"
            if sides == 1
            else "uses one side, but both sides count"
        )
        raise CynicalError(
            f"--methods {senseless}: the method {reason}; or use --methods {ONE_SIDE if sides == 1 else BOTH_SIDES}"
        )
    left_out = (*BY_REQUEST, senseless)
    return list(dict.fromkeys(names)) or [name for name in ORDER if name not in left_out]


def command_of(name: str) -> str:
    """The command that ranks by a method, without its corpora; empty for what is no method, such as a list."""
    if name in OURS:
        return " ".join(
            ["cynical select", *(f"--{option.strip('_')} {value}" for option, value in OURS[name][1].items())]
        )
    return f"cynical rank --method {name}" if name in METHODS else ""


def draws(name: str) -> bool:
    """Does a method have random numbers that a seed decides?"""
    return name in USED_BY["random_seed"]


def rank_by(name: str, inputs: Inputs, settings: Settings, random_seed: int | None, progress: Progress) -> Jaded:
    """The ranking of a contender, with the settings that all have in common."""
    from ..selection.run import run
    from . import rank as ordering

    if name in OURS:
        smoothing = settings.ranking.smoothing
        own = replace(settings, ranking=pick(Ranking, {"smoothing": smoothing, **OURS[name][1]}))
        return run(inputs, own, progress, look_at_picks=False)  # all of AVAILABLE was looked at before
    method = pick(Method, {"method": name, "random_seed": random_seed if draws(name) else None})
    return ordering.run(inputs, replace(settings, baseline=method), progress)
