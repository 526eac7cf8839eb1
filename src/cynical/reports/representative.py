"""What a page shows of REPRESENTATIVE, HELDOUT and AVAILABLE: their words, and the class of each word.

REPRESENTATIVE is what was given or, failing that, the files that the ranking's summary names, if they are still there
and as large as they were. What a summary names and cannot be read any more is left out, and the page says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..evaluation.records import TextSizes
from ..jaded.made_from import available_files, reading_then, representative_files
from ..jaded.summary import Summary
from ..model.count import count_words, counts_in, words_alone
from ..model.counts import Counts, union
from ..model.target import Features, Target
from ..options import Reading, Recorded, Thresholds
from ..progress import Progress
from ..selection.index import HowToRead
from ..selection.seed import open_seed
from ..selection.sides import build
from ..text.corpus import Corpus
from ..text.paths import Name
from ..text.reader import number_of_jobs
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer
from .data import WordClass
from .display import shortened
from .picks import Picks

SMALL = 1 << 30  # bytes: a text that is read without being asked for
UNREAD = "its files are missing or have changed"
UNNAMED = "there is no summary that names its files"
GROUPS = ("useful", "meh", "dubious", "bad", "impossible", "useless")  # classes in the order of a feature's turn


@dataclass(frozen=True, slots=True)
class Corpora:
    """The corpora of a page, and how they are read."""

    representative: Sequence[str | Path] = ()  # each is a target
    heldout: str | Path | Corpus | None = None
    available: Sequence[str | Path] = ()  # together they are one corpus
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    reading: Reading = field(default_factory=Reading)
    jobs: int | None = None
    seed: Sequence[str | Path] = ()  # texts, counts and rankings


@dataclass(slots=True, eq=False)
class WantedWords:
    """The words that a page follows through a ranking: those of REPRESENTATIVE, by side, and those of HELDOUT, which
    has the first side alone."""

    features: Features  # all of them, side by side
    own: NDArray[np.bool_]  # by word: is it in REPRESENTATIVE?
    p: NDArray[np.float64]  # by word, in REPRESENTATIVE
    count: NDArray[np.int64]  # by word, in REPRESENTATIVE
    seed: NDArray[np.int64] | None  # by word, in SEED; None where that is not known
    other: float  # the mass of words that are only known by their number
    heldout: NDArray[np.float64] | None  # by word: its share of HELDOUT
    group: NDArray[np.int8]  # by word: its class, as a place in GROUPS; -1 where that is not known
    classes: list[WordClass] | None  # each with its types, and its share of REPRESENTATIVE and of AVAILABLE
    lengths: NDArray[np.int64] | None  # of the lines of REPRESENTATIVE, in words; not of counts
    representative: list[TextSizes]  # the name and the sizes of each target
    held_out: TextSizes | None
    unclassed: str = ""  # why the classes of words are not known, if they are not
    unseeded: str = ""  # why SEED is not known, if it is not

    @property
    def sides(self) -> int:
        """How many sides are followed."""
        return len(self.features.sides)

    def name_of(self, word: int) -> str:
        """A word as people see it."""
        return shortened(self.features.name(word).decode("utf-8", "replace"))

    def side_of(self, word: int) -> int:
        return int(self.features.block[word])


def read_wanted_words(picks: Picks, corpora: Corpora, progress: Progress) -> tuple[WantedWords | None, str]:
    """The words that are wanted, or why they are not known."""
    summary = picks.summary
    if corpora.representative:
        targets = [[_read(str(path), "REPRESENTATIVE", corpora, progress)] for path in corpora.representative]
    else:
        targets, why = _named_targets(summary, len(picks.sides), corpora, progress)
        if not targets:
            return None, why
    known = None if summary is None else summary.representative
    weights = [one.weight for one in (known.targets if known is not None else None) or [] if one.weight]
    counted = [[counts for _, counts in sides] for sides in targets]
    target = Target(counted, weights if len(weights) == len(targets) > 1 else None)
    heldout, held = None, None
    if corpora.heldout is not None:
        heldout, held = _read(corpora.heldout, "HELDOUT", corpora, progress)
    first, *others = target.features.sides
    features = Features([first if held is None else union([first, held]), *others])
    own = np.ones(len(features), np.bool_)
    own[len(first) : len(features.sides[0])] = False  # words that only HELDOUT has come last
    made = WantedWords(
        features,
        own,
        _spread(target.single, own),
        _spread(np.concatenate([side.count for side in target.features.sides]), own),
        None,
        target.other(1),
        None if held is None else _first_side(features.sides[0].aligned(held) / held.total, len(features)),
        np.full(len(features), -1, np.int8),
        None,
        _lengths([[corpus for corpus, _ in sides] for sides in targets], target.features, corpora, progress),
        [_sizes(sides) for sides in targets],
        None if heldout is None or held is None else _sizes([(heldout, held)]),
    )
    made.seed, made.unseeded = _seed(picks, features, corpora, progress)
    available, made.unclassed = _available(summary, len(features.sides), corpora, progress)
    if available:
        made.classes = _classify(made, target, available, _thresholds({} if summary is None else summary.settings))
    return made, ""


def _first_side(values: NDArray[np.float64], words: int) -> NDArray[np.float64]:
    """What the words of the first side have, and 0 for the others."""
    return np.append(values, np.zeros(words - len(values)))


def _spread(values: NDArray[Any], own: NDArray[np.bool_]) -> NDArray[Any]:
    """What the words of REPRESENTATIVE have, and 0 for the others."""
    out = np.zeros(len(own), values.dtype)
    out[own] = values
    return out


def _thresholds(settings: Recorded) -> Thresholds:
    """As they were; those of the method have none."""
    count, ratio = settings.get("min_count"), settings.get("ratio_threshold")
    default = Thresholds()
    return Thresholds(int(count or default.min_count), float(ratio or default.ratio_threshold))


def _named_targets(
    summary: Summary | None, sides: int, corpora: Corpora, progress: Progress
) -> tuple[list[list[tuple[Corpus, Counts]]], str]:
    """The targets that a summary names, read as they were, at most this many sides of each; none, and why, if they are
    not what they were."""
    known = None if summary is None else summary.representative
    if known is None or not all(one.files for one in known.each):
        return [], UNNAMED
    corpora = replace(corpora, reading=reading_then(summary, corpora.reading))
    try:
        targets = [
            [_read(paths, "REPRESENTATIVE", corpora, progress) for paths in target[:sides]]
            for target in representative_files(summary)
        ]
    except CynicalError as error:
        return [], error.message
    return targets, "" if targets else UNREAD


def _sizes(sides: Sequence[tuple[Corpus, Counts]]) -> TextSizes:
    """A text of which these sides are known; lines are those of one."""
    return TextSizes(
        name=", ".join(corpus.name for corpus, _ in sides),
        lines=sides[0][1].lines,
        words=sum(counts.total for _, counts in sides),
        types=sum(len(counts) for _, counts in sides),
    )


def single_words(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer for words alone."""
    return Tokenizer(tokenizer.name, tokenizer.lowercase, 1, tokenizer.normalize)


