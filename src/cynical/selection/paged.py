"""Rows in pages, for a search by tables: how they are laid out. See _kernels/pages.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._kernels.jit import CACHE_LINE
from ..memory import Storage

if TYPE_CHECKING:
    from .._kernels.exact import Heaps
    from .._kernels.formulas import Model
    from .._kernels.page_tables import Tables
    from .._kernels.paged_exact import Paged, Seen
    from .._kernels.pages import Bands, Codes, Lengths
    from .._kernels.picking import Progress as Now

DIFFERENT = 0.5  # share of the rows that must differ from one another
MOST_LARGE = 0.5  # and share that may be large, of which little is known
LARGER = 128  # a column shares a code where at most one row in 128 has counts that it would not tell apart
SCARCE = 0.5  # a scarce column has at most this share of what a row of REPRESENTATIVE has
USUAL = 1.5  # of a frequent column a usual row has as many
RATIO = 1.4  # of the features of the longest lines of a band to those of the shortest,
APART = 1.7  # where these are few, and
WIDE = 16  # so much more in any case
DIGITS = 6  # rare columns, the first that a row has, by which rows are sorted
LOW = 0.01  # one row in 100 has a norm below the least that is told apart;
NORMS, RESTS = 1.1, 1.3  # the ratio of two norms that are told apart, and of two gains
SURE = 1e-9  # outweighs their rounding
KEPT = 64  # rows that a thread keeps in mind
FOUND = 3 << 12  # rows that may wait to be scored, at least those of a sheet
EVERY, AT_MOST = 16, 120  # one page in 16 decides which codes come first; what a row counts for one at most


def page_rows(
    model: Model,
    heaps: Heaps,
    starts: NDArray[np.int64],
    dense: NDArray[np.int64],
    rows: int,
    now: Now,
    storage: Storage,
) -> Paged | None:
    """Lay the rows that have lines left out in pages, `dense` being the features that get columns; None if too
    many of them are like another one, or large."""
    from .._kernels import pages as kernels
    from .._kernels.jit import KINDS
    from .._kernels.paged_exact import Paged

    columns = len(dense) + 1
    column_of = np.full(len(model.p), -1, np.int64)
    column_of[dense] = np.arange(len(dense))
    split = kernels.Split(
        place=np.zeros(rows, np.int64),
        count=storage.array(rows * columns, np.uint8).reshape(rows, columns),
        gain=np.zeros(rows),
        rest=np.zeros(rows),
        code=np.zeros(rows, np.uint64),
    )
    kernels.split_rows(model, heaps.row_data, int(starts[-1]), column_of, split)
    if np.count_nonzero(np.diff(np.sort(split.code))) < DIFFERENT * rows:
        return None
    length = np.searchsorted(starts, split.place, side="right") - 1
    features = heaps.features[length]
    kernels.count_others(split.count, features)
    kinds, total = _kinds(split.count)
    is_rare = (kinds[:-1] < KINDS) | (model.p[dense] * features.mean() < USUAL)
    column = np.append(np.lexsort((-model.p[dense], is_rare)), columns - 1)  # the frequent ones first
    kinds, total, feature = kinds[column], total[column], np.append(dense, -1)[column]
    kernels.put_in_order(split.count, column, np.zeros(columns, np.uint8))
    frequent = len(dense) - int(is_rare.sum())
    p, norm, group = model.p[feature[:frequent]], np.zeros(rows), np.zeros(rows, np.int64)
    kernels.norms(split.count, features, p, norm)
    wanted = np.append(model.p[feature[:-1]] * features.mean(), 0.0)
    scarce = np.flatnonzero(total < SCARCE * wanted * rows)
    kernels.find_apart(split.count, kinds, scarce, group)
    group[split.rest < 0.0] = kernels.LARGE
    if np.count_nonzero(group == kernels.LARGE) > MOST_LARGE * rows:
        return None
    bands, band, others = _bands(heaps, length, group, split.count)
    norm_levels = np.quantile(norm, LOW) * NORMS ** np.arange(-1.0, KINDS - 1)
    norm_levels[0] = 0.0
    others[:, kernels.NORM] = _kinds_of(norm * (1 - SURE), norm_levels)
    rest_levels = -split.rest.min() * RESTS ** np.arange(1.0 - KINDS, 1.0)
    rest_levels[0] = 0.0
    others[:, -kernels.REST] = _kinds_of(-split.rest, rest_levels)
    bands.top[:, columns] = _most(others[:, -kernels.REST], band, len(bands.begin))
    codes = kernels.Codes(
        feature=feature,
        kinds=kinds,
        part=_parts(kinds, frequent),
        frequent=np.array([frequent]),
        norm=norm_levels,
        rest=-np.append(rest_levels[1:], rest_levels[-1]) * (1 + SURE),
    )
    rare = frequent + np.argsort(np.append(model.p[feature[frequent:-1]], 0.0), kind="stable")
    signature = np.zeros(rows, np.uint64)
    kernels.signatures(split.count, rare, DIGITS, signature)
    order = np.lexsort((norm, signature, band))
    lane, begin, first, of_sheet = _places(band[order], len(bands.begin))
    pages = kernels.Pages(
        row_data=heaps.row_data,
        line=heaps.line,
        place=np.zeros((len(begin) - 1) * KINDS, np.int64),
        length=np.zeros((len(begin) - 1) * KINDS, np.int32),
        code=storage.aligned((len(begin) - 1) * kernels.codes_of(codes) * KINDS, CACHE_LINE),
        head=np.zeros(len(of_sheet) * kernels.HEADS * KINDS, np.uint8),
        first=first,
        band=of_sheet,
        left=np.array([rows]),
        lately=np.zeros(2, np.int64),
    )
    lengths = kernels.Lengths(
        features=heaps.features,
        words=heaps.words,
        divisor=heaps.divisor[: len(heaps.features)].copy(),
    )
    tables, seen = make_tables(codes, bands, len(heaps.features)), make_seen(len(heaps.features))
    paged = Paged(codes, bands, lengths, pages, rare, tables, seen)
    utility = _utilities(model, lengths, length, split.gain, now)
    kernels.fill_pages(codes, split, order, lane, others, length, pages)
    kernels.fill_heads(codes, split.count, order, begin, rare, pages)
    best = np.argpartition(utility[order], min(KEPT, rows) - 1)[:KEPT]
    seen.number[0] = len(best)
    seen.lane[: len(best)], seen.length[: len(best)] = lane[best], length[order[best]]
    seen.utility[: len(best)] = utility[order[best]]
    order_codes(model, paged, now)
    return paged


def _kinds(count: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By column: how many counts a code tells apart, and all counts together."""
    from .._kernels.jit import KINDS
    from .._kernels.pages import EIGHT, FOUR, count_larger

    four, eight, total = (np.zeros(count.shape[1], np.int64) for _ in range(3))
    count_larger(count, four, eight, total)
    most = len(count) // LARGER
    return np.where(four <= most, FOUR, np.where(eight <= most, EIGHT, KINDS)), total


