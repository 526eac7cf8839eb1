"""What a run has to say of itself: figures for machines, and notices for people."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .classes import Thresholds
from .counts import Counts
from .entropy import State
from .index import Index
from .selection.budget import Budget
from .selection.ranking import Ranking
from .settings import Settings
from .version import __version__

LITTLE_IN_COMMON = 0.7  # of the representative tokens: two texts of one language share more


class Facts:
    """What is known of the corpora, for the summary."""

    def __init__(
        self, index: Index, wanted: Counts, have: Counts | None, known: Counts | None, unadapted_given: bool
    ) -> None:
        self.lines, self.words, self.broken = index.lines, index.words, index.broken
        self.first_broken = index.places.name_of(index.first_broken) if index.broken else None
        self.name, self.bytes = index.places.corpus.name, index.places.corpus.size
        shared = index.count > 0
        self.covers = {"types": float(shared.mean()), "tokens": float(wanted.p[shared].sum())}
        self.wanted, self.have, self.known = wanted, have, known
        self.classes: dict[str, int] | None = None
        self.unadapted_ignored = unadapted_given and have is None
        self.blank = self.too_long = 0

    def skip(self, index: Index, allowed: NDArray[np.bool_]) -> None:
        """Count what may not be picked, by reason."""
        self.blank = int((index.length == 0).sum())
        self.too_long = index.lines - self.blank - int(allowed.sum())


def summarize(
    settings: Settings, facts: Facts, state: State, ranking: Ranking, before: float, kept: int
) -> dict[str, Any]:
    """The summary that is written beside a ranking, but for seconds and memory."""
    picked_words = int(ranking.words[:kept].sum())
    after = float(ranking.entropy[kept - 1]) if kept else before
    seen = state.seen_before
    patience = Budget(patience=settings.budget.patience).patience_words(facts.words)
    beyond = int(ranking.words[ranking.stop :].sum())
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
            "covers": facts.covers,
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
            "types": (int(ranking.types[kept - 1]) if kept else int(seen.sum())) / len(seen),
            "tokens": float(ranking.covered[kept - 1]) if kept else float(state.model.p[seen].sum()),
        },
        "search": {
            "ended_by": ranking.ended,
            "ranked": len(ranking.line),
            "rescored": ranking.rescored,
            "refreshes": ranking.refreshes,
        },
        "notices": _notices(settings, facts, ranking, kept),
    }


def _notices(settings: Settings, facts: Facts, ranking: Ranking, kept: int) -> list[str]:
    """What the user should know: options without effect, oddities of the text, a stopping point not reached."""
    notices = []
    no_effect = "no effect with --strategy exact and --vocabulary full"
    if facts.unadapted_ignored:
        notices.append(f"UNADAPTED has {no_effect}; it was not read")
    if facts.classes is None and settings.thresholds != Thresholds():
        notices.append(f"--min-count and --ratio-threshold have {no_effect}")
    if settings.budget.patience is not None and not settings.budget.open:
        notices.append(f"--patience has no effect with {settings.budget.sentence}")
    if facts.covers["tokens"] < LITTLE_IN_COMMON:
        percent = 100 * facts.covers["tokens"]
        notices.append(
            f"only {percent:.0f} % of the words of REPRESENTATIVE are in AVAILABLE at all; "
            "are both in the same language, tokenized and cased the same way?"
        )
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


def _of_counts(counts: Counts) -> dict[str, Any]:
    return {
        "name": counts.name,
        "lines": counts.lines,
        "words": counts.total,
        "types": len(counts),
        "other": counts.other,
        "not_utf8": counts.broken,
    }


def _numba_version() -> str:
    import numba

    return str(numba.__version__)
