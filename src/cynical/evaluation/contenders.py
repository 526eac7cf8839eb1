"""Who is compared: cynical itself and the baselines, each as the settings that make it rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..baselines import METHODS
from ..errors import CynicalError
from ..inputs import Inputs
from ..jaded import Jaded
from ..progress import Progress
from ..settings import RankSettings, Settings

OURS = {"cynical": {}, "cynical-2-grams": {"per": "word", "ngrams": 2}}
ORDER = ("cynical", "cynical-2-grams", "moore-lewis", "bilingual-moore-lewis", "dsir", "random", "longest", "in-order")
ONE_SIDE, BOTH_SIDES = "moore-lewis", "bilingual-moore-lewis"
WHAT = {"cynical": "single words, per line", "cynical-2-grams": "words and word pairs, per word"}
WHAT |= {name: method.what for name, method in METHODS.items()}


def chosen(names: Sequence[str], sides: int) -> list[str]:
    """The methods asked for, else all that make sense for as many sides as count."""
    unknown = [name for name in names if name not in ORDER]
    if unknown:
        raise CynicalError(f"--methods {unknown[0]}: no such method; choose from {', '.join(ORDER)}")
    senseless = BOTH_SIDES if sides == 1 else ONE_SIDE
    return list(dict.fromkeys(names)) or [name for name in ORDER if name != senseless]


def rank_by(name: str, inputs: Inputs, settings: Settings, random_seed: int | None, progress: Progress) -> Jaded:
    """The ranking of a contender, with the settings that all have in common."""
    from .. import ordering, selecting

    if name in OURS:
        per, ngrams = OURS[name].get("per"), OURS[name].get("ngrams", 1)
        own = replace(settings, per=per, tokenizer=replace(settings.tokenizer, ngrams=ngrams))  # type: ignore[arg-type]
        return selecting.run(inputs, own, progress)
    draws = "random_seed" in METHODS[name].options
    baseline = RankSettings(
        budget=settings.budget,
        smoothing=settings.smoothing,
        choice=settings.choice,
        tokenizer=settings.tokenizer,
        jobs=settings.jobs,
        method=name,
        random_seed=random_seed if draws else None,
    )
    return ordering.run(inputs, baseline, progress)
