"""One run on a cluster, from its corpora to its ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ..errors import CynicalError
from ..jaded.content import PoolContent
from ..jaded.jaded import Jaded
from ..jaded.rows import CompressedCodes, CompressedShards
from ..jaded.summary import EngineFacts
from ..options import Settings, not_on_a_cluster
from ..progress import Progress
from ..selection.available import Available, LocalAvailable
from ..selection.inputs import Inputs
from ..selection.prepare import Prepared, prepare
from ..selection.run import rank_prepared
from ..text.partition import files_of
from .available import ShardedAvailable, open_sharded
from .content import with_sharded_content
from .workers import Hire, dismissing

AfterRound = Callable[[int], None]
Rank = Callable[[Prepared[Available]], Jaded]  # makes a ranking, wherever the lines are


@dataclass(frozen=True, slots=True)
class ClusterRun:
    """A ranking, and the shards that hold its lines."""

    jaded: Jaded
    available: ShardedAvailable

    def with_texts(self) -> Jaded:
        """The ranking while there are shards: they have its texts and records."""
        return with_sharded_content(self.jaded, self.available)

    def learn_places(self) -> Jaded:
        """The ranking when it can do without the shards: they say where its lines are."""
        jaded, content = self.jaded, self.jaded.content
        assert isinstance(content, PoolContent)
        places = [places.known(jaded.lines) for places in self.available.places]
        assert jaded.reasons is not None
        reasons = replace(jaded.reasons, code=CompressedShards(self.available.ask(_compressed_reasons)))
        return jaded.replaced(content=replace(content, places=places), reasons=reasons)


def _compressed_reasons(shard: LocalAvailable) -> CompressedCodes:
    return CompressedCodes.of(shard.reason)


def check_supported(inputs: Inputs, settings: Settings) -> None:
    """Raise an error, before anything is read, for what only a run on one machine supports."""
    for sentence in not_on_a_cluster(settings):
        raise CynicalError(sentence)
    for side in inputs.available:
        files_of(side, inputs.reading)


@contextmanager
def run(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    workers: int,
    hire: Hire,
    facts: EngineFacts,
    after_round: AfterRound | None = None,
    rank: Rank = rank_prepared,
) -> Iterator[ClusterRun]:
    """Rank with workers that are hired for it, and kept for as long as the context lasts.

    `facts` is what the summary says of the engine; `after_round` is called with the number of each round that is over.
    """
    check_supported(inputs, settings)
    with dismissing(hire) as hire_one:
        open_available = partial(
            open_sharded, settings=settings, workers=workers, hire=hire_one, after_round=after_round
        )
        prepared = prepare(inputs, settings, progress, open_available)
        jaded, available = rank(prepared), prepared.available
        crew, drivers = available.shards.workers, available.drivers
        engine = facts.replaced(
            workers=len(crew),
            rounds=sum(driver.rounds for driver in drivers),
            candidates=sum(driver.candidates for driver in drivers),
            returned=sum(driver.returned for driver in drivers),
            sent=sum(driver.sent for driver in drivers),
            rescored_by_workers=sum(driver.rescored for driver in drivers),
            rebuilt=crew.rebuilt,
            peak_of_a_worker=max(crew.ask("peak", [()] * len(crew))),
        )
        yield ClusterRun(jaded.replaced(summary=jaded.summary.replaced(engine=engine)), available)
