"""What a page knows of REPRESENTATIVE, and of HELDOUT and AVAILABLE beside it: their words, and which class each has.

REPRESENTATIVE is what was given or, failing that, the files that the ranking's summary names, if they are still there
and as large as they were. What a summary names and cannot be read any more is left out, and the page says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..evaluation.records import TextSizes
from ..jaded.summary import Summary, available_files, reading_then, representative_files
from ..model.count import count_single_words, counts_in
from ..model.counts import Counts, union
from ..model.target import Features, Target
from ..options import Reading, Recorded, Thresholds
from ..progress import Progress
from ..selection.index import HowToRead, read_side
from ..selection.seed import open_seed
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer
from .data import WordClass
from .display import shortened

SMALL = 1 << 30  # bytes: a text that is read without being asked for
UNREAD = "its files are not there any more as they were"
UNNAMED = "no summary names its files"
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
    """The words that a page follows through a ranking: those of REPRESENTATIVE, then those only HELDOUT has."""

    name: str
    words: Counts  # all of them; their counts are those of both texts together
    p: NDArray[np.float64]  # by word, in REPRESENTATIVE
    count: NDArray[np.int64]  # by word, in REPRESENTATIVE
    seed: NDArray[np.int64] | None  # by word, in SEED; None where that is not known
    types: int  # of REPRESENTATIVE, which come first
    other: float  # the mass of words that are only known by their number
    heldout: NDArray[np.float64] | None  # by word: its share of HELDOUT
    group: NDArray[np.int8]  # by word: its class, as a place in GROUPS; -1 where that is not known
    classes: list[WordClass] | None  # each with its types, and its share of REPRESENTATIVE and of AVAILABLE
    lengths: NDArray[np.int64] | None  # of the lines of REPRESENTATIVE, in words; not of counts
    representative: list[TextSizes]  # the name and the sizes of each target
    held_out: TextSizes | None
    unclassed: str = ""  # why the classes of words are not known, if they are not
    unseeded: str = ""  # why SEED is not known, if it is not

    def name_of(self, word: int) -> str:
        """A word as people see it."""
        return shortened(self.words.words[word].decode("utf-8", "replace"))


def read_wanted_words(summary: Summary | None, corpora: Corpora, progress: Progress) -> tuple[WantedWords | None, str]:
    """The words that are wanted, or why they are not known."""
    if corpora.representative:
        targets = [_read(str(path), "REPRESENTATIVE", corpora, progress) for path in corpora.representative]
    else:
        targets, why = _named_targets(summary, corpora, progress)
        if not targets:
            return None, why
    known = None if summary is None else summary.representative
    weights = [one.weight for one in (known.targets if known is not None else None) or [] if one.weight]
    target = Target([[counts] for _, counts in targets], weights if len(weights) == len(targets) > 1 else None)
    heldout, held = None, None
    if corpora.heldout is not None:
        heldout, held = _read(corpora.heldout, "HELDOUT", corpora, progress)
    wanted = target.features.sides[0]
    words = wanted if held is None else union([wanted, held])
    more = len(words) - len(wanted)  # what only HELDOUT has stands behind
    made = WantedWords(
        ", ".join(corpus.name for corpus, _ in targets),
        words,
        np.append(target.single, np.zeros(more)),
        np.append(wanted.count, np.zeros(more, np.int64)),
        None,
        len(wanted),
        target.other(1),
        None if held is None else words.aligned(held) / held.total,
        np.full(len(words), -1, np.int8),
        None,
        _lengths([corpus for corpus, _ in targets], wanted, corpora, progress),
        [_sizes(corpus.name, counts) for corpus, counts in targets],
        None if heldout is None or held is None else _sizes(heldout.name, held),
    )
    made.seed, made.unseeded = _seed(summary, words, corpora, progress)
    available, made.unclassed = _available(summary, corpora, progress)
    if available is not None:
        made.classes = _classify(made, target, available, _thresholds({} if summary is None else summary.settings))
    return made, ""


def _thresholds(settings: Recorded) -> Thresholds:
    """As they were; those of the method have none."""
    count, ratio = settings.get("min_count"), settings.get("ratio_threshold")
    default = Thresholds()
    return Thresholds(int(count or default.min_count), float(ratio or default.ratio_threshold))


def _named_targets(
    summary: Summary | None, corpora: Corpora, progress: Progress
) -> tuple[list[tuple[Corpus, Counts]], str]:
    """The targets that a summary names, read as they were; none, and why, if they are not what they were."""
    known = None if summary is None else summary.representative
    if known is None or not all(one.files for one in known.each):
        return [], UNNAMED
    corpora = replace(corpora, reading=reading_then(summary, corpora.reading))
    try:
        targets = [_read(sides[0], "REPRESENTATIVE", corpora, progress) for sides in representative_files(summary)]
    except CynicalError as error:
        return [], error.message
    return targets, "" if targets else UNREAD


def _sizes(name: str, counts: Counts) -> TextSizes:
    return TextSizes(name=name, lines=counts.lines, words=counts.total, types=len(counts))


def single_words(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer for words alone."""
    return Tokenizer(tokenizer.name, tokenizer.lowercase, 1, tokenizer.normalize)


