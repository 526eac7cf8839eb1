"""The classifier's view of AVAILABLE, from the corpora of a run, and what it adds to the target."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..memory import drop_pages
from ..model.classifier import BUCKETS, Classifier, joined, learn, probabilities_of, share_alike
from ..model.count import count_words, counts_in
from ..model.counts import Counts, union
from ..model.hashed_lines import HashedLines, HowToHash, hash_lines_of
from ..model.overlap import Runs, lines_with_runs
from ..model.random_numbers import draw
from ..model.widening import Widening, levels, mixture_of, times
from ..options.method import RANDOM_SEED
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.places import Places, part_of
from ..text.tokenizer import Tokenizer
from .excluded import Excluded, equal_lines, lines_of_hashes
from .index import HowToTokenize, hash_lines
from .shards import Each, Shards
from .texts import Texts

ROLE = "AVAILABLE"


class Lines(Protocol):
    """Lines of one place, read or only opened."""

    score: NDArray[np.float64] | None  # by line, what it is ranked by, as long as that is of use

    @property
    def counted_sides(self) -> Sequence[Corpus]: ...
    @property
    def counted_places(self) -> Sequence[Places]: ...
    @property
    def how(self) -> HowToTokenize: ...


@dataclass(frozen=True, slots=True)
class HowToWiden:
    """How a target is widened."""

    tokenizer: Tokenizer
    jobs: int
    progress: Progress
    weights: Sequence[float]  # of the targets
    strength: float  # times what REPRESENTATIVE says of lines that look like it
    runs: Runs | None = None  # of words: lines that have one are left out


def judge_lines(texts: Texts, lines: Shards, how: HowToHash, seed: int) -> float:
    """Have each shard say how likely each of its lines belongs to the language of REPRESENTATIVE, which must be text:
    that is its score. The share of lines that do."""
    model = learn_to_tell(texts, lines, how, seed)
    found = lines.tell(_weigh, model)
    share = share_alike(sum(alike for alike, _ in found), sum(number for _, number in found))
    lines.tell(_to_probabilities, share)
    return share


def learn_to_tell(texts: Texts, lines: Shards, how: HowToHash, seed: int) -> Classifier:
    """Learn to tell the lines of REPRESENTATIVE, of all targets, from as many random lines of AVAILABLE."""
    wanted = joined([hash_lines_of(sides, how, "REPRESENTATIVE") for sides in lines_of_targets(texts)])
    others = lines.ask(_hash_some, how.buckets, Each(random_lines(lines, len(wanted), seed)))
    return learn(wanted, joined(others), how.buckets, seed)


def random_lines(lines: Shards, number: int, seed: int) -> list[NDArray[np.int64]]:
    """This many of all lines, or all of them, for each shard in their order."""
    found = lines.ask(_lowest, seed, number, Each(lines.first))
    drawn = np.concatenate([one for one, _ in found])
    kept = np.ones(len(drawn), np.bool_)
    if len(drawn) > number:
        kept[np.argsort(drawn, kind="stable")[number:]] = False
    ends = np.cumsum([len(one) for one, _ in found])
    return [some[own] for (_, some), own in zip(found, np.split(kept, ends[:-1]), strict=True)]


def _lowest(shard: Lines, seed: int, number: int, before: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The lines with the lowest random numbers, in their order, and these numbers."""
    drawn = draw(seed, len(shard.counted_places[0]), before)
    lines = np.arange(len(drawn)) if number >= len(drawn) else np.sort(np.argpartition(drawn, number)[:number])
    return drawn[lines], lines


def _hash_some(shard: Lines, buckets: int, lines: NDArray[np.int64]) -> HashedLines:
    return hash_lines_of([part_of(places, lines) for places in shard.counted_places], _hashing(shard, buckets), ROLE)


def _weigh(shard: Lines, model: Classifier) -> tuple[int, int]:
    """Give lines their log-odds; how many look like REPRESENTATIVE, and how many there are."""
    shard.score = model.log_odds(shard.counted_sides, _hashing(shard, len(model.weight)), ROLE)
    return model.alike(shard.score), len(shard.score)


def _to_probabilities(shard: Lines, share: float) -> None:
    assert shard.score is not None
    shard.score = probabilities_of(shard.score, share)


