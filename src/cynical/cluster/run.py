"""One run on a cluster, from its corpora to its ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ..errors import CynicalError
from ..jaded.content import PoolContent
from ..jaded.jaded import Jaded
from ..jaded.summary import EngineFacts
from ..options import Settings, not_on_a_cluster
from ..progress import Progress
from ..selection.inputs import Inputs
from ..selection.model_stop import stop_by_entropy
from ..selection.prepare import prepare
from ..selection.run import finish, notice_excluded
from ..selection.search import Ranking, Task
from ..text.partition import Share, files_of
from ..text.paths import shown
from ..text.sources import check_one_kind
from .available import ShardedAvailable, open_sharded
from .driver import start
from .workers import Hire, Worker

AfterRound = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FarRun:
    """A ranking, and the shards that hold its lines."""

    jaded: Jaded
    available: ShardedAvailable

    def learn_places(self) -> Jaded:
        """The ranking when it can do without the shards: they say where its lines are."""
        jaded, content = self.jaded, self.jaded.content
        assert isinstance(content, PoolContent)
        places = [places.known(jaded.lines) for places in self.available.places]
        return jaded.replaced(content=replace(content, places=places))


def check_supported(inputs: Inputs, settings: Settings) -> None:
    """Refuse what only a run in one place can do, before anything is read."""
    for option in not_on_a_cluster(settings, with_=inputs.available[1:], prior=inputs.prior, by=inputs.by):
        raise CynicalError(f"{option} is not available with --engine ray; leave one of them out")
    files = files_of(inputs.available[0], inputs.reading)
    if len(files) > 1 and check_one_kind(files, inputs.reading) == "tsv":
        raise CynicalError(
            f"{shown(files[0])}: several tables may have different columns, which --engine ray cannot write as one; "
            "join them, or convert them to JSON lines"
        )


@contextmanager
def run(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    workers: int,
    hire: Hire,
    facts: EngineFacts,
    after_round: AfterRound | None = None,
) -> Iterator[FarRun]:
    """Select with workers that are hired for it, and kept for as long as the context lasts.

    `facts` is what the summary says of the engine; `after_round` is called with the number of each round that is over.
    """
    check_supported(inputs, settings)
    hired: list[Worker] = []

    def hire_one(share: Share, plan: bytes, again: bool) -> Worker:
        hired.append(hire(share, plan, again))
        return hired[-1]

    try:
        prepared = prepare(
            inputs, settings, progress, partial(open_sharded, settings=settings, workers=workers, hire=hire_one)
        )
        if settings.stop == "model":
            prepared = stop_by_entropy(prepared, "a cluster holds out no text to find the best cut for a model")
        available, made = prepared.available, []
        crew = available.shards.workers

        def search(task: Task) -> Ranking:
            with progress.stage("lay out"):
                pool = available.begin(task)
            driver = start(task, crew, pool, after_round)
            made.append(driver)
            return driver.search()

        jaded = notice_excluded(prepared, finish(prepared, search))
        driver = made[0]
        engine = facts.replaced(
            workers=len(crew),
            rounds=driver.rounds,
            candidates=driver.candidates,
            returned=driver.returned,
            sent=driver.sent,
            rescored_by_workers=driver.rescored,
            rebuilt=crew.rebuilt,
            peak_of_a_worker=max(crew.ask("peak", [()] * len(crew))),
        )
        yield FarRun(jaded.replaced(summary=jaded.summary.replaced(engine=engine)), available)
    finally:
        for worker in hired:
            worker.dismiss()