def _parts(kinds: NDArray[np.int64], frequent: int) -> NDArray[np.int64]:
    """By code, its columns: one, two or three, by their kinds; probable ones with less probable ones."""
    from .._kernels.jit import KINDS
    from .._kernels.pages import EIGHT, FOUR, PARTS

    parts = []
    for some, together in ((FOUR, 3), (EIGHT, 2), (KINDS, 1)):
        columns = np.flatnonzero((kinds == some) & (np.arange(len(kinds)) >= frequent))
        codes = -(-len(columns) // together)
        made = np.full((codes, PARTS), -1)
        for j in range(together):
            some_columns = columns[j * codes : (j + 1) * codes]
            made[: len(some_columns), j] = some_columns
        parts.append(made)
    made = np.full((frequent, PARTS), -1)
    made[:, 0] = np.arange(frequent)
    return np.concatenate([*parts, made])


def _kinds_of(value: NDArray[np.float64], least: NDArray[np.float64]) -> NDArray[np.int64]:
    """Which kind each value is of, by the least of each kind."""
    return np.maximum(np.searchsorted(least, value, side="right") - 1, 0)


def _bands(
    heaps: Heaps, length: NDArray[np.int64], group: NDArray[np.int64], count: NDArray[np.uint8]
) -> tuple[Bands, NDArray[np.int64], NDArray[np.uint8]]:
    """Bands of lengths, those of each group of rows apart; the band of each row; and its first codes, as far as they
    say which length of the band it has."""
    from .._kernels import pages as kernels

    by_features = np.argsort(heaps.features, kind="stable")
    rank = np.zeros(len(by_features), np.int64)
    rank[by_features] = np.arange(len(by_features))
    begin: list[int] = []
    end: list[int] = []
    is_large: list[bool] = []
    of_length = np.zeros((kernels.LARGE + 1, len(by_features)), np.int64)
    for apart in range(kernels.LARGE + 1):
        number = np.bincount(rank[length[group == apart]], minlength=len(rank))
        at = 0
        while at < len(rank):
            first, stop = at, at + 1
            shortest = int(heaps.features[by_features[first]])
            widest = max(shortest * (RATIO if apart == 0 else APART), shortest + WIDE)
            while stop < len(rank) and heaps.features[by_features[stop]] <= widest:
                stop += 1
            at = stop
            if not number[first:stop].any():
                continue
            of_length[apart, first:stop] = len(begin)
            begin.append(first)
            end.append(stop)
            is_large.append(apart == kernels.LARGE)
    band = of_length[group, rank[length]]
    made = kernels.Bands(
        length=by_features,
        begin=np.array(begin),
        end=np.array(end),
        middle=np.bincount(band, heaps.features[length], len(begin)) / np.bincount(band, None, len(begin)),
        large=np.array(is_large),
        top=np.zeros((len(begin), count.shape[1] + 1), np.int64),
    )
    kernels.largest(count, band, made.top)
    codes = np.zeros((len(length), kernels.OTHERS), np.uint8)
    code = np.zeros(len(length), np.uint8)
    kernels.code_lengths(rank[length] - made.begin[band], (made.end - made.begin)[band], code)
    codes[:, -kernels.LENGTH] = code
    return made, band, codes


def _most(kind: NDArray[np.uint8], band: NDArray[np.int64], bands: int) -> NDArray[np.int64]:
    most = np.zeros(bands, np.int64)
    np.maximum.at(most, band, kind.astype(np.int64))
    return most


def _places(
    band: NDArray[np.int64], bands: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For rows in the order of their bands: where each is to be in pages; with which row each page begins; with which
    page each sheet begins; and its band."""
    from .._kernels.jit import KINDS

    number = np.bincount(band, minlength=bands)
    pages = -(-number // KINDS)
    before, first_page = np.cumsum(number) - number, np.cumsum(pages) - pages
    lane = first_page[band] * KINDS + np.arange(len(band)) - before[band]
    of_page = np.repeat(np.arange(bands), pages)
    begin = before[of_page] + (np.arange(len(of_page)) - first_page[of_page]) * KINDS
    sheets = -(-pages // KINDS)
    of_sheet = np.repeat(np.arange(bands), sheets)
    first = first_page[of_sheet] + (np.arange(len(of_sheet)) - (np.cumsum(sheets) - sheets)[of_sheet]) * KINDS
    return lane, np.append(begin, len(band)), np.append(first, len(of_page)), of_sheet


def _utilities(
    model: Model, lengths: Lengths, length: NDArray[np.int64], gain: NDArray[np.float64], now: Now
) -> NDArray[np.float64]:
    """About how good each row is."""
    from .._kernels.formulas import BASE

    selected = now.features[0] + model.smoothing[BASE]
    penalty = np.log1p(lengths.features / selected) / np.log(2)
    utility: NDArray[np.float64] = (penalty[length] + gain) / lengths.divisor[length]
    return utility


def order_codes(model: Model, paged: Paged, now: Now) -> None:
    """Put the codes first that cost rows near the front much now, those of rare columns before all others: so a page
    ends early."""
    from .._kernels import pages as kernels
    from .._kernels.jit import KINDS
    from .._kernels.paged_exact import weigh_codes

    part, known = paged.codes.part, paged.seen.utility[: paged.seen.number[0]]
    weight = np.zeros(len(part))
    now.step[0] += 1  # tables are made for a step
    weigh_codes(model, paged, now, float(known.min(initial=np.inf)), EVERY, AT_MOST, weight)
    order = np.lexsort((-weight, part[:, 0] < paged.codes.frequent[0]))
    kernels.rearrange(paged.codes, paged.pages, order, np.zeros(len(part) * KINDS, np.uint8))
    part[:] = part[order]


def make_tables(codes: Codes, bands: Bands, lengths: int) -> Tables:
    from .._kernels.jit import KINDS
    from .._kernels.page_tables import Tables
    from .._kernels.pages import HEADS, codes_of

    columns, number = len(codes.feature), len(bands.begin)
    return Tables(
        table=np.zeros(number * codes_of(codes) * KINDS, np.uint8),
        head=np.zeros(number * HEADS * KINDS, np.uint8),
        made=np.full(number, -1, np.int64),
        is_open=np.zeros(number, np.bool_),
        per_bit=np.zeros(number),
        best=np.zeros(number),
        step=np.full(1, -1, np.int64),
        bits=np.zeros(columns),
        had=np.zeros(columns),
        series=np.zeros((columns, 3)),
        gain=np.zeros((columns, KINDS)),
        cost=np.zeros((columns, KINDS)),
        lowest=np.zeros(columns),
        free=np.zeros(columns),
        units=np.zeros((columns, KINDS), np.float32),
        of_length=np.zeros(lengths),
    )


def make_seen(lengths: int) -> Seen:
    from .._kernels.jit import KINDS
    from .._kernels.paged_exact import Seen

    return Seen(
        penalty=np.zeros(lengths),
        penalty_step=np.full(lengths, -1, np.int64),
        lane=np.zeros(KEPT, np.int64),
        length=np.zeros(KEPT, np.int64),
        utility=np.zeros(KEPT),
        number=np.zeros(1, np.int64),
        found=np.zeros(FOUND, np.int64),
        bound=np.zeros(FOUND),
        norm=np.zeros(KINDS, np.uint8),
        total=np.zeros(KINDS, np.uint8),
        none=np.zeros(KINDS, np.uint8),
    )