def _read(source: Source, role: str, corpora: Corpora, progress: Progress) -> tuple[Corpus, Counts]:
    corpus = open_corpus(source, role, corpora.reading)
    counts = count_words(words_alone(corpus, role), single_words(corpora.tokenizer), corpora.jobs, progress, role)
    if not len(counts):
        raise CynicalError(f"{corpus.name}: all words of {role} were folded; count again with a lower --fold-below")
    return corpus, counts


def _lengths(
    targets: Sequence[Sequence[Corpus]], features: Features, corpora: Corpora, progress: Progress
) -> NDArray[np.int64] | None:
    """How long the lines of REPRESENTATIVE are, all sides together; blank ones do not count."""
    if any(counts_in(side) is not None for sides in targets for side in sides):
        return None
    jobs = number_of_jobs(corpora.jobs)
    how = HowToRead(single_words(corpora.tokenizer), features, jobs, progress, role="REPRESENTATIVE")
    found = [build(sides, how, may_be_empty=True).words for sides in targets]
    lengths = np.concatenate(found).astype(np.int64)
    return lengths[lengths > 0]


def _available(summary: Summary | None, sides: int, corpora: Corpora, progress: Progress) -> tuple[list[Counts], str]:
    """The words of AVAILABLE, side by side, as given or, if it is small, as the summary names it; else why not."""
    if corpora.available:
        if sides > 1:
            return [], f"{sides} sides count, but one was given"
        return [_read([Path(path) for path in corpora.available], "AVAILABLE", corpora, progress)[1]], ""
    if summary is None or not summary.available.files:
        return [], UNNAMED
    paths = available_files(summary)[:sides]
    if len(paths) < sides:
        return [], UNREAD
    if sum(path.stat().st_size for side in paths for path in side) > SMALL:
        return [], "it is large, so it is only read if it is given"
    corpora = replace(corpora, reading=reading_then(summary, corpora.reading))
    try:
        return [_read(side, "AVAILABLE", corpora, progress)[1] for side in paths], ""
    except CynicalError as error:
        return [], error.message


def _seed(
    picks: Picks, features: Features, corpora: Corpora, progress: Progress
) -> tuple[NDArray[np.int64] | None, str]:
    """How often SEED has each word, as it is given or as the summary names it; else why that is not known."""
    summary, sides = picks.summary, len(features.sides)
    known = None if summary is None else summary.seed
    if known is None and not corpora.seed:
        return np.zeros(len(features), np.int64), ""
    given: list[list[Path]] | list[list[Name]] = [[Name(path) for path in corpora.seed]]
    if known is not None and not corpora.seed:
        if not known.files:
            return None, UNNAMED
        if not known.paths:
            return None, UNREAD
        given, corpora = known.paths[:sides], replace(corpora, reading=reading_then(summary, corpora.reading))
    tokenizer = single_words(corpora.tokenizer)
    try:
        pieces = open_seed(given, picks.sides[1:sides], corpora.reading).sides
        counted = [
            [
                count_words(words_alone(one, "SEED"), tokenizer, corpora.jobs, progress, "SEED", may_be_empty=True)
                for one in side
            ]
            for side in pieces
        ]
    except CynicalError as error:
        if corpora.seed:
            raise
        return None, error.message
    return features.aligned([union(side) for side in counted]), ""


def _classify(
    wanted: WantedWords, target: Target, available: Sequence[Counts], thresholds: Thresholds
) -> list[WordClass]:
    """Give each representative word its class; words of all others are useless."""
    seen, total = target.aligned(available), sum(counts.total for counts in available)
    numbers = target.classify(seen, [total], seen, thresholds)
    wanted.group[wanted.own] = target.turn
    mass = np.bincount(target.turn, target.single, len(GROUPS))
    have = np.bincount(target.turn, seen, len(GROUPS)) / total
    have[-1] = 1 - have.sum()
    useless = sum(map(len, available)) - int(np.count_nonzero(seen))
    types = [numbers.get(name, useless) for name in GROUPS]
    rows = zip(GROUPS, types, mass.tolist(), have.tolist(), strict=True)
    return [WordClass(name=name, types=n, representative=r, available=a) for name, n, r, a in rows]