def _hashing(shard: Lines, buckets: int) -> HowToHash:
    return HowToHash(shard.how.tokenizer, buckets, shard.how.jobs, shard.how.progress)


def lines_of_targets(texts: Texts) -> list[list[Corpus]]:
    """REPRESENTATIVE as lines, by target, then by side; counts are an error."""
    targets: list[list[Corpus]] = []
    for sides in texts.targets:
        targets.append([])
        for side in sides:
            if isinstance(side, Counts) or counts_in(side) is not None:
                raise CynicalError(
                    f"{side.name or 'REPRESENTATIVE'}: a classifier is trained on lines, but this is a .counts file; "
                    "give the text that was counted"
                )
            targets[-1].append(side)
    return targets


def check_can_widen(texts: Texts, ngrams: int) -> None:
    """Widening needs lines of REPRESENTATIVE: raise an error that says how to do without, if it is counts."""
    for side in itertools.chain.from_iterable(texts.targets):
        counts = side if isinstance(side, Counts) else counts_in(side)
        if counts is not None:
            shorter = f" --ngrams {counts.ngrams}" if counts.ngrams < ngrams else ""
            raise CynicalError(
                f"{side.name or 'REPRESENTATIVE'}: --widen (also by --for model) needs lines of text, but this is a "
                f".counts file; give the text that was counted, or --widen 0{shorter}"
            )


def widen(texts: Texts, lines: Shards, wanted: Sequence[Sequence[Counts]], how: HowToWiden) -> Widening | None:
    """What widens a target: the counts of the lines that look like it; None if none does.

    Lines that are never to be picked are left out: the test set of someone must not decide what is picked.
    """
    share = judge_lines(texts, lines, HowToHash(how.tokenizer, BUCKETS, how.jobs, how.progress), RANDOM_SEED)
    excluded = None
    if texts.exclude is not None:
        never = Excluded.of(texts.exclude, how)
        hashes = np.unique(np.concatenate(lines.ask(_hashes_among, never.hashes)))
        excluded = lines_of_hashes(never, hashes, how.jobs)
    found = lines.ask(_count_alike, excluded, how.runs)
    lines.tell(_forget_scores)
    number = sum(one for one, _ in found)
    if not number:
        return None
    alike = [_added([by_level[side] for _, by_level in found if by_level]) for side in range(len(wanted[0]))]
    return Widening(*mixture_of(wanted, how.weights, how.strength, alike), number, share)


def _hashes_among(shard: Lines, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Which of these hashes have lines that look like REPRESENTATIVE."""
    assert shard.score is not None
    how, some = shard.how, part_of(shard.counted_places[0], np.flatnonzero(levels(shard.score)))
    own = np.unique(hash_lines(some, how.tokenizer, how.jobs, how.progress, ROLE))
    return own[np.isin(own, hashes)]


def _count_alike(shard: Lines, excluded: Corpus | None, runs: Runs | None) -> tuple[int, list[dict[int, Counts]]]:
    """How many lines look like REPRESENTATIVE, and by side and level what they have; nothing if there are none."""
    assert shard.score is not None
    how, level = shard.how, levels(shard.score)
    lines = np.flatnonzero(level)
    if excluded is not None and len(lines):
        told, some = (how.tokenizer, how.jobs, how.progress, ROLE), part_of(shard.counted_places[0], lines)
        out = equal_lines(some, Excluded.of(excluded, how), how, ROLE)
        if runs is not None:
            out |= lines_with_runs(some, runs, *told)
        lines = lines[~out]
    if not len(lines):
        return 0, []

    def count(places: Places, one: int) -> Counts:
        alike = part_of(places, lines[level[lines] == one])
        return count_words(alike, how.tokenizer, how.jobs, Progress(), ROLE, may_be_empty=True)

    different = np.unique(level[lines]).tolist()
    counted = [{one: count(places, one) for one in different} for places in shard.counted_places]
    for part in (part for side in shard.counted_sides for part in side.parts):
        drop_pages(part.raw)
    return len(lines), counted


def _added(shards: Sequence[dict[int, Counts]]) -> Counts:
    """The counts of all shards, each line as many times as its level says."""
    different = sorted({level for counted in shards for level in counted})
    return union([times(union([one[level] for one in shards if level in one]), level) for level in different])


def _forget_scores(shard: Lines) -> None:
    shard.score = None
