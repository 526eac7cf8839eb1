"""Exact selection: every pick is the line with the lowest delta (or delta per word) of all remaining lines, ties to the
earlier line.

One heap for each line length, and gains that are scored again only where they could matter: see _kernels/exact.py. When
they go stale faster than they can be updated one by one, rows are scored in one pass on all cores: see opening.py.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._kernels.ahead import compile_ahead
from ..errors import CynicalError
from ..memory import reserved
from .available import LocalAvailable
from .documents import documents_of
from .grouped import COLUMNS, PAGED, Grouping
from .index import Index
from .layout import first_keys, group_lines
from .opening import LaidOut, laid_out
from .search import Ranking, Task, split, walk

if TYPE_CHECKING:
    from .._kernels.exact import Heaps
    from .._kernels.picking import PickLog
    from .._kernels.picking import Progress as Now

AHEAD = 32  # entries that may be read after the last row
MOST_ENTRIES = 1 << 32  # of the rows of a heap: a node has 32 bits to say where its row is
MOST_LINES = 1 << 31  # and 31 for its line
MANY = 200_000  # rows that share their words: from here on a search takes minutes


def search(available: LocalAvailable, task: Task) -> Ranking:
    from .._kernels.documents import pick_within
    from .._kernels.exact import pick_lowest
    from .._kernels.picking import PickLimits

    state, limits = task.state, task.limits
    documents = None
    if task.max_share is not None:
        begun = np.zeros(0, np.int64) if task.begun is None else task.begun.path[0]
        documents = documents_of(available, task.max_share, begun)
    with ThreadPoolExecutor(task.jobs) as pool:
        with task.progress.stage("lay out"):
            laid = lay_out(available.index, available.allowed, task, pool)
        grouping = Grouping(pages=True, surely=len(state.model.p) <= COLUMNS)

        def pick(now: Now, log: PickLog, room: int) -> tuple[int, int]:
            limited = PickLimits(room, limits.words, limits.patience)
            if documents is not None:
                return pick_within(state.model, laid.heaps, now, log, limited, laid.stale, documents)
            if grouping.has_begun:
                return grouping.pick(state.model, now, log, limited, pool, task.jobs)
            return pick_lowest(state.model, laid.heaps, now, log, limited, laid.stale)

        def refresh(now: Now) -> None:
            one_by_one = task.has_prior or documents is not None
            if laid.starts[-1] < MOST_ENTRIES and not one_by_one and grouping.is_due(laid.rows, now):
                if not grouping.has_begun and laid.rows >= MANY:
                    task.progress.notice(
                        "lines share most of their words, so each pick takes a look at nearly all of them; "
                        "--strategy batch takes much less time, and picks other lines"
                    )
                needed = ["grouped", "team"] if task.jobs > 1 else ["grouped"]
                compile_ahead(["paged", *needed] if laid.rows >= PAGED else needed, task.progress)
                grouping.group(state.model, laid.heaps, laid.starts, task.storage, now)
            if not grouping.has_begun:
                laid.refresh(state.model, now, pool)

        return walk(task, pick, refresh)


def lay_out(index: Index, allowed: NDArray[np.bool_], task: Task, pool: ThreadPoolExecutor) -> LaidOut:
    """Lay out the rows of the lines that may be picked; the index gives up its own, if they are not needed again."""
    from .._kernels.entries import HEAD, Rows
    from .._kernels.layout import lay_rows

    jobs = task.jobs
    if index.lines > MOST_LINES:
        raise CynicalError(f"AVAILABLE has {index.lines:,} lines, more than the limit of 2^31; split it into parts")
    order, group, first = group_lines(index, first_keys(index, task.state, jobs, pool), allowed)
    place = np.zeros(len(group), np.int64)
    np.cumsum(index.entries[order[group[:-1]]].astype(np.int64) + HEAD, out=place[1:])
    first = cut_large(first, place)
    row_data = task.storage.array(int(place[-1]) + AHEAD, np.uint32)
    held = Rows(index.entry, index.start, index.entries)

    def lay(begin: int, end: int) -> None:
        part = slice(begin, end + 1)
        lay_rows(held, order, group[part], place[part], row_data)

    rows = len(group) - 1
    split(rows, jobs, pool, lay)
    if not task.again:
        index.release()
    leader = order[group[first[:-1]]]
    words, features = index.words[leader].astype(np.int64), index.features[leader].astype(np.int64)
    base, line = place[first[:-1]], order.astype(np.uint32)
    heaps = make_heaps(row_data, line, first, words, features, task.per_word, base)
    return laid_out(heaps, place, jobs)


def cut_large(first: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of a length are in several heaps if they have too many entries for one; which of them decides no tie."""
    if place[-1] <= MOST_ENTRIES:
        return first
    cut: list[int] = []
    for begin, end in itertools.pairwise(first.tolist()):
        while begin < end:
            cut.append(begin)
            begin = min(int(np.searchsorted(place, place[begin] + MOST_ENTRIES)), end)
    return np.array([*cut, first[-1]], np.int64)


def make_heaps(
    row_data: NDArray[np.uint32],
    line: NDArray[np.uint32],
    first: NDArray[np.int64],
    words: NDArray[np.int64],
    features: NDArray[np.int64],
    per_word: bool,
    base: NDArray[np.int64] | None = None,
) -> Heaps:
    """One heap for each length in words and in features, whose rows begin at `base`.

    Nodes are written again and again, at places all over: they are never in a file, where that would write pages again.
    """
    from .._kernels.exact import Heaps

    bins = len(features)
    block = 1 << max((bins - 1).bit_length() // 2, 0)  # about the square root
    padded = max(-(-bins // block) * block, block)
    whole = [np.zeros(bins, np.int64) for _ in range(3)]
    divisor = np.ones(padded)
    if per_word:
        divisor[:bins] = words
    return Heaps(
        row_data=row_data,
        line=line,
        node=reserved(2 * int(first[-1]), np.int64).reshape(-1, 2),
        first=first,
        size=whole[0],
        base=np.zeros(bins, np.int64) if base is None else base,
        features=features,
        words=words,
        cut=np.full(padded, np.inf),
        divisor=divisor,
        bound=np.full(padded, np.inf),
        block_lowest=np.full(padded // block, np.inf),
        top_gain=np.full(padded, np.inf),
        gain_bound=np.full(padded, np.inf),
        tangent=np.zeros(padded),
        slope=np.zeros(padded),
        penalty=np.zeros(bins),
        penalty_step=whole[1],
        scored=whole[2],
    )
