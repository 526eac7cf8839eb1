"""The exact search where lines share their words and few are alike: by bounds of all rows, from tables. See pages.py.

For each pick, heads of pages are looked up, then the codes of the pages that are left, the rare features first. A page
ends as soon as each of its rows costs too much. What is left, a few rows of a million, is scored exactly. Several
threads search for one pick; each makes the tables of the bands that it looks at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chunk import U64
from .entries import LEFT, LINE, span_at
from .formulas import BASE, UNIT, Model, gain_of_row, penalty, utility
from .jit import CACHE_LINE, KINDS, inlined, kernel, look_up, prefetch, trailing_zeros
from .page_tables import LIMIT, Tables, bound_of, limit_of, make_tables
from .pages import FIRST, HEADS, LENGTH, NORM, NOTHING, Bands, Codes, Lengths, Pages, codes_of
from .picking import (
    FULL,
    NO_LINE_LEFT,
    OUT_OF_PATIENCE,
    OVER_BUDGET,
    STALE,
    Pick,
    PickLimits,
    PickLog,
    Progress,
    best_word,
    out_of_patience,
    over_budget,
    record,
)
from .team import (
    LEADER,
    OVER,
    Best,
    Team,
    begin_round,
    best_of_all,
    joins,
    leave_round,
    read_best,
    take_piece,
    threads,
    told_by_others,
    wait_while,
    write_best,
)

TOGETHER = 8  # codes that are looked up before it asks whether a page has ended
FEW = 4  # sheets that a thread looks at before it scores what it found; then twice as many, and so on
SOME = 1024  # picks, for which one counts how many rows they score
AHEAD = 10  # codes of the next page that are asked for


class Seen(NamedTuple):
    """What a thread writes down for itself, beside its tables."""

    penalty: NDArray[np.float64]  # by length,
    penalty_step: NDArray[np.int64]  # at this step
    lane: NDArray[np.int64]  # the best rows that it has scored lately, by where they are in pages,
    length: NDArray[np.int64]  # which length they have,
    utility: NDArray[np.float64]  # and their utility then
    number: NDArray[np.int64]  # how many these are
    found: NDArray[np.int64]  # rows that may be better than the best, not scored yet,
    bound: NDArray[np.float64]  # and a bound of the utility of each
    norm: NDArray[np.uint8]  # of a page: what its norms cost,
    total: NDArray[np.uint8]  # its codes
    none: NDArray[np.uint8]  # and nothing


class Paged(NamedTuple):
    """All of it."""

    codes: Codes
    bands: Bands
    lengths: Lengths
    pages: Pages
    rare: NDArray[np.int64]  # columns, as heads name them
    tables: Tables
    seen: Seen


@inlined
def score_row(model: Model, paged: Paged, progress: Progress, m: int, lane: int, best: Best) -> Best:
    """The best so far, after a row; it is noted if it is a good one."""
    pages, seen = paged.pages, paged.seen
    if seen.penalty_step[m] != progress.step[0]:
        seen.penalty_step[m] = progress.step[0]
        seen.penalty[m] = penalty(progress.features[0], paged.lengths.features[m], model.smoothing[BASE])
    place = pages.place[lane]
    begin, end = span_at(pages.row_data, place)
    gain = gain_of_row(model, pages.row_data, begin, end)
    progress.rescored[0] += 1
    reached = utility(seen.penalty[m], gain * UNIT, paged.lengths.divisor[m])
    note_row(seen, lane, m, reached)
    if reached > best.utility:
        return best
    line = np.int64(pages.line[pages.row_data[place + LINE]])
    if reached < best.utility or line < best.tag:
        return Best(lane, m, line, reached)
    return best


@inlined
def note_row(seen: Seen, lane: int, m: int, reached: float) -> None:
    """Keep a row that was scored in mind, in place of the worst of those that are kept, if it is better."""
    number, worst = seen.number[0], 0
    for i in range(number):
        if seen.lane[i] == lane:
            return
        worst = i if seen.utility[i] > seen.utility[worst] else worst
    if number < seen.lane.size:
        worst = number
        seen.number[0] += 1
    elif reached >= seen.utility[worst]:
        return
    seen.lane[worst], seen.length[worst], seen.utility[worst] = lane, m, reached


@inlined
def score_seen(model: Model, paged: Paged, progress: Progress, best: Best) -> Best:
    """The best so far, after the rows that were good ones lately."""
    pages, seen = paged.pages, paged.seen
    kept, number = 0, seen.number[0]
    for i in range(number):
        if pages.row_data[pages.place[seen.lane[i]] + LEFT]:
            seen.lane[kept], seen.length[kept] = seen.lane[i], seen.length[i]
            kept += 1
    seen.number[0] = 0
    for i in range(kept):
        best = score_row(model, paged, progress, seen.length[i], seen.lane[i], best)
    return best


@inlined
def search_page(paged: Paged, a: int, page: int, limit: int, number_found: int) -> int:
    """Find the rows of a page that may be better than the best; how many there are now."""
    codes, pages, tables, seen = paged.codes, paged.pages, paged.tables, paged.seen
    number, rare = codes_of(codes), FIRST + codes.part.shape[0] - codes.frequent[0]
    at, table = page * number * KINDS, a * number * KINDS
    for i in range(KINDS):
        seen.norm[i] = seen.total[i] = 0
    look_up(pages.code, at + NORM * KINDS, 1, tables.table, table + NORM * KINDS, seen.norm, seen.none, limit)
    done, mask = FIRST, U64(0)
    while done < number:
        begin, beside = at + done * KINDS, table + done * KINDS
        if done < rare:  # what the frequent columns cost is not known yet
            until = min(done + TOGETHER, rare)
            mask = look_up(pages.code, begin, until - done, tables.table, beside, seen.total, seen.norm, limit)
        else:
            until = min(done + TOGETHER, number)
            mask = look_up(pages.code, begin, until - done, tables.table, beside, seen.total, seen.none, limit)
        if mask == U64(0):
            return number_found
        done = until
    while mask != U64(0):
        i = trailing_zeros(mask)
        mask &= mask - U64(1)
        seen.found[number_found] = page * KINDS + i
        seen.bound[number_found] = bound_of(tables, a, np.int64(seen.total[i]))
        number_found += 1
    return number_found


@inlined
def score_found(model: Model, paged: Paged, progress: Progress, number: int, best: Best) -> Best:
    """The best so far after the rows that were found, the most promising first."""
    seen, first = paged.seen, 0
    for n in range(number):
        first = n if seen.bound[n] < seen.bound[first] else first
    for turn in range(-1 if number else 0, number):
        n = first if turn < 0 else turn
        if turn != first and seen.bound[n] <= best.utility:
            lane = seen.found[n]
            best = score_row(model, paged, progress, np.int64(paged.pages.length[lane]), lane, best)
    return best


@inlined
def prefetch_page(paged: Paged, page: int) -> None:
    number = codes_of(paged.codes)
    for q in range(min(AHEAD, number)):
        prefetch(paged.pages.code, (page * number + q) * CACHE_LINE)


@inlined
def look_up_heads(paged: Paged, sheet: int, limit: int) -> np.uint64:
    """Which pages of a sheet may have a better row, by their heads: a bit for each."""
    pages, tables, seen, head = paged.pages, paged.tables, paged.seen, HEADS * KINDS
    for i in range(KINDS):
        seen.total[i] = 0
    a = pages.band[sheet]
    mask = look_up(pages.head, sheet * head, HEADS, tables.head, a * head, seen.total, seen.none, limit)
    number = pages.first[sheet + 1] - pages.first[sheet]
    return mask if number == KINDS else mask & ((U64(1) << U64(number)) - U64(1))


@inlined
def search_sheet(model: Model, paged: Paged, progress: Progress, sheet: int, best: float, found: int) -> int:
    """Find the rows of a sheet of pages that may be better than the best; how many there are now."""
    codes, bands, lengths, pages, rare, tables, _ = paged
    a = pages.band[sheet]
    if tables.made[a] != progress.step[0]:
        make_tables(model, codes, bands, lengths, tables, rare, progress, a, best)
    if tables.is_open[a]:
        limit, first = limit_of(tables, a, best), pages.first[sheet]
        mask = look_up_heads(paged, sheet, limit)
        while mask != U64(0):
            page = first + trailing_zeros(mask)
            mask &= mask - U64(1)
            if mask != U64(0):
                prefetch_page(paged, first + trailing_zeros(mask))
            found = search_page(paged, a, page, limit, found)
    return found


@inlined
def search_pieces(model: Model, paged: Paged, progress: Progress, team: Team, thread: int, best: Best) -> Best:
    """The best so far after all the sheets that no other thread takes.

    What is found in a few of them is scored first where it promises most: that makes most of the rest, and most other
    pages, easier to pass over."""
    sheets, parts, found, taken, few = paged.pages.band.size, threads(team), 0, 0, FEW
    for other in range(parts):
        part = (thread + other) % parts
        at = part + parts * take_piece(team, part)
        while at < team.piece.size:
            if team.piece[at] < sheets:
                found = search_sheet(model, paged, progress, team.piece[at], best.utility, found)
                taken += 1
            if taken >= few or found > paged.seen.found.size - KINDS * KINDS:
                best = score_found(model, paged, progress, found, best)
                best = told_by_others(team, thread, best)
                found, few = 0, 2 * few
            at = part + parts * take_piece(team, part)
    return score_found(model, paged, progress, found, best)


@inlined
def find_best(model: Model, paged: Paged, progress: Progress, team: Team) -> Best:
    """The best row of all, by the leader of a team and its helpers."""
    best = score_seen(model, paged, progress, Best(-1, 0, 0, np.inf))
    write_best(team, LEADER, best)
    begin_round(team)
    return best_of_all(team, search_pieces(model, paged, progress, team, LEADER, best))


@kernel
def help_with_pages(model: Model, paged: Paged, progress: Progress, team: Team, thread: int) -> None:
    """A helper: round by round, look at what the others do not, until the search is over.

    `paged` has tables of this thread's own."""
    now = wait_while(team.round, 0, 0)
    while now != OVER:
        if joins(team, thread, now):
            best = score_seen(model, paged, progress, read_best(team, LEADER))
            best = search_pieces(model, paged, progress, team, thread, best)
            write_best(team, thread, best)
            leave_round(team, thread, now)
        now = wait_while(team.round, 0, now)


