"""What a strategy returns, whatever it is, and the walk from pick to pick that all have in common."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..memory import Storage
from ..model.budget import Limits
from ..model.cost import Bill
from ..model.entropy import State
from ..progress import Progress
from .checkpoint import Checkpoint

if TYPE_CHECKING:
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now

PICKS = 1 << 13  # picks between two looks at the clock


@dataclass(slots=True)
class Task:
    """What a search is told, wherever the lines are."""

    state: State
    eligible: int  # lines that may be picked, those that an earlier run has picked included
    turn: NDArray[np.int8]  # by word: words of a later turn lead to lines only when earlier ones have none left
    limits: Limits
    per_word: bool  # does delta per word decide, not delta?
    jobs: int
    progress: Progress
    storage: Storage = field(default_factory=Storage)
    checkpoint: Checkpoint | None = None
    begun: Begun | None = None  # what an earlier run has picked
    most_rescored: int | None = None  # a rehearsal ends after so much work
    has_prior: bool = False  # do rows have a prior?
    max_share: float | None = None  # of the words of a document, that may be picked at most
    again: bool = False  # are the rows of AVAILABLE needed once more?
    pay: Callable[[NDArray[np.int64], NDArray[np.int64]], int] | None = None  # of lines and words, how many can be paid
    bill: Bill | None = None  # that is paid
    over: Callable[[NDArray[np.int64], NDArray[np.int64]], bool] | None = None  # of lines and words that were picked


@dataclass(slots=True)
class Begun:
    """Where a resumed search is: its path so far."""

    now: Now
    path: tuple[NDArray[Any], ...]


@dataclass(slots=True)
class Ranking:
    """What was picked, best first, and what it took."""

    line: NDArray[np.int64]  # from 0
    words: NDArray[np.int64]
    penalty: NDArray[np.float64]
    gain: NDArray[np.float64]
    entropy: NDArray[np.float64]  # of single words
    feature_entropy: NDArray[np.float64]
    word: NDArray[np.int64]  # -1 if no word of the line is representative
    types: NDArray[np.int64]  # representative word types seen so far, SEED included
    covered: NDArray[np.float64]  # their share of the representative corpus
    stop: int  # picks at the lowest entropy
    ended: str  # budget, patience or lines
    rescored: int
    refreshes: int


def walk(
    task: Task,
    pick: Callable[[Now, PickLog, int], tuple[int, int]],
    refresh: Callable[[Now], None] = lambda now: None,
    room: int | None = None,
    keep: Callable[[], NDArray[np.int64]] | None = None,
) -> Ranking:
    """Call `pick` until the budget is spent, patience is at its end or no line is left.

    `pick` gets the state of the search, a log to fill and how many picks may be made; it returns how many it made and
    why it came back. Before the first call, and whenever it comes back because its gains are stale, they are refreshed.
    `keep` says what gains were last known, without which a checkpoint cannot be resumed.
    """
    from .._kernels import picking as kernels

    limits = task.limits
    now = begin(task.state) if task.begun is None else task.begun.now
    room = min(PICKS if room is None else room, limits.picks)
    log = room_for(room)
    pieces: list[tuple[NDArray[Any], ...]] = [tuple(room_for(0)) if task.begun is None else task.begun.path]
    why, rescored, refreshes = kernels.STALE, 0, 0
    if now.words[0] - now.lowest_words[0] > limits.patience:
        why = kernels.OUT_OF_PATIENCE
    if task.checkpoint is not None and task.checkpoint.ended is not None:
        why = task.checkpoint.ended
    total, unit = limits.progress(task.eligible) if task.pay is None else (None, " lines")
    if task.pay is not None:
        task.pay(*pieces[0][:2])
    with task.progress.stage("select"), task.progress.bar("selecting", total, unit) as bar:
        bar.update(int(now.picks[0]) if unit == " lines" else int(now.words[0]))
        while now.picks[0] < limits.picks and why in (kernels.STALE, kernels.FULL):
            if why == kernels.STALE:
                refresh(now)
                rescored, refreshes = rescored + int(now.rescored[0]), refreshes + 1
                now.rescored[0] = 0
            before = now.picks[0], now.lowest[0], now.lowest_picks[0]
            picked, why = pick(now, log, min(room, limits.picks - int(now.picks[0])))
            if task.pay is not None and (paid := task.pay(log.line[:picked], log.words[:picked])) < picked:
                picked, why = paid, kernels.OVER_BUDGET
                _take_back(now, log.entropy[:paid], *before)
            pieces.append(tuple(column[:picked].copy() for column in log))
            bar.update(picked if unit == " lines" else int(log.words[:picked].sum()))
            if task.over is not None and task.over(log.line[:picked], log.words[:picked]):
                break
            if task.most_rescored is not None and rescored + int(now.rescored[0]) > task.most_rescored:
                break
            if task.checkpoint is not None:
                more = why in (kernels.STALE, kernels.FULL)
                task.checkpoint.add(log.line[:picked], log.word[:picked], keep, more)
        if task.checkpoint is not None:
            task.checkpoint.finish(why)
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    everything = int(now.picks[0]) == task.eligible or (why == kernels.NO_LINE_LEFT and task.max_share is not None)
    return Ranking(
        **dict(zip(kernels.PickLog._fields, columns, strict=True)),
        stop=int(now.lowest_picks[0]),
        ended="lines" if everything else "patience" if why == kernels.OUT_OF_PATIENCE else "budget",
        rescored=rescored + int(now.rescored[0]),
        refreshes=refreshes,
    )


def _take_back(now: Now, entropy: NDArray[np.float64], picks: int, lowest: float, lowest_picks: int) -> None:
    """The state of a search that has made only the first picks of a call; what it was before the call is given."""
    now.picks[0] = picks + len(entropy)
    if now.lowest_picks[0] > now.picks[0]:
        is_new = len(entropy) and entropy.min() < lowest
        now.lowest_picks[0] = picks + int(entropy.argmin()) + 1 if is_new else lowest_picks


def split(size: int, jobs: int, pool: ThreadPoolExecutor, work: Callable[[int, int], None]) -> None:
    """Call work on equal parts of 0 to size, each in a thread."""
    cuts = np.linspace(0, size, jobs + 1).astype(np.int64).tolist()
    list(pool.map(work, cuts, cuts[1:]))


def room_for(picks: int) -> PickLog:
    """A log to fill."""
    from .._kernels.picking import PickLog

    reals = ("penalty", "gain", "entropy", "feature_entropy", "covered")
    return PickLog(**{name: np.zeros(picks, float if name in reals else int) for name in PickLog._fields})


def begin(state: State) -> Now:
    """The state of a search that has picked nothing yet."""
    from .._kernels.picking import Progress as Now

    entropy = state.entropy()
    parts = {
        "entropy": np.array([entropy]),
        "feature_entropy": np.array([state.feature_entropy()]),
        "lowest": np.array([entropy]),
        "seed_words": np.array([state.seed_words]),
        "features": np.array([state.seed_features]),
        "types": np.array([state.seen_before.sum()]),
        "covered": np.array([state.model.single[state.seen_before].sum()]),
    }
    return Now(**{name: parts.get(name, np.zeros(1, np.int64)) for name in Now._fields})
