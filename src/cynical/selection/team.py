"""Threads that search together: see _kernels/team.py."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .._kernels.picking import Progress as Now
    from .._kernels.team import Team


def make_team(threads: int, piece: NDArray[np.int64], blocks: int) -> Team:
    """A team that searches pieces of blocks."""
    from .._kernels.team import APART, Team

    apart = threads * APART
    return Team(
        round=np.zeros(APART, np.int64),
        taken=np.zeros(apart, np.int64),
        piece=piece,
        blocks=blocks,
        reached=np.full(apart, np.inf),
        state=np.full(apart, 2),  # all may join the first round
        group=np.zeros(apart, np.int64),
        node=np.zeros(apart, np.int64),
        tag=np.zeros(apart, np.int64),
        utility=np.full(apart, np.inf),
    )


def mixed_pieces(blocks: int, piece: int) -> NDArray[np.int64]:
    """Where the pieces of all blocks begin, mixed: neighbours are of one length."""
    return np.random.default_rng(0).permutation(np.arange(0, blocks, piece))


def parts_mixed(sheets: int, threads: int) -> NDArray[np.int64]:
    """All sheets, mixed for each thread, whose sheets are neighbours: so it makes few tables that others make too."""
    mixed = np.random.default_rng(0)
    most = -(-sheets // threads)
    parts = np.arange(most * threads).reshape(threads, most)
    return mixed.permuted(parts, axis=1).T.ravel()


def search_together(
    pool: ThreadPoolExecutor,
    team: Team,
    now: Now,
    help_out: Callable[[int, Now], None],
    lead: Callable[[], tuple[int, int]],
) -> tuple[int, int]:
    """Pick while the others of a team help; they end when the leader does, in whatever way."""
    from .._kernels.team import APART, OVER

    def help_as(thread: int) -> int:
        progress = now._replace(rescored=np.zeros(1, np.int64))
        try:
            help_out(thread, progress)
        except BaseException:
            team.state[thread * APART] = OVER  # or the leader might wait for it
            raise
        return int(progress.rescored[0])

    helping: list[Future[int]] = []
    try:
        for thread in range(1, len(team.state) // APART):
            helping.append(pool.submit(help_as, thread))
        return lead()
    finally:
        team.round[0] = OVER
        now.rescored[0] += sum(one.result() for one in helping)
