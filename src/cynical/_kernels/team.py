"""Threads that search together: each round is for one pick, and all of them look for it.

One of them leads. It says that a round has begun, looks itself, and takes the best of what everybody found. Each thread
has a part of its own, which stays in the cache of its core, and takes it piece by piece; then it takes what is left of
the parts of others. A helper joins a round or not: where it has no core to run on, the others do its work, and the
leader waits only for helpers that have joined.

What a helper is doing is one number: 2 r, it may join round r; 2 r + 1, it has joined; 2 r + 2, it has ended that round
and may join the next. If it is late and the leader has no more work, the leader lets it miss the round: whoever changes
the number first decides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import atomic_add, atomic_load, atomic_store, compare_and_swap, inlined, yield_core

OVER = -1  # in place of a round: no more will come; in place of what a helper does: it has failed
APART = 8  # numbers from one thread's to the next: each has a cache line of its own
SPINS = 4096  # looks at a number that another thread is to change, before the core is offered to others
LEADER = 0
NO_TAG = (1 << 63) - 1  # later than all


class Best(NamedTuple):
    """The best row so far: its group, which node of the group, the tag of that, and its utility.

    In pages, a row is where it is in these, its length, and its next line."""

    group: int
    node: int
    tag: int
    utility: float


class Team(NamedTuple):
    """What its threads tell one another."""

    round: NDArray[np.int64]  # one number: which round it is
    taken: NDArray[np.int64]  # by thread, APART: how many pieces of its part of this round's work somebody has taken
    piece: NDArray[np.int64]  # at which block each piece begins; the first is of the first thread's part, and so on,
    blocks: int  # and how many it has
    reached: NDArray[np.float64]  # by thread, APART: how good the best is that it has told the others of
    state: NDArray[np.int64]  # by thread, APART: what it is doing
    group: NDArray[np.int64]  # by thread, APART: what it found; of the leader, what it has before the others begin
    node: NDArray[np.int64]
    tag: NDArray[np.int64]
    utility: NDArray[np.float64]


@inlined
def wait_while(array: NDArray[np.int64], index: int, value: int) -> int:
    """Wait until another thread has changed a number; what it is then."""
    looks = 0
    while True:
        found = atomic_load(array, index)
        if found != value:
            return found
        looks += 1
        if looks > SPINS:
            yield_core()


@inlined
def begin_round(team: Team) -> None:
    """The leader has written what the others need to know."""
    for thread in range(threads(team)):
        team.taken[thread * APART], team.reached[thread * APART] = 0, np.inf
    atomic_store(team.round, 0, team.round[0] + 1)


@inlined
def joins(team: Team, thread: int, now: int) -> bool:
    """Does a helper join a round? Not if it is late."""
    return compare_and_swap(team.state, thread * APART, 2 * now, 2 * now + 1)


@inlined
def threads(team: Team) -> int:
    return team.state.size // APART


@inlined
def take_piece(team: Team, thread: int) -> int:
    """Which piece of the part of a thread is next."""
    return atomic_add(team.taken, thread * APART, 1)


@inlined
def leave_round(team: Team, thread: int, now: int) -> None:
    """A helper has written what it found."""
    atomic_store(team.state, thread * APART, 2 * now + 2)


@inlined
def has_found(team: Team, thread: int) -> bool:
    """Wait for a helper that has joined this round; has it found something?"""
    now = team.round[0]
    if compare_and_swap(team.state, thread * APART, 2 * now, 2 * now + 2):
        return False
    return wait_while(team.state, thread * APART, 2 * now + 1) == 2 * now + 2


@inlined
def best_of_all(team: Team, best: Best) -> Best:
    """The best of what the leader and the helpers found, ties to the earlier line."""
    for thread in range(1, threads(team)):
        if has_found(team, thread):
            found = read_best(team, thread)
            if found.utility < best.utility or (found.utility == best.utility and found.tag < best.tag):
                best = found
    return best


@inlined
def told_by_others(team: Team, thread: int, best: Best) -> Best:
    """Tell the other threads how good the best is, and hear of a better one: which, its thread knows."""
    team.reached[thread * APART] = best.utility
    for other in range(threads(team)):
        reached = team.reached[other * APART]
        if reached < best.utility:
            best = Best(-1, 0, NO_TAG, reached)
    return best


@inlined
def write_best(team: Team, thread: int, best: Best) -> None:
    at = thread * APART
    team.group[at], team.node[at], team.tag[at], team.utility[at] = best.group, best.node, best.tag, best.utility


@inlined
def read_best(team: Team, thread: int) -> Best:
    at = thread * APART
    return Best(team.group[at], team.node[at], team.tag[at], team.utility[at])
