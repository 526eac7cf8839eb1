"""One run on a cluster, from its corpora to its ranking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.summary import EngineFacts
from ..options import Settings
from ..progress import Progress
from ..selection.inputs import Inputs
from ..selection.run import finish
from ..selection.search import Ranking, Task
from ..text.kinds import is_ranking_file
from ..text.paths import expand, shown
from ..text.sources import check_one_kind
from .driver import Driver
from .partition import Share, files_of
from .places import FarPlaces
from .prepare import NO_RANKING, FarTexts
from .workers import Worker

AfterRound = Callable[[int], None]


@dataclass(slots=True)
class FarRun:
    """A ranking, and the shards that hold its lines."""

    jaded: Jaded
    texts: FarTexts

    def learn_places(self) -> Jaded:
        """Have the shards say where the picks are, so that the ranking can do without them."""
        lines, first = self.jaded.lines, self.texts.first
        mine = self.texts.by_shard(lines)
        asked = zip(mine, first, range(len(first)), strict=True)
        wanted = [(lines[own] - begin, self.texts.text_before(shard)) for own, begin, shard in asked]
        found = self.texts.crew.ask("spans", wanted)
        spans = np.zeros((2, len(lines)), np.int64)
        for own, of_shard in zip(mine, found, strict=True):
            spans[:, own] = of_shard
        places = self.jaded.places[0]
        assert isinstance(places, FarPlaces)
        places.learn(lines, spans)
        return self.jaded


def check_supported(inputs: Inputs, settings: Settings) -> None:
    """Refuse what only a run in one place can do, before anything is read."""
    choice = settings.choice
    refused = {
        f"--strategy {settings.strategy}": settings.strategy != "exact",
        "--with (other sides)": len(inputs.available) > 1,
        "--max-copies": choice.max_copies is not None,
        "--memory": settings.memory is not None,
    }
    for option, given in refused.items():
        if given:
            raise CynicalError(f"{option} cannot be had with --engine ray; leave one of them out")
    for name in _rankings(inputs.seed[0] if inputs.seed else None):
        raise CynicalError(f"{name}: {NO_RANKING}")
    files = files_of(inputs.available[0], inputs.reading)
    if len(files) > 1 and check_one_kind(files, inputs.reading) == "tsv":
        raise CynicalError(
            f"{shown(files[0])}: several tables may have different columns, which --engine ray cannot write as one; "
            "join them, or convert them to JSON lines"
        )


def _rankings(seed: Any) -> Iterator[str]:
    """What of SEED is an earlier ranking, as far as can be told before it is opened."""
    for one in seed if isinstance(seed, (list, tuple)) else [seed]:
        if isinstance(one, Jaded):
            yield "SEED"
        if isinstance(one, Path) or (isinstance(one, str) and one is seed):  # other strings are lines
            yield from (shown(file) for file in expand(one) if is_ranking_file(file))


@contextmanager
def run(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    workers: int,
    hire: Callable[[Share, bytes, bool], Worker],
    facts: EngineFacts,
    after_round: AfterRound | None = None,
) -> Iterator[FarRun]:
    """Select with workers that are hired for it, and kept for as long as the context lasts.

    `facts` is what the summary says of the engine; `after_round` is called with the number of each round that is over.
    """
    began = time.perf_counter()
    check_supported(inputs, settings)
    hired: list[Worker] = []

    def hire_one(share: Share, plan: bytes, again: bool) -> Worker:
        hired.append(hire(share, plan, again))
        return hired[-1]

    try:
        texts = FarTexts(inputs, settings, progress, workers, hire_one)
        classes = texts.classify() if settings.needs_classes else None
        if settings.vocabulary == "classes":
            texts.target.collapse()
        made: list[Driver] = []

        def search(task: Task) -> Ranking:
            with progress.stage("lay out"):
                pool = texts.begin(task)
            made.append(Driver(task, texts.crew, pool, after_round))
            return made[0].search()

        jaded = finish(inputs, settings, texts, began, search, classes=classes)
        driver = made[0]
        engine = facts.replaced(
            workers=len(texts.crew),
            rounds=driver.rounds,
            candidates=driver.candidates,
            rescored_by_workers=driver.rescored,
            rebuilt=texts.crew.rebuilt,
            peak_of_a_worker=max(texts.crew.ask("peak", [()] * len(texts.crew))),
        )
        yield FarRun(replace(jaded, summary=jaded.summary.replaced(engine=engine)), texts)
    finally:
        for worker in hired:
            worker.dismiss()
