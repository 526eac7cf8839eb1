"""First gains, and which lines are equal: what the strategies begin with."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.entropy import State
from .index import Index
from .search import split

if TYPE_CHECKING:
    from .._kernels.entries import Rows


def first_gains(index: Index, state: State, jobs: int, pool: ThreadPoolExecutor) -> NDArray[np.int64]:
    """By line, its gain when nothing has been picked."""
    from .._kernels.entries import Rows

    gain = np.empty(index.lines, np.int64)
    score_rows(Rows(index.entry, index.start, index.entries), gain, state, jobs, pool)
    return gain


def score_rows(rows: Rows, gain: NDArray[np.int64], state: State, jobs: int, pool: ThreadPoolExecutor) -> None:
    """Fill in the present gain of each row."""
    from .._kernels.layout import gains_of_rows

    def score(begin: int, end: int) -> None:
        part = rows._replace(start=rows.start[begin:end], entries=rows.entries[begin:end])
        gains_of_rows(state.model, part, gain[begin:end])

    split(len(gain), jobs, pool, score)


def first_keys(index: Index, state: State, jobs: int, pool: ThreadPoolExecutor) -> NDArray[np.int64]:
    """By line, its first gain, except the last bits, which tell equal rows from others."""
    from .._kernels.entries import Rows
    from .._kernels.layout import mark_rows

    key = first_gains(index, state, jobs, pool)

    def mark(begin: int, end: int) -> None:
        mark_rows(Rows(index.entry, index.start[begin:end], index.entries[begin:end]), key[begin:end])

    split(len(key), jobs, pool, mark)
    return key


def group_lines(
    index: Index, key: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The allowed lines by length and key, equal lines next to each other in the original order; where each group
    begins; and at which group each length begins.

    Lines are equal here if their lengths and their representative words are: nothing else counts for a gain.
    """
    from .._kernels.entries import Rows
    from .._kernels.layout import find_copies

    order = np.flatnonzero(allowed)
    order = order[np.argsort(_sizes(index, order), kind="stable")]
    size = _sizes(index, order)
    begins = np.append(np.flatnonzero(np.diff(size, prepend=0)), len(order))
    for begin, end in itertools.pairwise(begins.tolist()):
        order[begin:end] = order[begin:end][np.argsort(key[order[begin:end]], kind="stable")]
    first = np.ones(len(order), np.bool_)
    find_copies(Rows(index.entry, index.start, index.entries), size, order, key, first)
    group = np.append(np.flatnonzero(first), len(order))
    return order, group, np.searchsorted(group, begins)


def _sizes(index: Index, lines: NDArray[np.int64]) -> NDArray[np.uint32] | NDArray[np.int64]:
    """What tells lengths apart: words and, where several sides count, features: a blank side has no n-grams."""
    words = index.words[lines]
    return words if len(index.places) == 1 else words.astype(np.int64) << 32 | index.features[lines]
