"""Questions to lines, wherever they are: a function is called with each shard of AVAILABLE, and the answers come in the
order of the lines. On one machine AVAILABLE is one shard, so that what is found out this way is the same everywhere.

Such a function is at the top level of a module, and its arguments and answers can be pickled: a shard may be far away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Each:
    """An argument of which every shard gets its own."""

    values: Sequence[Any]


class Shards(Protocol):
    """Lines that are in one place or in several."""

    @property
    def first(self) -> Sequence[int]:
        """The number of each shard's first line."""
        ...

    def ask(self, question: Callable[..., T], *arguments: object) -> list[T]:
        """What each shard answers; it stays as it is."""
        ...

    def tell(self, order: Callable[..., T], *arguments: object) -> list[T]:
        """The same where the function changes the shard, which must know it from now on."""
        ...


class OneShard:
    """Lines of this machine as the only shard."""

    __slots__ = ()

    @property
    def first(self) -> Sequence[int]:
        return [0]

    def ask(self, question: Callable[..., T], *arguments: object) -> list[T]:
        return [question(self, *of_shard(arguments, 0))]

    def tell(self, order: Callable[..., T], *arguments: object) -> list[T]:
        return [order(self, *of_shard(arguments, 0))]


def of_shard(arguments: Sequence[object], shard: int) -> list[object]:
    """The arguments that one shard gets."""
    return [one.values[shard] if isinstance(one, Each) else one for one in arguments]


def owned(shards: Shards, lines: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """For each shard, which of some lines are its own, by their place; an empty one begins where the next does."""
    shard = np.searchsorted(shards.first, lines, side="right") - 1
    return [np.flatnonzero(shard == one) for one in range(len(shards.first))]


def numbered(shards: Shards, lines: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """For each shard, its own of some lines, as it counts them."""
    return [lines[own] - first for own, first in zip(owned(shards, lines), shards.first, strict=True)]
