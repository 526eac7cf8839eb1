"""Who is compared: cynical itself and the baselines, each as the settings that make it rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..options import Method, Settings, pick
from ..options.method import USED_BY
from ..options.ranking import Per
from ..progress import Progress
from ..selection.inputs import Inputs
from .baselines import METHODS

OURS: dict[str, tuple[str, Per | None, int]] = {  # what it is, --per, --ngrams
    "cynical": ("single words, per line", None, 1),
    "cynical-per-word": ("single words, per word", "word", 1),
    "cynical-2-grams": ("words and word pairs, per word", "word", 2),
}
ONE_SIDE, BOTH_SIDES = "moore-lewis", "bilingual-moore-lewis"
ORDER = (*OURS, ONE_SIDE, BOTH_SIDES, "dsir", "random", "longest", "in-order")
BY_REQUEST = ("cynical-per-word",)
WHAT = {name: what for name, (what, _, _) in OURS.items()} | {name: method.what for name, method in METHODS.items()}


def chosen(names: Sequence[str], sides: int) -> list[str]:
    """The methods asked for, else all that make sense for as many sides as count."""
    unknown = [name for name in names if name.strip() not in ORDER]
    if unknown:
        raise CynicalError(f"--methods {unknown[0]}: no such method; choose from {', '.join(ORDER)}")
    names = [name.strip() for name in names]
    senseless = BOTH_SIDES if sides == 1 else ONE_SIDE
    if senseless in names:
        reason = "needs both sides: give --with and --representative-with" if sides == 1 else "looks at one side"
        raise CynicalError(
            f"--methods {senseless}: it {reason}; or give --methods {ONE_SIDE if sides == 1 else BOTH_SIDES}"
        )
    left_out = (*BY_REQUEST, senseless)
    return list(dict.fromkeys(names)) or [name for name in ORDER if name not in left_out]


def rank_by(name: str, inputs: Inputs, settings: Settings, random_seed: int | None, progress: Progress) -> Jaded:
    """The ranking of a contender, with the settings that all have in common."""
    from ..selection.run import run
    from . import rank as ordering

    if name in OURS:
        _, per, ngrams = OURS[name]
        own = replace(settings, ranking=replace(settings.ranking, per=per, ngrams=ngrams))
        return run(inputs, own, progress)
    draws = name in USED_BY["random_seed"]
    method = pick(Method, {"method": name, "random_seed": random_seed if draws else None})
    return ordering.run(inputs, replace(settings, baseline=method), progress)
