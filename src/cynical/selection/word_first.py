"""The paper's "good-enough sentences", "good-enough words" and "good-enough scoring".

The word with the best estimated gain leads; the pick is the line with the lowest delta among those that have it. Where
lines share their words, the rows that have a frequent word are searched in groups: see grouped.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._kernels.ahead import compile_ahead
from . import word_lists
from .available import LocalAvailable
from .exact import AHEAD, MOST_ENTRIES, make_heaps
from .grouped import Grouping, whole_columns
from .search import Ranking, Task

if TYPE_CHECKING:
    from .._kernels.exact import Heaps
    from .._kernels.formulas import Model
    from .._kernels.grouped_words import GroupedWords
    from .._kernels.picking import PickLimits, PickLog
    from .._kernels.picking import Progress as Now
    from .._kernels.word_lists import WordLists

PER_PICK = 300  # rescorings for each pick that natural text does not reach: 46 with 250,000 lines


def search(available: LocalAvailable, task: Task) -> Ranking:
    how = _WordFirst(task)
    return word_lists.search(available, task, how.pick, by_length=True, refresh=how.refresh)


@dataclass(slots=True)
class _WordFirst:
    """Picks from lists, and from groups once it shows that lines share their words."""

    task: Task
    grouping: Grouping = field(default_factory=lambda: Grouping(per_pick=PER_PICK))
    laid: _LaidOut | None = None
    both: GroupedWords | None = None

    def pick(
        self, model: Model, words: WordLists, now: Now, log: PickLog, limits: PickLimits, per_word: bool
    ) -> tuple[int, int]:
        from .._kernels.grouped_words import pick_by_word_from_groups
        from .._kernels.word_first import pick_by_word

        if self.both is not None:
            return pick_by_word_from_groups(model, self.both, now, log, limits, per_word, self.grouping.few)
        return pick_by_word(model, words, now, log, limits, per_word, self.grouping.stale(len(words.groups.left)))

    def refresh(self, words: WordLists, now: Now) -> None:
        from .._kernels.grouped_words import GroupedWords

        rows = words.groups.rows
        fits = int(rows.entries.sum(dtype=np.int64)) + 3 * len(rows.entries) < MOST_ENTRIES
        if not self.grouping.is_due(len(rows.entries), now) or not fits:
            return
        compile_ahead(["grouped_words"], self.task.progress)
        if self.laid is None:
            self.laid = _lay_out(words, self.task)
        model, laid = self.task.state.model, self.laid
        rows_with = self.grouping.group(model, laid.heaps, laid.starts, self.task.storage, now)
        grouped = self.grouping.grouped
        assert grouped is not None
        self.both = GroupedWords(words, grouped, laid.place, whole_columns(grouped, rows_with))


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """Rows as the groups need them."""

    heaps: Heaps  # without nodes
    place: NDArray[np.int64]  # by row
    starts: NDArray[np.int64]  # where the rows of each length begin


def _lay_out(words: WordLists, task: Task) -> _LaidOut:
    """Lay out the rows of the lists, which are in the order of their lengths."""
    from .._kernels.entries import HEAD, LEFT, LINE
    from .._kernels.layout import lay_rows

    groups = words.groups
    rows, order = groups.rows, np.arange(len(groups.left) + 1)
    place = np.zeros(len(order), np.int64)
    np.cumsum(rows.entries.astype(np.int64) + HEAD, out=place[1:])
    row_data = task.storage.array(int(place[-1]) + AHEAD, np.uint32)
    lay_rows(rows, order[:-1], order, place, row_data)
    row_data[place[:-1] + LINE], row_data[place[:-1] + LEFT] = groups.next, groups.left
    length = groups.words.astype(np.int64) << 32 | groups.features
    first = np.append(np.flatnonzero(np.diff(length, prepend=-1)), len(length))
    sizes = groups.words[first[:-1]].astype(np.int64), groups.features[first[:-1]].astype(np.int64)
    heaps = make_heaps(row_data, groups.line, first, *sizes, task.per_word)
    return _LaidOut(heaps, place[:-1], place[first])
