"""Lines that are never picked: those of a text such as a test set.

A hash of each line of that text is in memory, 8 bytes, and 20 bytes more for lines that may be in AVAILABLE. Lines with
equal hashes are fetched again and compared, some thousand at a time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.read import read_part, take_rankings
from ..model.overlap import WINDOW, Inside, same_words
from ..model.sequences import Numbering, Sequences
from ..options import Reading
from ..progress import Progress
from ..text.corpus import Corpus, Part
from ..text.places import Places, find_lines, in_batches, part_of
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer
from .copies import Hashes, Numbers, is_one_of
from .index import HowToTokenize, hash_lines
from .shards import Each, OneShard, Shards

MOST_WORDS = 1 << 24  # of the text, that are looked for inside longer picks: 64 MB, and a vocabulary


def open_excluded(source: Source, reading: Reading) -> Corpus:
    """A text whose lines are never to be picked, or a ranking, of which that is so too."""
    rankings, rest = take_rankings(source, reading)
    parts = [_lines_of(ranking) for ranking in rankings]
    corpus = None if rest is None else open_corpus(rest, "--exclude", reading, rankings=True)
    for part in corpus.parts if corpus is not None else ():
        if part.is_counts:
            raise CynicalError(f"{part.name}: --exclude compares lines, but this is a .counts file; give the text")
        parts.append(_lines_of(read_part(part)) if part.is_ranking else part)
    names = [ranking.name for ranking in rankings] + ([] if corpus is None else [corpus.name])
    return Corpus(", ".join(names), parts)


def _lines_of(ranking: Jaded) -> Part:
    """The lines of a ranking as a text."""
    return Corpus.in_memory(ranking.name, ranking.content.texts(slice(0, len(ranking)))).parts[0]


@dataclass(frozen=True, slots=True)
class Excluded:
    """Lines that are never to be picked, and hashes of their words."""

    hashes: Hashes
    lines: Corpus

    @classmethod
    def of(cls, lines: Corpus, how: HowToTokenize) -> Excluded:
        return cls(hash_lines(lines, how.tokenizer, how.jobs, how.progress, "--exclude"), lines)


class HasHashes(Protocol):
    """Lines, and hashes of their words: an index, or less."""

    @property
    def source(self) -> Hashes: ...
    @property
    def places(self) -> Sequence[Places]: ...


class Compared(Protocol):
    """A shard whose lines are compared with those of a text."""

    left_out: dict[str, NDArray[np.bool_]]  # by reason
    maybe_excluded: Numbers | None  # lines by their hashes, while they are compared

    @property
    def index(self) -> HasHashes: ...
    @property
    def how(self) -> HowToTokenize: ...


@dataclass(frozen=True, slots=True)
class _HashedText:
    source: Hashes
    places: Sequence[Places]


@dataclass(slots=True, eq=False)
class _Text(OneShard):
    """A text that nothing is picked from, as a shard."""

    index: _HashedText
    how: HowToTokenize
    left_out: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    maybe_excluded: Numbers | None = None


def equal_lines(text: Corpus, excluded: Excluded, how: HowToTokenize, role: str) -> NDArray[np.bool_]:
    """By line of a text, has it the words of a line that is excluded? One without words has not."""
    hashes = hash_lines(text, how.tokenizer, how.jobs, how.progress, role)
    shard = _Text(_HashedText(hashes, [find_lines(text, how.jobs, Progress(), role)]), how)
    leave_excluded_out(shard, excluded, how.jobs)
    return np.asarray(shard.left_out["excluded"] & (hashes != 0))


def lines_of_hashes(excluded: Excluded, hashes: Hashes, jobs: int) -> Corpus:
    """The excluded lines that have some hashes."""
    places = find_lines(excluded.lines, jobs, Progress(), "--exclude")
    return part_of(places, np.flatnonzero((excluded.hashes != 0) & is_one_of(excluded.hashes, hashes)))


@dataclass(frozen=True, slots=True, eq=False)
class _Alike:
    """Lines of the text that lines of AVAILABLE may be equal to, in groups of the same hash."""

    places: Places
    lines: Numbers  # sorted by their hashes
    hashes: Hashes  # by group, sorted
    first: Numbers  # by group, where the line is that is compared now
    end: Numbers  # and where its lines end

    def batches(self) -> Iterator[tuple[Hashes, Corpus]]:
        """One line of each group, some groups at a time, with their hashes."""
        at = 0
        for some in in_batches(self.places, self.lines[self.first]):
            yield self.hashes[at : at + len(some)], part_of(self.places, some)
            at += len(some)

    def following(self, hashes: Hashes) -> _Alike:
        """The next line of each group that has one of these hashes, and one line more."""
        some = np.isin(self.hashes, hashes) & (self.first + 1 < self.end)
        return replace(self, hashes=self.hashes[some], first=self.first[some] + 1, end=self.end[some])


def leave_excluded_out(available: Shards, excluded: Excluded, jobs: int) -> None:
    """Leave out lines that have the words of an excluded one: equal hashes are not enough.

    Shards get lines of the text some thousand at a time, one for each hash, and answer which of their own lines of that
    hash are different. Nearly always none is; for those the next lines of the same hash are looked at.
    """
    found = np.unique(np.concatenate(available.ask(_find_excluded, excluded.hashes)))
    alike, shards = _find_alike(excluded, found, jobs), range(len(available.first))
    among: list[Numbers | None] = [None for _ in shards]
    different = [np.zeros(0, np.int64) for _ in shards]
    while len(alike.hashes):
        answers = [available.ask(_different, *batch, Each(among)) for batch in alike.batches()]
        still = [np.concatenate([answer[shard] for answer in answers], axis=1) for shard in shards]
        following = alike.following(np.concatenate([hashes for _, hashes in still]))
        for shard, (lines, hashes) in enumerate(still):
            more = np.isin(hashes, following.hashes)
            among[shard] = lines[more].astype(np.int64)
            different[shard] = np.append(different[shard], lines[~more].astype(np.int64))
        alike = following
    available.tell(_exclude, excluded.hashes, Each(different))


def _find_alike(excluded: Excluded, found: Hashes, jobs: int) -> _Alike:
    """The lines of the text that have one of these hashes."""
    lines = np.flatnonzero(is_one_of(excluded.hashes, found))
    lines = lines[np.argsort(excluded.hashes[lines], kind="stable")]
    hashes, first = np.unique(excluded.hashes[lines], return_index=True)
    places = find_lines(excluded.lines, jobs, Progress(), "--exclude")
    return _Alike(places, lines, hashes, first, np.append(first[1:], len(lines)))


def _find_excluded(shard: Compared, hashes: Hashes) -> Hashes:
    """Which of these hashes lines have; the lines are kept for what is asked next."""
    source = shard.index.source
    lines = np.flatnonzero(is_one_of(source, hashes))
    shard.maybe_excluded = lines[np.argsort(source[lines], kind="stable")]
    return np.unique(source[lines])


def _different(shard: Compared, hashes: Hashes, text: Corpus, among: Numbers | None) -> Hashes:
    """Lines that have one of these hashes, but other words than the line of the text that has it; and their hashes.

    The hashes are in their order. Lines are all lines that have them, or some of these.
    """
    index, how = shard.index, shard.how
    if among is not None:
        lines = among[np.isin(index.source[among], hashes)]
    elif shard.maybe_excluded is not None:
        of_line, lines = index.source.__getitem__, shard.maybe_excluded
        lines = lines[bisect_left(lines, hashes[0], key=of_line) : bisect_right(lines, hashes[-1], key=of_line)]
    else:  # another worker has taken over meanwhile
        lines = np.flatnonzero(is_one_of(index.source, hashes))
    own, theirs = index.places[0], find_lines(text, 1, Progress(), "--exclude")
    out = np.zeros(len(lines), np.bool_)
    done = 0
    for some in in_batches(own, lines):
        others = np.searchsorted(hashes, index.source[some])
        out[done : done + len(some)] = ~_same((own, some), (theirs, others), how)
        done += len(some)
    return np.stack([lines[out].astype(np.uint64), index.source[lines[out]]])


def _same(one: tuple[Places, Numbers], other: tuple[Places, Numbers], how: HowToTokenize) -> NDArray[np.bool_]:
    """Line by line, do both have the same words? Where the bytes are equal, nobody needs to look at words."""
    texts = zip(one[0].texts(one[1]), other[0].texts(other[1]), strict=True)
    out = np.array([a == b for a, b in texts], np.bool_)
    differ = np.flatnonzero(~out)
    if len(differ):
        numbering, told = Numbering(), (how.tokenizer, how.jobs, Progress(), "--exclude")
        both = [part_of(places, lines[differ]) for places, lines in (one, other)]
        out[differ] = same_words(*(numbering.read(text, *told) for text in both))
    return out


def _exclude(shard: Compared, hashes: Hashes, different: Numbers) -> None:
    """Leave out lines of these hashes, but those that have other words."""
    shard.left_out["excluded"] = out = is_one_of(shard.index.source, hashes)
    out[different] = False
    shard.maybe_excluded = None


@dataclass(frozen=True, slots=True)
class FoundInside:
    """Lines that are never to be picked, inside longer ones that were."""

    lines: int  # that were found
    of: int  # as many were looked for
    all: bool  # were these all lines of the text?


def find_inside(
    exclude: Corpus, picked: Places, picks: NDArray[np.int64], how: tuple[Tokenizer, int], below: int | None
) -> FoundInside:
    """Look for lines of a text, of fewer than `below` words, inside longer picks.

    In memory are the words of the first MOST_WORDS or so of the text, and some thousand picks at a time.
    """
    numbering, told = Numbering(), (*how, Progress())
    places = find_lines(exclude, how[1], Progress(), "--exclude")
    kept: list[Sequences] = []
    looked = words = 0
    for lines in in_batches(places, np.arange(len(places))):
        some = numbering.read(part_of(places, lines), *told, "--exclude")
        long = some.lengths >= WINDOW
        if below is not None:
            long &= some.lengths < below
        kept.append(some.take(np.flatnonzero(long)))
        looked, words = looked + len(lines), words + some.words
        if words > MOST_WORDS:
            break
    inside = Inside.of(Sequences.joined(kept))
    for lines in in_batches(picked, picks) if len(inside.lines) else ():
        inside.look(numbering.read_known(part_of(picked, lines), *told, "AVAILABLE"))
    return FoundInside(int(inside.found.sum()), looked, looked == len(places))