def _read(source: Source, role: str, corpora: Corpora, progress: Progress) -> tuple[Corpus, Counts]:
    corpus = open_corpus(source, role, corpora.reading)
    counts = count_single_words(corpus, single_words(corpora.tokenizer), corpora.jobs, progress, role)
    if not len(counts):
        raise CynicalError(f"{corpus.name}: all words of {role} were folded; count with a lower --fold-below")
    return corpus, counts


def _lengths(
    targets: Sequence[Corpus], words: Counts, corpora: Corpora, progress: Progress
) -> NDArray[np.int64] | None:
    """How long the lines of REPRESENTATIVE are; blank ones do not count."""
    if any(counts_in(target) is not None for target in targets):
        return None
    jobs, features = number_of_jobs(corpora.jobs), Features([words])
    how = HowToRead(single_words(corpora.tokenizer), features, jobs, progress, role="REPRESENTATIVE")
    found = [read_side(target, 0, how).words for target in targets]
    lengths = np.concatenate(found).astype(np.int64)
    return lengths[lengths > 0]


def _available(summary: Summary | None, corpora: Corpora, progress: Progress) -> tuple[Counts | None, str]:
    """The words of AVAILABLE as given or, if it is small, as the summary names it; else why not."""
    if corpora.available:
        return _read([Path(path) for path in corpora.available], "AVAILABLE", corpora, progress)[1], ""
    files = [] if summary is None else summary.available.files
    if not files:
        return None, UNNAMED
    paths = available_files(summary)
    if not paths:
        return None, UNREAD
    if sum(file.bytes for file in files) > SMALL:
        return None, "it is too large to be read without being asked for"
    corpora = replace(corpora, reading=reading_then(summary, corpora.reading))
    try:
        return _read(paths, "AVAILABLE", corpora, progress)[1], ""
    except CynicalError as error:
        return None, error.message


def _seed(
    summary: Summary | None, words: Counts, corpora: Corpora, progress: Progress
) -> tuple[NDArray[np.int64] | None, str]:
    """How often SEED has each word, as it is given or as the summary names it; else why that is not known."""
    known = None if summary is None else summary.seed
    if known is None and not corpora.seed:
        return np.zeros(len(words), np.int64), ""
    paths = [Path(path) for path in corpora.seed]
    if known is not None and not paths:
        if not known.files:
            return None, UNNAMED
        if not known.paths:
            return None, UNREAD
        paths, corpora = known.paths[0], replace(corpora, reading=reading_then(summary, corpora.reading))
    tokenizer, seen = single_words(corpora.tokenizer), np.zeros(len(words), np.int64)
    try:
        for piece in open_seed([paths], [], corpora.reading).sides[0]:
            counted = count_single_words(piece, tokenizer, corpora.jobs, progress, "SEED", may_be_empty=True)
            seen += words.aligned(counted)
    except CynicalError as error:
        if corpora.seed:
            raise
        return None, error.message
    return seen, ""


def _classify(wanted: WantedWords, target: Target, available: Counts, thresholds: Thresholds) -> list[WordClass]:
    """Give each representative word its class; words of all others are useless."""
    seen = target.aligned([available])
    numbers = target.classify(seen, [available.total], seen, thresholds)
    wanted.group[: wanted.types] = target.turn
    mass = np.bincount(target.turn, target.single, len(GROUPS))
    have = np.bincount(target.turn, seen, len(GROUPS)) / available.total
    have[-1] = 1 - have.sum()
    types = [numbers.get(name, len(available) - int(np.count_nonzero(seen))) for name in GROUPS]
    rows = zip(GROUPS, types, mass.tolist(), have.tolist(), strict=True)
    return [WordClass(name=name, types=n, representative=r, available=a) for name, n, r, a in rows]
