"""Eligible lines: which lines of AVAILABLE are excluded, each with one reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..errors import CynicalError
from ..options import Eligibility
from .copies import Hashes, Numbers, beyond, counted
from .excluded import Excluded, leave_excluded_out
from .index import HowToRead
from .seed import Earlier, leave_out
from .shards import Each

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

TOGETHER = 1 << 24  # lines whose hashes are looked at together, about
NOT_AMONG_BEST = "not_among_best"  # of --among, which comes last
REASONS = ("blank", "excluded", "contaminated", "in_seed", "too_short", "too_long", "copies")  # the first counts


def check_left(skipped: Mapping[str, int], lines: int, shortest: int, longest: int) -> None:
    """See to it that some line may be picked; lines have this many words."""
    if sum(skipped.values()) == lines:
        counted = ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in skipped.items() if number)
        raise CynicalError(
            f"no eligible line is left: {counted} (lines have {shortest} to {longest} words); relax the limits, or "
            "give more text with -a"
        )


@dataclass(frozen=True, slots=True)
class Filters:
    """What leaves lines out."""

    bounds: Eligibility
    excluded: Excluded | None  # lines that are never picked
    earlier: Sequence[Earlier] = ()  # rankings whose lines are not picked again


def leave_lines_out(available: Available, filters: Filters, how: HowToRead) -> None:
    """See to it that no line is picked that may not be; how many there are, by reason."""
    excluded, most = filters.excluded, filters.bounds.max_copies
    if excluded is not None:
        leave_excluded_out(available, excluded, how.jobs)
    if filters.earlier:
        available.earlier = leave_out(filters.earlier, available, how)
    if most is not None:
        available.tell(_leave_out_copies, most, Each(_copies_elsewhere(available, most)))
    skipped = available.tell(_choose, filters.bounds)
    available.skipped = {reason: sum(one[reason] for one in skipped) for reason in REASONS}


def _leave_out_copies(shard: LocalAvailable, most: int, elsewhere: tuple[Hashes, Numbers] | None) -> None:
    shard.left_out["copies"] = beyond(shard.index.same, most, elsewhere)


def _count_hashes(shard: LocalAvailable, low: int, high: int) -> tuple[Hashes, Numbers]:
    return counted(shard.index.same, low, high)


def _copies_elsewhere(available: Available, most: int) -> list[tuple[Hashes, Numbers] | None]:
    """For each shard hashes that lines of the shards before it have, and how many, where its own lines make too many.

    Hashes are looked at in as many ranges as are needed for those of one to be in memory here.
    """
    shards = len(available.first)
    if shards == 1:
        return [None]
    made: list[list[tuple[Hashes, Numbers]]] = [[] for _ in range(shards)]
    ranges = available.contents.lines // TOGETHER + 1
    for one in range(ranges):
        low, high = (one << 64) // ranges, ((one + 1 << 64) // ranges) - 1
        hashes, times = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        for shard, (own, number) in enumerate(available.ask(_count_hashes, low, high)):
            place = np.searchsorted(hashes, own)
            known = place < len(hashes)
            known[known] = hashes[place[known]] == own[known]
            before = times[place[known]]
            many = before + number[known] > most
            made[shard].append((own[known][many], before[many]))
            times[place[known]] += number[known]
            new = np.searchsorted(hashes, own[~known])
            hashes, times = np.insert(hashes, new, own[~known]), np.insert(times, new, number[~known])
    return [
        (np.concatenate([hashes for hashes, _ in some]), np.concatenate([times for _, times in some])) for some in made
    ]


def _choose(shard: LocalAvailable, bounds: Eligibility) -> dict[str, int]:
    """Lines that may be picked; how many others there are, by the first reason that fits."""
    index, out = shard.index, shard.left_out
    lengths = index.of_sides if bounds.length_per == "side" else (index.words,)
    out["blank"] = index.words == 0
    if bounds.min_length is not None:
        out["too_short"] = reduce(np.minimum, lengths) < bounds.min_length
    if bounds.max_length is not None:
        out["too_long"] = reduce(np.maximum, lengths) > bounds.max_length
    if len(index.shares_run):
        out["contaminated"] = index.shares_run
    skipped, shard.reason = dict.fromkeys(REASONS, 0), np.zeros(index.lines, np.uint8)
    for number, reason in enumerate(REASONS, 1):
        if reason in out:
            lines = out.pop(reason) & shard.allowed
            skipped[reason], shard.reason[lines] = int(np.count_nonzero(lines)), number
            shard.allowed &= ~lines
    index.of_sides, index.shares_run = (), np.zeros(0, np.bool_)
    return skipped
