"""A rehearsal: the run on a sample of AVAILABLE, to say what the whole will need.

Seconds are those of the sample, stage by stage, times the whole. What a large corpus adds is that its rows no longer
fit a core's caches: a line of ten times the corpus takes 10 ** DEARER times as long to search. That was measured, from
one to ten million lines (docs/scale.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..memory import human
from ..options import Budget, Settings
from ..progress import Progress
from ..text.sources import open_corpus
from .inputs import Inputs
from .plan import Plan, sampled
from .run import run

DEARER = 0.15
STAGES = {"read": "reading", "lay out": "laying out", "select": "selecting"}


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a run will need."""

    plan: Plan
    seconds: dict[str, float]
    limit: int | None

    @property
    def total(self) -> float:
        return sum(self.seconds.values())

    @property
    def spills(self) -> bool:
        return self.limit is not None and self.plan.memory > self.limit

    def rows(self) -> list[tuple[str, str, str]]:
        """For a table."""
        plan = self.plan
        least = f"{human(plan.least_memory)} at least, with --memory, and then {human(plan.scratch)} in --scratch"
        took = ", ".join(f"{duration(self.seconds[stage])} {name}" for stage, name in STAGES.items())
        about = "all of it was read" if plan.ratio == 1 else f"from a sample of {100 / plan.ratio:.2g} %"
        rows = [
            ("available", f"{plan.lines:,} lines", f"{plan.words:,} words, {human(plan.size)} of text ({about})"),
            ("memory", human(plan.memory), f"at most ({least})"),
            ("time", duration(self.total), took),
        ]
        if self.limit is not None:
            room = f"of which {human(plan.scratch)} go to --scratch" if self.spills else "all fits"
            rows.append(("limit", human(self.limit), room))
        return rows


def rehearse(inputs: Inputs, settings: Settings, progress: Progress) -> Rehearsal:
    """Read a sample of AVAILABLE, and pick from that."""
    sides = [open_corpus(side, "AVAILABLE", inputs.reading) for side in inputs.available]
    samples = [sampled(side) for side in sides]
    ratio = max(sides[0].size / max(samples[0].size, 1), 1.0)
    here = replace(settings.execution, memory=None, checkpoint=None)
    alike = replace(settings, budget=_scaled(settings.budget, ratio), execution=here)
    small = replace(inputs, available=list(samples))
    run(small, alike, Progress())  # the first run has kernels to load
    summary = run(small, alike, progress).summary
    available, took = summary.available, summary.seconds
    entries = 0 if summary.index is None else summary.index.entries
    plan = Plan(
        lines=round(available.lines * ratio),
        words=round(available.words * ratio),
        entries=round(entries * ratio),
        size=sum(side.size for side in sides),
        ratio=ratio,
        hashed=bool(settings.needs_copies or settings.eligibility.max_copies or inputs.exclude is not None),
    )
    dearer = {"read": 1.0, "lay out": 1.0, "select": ratio**DEARER}
    seconds = {stage: took.get(stage, 0.0) * ratio * dearer[stage] for stage in STAGES}
    return Rehearsal(plan, seconds, settings.memory_limit)


def _scaled(budget: Budget, ratio: float) -> Budget:
    """The same share of a sample."""
    lines = None if budget.lines is None else math.ceil(budget.lines / ratio)
    words = None if budget.words is None else math.ceil(budget.words / ratio)
    money = None if budget.money is None else budget.money / ratio
    return replace(budget, lines=lines, words=words, money=money)


def duration(seconds: float) -> str:
    """As people say it; a rehearsal knows no more than two digits."""
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"
