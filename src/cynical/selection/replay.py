"""Apply picks that were made before, so that a search can go on behind them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.budget import NO_LIMIT
from ..model.entropy import State
from .index import Index
from .search import Begun, begin, room_for


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows by themselves, as an index has them."""

    entry: NDArray[np.uint32]
    start: NDArray[np.int64]
    entries: NDArray[np.uint32]
    length: NDArray[np.uint32]
    features: NDArray[np.uint32]


def replay(
    state: State, index: Index | Rows, rows: NDArray[np.int64], lines: NDArray[np.int64], words: NDArray[np.int64]
) -> Begun:
    """Pick these rows again; `lines` is what they are called, `words` what each was picked for."""
    from .._kernels import fixed_order as kernels

    given = kernels.Given(rows, index.entry, index.start, index.entries, index.length, index.features)
    now, path = begin(state), room_for(len(rows))
    kernels.follow(state.model, given, now, path, len(rows), NO_LIMIT)
    return Begun(now, tuple(path._replace(line=lines, word=words)))
