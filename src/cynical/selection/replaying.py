"""Apply picks that were made before, so that a search can go on behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .budget import NO_LIMIT
from .ranking import Begun, Task, begin, room_for

if TYPE_CHECKING:
    from .._kernels.path import Path


def replay(task: Task, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
    """Pick these lines again, and forbid them to the search; `words` is what each was picked for."""
    from .._kernels import given as kernels

    index = task.index
    given = kernels.Given(lines, index.entry, index.start, index.entries, index.length, index.features)
    now, path = begin(task.state), room_for(len(lines))
    kernels.follow(task.state.model, given, now, path, len(lines), NO_LIMIT)
    task.allowed[lines] = False
    return Begun(now, _columns(path._replace(word=words)))


def _columns(path: Path) -> tuple[NDArray[Any], ...]:
    return tuple(path)
