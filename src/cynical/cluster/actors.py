"""Ray: workers are actors on a cluster. Ray is imported only here, and only when it is used."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.summary import EngineFacts
from ..model.counts import Counts
from ..options import Cluster, Settings
from ..options.scoring import Scoring
from ..progress import Progress
from ..scoring.run import Done
from ..selection.inputs import Inputs
from ..selection.run import rank_prepared
from ..text.corpus import Corpus
from ..text.partition import Share
from .address import caught_stderr, check_address, why_refused
from .count import HowToCount, count_on_workers
from .run import ClusterRun, Rank, run
from .score import HowToScore, score_on_workers
from .worker import make_shard
from .workers import LostWorkerError, Worker

Ray = Any  # the module, which has no types
Handle = Any  # of an actor
ENVIRONMENT = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
AUTH_MODE = "RAY_AUTH_MODE"  # which Ray sets itself when it starts a cluster with a token
LARGE = 1 << 16  # bytes: what is larger is put where all workers find it, once


class Keeper:
    """An actor: a shard, and errors as sentences."""

    def __init__(self, share: Share, plan: bytes) -> None:
        self._shard = make_shard(share, plan)
        with contextlib.suppress(OSError):  # if there is no such folder here, a relative path will say so
            os.chdir(self._shard.folder)  # this process is a worker's own

    def call(self, method: str, *arguments: object) -> tuple[bool, object]:
        """The answer, or a usage error."""
        try:
            return True, getattr(self._shard, method)(*arguments)
        except CynicalError as error:
            return False, error.message

    def pid(self) -> int:
        return os.getpid()


class Actor:
    """A worker on a cluster."""

    def __init__(self, ray: Ray, handle: Handle, put: Callable[[object], object]) -> None:
        self._ray, self.handle, self._put = ray, handle, put

    def ask(self, method: str, *arguments: object) -> object:
        return self.handle.call.remote(method, *(self._put(one) for one in arguments))

    def answer(self, asked: object) -> object:
        errors = self._ray.exceptions
        gone = (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.NodeDiedError)
        try:
            done, answer = self._ray.get(asked)
        except (*gone, errors.OutOfMemoryError) as error:
            raise LostWorkerError(" ".join(str(error).split())[:120]) from None
        if not done:
            raise CynicalError(answer)
        return answer

    def dismiss(self) -> None:
        with contextlib.suppress(Exception):  # it may be gone, and the cluster with it
            self._ray.kill(self.handle, no_restart=True)


class Hiring:
    """Makes actors, and puts what all of them need where they find it."""

    def __init__(self, ray: Ray, workers: int, processors: int) -> None:
        self._ray, self._each = ray, 1 if workers <= processors else 0
        self._kept: dict[int, tuple[object, object]] = {}
        self.actors: list[Actor] = []

    def __call__(self, share: Share, plan: bytes, again: bool) -> Worker:
        """One that replaces another goes wherever there is room, though all processors may be taken."""
        options = {"num_cpus": 0 if again else self._each, "max_restarts": 0, "scheduling_strategy": "SPREAD"}
        actor = self._ray.remote(Keeper).options(**options).remote(share, self.put(plan))
        self.actors.append(Actor(self._ray, actor, self.put))
        return self.actors[-1]

    def put(self, argument: object) -> object:
        if not isinstance(argument, bytes) or len(argument) < LARGE:
            return argument
        if id(argument) not in self._kept:
            self._kept[id(argument)] = argument, self._ray.put(argument)
        return self._kept[id(argument)][1]


@contextmanager
def connected(engine: Cluster) -> Iterator[tuple[Ray, EngineFacts]]:
    """Ray with a cluster, and what is known of it; a cluster of our own ends with the context, others keep running."""
    mode = os.environ.get(AUTH_MODE)
    with _environment():
        ray = _ray()
        ours = not ray.is_initialized()
        if ours:
            _connect(ray, engine.address)
    try:
        resources = ray.cluster_resources()
        yield ray, EngineFacts(name="ray", version=ray.__version__, processors=int(resources.get("CPU", 1)))
    finally:
        if ours:
            ray.shutdown()
            _put_back(AUTH_MODE, mode)


@contextmanager
def _environment() -> Iterator[None]:
    """Variables that a cluster of our own starts with, unless they are set; put back when it has started."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            _put_back(name, old)


def _put_back(variable: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


def _ray() -> Ray:
    try:
        import ray
    except ImportError:
        raise CynicalError("--engine ray needs Ray: pip install 'cynical[ray]'") from None
    return ray


def _connect(ray: Ray, address: str | None) -> None:
    quiet: dict[str, bool | int] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        ray.init("local", include_dashboard=False, **quiet)
        return
    said = ""
    try:
        check_address(address)
        with caught_stderr() as file:
            try:
                ray.init(address, **quiet)
            finally:
                file.seek(0)
                said = file.read().decode(errors="replace")
    except CynicalError:
        raise
    except Exception as error:
        raise why_refused(address, said, error) from None
    if said:
        sys.stderr.write(said)


@contextmanager
def run_on_ray(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    engine: Cluster,
    after_round: Callable[[int, Hiring], None] | None = None,
    rank: Rank = rank_prepared,
) -> Iterator[ClusterRun]:
    """A run whose shards live for as long as the context does; `after_round` is called when a round is over."""
    with _hiring(engine) as (hiring, workers, facts):
        after = None if after_round is None else lambda number: after_round(number, hiring)
        with run(inputs, settings, progress, workers, hiring, facts, after, rank) as made:
            yield made


@contextmanager
def _hiring(engine: Cluster) -> Iterator[tuple[Hiring, int, EngineFacts]]:
    """What hires workers on a cluster, how many, and what is known of it."""
    with connected(engine) as (ray, facts):
        workers = engine.workers or max(facts.processors, 1)
        yield Hiring(ray, workers, facts.processors), workers, facts


def score_on_ray(inputs: Inputs, scoring: Scoring, how: HowToScore, engine: Cluster, *, overwrite: bool) -> Done:
    """Score AVAILABLE, line by line, into one file."""
    with _hiring(engine) as (hiring, workers, _):
        return score_on_workers(inputs, scoring, how, workers, hiring, overwrite=overwrite)


def count_on_ray(source: Any, how: HowToCount, engine: Cluster) -> tuple[Counts, Corpus]:
    """Counts of files; and what they are, without their text."""
    with _hiring(engine) as (hiring, workers, _):
        return count_on_workers(source, how, workers, hiring)


def rank_on_ray(inputs: Inputs, settings: Settings, progress: Progress, engine: Cluster, rank: Rank) -> Jaded:
    """A ranking that needs the cluster no longer: of its lines it knows where they are."""
    with run_on_ray(inputs, settings, progress, engine, rank=rank) as made:
        return made.learn_places()
