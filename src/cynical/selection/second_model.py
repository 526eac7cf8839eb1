"""The classifier's view of AVAILABLE, from the corpora of a run, and what it adds to the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import CynicalError
from ..memory import drop_pages
from ..model.classifier import BUCKETS, Posterior, classify_lines
from ..model.count import count_words, counts_in
from ..model.counts import Counts, union
from ..model.hashed_lines import HowToHash
from ..model.overlap import Runs, lines_with_runs
from ..model.widening import Widening, levels, mass_of, times
from ..options.method import RANDOM_SEED
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.places import Places, find_lines, part_of
from ..text.tokenizer import Tokenizer
from .index import hash_lines
from .texts import Texts


@dataclass(frozen=True, slots=True)
class HowToWiden:
    """How a target is widened."""

    tokenizer: Tokenizer
    jobs: int
    progress: Progress
    weights: Sequence[float]  # of the targets
    strength: float  # times the mass that is missing
    runs: Runs | None = None  # of words: lines that have one are left out


def posterior_of(
    texts: Texts, available: Sequence[Places], how: tuple[Tokenizer, int, Progress], seed: int
) -> Posterior:
    """How likely each line of AVAILABLE belongs to the language of REPRESENTATIVE, which must be text."""
    tokenizer, jobs, progress = how
    return classify_lines(lines_of_targets(texts), available, HowToHash(tokenizer, BUCKETS, jobs, progress), seed)


def lines_of_targets(texts: Texts) -> list[list[Corpus]]:
    """REPRESENTATIVE as lines, by target, then by side; counts are an error."""
    targets: list[list[Corpus]] = []
    for sides in texts.targets:
        targets.append([])
        for side in sides:
            if isinstance(side, Counts) or counts_in(side) is not None:
                raise CynicalError(
                    f"{side.name or 'REPRESENTATIVE'}: a classifier learns from lines, and these are counts; "
                    "give the text that was counted"
                )
            targets[-1].append(side)
    return targets


def widen(
    texts: Texts, available: Sequence[Corpus], wanted: Sequence[Sequence[Counts]], how: HowToWiden
) -> Widening | None:
    """What widens a target: the counts of the lines that look like it; None if none does.

    Lines that are never to be picked are left out: the test set of someone must not decide what is picked.
    """
    places = [find_lines(side, how.jobs, how.progress, "AVAILABLE") for side in available]
    posterior = posterior_of(texts, places, (how.tokenizer, how.jobs, how.progress), RANDOM_SEED)
    level = levels(posterior.probability)
    lines = np.flatnonzero(level)
    if texts.exclude is not None and len(lines):
        told, some = (how.tokenizer, how.jobs, how.progress), part_of(places[0], lines)
        out = np.isin(hash_lines(some, *told, "AVAILABLE"), hash_lines(texts.exclude, *told, "--exclude"))
        if how.runs is not None:
            out |= lines_with_runs(some, how.runs, *told, "AVAILABLE")
        lines = lines[~out]
    if not len(lines):
        return None

    def count(place: Places) -> Counts:
        counted = []
        for one in np.unique(level[lines]).tolist():
            alike = part_of(place, lines[level[lines] == one])
            counted.append(
                times(count_words(alike, how.tokenizer, how.jobs, Progress(), "AVAILABLE", may_be_empty=True), one)
            )
        return union(counted)

    alike = [count(place) for place in places]
    for part in (part for side in available for part in side.parts):
        drop_pages(part.raw)
    return Widening(alike, mass_of(wanted, how.weights, how.strength, alike), len(lines), posterior.share)
