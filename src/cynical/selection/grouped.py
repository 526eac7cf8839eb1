"""When lines share their words, and how their rows are grouped by those: see _kernels/groups.py.

The heaps of the exact search rescore a row when its bound comes to the front. On natural text that is a few times for
each row, all in all. Where nearly all lines have the same frequent words it is for nearly every row at nearly every
pick; once it shows that this is so, the rows that are left are grouped and the search continues with the groups.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._kernels.jit import CACHE_LINE, cores
from ..memory import Storage
from .paged import make_seen, make_tables, order_codes, page_rows
from .team import make_team, mixed_pieces, parts_mixed, search_together

if TYPE_CHECKING:
    from .._kernels.exact import Heaps
    from .._kernels.formulas import Model
    from .._kernels.groups import Blocks, Columns, Grouped, Lengths, Scratch
    from .._kernels.paged_exact import Paged
    from .._kernels.picking import PickLimits, PickLog
    from .._kernels.picking import Progress as Now

COLUMNS = 64  # dense features at most;
FREQUENT = 64  # one row in 64 has each of them
PATIENCE, PER_PICK = 3, 60  # rescorings, for each row and for each pick, that natural text does not reach: 1.3 and 60;
ROWS = 256  # for a pick as many as one row in 256: what a look at all rows in groups takes
GROWTH = 64  # of the features: when they have grown by 1 / 64, bounds of groups are computed from nothing again
FEWEST = 1024  # rows: fewer are searched quickly in any case
COMMON = 5  # one column in 5, the most probable, is common where that is quicker;
TIMES, MOST_TIMES = 4, 8  # as long as grouping takes, picking may take until rows are grouped again: first, at most;
SAVED = 0.9  # twice as long as before, unless picks took at most this share of their time then
TRIAL = 64  # picks after which one knows whether it is,
AGAIN = 8192  # picks, at most, after which one looks again
PRICES = 128  # of common features, at most
SHARE = 128  # blocks for each thread that helps: with fewer it saves less than coordination costs
PIECE = 32  # blocks that a thread takes at once
PAGED = 1 << 16  # rows: fewer are not searched in pages, whose tables take as long as all else
SCORED = 2048  # for a pick as many as one row in 2048 are scored: groups are as quick then
LEAST_SCORED = 256  # and no fewer than this
ORDERED = 16384  # picks, after which another order of the codes of pages may be better
SHEETS = 4  # for each thread that helps
SECONDS = 1.0  # that picking may take before somebody looks at the clock


@dataclass(slots=True)
class Trial:
    """Which of two ways is quicker? Both give the same picks; which takes longer depends on the text, and changes while
    lines are picked. So the other one is tried now and then, and kept if it is quicker.

    A trial is one pick, which brings what is known up to date after a change; TRIAL picks, measured; and one pick more
    after a change back."""

    seconds: float = np.inf  # per pick, of the way that was quicker; at first, nothing is known
    interval: int = field(default_factory=lambda: TRIAL)  # picks from one trial to the next,
    wait: int = 0  # and to the next one from now
    stage: str = "back"  # or "steady", "changed", "measured"

    @property
    def picks(self) -> int:
        """How many picks the next call makes at most."""
        return {"steady": max(self.wait, TRIAL), "measured": TRIAL}.get(self.stage, 1)

    def begin(self, picks: int, seconds: float) -> bool:
        """Is the way to change now, after a call of `picks` picks with `seconds` seconds for each?"""
        if self.stage == "changed":
            self.stage = "measured"
        elif self.stage == "back":
            self.stage = "steady"
        elif self.stage == "measured":
            quicker = seconds < self.seconds
            self.interval = TRIAL if quicker else min(2 * self.interval, AGAIN)
            self.wait, self.stage = self.interval, "steady" if quicker else "back"
            return not quicker
        else:
            self.wait, self.seconds = self.wait - picks, seconds
            if self.wait <= 0:
                self.stage = "changed"
                return True
        return False


@dataclass(slots=True)
class Regrouping:
    """When to group rows again, though less than half of them are gone. Groups are sorted by the gains that they had
    then, so that blocks which are far from the front are passed over. Gains change with the picks; how much it saves to
    sort again depends on the text. So it is done when picking has taken some times as long as grouping did; more times,
    where it made picks little quicker."""

    cost: float = 0.0  # seconds that grouping took,
    spent: float = 0.0  # that picking has taken since,
    times: int = field(default_factory=lambda: TIMES)  # and how many times the cost it may take;
    seconds: float = np.inf  # per pick, lately
    before: float = np.inf  # and before rows were grouped; infinite if that was compared

    def begin(self, cost: float) -> None:
        """Rows have been grouped."""
        self.cost, self.spent, self.before = cost, 0.0, self.seconds

    def is_due(self, picks: int, seconds: float) -> bool:
        """Are rows to be grouped again, after a call of `picks` picks with `seconds` seconds for each?"""
        self.spent += picks * seconds
        if picks >= TRIAL:
            if self.before < np.inf:
                self.times = TIMES if seconds < SAVED * self.before else min(2 * self.times, MOST_TIMES)
                self.before = np.inf
            self.seconds = seconds
        return self.spent > self.times * self.cost


@dataclass(slots=True)
class Grouping:
    """Whether, and since when, rows are searched in groups."""

    per_pick: int = field(default_factory=lambda: PER_PICK)
    rescored: int = 0  # before the last refresh
    grouped: Grouped | None = None
    paged: Paged | None = None
    pages: bool = False  # may rows be searched in pages?
    surely: bool = False  # are there so few features that lines must share them?
    ordered: int = 0  # picks, when the codes of pages were put in order
    few: int = 0  # rows: when no more are left, they are grouped again
    at_once: int = 1  # picks in a call
    common: int = 0  # columns that are bounded together
    trial: Trial = field(default_factory=Trial)
    regrouping: Regrouping = field(default_factory=Regrouping)

    @property
    def has_begun(self) -> bool:
        return self.grouped is not None or self.paged is not None

    def is_due(self, rows: int, now: Now) -> bool:
        """Do lines share enough words for groups to pay, or have half of those grouped gone? Asked at a refresh."""
        self.rescored += int(now.rescored[0])
        if self.has_begun:
            return True
        if self.surely and rows >= FEWEST:
            return True
        per_pick = max(self.per_pick, rows // ROWS)
        return rows >= FEWEST and self.rescored > PATIENCE * rows + per_pick * int(now.picks[0])

    def stale(self, rows: int) -> int:
        """After how many rescorings to ask again."""
        return max(PATIENCE * max(rows, FEWEST), 0)

    def pick(
        self, model: Model, now: Now, log: PickLog, limits: PickLimits, pool: ThreadPoolExecutor, jobs: int
    ) -> tuple[int, int]:
        """Pick from the groups, on as many cores as there are blocks for. A call takes about a second: until it returns
        nobody sees progress, and no signal is handled."""
        from .._kernels.grouped_exact import help_to_find_best, pick_from_groups
        from .._kernels.picking import FULL, STALE

        if self.paged is not None:
            return self._pick_from_pages(model, now, log, limits, pool, jobs)
        assert self.grouped is not None
        grouped = self.grouped
        blocks = len(grouped.blocks.length)
        helpers = min(min(jobs, cores()) - 1, blocks // SHARE)
        team = make_team(1 + helpers, mixed_pieces(blocks, PIECE), PIECE)

        def help_out(thread: int, progress: Now) -> None:
            own = make_scratch(len(grouped.columns.feature), len(grouped.lengths.features), blocks)
            help_to_find_best(model, grouped._replace(scratch=own), progress, team, thread)

        limits, began = limits._replace(picks=min(limits.picks, self.at_once)), time.monotonic()
        made, why = search_together(
            *(pool, team, now, help_out),
            lambda: pick_from_groups(model, grouped, now, log, limits, self.few, team),
        )
        if made:
            seconds = (time.monotonic() - began) / made
            self._decide(made, seconds)
            if self.regrouping.is_due(made, seconds) and why == FULL:
                return made, STALE
        return made, why

    def _pick_from_pages(
        self, model: Model, now: Now, log: PickLog, limits: PickLimits, pool: ThreadPoolExecutor, jobs: int
    ) -> tuple[int, int]:
        from .._kernels.paged_exact import help_with_pages, pick_from_pages
        from .._kernels.picking import STALE

        assert self.paged is not None
        paged, picks = self.paged, int(now.picks[0])
        if picks - self.ordered >= ORDERED:
            order_codes(model, paged, now)
            self.ordered = picks
        sheets, lengths = len(paged.pages.band), len(paged.lengths.features)
        helpers = min(min(jobs, cores()) - 1, sheets // SHEETS)
        team = make_team(1 + helpers, parts_mixed(sheets, 1 + helpers), 1)

        def help_out(thread: int, progress: Now) -> None:
            own = paged._replace(tables=make_tables(paged.codes, paged.bands, lengths), seen=make_seen(lengths))
            help_with_pages(model, own, progress, team, thread)

        left = int(paged.pages.left[0])
        limits, began = limits._replace(picks=min(limits.picks, self.at_once)), time.monotonic()
        made, why = search_together(
            *(pool, team, now, help_out),
            lambda: pick_from_pages(model, paged, now, log, limits, self.few, max(LEAST_SCORED, left // SCORED), team),
        )
        if made:
            self.at_once = int(SECONDS / max((time.monotonic() - began) / made, 1e-6)) + 1
        self.pages = why != STALE or int(paged.pages.left[0]) < self.few
        return made, why

    def _decide(self, picks: int, seconds: float) -> None:
        """How many picks the next call makes, and with how many common columns, after one of `picks` picks with
        `seconds` seconds for each."""
        assert self.grouped is not None
        some = len(self.grouped.columns.feature) // COMMON
        if some and self.trial.begin(picks, seconds):
            self.common = 0 if self.common else some
            set_common(self.grouped, self.common)
        self.at_once = int(SECONDS / max(seconds, 1e-6)) + 1
        if some:
            self.at_once = min(self.at_once, self.trial.picks)

    def group(
        self, model: Model, heaps: Heaps, starts: NDArray[np.int64], storage: Storage, now: Now
    ) -> NDArray[np.int64]:
        """Group the rows that have lines left; by feature, how many these are."""
        from .._kernels.groups import count_rows_with

        rows_with, began = np.zeros(len(model.p), np.int64), time.monotonic()
        left = count_rows_with(heaps.row_data, int(starts[-1]), rows_with)
        self.grouped = self.paged = None  # their memory is needed
        self.few = left // 2 if left >= FEWEST else 0
        if self.pages and left >= PAGED:
            dense = np.argsort(-rows_with, kind="stable")[:COLUMNS]
            self.paged = page_rows(model, heaps, starts, dense, left, now, storage)
            if self.paged is not None:
                self.at_once, self.ordered = 1, int(now.picks[0])
                return rows_with
        self.grouped = group_rows(model, heaps, starts, dense_features(model, rows_with, left), left, storage)
        self.common = len(self.grouped.columns.feature) // COMMON if self.common else 0
        set_common(self.grouped, self.common)
        self.regrouping.begin(time.monotonic() - began)
        return rows_with


def whole_columns(grouped: Grouped, rows_with: NDArray[np.int64]) -> NDArray[np.int64]:
    """By feature, its column; -1 if it has none, or if a row has the feature more often than a column can say."""
    from .._kernels.groups import SIZE

    column = np.full(len(rows_with), -1, np.int64)
    size = grouped.groups.size.reshape(-1, SIZE)
    for k, feature in enumerate(grouped.columns.feature.tolist()):
        if size[grouped.blocks.count[:, k] > 0].sum() == rows_with[feature]:
            column[feature] = k
    return column


def dense_features(model: Model, rows_with: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """The features that most rows have, from the least probable to the most."""
    most = np.argsort(-rows_with, kind="stable")[:COLUMNS]
    most = most[: max(np.count_nonzero(rows_with[most] * FREQUENT >= rows), 1)]
    return most[np.argsort(model.p[most], kind="stable")]


def prices(features: NDArray[np.int64], blocks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lengths that stand for those around them, PRICES at most, each for about as many blocks; and by length, which of
    these stands for it."""
    order = np.argsort(features, kind="stable")
    before = np.cumsum(blocks[order]) - blocks[order]
    _, first, part = np.unique(before * PRICES // max(int(blocks.sum()), 1), return_index=True, return_inverse=True)
    price = np.zeros(len(order), np.int64)
    price[order] = part
    return order[(first + np.append(first[1:], len(order)) - 1) // 2], price


def group_rows(
    model: Model, heaps: Heaps, starts: NDArray[np.int64], feature: NDArray[np.int64], rows: int, storage: Storage
) -> Grouped:
    """Group the rows that have lines left; starts[i] is where the rows of length i begin."""
    from .._kernels import groups as kernels

    column_of = np.full(len(model.p), -1, np.int64)
    column_of[feature] = np.arange(len(feature))
    split = kernels.Split(
        dense=storage.array(rows * len(feature), np.uint8).reshape(rows, len(feature)),
        rest=storage.array(int(starts[-1]), np.uint32),
        at=np.zeros(rows, np.int64),
        code=np.zeros(rows, np.uint64),
    )
    used = kernels.split_rows(heaps.row_data, int(starts[-1]), column_of, split)
    length = np.searchsorted(starts, split.rest[split.at + kernels.ROW], side="right") - 1
    order = np.lexsort((split.code, length))
    is_first = np.ones(rows, np.bool_)
    kernels.find_groups(length, split.dense, order, is_first)
    begin = np.append(np.flatnonzero(is_first), rows)
    leader = order[begin[:-1]]
    gain = np.zeros(len(leader), np.int64)
    kernels.score_leaders(model, heaps.row_data, split, leader, gain)
    place, in_blocks = places(gain, length[leader], len(heaps.features), kernels.SIZE)
    slots = len(in_blocks) * kernels.SIZE
    of_price, price = prices(heaps.features, np.bincount(in_blocks, minlength=len(heaps.features)))
    grouped = kernels.Grouped(
        groups=kernels.Groups(
            row_data=heaps.row_data,
            line=heaps.line,
            rest=split.rest[:used],
            node=np.zeros((rows, 2), np.int64),
            first=np.zeros(slots, np.int64),
            size=np.zeros(slots, np.int64),
            top=np.full(slots, np.inf),
            total=np.zeros(slots),
            left=np.array([rows]),
        ),
        blocks=make_blocks(in_blocks, len(feature), storage),
        columns=make_columns(feature, heaps.features[of_price]),
        lengths=make_lengths(heaps, price),
        scratch=make_scratch(len(feature), len(heaps.features), len(in_blocks)),
    )
    grouped.groups.first[place], grouped.groups.size[place] = begin[:-1], np.diff(begin)
    dense = kernels.fill_blocks(split.dense, leader, place, grouped.blocks, grouped.columns.largest)
    grouped.columns.usual[0] = max(dense / max(len(leader), 1), 1.0)
    kernels.fill_nodes(model, grouped.groups, order, split.at)
    return grouped


def set_common(grouped: Grouped, common: int) -> None:
    """Let the most probable columns be bounded together, as many as are said if there are."""
    from .._kernels import groups as kernels

    columns = grouped.columns
    number = np.zeros(kernels.SIZE, np.int64)
    kernels.set_common(grouped.groups, grouped.blocks, columns, min(common, len(columns.feature)), number)


def make_blocks(length: NDArray[np.int64], columns: int, storage: Storage) -> Blocks:
    from .._kernels.groups import SIZE, Blocks

    blocks = len(length)
    return Blocks(
        count=storage.aligned(blocks * (columns + 1) * SIZE, CACHE_LINE).reshape(blocks, columns + 1, SIZE),
        maximum=np.zeros((blocks, columns + 1), np.uint8),
        column=np.zeros((blocks, columns), np.uint8),
        columns=np.zeros(blocks, np.int64),
        own=np.zeros(blocks, np.int64),
        fewest=np.zeros(blocks),
        length=length,
        reach=np.full(blocks, -np.inf),
        bound=np.zeros((blocks, SIZE), np.int32),
        base=np.zeros(blocks),
        step=np.zeros(blocks, np.int64),
        features=np.full(blocks, -1, np.int64),
        risen=np.zeros(blocks, np.int64),
    )


def make_columns(feature: NDArray[np.int64], price_features: NDArray[np.int64]) -> Columns:
    from .._kernels.groups import HISTORY, MAXIMA, Columns

    columns = len(feature)
    return Columns(
        feature=feature,
        parabola=np.zeros((columns, len(MAXIMA), 2)),
        parabola_at=np.full(columns, -1, np.int64),
        chord=np.zeros((HISTORY, columns, len(MAXIMA)), np.int64),
        changed=np.zeros(columns, np.int64),
        recent=np.zeros(columns + 1, np.int64),
        change=np.zeros((columns, len(MAXIMA)), np.int64),
        largest=np.zeros(columns, np.int64),
        usual=np.ones(1),
        unit=np.zeros(1),
        unit_features=np.zeros(1, np.int64),
        growth=np.array([GROWTH]),
        common=np.zeros(1, np.int64),
        price_features=price_features,
        price=np.zeros((HISTORY, len(price_features)), np.int64),
        least=np.zeros(len(price_features)),
    )


def make_lengths(heaps: Heaps, price: NDArray[np.int64]) -> Lengths:
    from .._kernels.groups import Lengths

    lengths = len(heaps.features)
    return Lengths(
        features=heaps.features,
        words=heaps.words,
        divisor=heaps.divisor[:lengths].copy(),
        tangent=np.zeros(lengths),
        slope=np.zeros(lengths),
        at_price=price,
        sure=np.zeros(lengths),
        price=np.zeros(lengths),
    )


def make_scratch(columns: int, lengths: int, blocks: int) -> Scratch:
    from .._kernels.groups import MAXIMA, MOST, SIZE, Scratch

    return Scratch(
        gain=np.zeros((columns, MOST + 1), np.int64),
        gain_at=np.full((columns, MOST + 1), -1, np.int64),
        penalty=np.zeros(lengths),
        penalty_step=np.full(lengths, -1, np.int64),
        level=np.zeros(1),
        parabola=np.zeros((columns, len(MAXIMA), 3), np.float32),
        parabola_step=np.full(1, -1, np.int64),
        score=np.zeros(SIZE, np.float32),
        bits=np.zeros(SIZE),
        lower=np.zeros(SIZE // 2),
        bound=np.zeros(SIZE, np.int32),
        promising=np.zeros(blocks, np.int64),
        promise=np.zeros(blocks),
        added=np.zeros(columns + 1, np.int64),
        change=np.zeros(columns + 1, np.int32),
    )


def places(
    gain: NDArray[np.int64], length: NDArray[np.int64], lengths: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By group, its place in blocks of one length each; and by block, its length.

    The groups of a length go by their gains: those that are far from the front now are likely to be so for a while, and
    if they have blocks of their own, these are passed over.
    """
    order = np.lexsort((gain, length))
    number = np.bincount(length, minlength=lengths)
    blocks = -(-number // size)
    ordered = length[order]
    before, first_block = np.cumsum(number) - number, np.cumsum(blocks) - blocks
    place = np.zeros(len(order), np.int64)
    place[order] = first_block[ordered] * size + np.arange(len(order)) - before[ordered]
    return place, np.repeat(np.arange(lengths), blocks)
