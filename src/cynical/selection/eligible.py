"""What may be chosen: which lines of AVAILABLE are left out, each for one reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.read import read_part, take_rankings
from ..model.overlap import same_words
from ..model.sequences import Numbering
from ..options import Eligibility, Reading
from ..progress import Progress
from ..text.corpus import Corpus, Part
from ..text.places import find_lines, part_of
from ..text.sources import Source, open_corpus
from .copies import Hashes, Numbers, beyond, counted, is_one_of
from .index import HowToRead
from .seed import Earlier, leave_out
from .shards import Each

if TYPE_CHECKING:
    from .available import Available, LocalAvailable

TOGETHER = 1 << 24  # lines whose hashes are looked at together, about
REASONS = ("blank", "excluded", "in_seed", "too_short", "too_long", "copies")  # the first that fits counts


def open_excluded(source: Source, reading: Reading) -> Corpus:
    """A text whose lines are never to be picked, or a ranking, of which that is so too."""
    rankings, rest = take_rankings(source, reading)
    parts = [_lines_of(ranking) for ranking in rankings]
    corpus = None if rest is None else open_corpus(rest, "--exclude", reading, rankings=True)
    for part in corpus.parts if corpus is not None else ():
        if part.is_counts:
            raise CynicalError(f"{part.name}: --exclude compares lines, and counts have none; give a text")
        parts.append(_lines_of(read_part(part)) if part.is_ranking else part)
    names = [ranking.name for ranking in rankings] + ([] if corpus is None else [corpus.name])
    return Corpus(", ".join(names), parts)


def _lines_of(ranking: Jaded) -> Part:
    """The lines of a ranking as a text."""
    return Corpus.in_memory(ranking.name, ranking.content.texts(slice(0, len(ranking)))).parts[0]


def check_left(skipped: Mapping[str, int], lines: int, shortest: int, longest: int) -> None:
    """See to it that some line may be picked; lines have this many words."""
    if sum(skipped.values()) == lines:
        counted = ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in skipped.items() if number)
        raise CynicalError(
            f"no line is left to choose from: {counted} (lines have {shortest} to {longest} words); "
            "loosen what leaves lines out, or give more text with -a"
        )


@dataclass(frozen=True, slots=True)
class Excluded:
    """Lines that are never to be picked, and hashes of their words."""

    hashes: NDArray[np.uint64]
    lines: Corpus

    def with_hashes(self, hashes: NDArray[np.uint64], jobs: int) -> Corpus:
        """Those that have one of these hashes."""
        return part_of(
            find_lines(self.lines, jobs, Progress(), "--exclude"), np.flatnonzero(is_one_of(self.hashes, hashes))
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
        found = np.concatenate(available.ask(_excluded_hashes, excluded.hashes))
        lines = excluded.with_hashes(found, how.jobs) if len(found) else None
        available.tell(_exclude, excluded.hashes, lines)
    if filters.earlier:
        available.earlier = leave_out(filters.earlier, available, how)
    if most is not None:
        available.tell(_leave_out_copies, most, Each(_copies_elsewhere(available, most)))
    skipped = available.tell(_choose, filters.bounds)
    available.skipped = {reason: sum(one[reason] for one in skipped) for reason in REASONS}


def _excluded_hashes(shard: LocalAvailable, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Which of these hashes lines have."""
    source = shard.index.source
    return np.unique(source[is_one_of(source, hashes)])


def _exclude(shard: LocalAvailable, hashes: NDArray[np.uint64], lines: Corpus | None) -> None:
    """Leave out lines of these hashes whose words are those of one of these lines: equal hashes are not enough."""
    index, how = shard.index, shard.how
    out = is_one_of(index.source, hashes)
    found, numbering = np.flatnonzero(out), Numbering()
    if len(found) and lines is not None:
        own = part_of(index.places[0], found)
        read = [numbering.read(one, how.tokenizer, how.jobs, Progress(), "--exclude") for one in (own, lines)]
        out[found] = same_words(*read)
    shard.left_out["excluded"] = out


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
    skipped = dict.fromkeys(REASONS, 0)
    for reason in REASONS:
        if reason in out:
            skipped[reason] = int(np.count_nonzero(out[reason] & shard.allowed))
            shard.allowed &= ~out.pop(reason)
    index.of_sides = ()
    return skipped
