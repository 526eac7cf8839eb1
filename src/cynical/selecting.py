"""From four corpora to a Jaded ranking: read, classify, index, search."""

from __future__ import annotations

import math
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from . import classes as words_by_class
from .classes import CLASSES, Thresholds
from .corpus import Corpus, Source
from .counts import Counts, count_words, counts_in
from .entropy import SMOOTHING, make_state
from .errors import CynicalError, CynicalWarning
from .index import Index, build, collapse_index
from .jaded import Jaded
from .progress import Progress, peak_memory
from .reading import number_of_jobs
from .selection import KERNELS, NEED_CLASSES, NEED_COPIES, STRATEGIES
from .selection.budget import Budget
from .selection.ranking import Task
from .settings import Settings
from .summary import Facts, summarize
from .tokens import Tokenizer


def select(
    representative: Source | Counts,
    available: Source,
    *,
    unadapted: Source | Counts | None = None,
    seed: Source | Counts | None = None,
    lines: int | None = None,
    words: int | None = None,
    share: float | None = None,
    all: bool = False,
    patience: float | str | None = None,
    strategy: str = "exact",
    vocabulary: str = "full",
    smoothing: float = SMOOTHING,
    min_count: int = words_by_class.MIN_COUNT,
    ratio_threshold: float = words_by_class.RATIO_THRESHOLD,
    max_length: int | None = None,
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    jobs: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by how many bits each takes off the cross-entropy of REPRESENTATIVE.

    A `str` or a `Path` is a file ('-' is standard input, a pattern such as 'pool/*.txt' is all files that match), a
    list of `Path` several files, any other iterable of `str` the lines themselves. REPRESENTATIVE, UNADAPTED and SEED
    may be `Counts` or a .counts file. At most one of `lines`, `words`, `share` (of AVAILABLE's words) and `all` says
    how much to pick; without one, the ranking ends where the entropy is lowest.

    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> jaded.lines.tolist()
    [2, 0]
    """
    if isinstance(patience, str):
        if patience != "all":
            raise CynicalError(f"patience must be a number or 'all', found {patience!r}")
        patience = math.inf
    settings = Settings(
        Budget(lines, words, share, all, patience),
        strategy,
        vocabulary,
        smoothing,
        Thresholds(min_count, ratio_threshold),
        max_length,
        Tokenizer(tokenizer, lowercase),
        jobs,
    )
    jaded = run(representative, available, unadapted, seed, settings, Progress(progress))
    for notice in jaded.summary["notices"]:
        warnings.warn(notice, CynicalWarning, stacklevel=2)
    return jaded


def run(
    representative: Source | Counts,
    available: Source,
    unadapted: Source | Counts | None,
    seed: Source | Counts | None,
    settings: Settings,
    progress: Progress,
) -> Jaded:
    """`select` with its settings together."""
    began = time.perf_counter()
    jobs = number_of_jobs(settings.jobs)
    _check_roles(representative, available, unadapted, seed)
    needs_classes = settings.vocabulary == "classes" or settings.strategy in NEED_CLASSES
    with progress.stage("read"):
        representative = opened(representative, "REPRESENTATIVE")
        seed = opened(seed, "SEED") if seed is not None else None
        adapting = opened(unadapted, "UNADAPTED") if unadapted is not None and needs_classes else None
        corpus = Corpus.of(available, "AVAILABLE")
        if counts_in(corpus) is not None:
            raise CynicalError(f"{corpus.name}: AVAILABLE must be text, lines cannot be chosen from counts")
        warm_up(progress, "separate", KERNELS[settings.strategy])
        wanted = _count(representative, "REPRESENTATIVE", settings, progress)
        known = _count(seed, "SEED", settings, progress) if seed is not None else None
        have = _count(adapting, "UNADAPTED", settings, progress) if adapting is not None else None
        index = build(corpus, settings.tokenizer, wanted, jobs, progress, settings.strategy in NEED_COPIES)
    if len(wanted) == 0:
        raise CynicalError(f"{wanted.name}: all words of REPRESENTATIVE were folded; count with a lower --fold-below")
    if not index.count.any():
        raise CynicalError(
            f"{corpus.name}: no word in common with REPRESENTATIVE ({len(wanted)} word types); "
            "are both in the same language, tokenized and cased the same way? (--lowercase may help)"
        )
    facts = Facts(index, wanted, have, known, unadapted is not None)
    vocabulary = _Vocabulary(index, wanted, known)
    if needs_classes:
        facts.classes = vocabulary.classify(have, settings.thresholds)
    if settings.vocabulary == "classes":
        vocabulary.collapse()
    known_words = known.total if known is not None else 0
    state = make_state(vocabulary.count, wanted.total, vocabulary.seen, known_words, settings.smoothing)
    before = state.entropy()
    allowed = index.length > 0
    if settings.max_length is not None:
        allowed &= index.length <= settings.max_length
        if not allowed.any():
            shortest = int(index.length[index.length > 0].min())
            raise CynicalError(f"--max-length {settings.max_length}: no line is so short; the shortest has {shortest}")
    facts.skip(index, allowed)
    limits = settings.budget.limits(facts.words)
    ranking = STRATEGIES[settings.strategy](Task(index, state, allowed, vocabulary.turn, limits, jobs, progress))
    kept = ranking.stop if settings.budget.open else len(ranking.line)
    summary = summarize(settings, facts, state, ranking, before, kept)
    progress.seconds["total"] = time.perf_counter() - began
    summary["seconds"] = {name: round(value, 3) for name, value in progress.seconds.items()}
    summary["memory"] = {"peak": peak_memory(), "peak_without_mapped_input": progress.unmapped or None}
    cut = slice(0, kept)
    return Jaded(
        lines=ranking.line[cut],
        delta=ranking.penalty[cut] + ranking.gain[cut],
        penalty=ranking.penalty[cut],
        gain=ranking.gain[cut],
        entropy=ranking.entropy[cut],
        words=ranking.words[cut],
        word=ranking.word[cut],
        stop=ranking.stop,
        entropy_before=before,
        vocabulary=vocabulary.names,
        places=index.places,
        summary=summary,
    )


class _Vocabulary:
    """What the model counts: representative words or, once collapsed, useful words and classes."""

    def __init__(self, index: Index, wanted: Counts, known: Counts | None) -> None:
        self._index, self._wanted = index, wanted
        self.names, self.count = wanted.words, wanted.count
        self.seen = wanted.aligned(known) if known is not None else np.zeros(len(wanted), np.int64)
        self.turn = np.zeros(len(wanted), np.int8)  # all words are alike until they are classified

    def classify(self, have: Counts | None, thresholds: Thresholds) -> dict[str, int]:
        """Give each word its class and so its turn; how many words each class has."""
        unadapted = self._wanted.aligned(have) if have is not None else self._index.count
        total = have.total if have is not None else self._index.words
        ratio = words_by_class.ratios(self.count, self._wanted.total, unadapted, total)
        self._classes = words_by_class.classify(self.count, unadapted, self._index.count, ratio, thresholds)
        self.turn = words_by_class.TURN[self._classes]
        number = np.bincount(self._classes, minlength=len(CLASSES)).tolist()
        return dict(zip(CLASSES[1:], number[1:], strict=True))

    def collapse(self) -> None:
        """Every class but `useful` to one token, in the index too."""
        tokens = words_by_class.collapse(self.names, self._classes)
        collapse_index(self._index, len(self.names), tokens)
        self.names, self.count, self.seen = tokens.names, tokens.total(self.count), tokens.total(self.seen)
        turn = np.zeros(len(tokens.names), np.int8)
        turn[tokens.of_word] = self.turn
        self.turn = turn


def opened(source: Source | Counts, role: str) -> Corpus | Counts:
    """A source whose files are open: what is missing shows before anything takes time."""
    return source if isinstance(source, Counts) else Corpus.of(source, role)


def warm_up(progress: Progress, *kernels: str) -> None:
    """Say so if kernels must be compiled first: it happens once, and takes longer than a small run."""
    from ._kernels.jit import must_compile

    if must_compile(kernels):
        progress.notice("compiling, once on this machine (10 to 20 s) ...")


def _check_roles(*sources: object) -> None:
    if sum(str(path) == "-" for source in sources for path in _paths(source)) > 1:
        raise CynicalError("standard input can be read only once; put it into a file and name that")
    if isinstance(sources[1], Counts):
        raise CynicalError("AVAILABLE must be text, lines cannot be chosen from counts")


def _paths(source: object) -> list[Any]:
    """What of a source is a path, or counts; not lines."""
    if isinstance(source, (str, Path, Counts)):
        return [source]
    return [item for item in source if isinstance(item, Path)] if isinstance(source, (list, tuple)) else []


def _count(source: Source | Counts, role: str, settings: Settings, progress: Progress) -> Counts:
    return count_words(source, settings.tokenizer, settings.jobs, progress, role)
