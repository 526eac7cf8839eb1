"""A rehearsal: the run on a sample of AVAILABLE, to say what the whole will need.

Seconds are those of the sample, stage by stage, times the whole. Where lines share their words, picks of a sample may
take as long as those of the whole: a rehearsal ends after some rescorings, and the rest is taken to be like them, each
pick in proportion to the lines that are left.
What a large corpus adds is that its rows no longer fit a core's caches: a line of ten times the corpus takes
10 ** GROWTH times as long to search. That was measured, from one to ten million lines (docs/results/scale.md).
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, replace

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..memory import human
from ..model.budget import Limits
from ..model.budget import limits as limits_of
from ..options import Budget, Settings
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import open_corpus
from .inputs import Inputs
from .plan import Beside, Plan, sampled, sampled_together
from .prior import Rate, no_rate
from .run import run

GROWTH = 0.15
SAMPLE = 1 << 23  # bytes of text that a rehearsal reads
FEW = 1 << 15  # and before it, to load kernels
WORK = 2_000_000  # rescorings of a rehearsal: about a second
STAGES = {"read": "reading", "find the stop": "finding the stop", "lay out": "laying out", "select": "selecting"}


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
        least = f"with --memory at least {human(plan.least_memory)}, plus {human(plan.scratch)} in --scratch"
        stages = ((name, self.seconds[stage]) for stage, name in STAGES.items() if stage in self.seconds)
        took = ", ".join(f"{duration(seconds)} {name}" for name, seconds in stages)
        about = "all of it was read" if plan.ratio == 1 else f"from a sample of {100 / plan.ratio:.2g} %"
        rows = [
            ("available", f"{plan.lines:,} lines", f"{plan.words:,} words, {human(plan.size)} of text ({about})"),
            ("memory", human(plan.memory), f"at most ({least})"),
            ("time", duration(self.total), took),
        ]
        if self.limit is not None:
            room = f"{human(plan.scratch)} of it in --scratch" if self.spills else "fits into memory"
            rows.append(("limit", human(self.limit), room))
        return rows


def rehearse(inputs: Inputs, settings: Settings, progress: Progress, rate: Rate = no_rate) -> Rehearsal:
    """Read a sample of AVAILABLE, and pick from that, as long as WORK lasts."""
    sides = [open_corpus(side, "AVAILABLE", inputs.reading, most=SAMPLE) for side in inputs.available]
    _load_kernels([sampled(side, FEW) for side in sides], inputs, settings)
    samples = sampled_together(sides, SAMPLE)
    ratio = max((sides[0].whole or sides[0].size) / max(samples[0].size, 1), 1.0)
    here = replace(settings.execution, memory=None, checkpoint=None)
    everywhere = replace(settings.eligibility, max_share_of_document=None)  # a sample has no documents
    alike = replace(settings, budget=_scaled(settings.budget, ratio), eligibility=everywhere, execution=here)
    compiled = progress.seconds.get("compile", 0.0)
    jaded = run(replace(inputs, available=list(samples)), alike, progress, rate, WORK)
    compiled = progress.seconds.get("compile", 0.0) - compiled  # while lines were selected: done once on a machine
    summary, storage = jaded.summary, jaded.storage
    assert summary.index is not None and storage is not None
    available, took = summary.available, summary.seconds
    seeded = summary.seed is not None and bool(summary.seed.rankings)
    hashed = settings.needs_copies or settings.eligibility.max_copies or inputs.exclude is not None or seeded
    beside = Beside(
        resident=storage.before,
        features=summary.index.features,
        jobs=number_of_jobs(settings.execution.jobs),
        strategy=settings.ranking.strategy,
        hashed=bool(hashed),
        longer=settings.ranking.ngrams > 1,
        runs=settings.eligibility.exclude_ngrams is not None,
    )
    plan = Plan(
        lines=round(available.lines * ratio),
        words=round(available.words * ratio),
        entries=round(summary.index.entries * ratio),
        size=sum(side.whole or side.size for side in sides),
        ratio=ratio,
        beside=beside,
    )
    counting = took.get("count", 0.0)  # of other corpora, which were read as they are
    done = _share_done(jaded, limits_of(alike.budget, available.words))
    seconds = {
        "read": counting + (took.get("read", 0.0) - counting) * ratio,
        "lay out": took.get("lay out", 0.0) * ratio,
        "select": max(took.get("select", 0.0) - compiled, 0.0) / done * ratio ** (1 + GROWTH),
    }
    if "find the stop" in took:
        seconds["find the stop"] = took["find the stop"] / done * ratio
    return Rehearsal(plan, seconds, settings.memory_limit)


def _load_kernels(few: list[Corpus], inputs: Inputs, settings: Settings) -> None:
    """Run on a few lines, wanted and available alike, so that the seconds of a rehearsal are those of its work."""
    here = replace(settings.execution, memory=None, checkpoint=None)
    whole_lines = replace(settings.eligibility, exclude_ngrams=None, max_share_of_document=None)
    alike = replace(settings, budget=Budget(lines=10), eligibility=whole_lines, execution=here)
    tiny = replace(
        inputs,
        targets=[list(few[: inputs.counted])],
        available=list(few),
        unadapted=None,
        seed=None,
        exclude=None,
        weights=None,
    )
    with contextlib.suppress(CynicalError):  # of all lines it will be said
        run(tiny, alike, Progress())


def _share_done(jaded: Jaded, limits: Limits) -> float:
    """The share of its work that a rehearsal came to; at least that of a thousandth of its picks."""
    summary = jaded.summary
    ranked, of_all = summary.search.ranked, summary.available.lines - sum((summary.skipped or {}).values())
    if summary.search.rescored <= WORK or summary.search.ended_by != "budget":
        return 1.0
    shares = [ranked / max(of_all, 1), ranked / max(limits.picks, 1)]
    if limits.words < summary.available.words and summary.picked is not None:
        shares.append(summary.picked.words / max(limits.words, 1))
    picks = min(max(*shares, 0.001), 1.0)
    return work_of(picks, max(ranked / max(of_all, 1), 0.001))


def work_of(picks: float, lines: float) -> float:
    """The share of the work, given that of the picks that were made and that of the lines that these are.

    Where so much is rescored, a pick takes as long as there are lines left: x of all lines take x - x^2 / 2."""
    whole = min(lines / picks, 1.0)
    return min((lines - lines * lines / 2) / (whole - whole * whole / 2), 1.0)


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