@inlined
def pick_row(model: Model, paged: Paged, progress: Progress, log: PickLog, n: int, best: Best) -> None:
    """Pick the next line of a row."""
    pages, lengths = paged.pages, paged.lengths
    lane, m, line = best.group, best.node, best.tag
    place, row_data = pages.place[lane], pages.row_data
    begin, end = span_at(row_data, place)
    gain = gain_of_row(model, row_data, begin, end) * UNIT
    word = best_word(model, row_data, begin, end)
    cost = penalty(progress.features[0], lengths.features[m], model.smoothing[BASE])
    pick = Pick(line, lengths.words[m], lengths.features[m], cost, gain, word)
    record(model, progress, log, n, pick, row_data, begin, end)
    row_data[place + LINE] += 1
    row_data[place + LEFT] -= 1
    if row_data[place + LEFT] == 0:
        pages.left[0] -= 1
        number = codes_of(paged.codes)
        pages.code[(lane // KINDS * number + number + LENGTH) * KINDS + lane % KINDS] = NOTHING


@kernel
def weigh_codes(
    model: Model, paged: Paged, progress: Progress, best: float, every: int, most: int, weight: NDArray[np.float64]
) -> None:
    """What each code costs the rows of pages whose heads do not cost too much, if a row of this utility is known: one
    page of `every`, and each row `most` at most."""
    codes, bands, lengths, pages, rare, tables, _ = paged
    number = codes_of(codes)
    for a in range(bands.begin.size):
        make_tables(model, codes, bands, lengths, tables, rare, progress, a, best)
    for sheet in range(pages.band.size):
        a = pages.band[sheet]
        if tables.is_open[a]:
            mask = look_up_heads(paged, sheet, LIMIT)
            for page in range(pages.first[sheet], pages.first[sheet + 1]):
                if page % every == 0 and mask >> U64(page - pages.first[sheet]) & U64(1):
                    for q in range(FIRST, FIRST + codes.part.shape[0]):
                        at, table = (page * number + q) * KINDS, (a * number + q) * KINDS
                        for i in range(KINDS):
                            weight[q - FIRST] += min(np.int64(tables.table[table + pages.code[at + i]]), most)


@kernel
def pick_from_pages(
    model: Model, paged: Paged, progress: Progress, log: PickLog, limits: PickLimits, few: int, many: int, team: Team
) -> tuple[int, int]:
    """As exact.pick_lowest; gains do not get stale, but pages lose their rows: it also ends when `few` are left, and
    when picks score `many` on average. The caller leads the team."""
    n, lengths, pages = 0, paged.lengths, paged.pages
    while n < limits.picks:
        if pages.left[0] < few:
            return n, STALE
        progress.step[0] += 1
        scored = progress.rescored[0]
        best = find_best(model, paged, progress, team)
        if best.group < 0:
            return n, NO_LINE_LEFT
        if over_budget(progress, limits, lengths.words[best.node]):
            return n, OVER_BUDGET
        pick_row(model, paged, progress, log, n, best)
        n += 1
        if out_of_patience(progress, limits):
            return n, OUT_OF_PATIENCE
        pages.lately[0] += 1
        pages.lately[1] += (progress.rescored[0] - scored) * threads(team)
        if pages.lately[1] > many * SOME:
            return n, STALE
        if pages.lately[0] == SOME:
            pages.lately[0] = pages.lately[1] = 0
    return n, FULL
