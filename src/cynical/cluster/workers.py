"""The workers that hold the shards. One that is lost is replaced: its shard is read again from its source, and
told which lines were picked and what has been counted since. Rows that the lost one gave away are in it again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..text.partition import Share
from .messages import News, Orders, Plan, Report, Scored, WhatToRead, pickled, pickled_call
from .worker import Shard

T = TypeVar("T")
MOST_LOSSES = 3  # of one shard, one after another: then it is no accident
OF_SEARCH = ("offer", "gains")  # what only a worker that has begun to search can answer


class LostWorkerError(Exception):
    """A worker that no longer answers: what is known of why."""


class Worker(Protocol):
    """Somewhere a shard is kept; what is asked for can be waited for later."""

    def ask(self, method: str, *arguments: object) -> object: ...
    def answer(self, asked: object) -> Any:
        """What came of it; LostWorkerError if the worker is no longer there."""
        ...

    def dismiss(self) -> None: ...


Hire = Callable[[Share, bytes, bool], Worker]  # a share, the pickled plan, and whether a lost worker is replaced


@dataclass(slots=True, eq=False)
class Workers:
    """All shards, asked together; each answer is that of a shard that knows all it has to know."""

    shares: Sequence[Share]
    workers: list[Worker]
    _plan: bytes
    _hire: Hire
    _told: list[tuple[str, Sequence[tuple[object, ...]]]] = field(default_factory=list)  # what each shard must know
    _orders: bytes | None = None
    _learnt: Callable[[int], News | Scored] | None = None  # by shard, what it has learnt since the search began
    _picked: list[list[NDArray[np.int64]]] = field(default_factory=list)  # by shard, its lines that were picked
    _lives: list[int] = field(default_factory=list)  # by shard, how often it was replaced
    _searching: list[bool] = field(default_factory=list)  # by shard, has its worker begun to search?
    _lock: threading.RLock = field(default_factory=threading.RLock)  # what judges picks asks while others are searched

    @property
    def rebuilt(self) -> int:
        return sum(self._lives)

    def __len__(self) -> int:
        return len(self.shares)

    def read(self, what: WhatToRead) -> list[Report]:
        reports: list[Report] = self.tell("read", [(pickled(what),)] * len(self))
        return reports

    def call(self, function: Callable[..., T], arguments: Sequence[object], *, lasting: bool) -> list[T]:
        """What a function says of each shard; `lasting` says that it changes them."""
        answers: list[T] = (self.tell if lasting else self.ask)("call", pickled_call(function, arguments, len(self)))
        return answers

    def tell(self, method: str, arguments: Sequence[tuple[object, ...]]) -> list[Any]:
        """The answers of all shards to what a shard that is read again must be told too."""
        answers = self.ask(method, arguments)
        self._told.append((method, arguments))
        return answers

    def begin(self, orders: Orders, taken: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Lay out; `taken` has by shard the lines that an earlier run has picked."""
        with self._lock:
            self._orders = self._learnt = None
            self._picked = [[lines] for lines in taken]
            message = pickled(orders)
            told = [(message, lines, life) for lines, life in zip(taken, self._lives, strict=True)]
            answers: list[NDArray[np.int64]] = self.ask("begin", told)
            self._orders, self._searching = message, [True] * len(self)
            return answers

    def tell_again(self, learnt: Callable[[int], News | Scored]) -> None:
        """What a worker is told that searches in place of a lost one."""
        self._learnt = learnt

    def note_picks(self, picked: Sequence[NDArray[np.int64]]) -> None:
        """Remember lines that were picked, by shard, as it counts them."""
        for known, lines in zip(self._picked, picked, strict=True):
            known.append(lines)

    def offer(self, requests: Sequence[object]) -> list[Any]:
        return self.ask("offer", [(request,) for request in requests])

    def ask(self, method: str, arguments: Sequence[tuple[object, ...]]) -> list[Any]:
        """The answers of all shards to one question each."""
        return list(self.ask_some(method, dict(enumerate(arguments))).values())

    def ask_some(self, method: str, arguments: Mapping[int, tuple[object, ...]]) -> dict[int, Any]:
        """The answers of some shards to one question each, by shard."""
        with self._lock:
            asked = {shard: self._asked(shard, method, some) for shard, some in arguments.items()}
            return {shard: self._answer(shard, method, some, asked[shard]) for shard, some in arguments.items()}

    def _asked(self, shard: int, method: str, arguments: tuple[object, ...]) -> object:
        try:
            if method in OF_SEARCH and not self._searching[shard]:
                self._resume(shard)
            return self.workers[shard].ask(method, *arguments)
        except LostWorkerError as error:
            return error

    def _answer(self, shard: int, method: str, arguments: tuple[object, ...], asked: object) -> object:
        losses = 0
        while True:
            try:
                if isinstance(asked, LostWorkerError):
                    raise asked
                return self.workers[shard].answer(asked)
            except LostWorkerError as error:
                losses += 1
                if losses > MOST_LOSSES:
                    raise CynicalError(
                        f"worker {shard + 1} of {len(self)} was lost {losses} times, although it was replaced each "
                        f"time ({error}); if memory is short, give more --workers on more machines"
                    ) from None
            try:
                self._replace(shard)
                asked = self._asked(shard, method, arguments)
            except LostWorkerError as error:
                asked = error

    def _replace(self, shard: int) -> None:
        """A new worker that knows what the lost one knew before it was asked; it searches when it is asked to."""
        self._lives[shard] += 1
        self._searching[shard] = False
        self.workers[shard].dismiss()
        self.workers[shard] = worker = self._hire(self.shares[shard], self._plan, True)
        for method, arguments in self._told:
            worker.answer(worker.ask(method, *arguments[shard]))

    def _resume(self, shard: int) -> None:
        """Have a new worker search where the lost one was: in a round, when it is known what was picked before."""
        worker = self.workers[shard]
        assert self._learnt is not None
        picked = np.concatenate([np.zeros(0, np.int64), *self._picked[shard]])
        worker.answer(worker.ask("begin", self._orders, picked, self._lives[shard]))
        worker.answer(worker.ask("learn", self._learnt(shard)))
        self._searching[shard] = True


def hire_workers(shares: Sequence[Share], plan: Plan, hire: Hire) -> Workers:
    """A worker for each share."""
    message = pickled(plan)
    workers = [hire(share, message, False) for share in shares]
    return Workers(shares, workers, message, hire, _lives=[0] * len(shares), _searching=[False] * len(shares))


@contextmanager
def dismissing(hire: Hire) -> Iterator[Hire]:
    """The same, and at the end all workers that were hired are dismissed."""
    hired: list[Worker] = []

    def hire_one(share: Share, plan: bytes, again: bool) -> Worker:
        hired.append(hire(share, plan, again))
        return hired[-1]

    try:
        yield hire_one
    finally:
        for worker in hired:
            worker.dismiss()


@dataclass(slots=True, eq=False)
class Here:
    """A worker in this process."""

    shard: Shard

    def ask(self, method: str, *arguments: object) -> object:
        return getattr(self.shard, method)(*arguments)

    def answer(self, asked: object) -> object:
        return asked

    def dismiss(self) -> None:
        pass
