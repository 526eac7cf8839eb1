"""From four corpora to a Jaded ranking: read, classify, index, search."""

from __future__ import annotations

import math
import platform
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import classes as words_by_class
from .classes import CLASSES, Thresholds, Tokens
from .corpus import Corpus, Source
from .counts import Counts, count, is_counts_file
from .entropy import SMOOTHING, State, make_state
from .errors import CynicalError
from .index import Index, build, collapse_index
from .jaded import Jaded
from .progress import Progress, peak_memory
from .reading import number_of_jobs
from .selection import STRATEGIES
from .selection.budget import Budget
from .selection.ranking import Ranking
from .tokens import TOKENIZERS, Tokenizer
from .version import __version__

VOCABULARIES = ("full", "classes")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything but the corpora."""

    budget: Budget = Budget()
    strategy: str = "exact"
    vocabulary: str = "full"
    smoothing: float = SMOOTHING
    thresholds: Thresholds = Thresholds()
    max_length: int | None = None
    tokenizer: Tokenizer = Tokenizer()
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("strategy", self.strategy, tuple(STRATEGIES)),
            ("vocabulary", self.vocabulary, VOCABULARIES),
            ("tokenizer", self.tokenizer.name, TOKENIZERS),
        ):
            if value not in known:
                raise CynicalError(f"--{name} {value}: no such {name}; choose from {', '.join(known)}")
        if self.max_length is not None and self.max_length < 1:
            raise CynicalError(f"--max-length must be at least 1, found {self.max_length}")
        number_of_jobs(self.jobs)

    def as_dict(self) -> dict[str, Any]:
        budget = self.budget
        return {
            "lines": budget.lines,
            "words": budget.words,
            "share": budget.share,
            "all": budget.all,
            "patience": "all" if budget.patience == math.inf else budget.patience,
            "strategy": self.strategy,
            "vocabulary": self.vocabulary,
            "smoothing": self.smoothing,
            "min_count": self.thresholds.min_count,
            "ratio_threshold": self.thresholds.ratio,
            "max_length": self.max_length,
            "tokenizer": self.tokenizer.name,
            "lowercase": self.tokenizer.lowercase,
        }


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
    return run(representative, available, unadapted, seed, settings, Progress(progress))


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
    warm_up(progress)
    with progress.stage("read"):
        wanted = _count(representative, "REPRESENTATIVE", settings, progress)
        known = _count(seed, "SEED", settings, progress) if seed is not None else None
        with_classes = settings.vocabulary == "classes"
        have = _count(unadapted, "UNADAPTED", settings, progress) if unadapted is not None and with_classes else None
        corpus = Corpus.of(available, "AVAILABLE")
        index = build(corpus, settings.tokenizer, wanted, jobs, progress)
    if not index.count.any():
        raise CynicalError(
            f"{corpus.name}: no word in common with REPRESENTATIVE ({len(wanted)} word types); "
            "are both in the same language, tokenized and cased the same way? (--lowercase may help)"
        )
    facts = _Facts(index, wanted, have, known)
    seen = wanted.aligned(known) if known is not None else np.zeros(len(wanted), np.int64)
    count_of, names = wanted.count, wanted.words
    if with_classes:
        tokens, facts.classes = _collapse(index, wanted, have, settings.thresholds)
        count_of, seen, names = tokens.total(wanted.count), tokens.total(seen), tokens.names
    state = make_state(count_of, wanted.total, seen, known.total if known else 0, settings.smoothing)
    before = state.entropy()
    allowed = index.length > 0
    if settings.max_length is not None:
        allowed &= index.length <= settings.max_length
    limits = settings.budget.limits(facts.words)
    ranking = STRATEGIES[settings.strategy](index, state, allowed, limits, jobs, progress)
    kept = ranking.stop if settings.budget.open else len(ranking.line)
    facts.blank = int((index.length == 0).sum())
    facts.too_long = index.lines - facts.blank - int(allowed.sum())
    notices = _notices(settings, unadapted, facts, ranking, kept)
    summary = _summary(settings, facts, state, ranking, before, kept, notices)
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
        vocabulary=names,
        places=index.places,
        summary=summary,
    )


def warm_up(progress: Progress) -> None:
    """Say so if the kernels must be compiled first: it happens once, and takes longer than a small run."""
    from ._kernels.jit import must_compile

    if must_compile():
        progress.notice("compiling, once on this machine (about 20 s) ...")


class _Facts:
    """What is known of the corpora, for the summary."""

    def __init__(self, index: Index, wanted: Counts, have: Counts | None, known: Counts | None) -> None:
        self.lines, self.words, self.broken = index.lines, index.words, index.broken
        self.first_broken = index.places.name_of(index.first_broken) if index.broken else None
        self.name, self.bytes = index.places.corpus.name, index.places.corpus.size
        self.shared = int((index.count > 0).sum())
        self.wanted, self.have, self.known = wanted, have, known
        self.classes: dict[str, int] | None = None
        self.blank = self.too_long = 0


def _check_roles(*sources: object) -> None:
    if sum(isinstance(source, str) and source == "-" for source in sources) > 1:
        raise CynicalError("standard input can be only one of the corpora; put the other into a file")
    available = sources[1]
    if isinstance(available, Counts) or (isinstance(available, str) and is_counts_file(available)):
        raise CynicalError(f"AVAILABLE must be a text: lines cannot be chosen from counts ({available!s:.60})")


def _count(source: Source | Counts, role: str, settings: Settings, progress: Progress) -> Counts:
    return count(source, tokenizer=settings.tokenizer, jobs=settings.jobs, progress=progress, role=role)


def _collapse(
    index: Index, wanted: Counts, have: Counts | None, thresholds: Thresholds
) -> tuple[Tokens, dict[str, int]]:
    """The tokens of `--vocabulary classes`, with the rows rewritten over them; and how many words each class has."""
    unadapted = wanted.aligned(have) if have is not None else index.count
    total = have.total if have is not None else index.words
    ratio = words_by_class.ratios(wanted.count, wanted.total, unadapted, total)
    classes = words_by_class.classify(wanted.count, unadapted, index.count, ratio, thresholds)
    tokens = words_by_class.collapse(wanted.words, classes)
    collapse_index(index, len(wanted), tokens)
    number = np.bincount(classes, minlength=len(CLASSES)).tolist()
    return tokens, dict(zip(CLASSES[1:], number[1:], strict=True))


def _notices(settings: Settings, unadapted: object, facts: _Facts, ranking: Ranking, kept: int) -> list[str]:
    """What the user should know: options without effect, oddities of the text, a stopping point not reached."""
    notices = []
    if unadapted is not None and settings.vocabulary == "full":
        notices.append("UNADAPTED has no effect with --strategy exact and --vocabulary full; it was not read")
    if settings.vocabulary == "full" and settings.thresholds != Thresholds():
        notices.append("--min-count and --ratio-threshold have no effect with --vocabulary full")
    if settings.budget.patience is not None and not settings.budget.open:
        notices.append(f"--patience has no effect with {settings.budget.sentence}")
    if facts.broken:
        notices.append(
            f"{facts.broken} lines of AVAILABLE are not UTF-8 (the first: {facts.first_broken}); they were kept"
        )
    for role, counts in (("REPRESENTATIVE", facts.wanted), ("UNADAPTED", facts.have), ("SEED", facts.known)):
        if counts is not None and counts.broken:
            notices.append(f"{counts.broken} lines of {role} are not UTF-8; they were kept")
    if kept == 0:
        if ranking.line.size:
            notices.append(
                "no line lowers the entropy of REPRESENTATIVE: nothing was picked (--lines N picks all the same)"
            )
        else:
            notices.append(f"not one line fits {settings.budget.sentence}: nothing was picked")
    return notices


def _summary(
    settings: Settings, facts: _Facts, state: State, ranking: Ranking, before: float, kept: int, notices: list[str]
) -> dict[str, Any]:
    picked_words = int(ranking.words[:kept].sum())
    after = float(ranking.entropy[kept - 1]) if kept else before
    seen: NDArray[np.bool_] = state.model.counts > 0
    types = len(state.model.p)
    patience = Budget(patience=settings.budget.patience).patience_words(facts.words)
    beyond = int(ranking.words[ranking.stop :].sum())
    known = [*ranking.types[:kept].tolist()[-1:], *ranking.covered[:kept].tolist()[-1:]]
    return {
        "cynical": __version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": _numba_version()},
        "signature": settings.tokenizer.signature,
        "settings": settings.as_dict(),
        "representative": _of_counts(facts.wanted),
        "unadapted": _of_counts(facts.have) if facts.have is not None else None,
        "seed": _of_counts(facts.known) if facts.known is not None else None,
        "available": {
            "name": facts.name,
            "bytes": facts.bytes,
            "lines": facts.lines,
            "words": facts.words,
            "representative_types": facts.shared,
            "not_utf8": facts.broken,
        },
        "classes": facts.classes,
        "skipped": {"blank": facts.blank, "too_long": facts.too_long},
        "picked": {
            "lines": kept,
            "words": picked_words,
            "share_of_lines": kept / facts.lines,
            "share_of_words": picked_words / facts.words,
        },
        "entropy": {"before": before, "after": after},
        "perplexity": {"before": 2.0**before, "after": 2.0**after},
        "stop": {
            "lines": ranking.stop,
            "words": int(ranking.words[: ranking.stop].sum()),
            "entropy": float(ranking.entropy[ranking.stop - 1]) if ranking.stop else before,
            "known": ranking.ended in ("patience", "lines") or beyond > patience,
        },
        "covered": {
            "types": known[0] / types if known else float(seen.mean()),
            "tokens": known[1] if known else float(state.model.p[seen].sum()),
        },
        "search": {
            "ended_by": ranking.ended,
            "ranked": len(ranking.line),
            "rescored": ranking.rescored,
            "refreshes": ranking.refreshes,
        },
        "notices": notices,
    }


def _of_counts(counts: Counts) -> dict[str, Any]:
    return {
        "lines": counts.lines,
        "words": counts.total,
        "types": len(counts),
        "other": counts.other,
        "not_utf8": counts.broken,
    }


def _numba_version() -> str:
    import numba

    return str(numba.__version__)
