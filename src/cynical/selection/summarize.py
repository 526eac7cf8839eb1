"""What a run has to say of itself: figures for machines, and notices for people."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from ..model.budget import Budget, money_spent
from ..model.classes import Thresholds
from ..model.counts import Counts
from ..model.entropy import State
from ..model.target import Target
from ..model.untokenized import hint
from ..options import RankSettings, Settings
from ..text.corpus import Corpus
from ..text.places import Places
from ..version import __version__
from .index import Index
from .search import Ranking

LITTLE_IN_COMMON = 0.7  # of the representative tokens: two texts of one language share more


class Facts:
    """What is known of the corpora, for the summary."""

    def __init__(
        self,
        index: Index,
        sides: Sequence[Places],
        columns: Sequence[str],
        replaces: Sequence[str],
        target: Target,
        wanted: list[list[Counts]],
        have: list[Counts] | None,
        known: list[Counts] | None,
    ) -> None:
        self.lines, self.words, self.broken = index.lines, index.words, index.broken
        self.first_broken = index.first_broken
        self.corpus = index.places[0].corpus
        kinds = [part.records.format for part in self.corpus.parts if part.records is not None]
        self.format = kinds[0] if kinds else "text"
        self.sides = [
            {"name": side.corpus.name, "column": column, "replaces": replaced, "counts": place < len(index.places)}
            for place, (side, column, replaced) in enumerate(zip(sides[1:], columns, replaces, strict=True), 1)
        ]
        shared = index.count[: target.words] > 0
        self.covers = {"types": float(shared.mean()), "tokens": float(target.single[shared].sum())}
        self.index = {"features": len(target.features), "entries": int(index.entries.sum(dtype=np.int64))}
        self.types = [side.sizes for side in target.features.sides]
        self.wanted, self.have, self.known, self.weights = wanted, have, known, target.weights
        self.wanted_files: list[list[dict[str, Any]]] = [[] for _ in wanted]  # by target: where its first side is
        self.reading: dict[str, Any] = {}  # how records were read
        self.classes: dict[str, int] | None = None
        self.unadapted_ignored = self.weights_ignored = False
        self.exclude: dict[str, Any] | None = None
        self.skipped: dict[str, int] = {}
        self.going_on: list[dict[str, Any]] = []
        self.notices: list[str] = []


def summarize(
    settings: Settings, facts: Facts, state: State, ranking: Ranking, at_first: tuple[float, float], kept: int
) -> dict[str, Any]:
    """The summary that is written beside a ranking, but for seconds and memory; `at_first` are both entropies."""
    before, features_before = at_first
    picked_words = int(ranking.words[:kept].sum())
    after = float(ranking.entropy[kept - 1]) if kept else before
    seen = state.seen_before
    patience = Budget(patience=settings.budget.patience).patience_words(facts.words)
    beyond = int(ranking.words[ranking.stop :].sum())
    return {
        "cynical": __version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": version("numba")},
        "signature": settings.tokenizer.signature,
        "method": settings.name,
        "settings": settings.as_dict(),
        "reading": facts.reading,
        "representative": _of_targets(facts),
        "unadapted": _of_sides(facts.have) if facts.have is not None else None,
        "seed": None if facts.known is None else {**_of_sides(facts.known), "rankings": facts.going_on},
        "available": {
            "name": facts.corpus.name,
            "format": facts.format,
            "shards": len(facts.corpus.parts),
            "empty_shards": sum(part.end == part.begin for part in facts.corpus.parts),
            "files": facts.corpus.files,
            "sides": facts.sides,
            "bytes": facts.corpus.size,
            "lines": facts.lines,
            "words": facts.words,
            "covers": facts.covers,
            "not_utf8": facts.broken,
        },
        "exclude": facts.exclude,
        "index": facts.index,
        "classes": facts.classes,
        "skipped": {**facts.skipped, "bad_records": facts.corpus.bad},
        "picked": {
            "lines": kept,
            "words": picked_words,
            "share_of_lines": kept / facts.lines,
            "share_of_words": picked_words / facts.words,
        },
        "money": money_spent(settings.budget.price, settings.budget.money, picked_words, before - after),
        "entropy": {"before": before, "after": after},
        "feature_entropy": None
        if settings.tokenizer.ngrams == 1
        else {
            "before": features_before,
            "after": float(ranking.feature_entropy[kept - 1]) if kept else features_before,
        },
        "perplexity": {"before": 2.0**before, "after": 2.0**after},
        "stop": {
            "lines": ranking.stop,
            "words": int(ranking.words[: ranking.stop].sum()),
            "entropy": float(ranking.entropy[ranking.stop - 1]) if ranking.stop else before,
            "known": ranking.ended in ("patience", "lines") or beyond > patience,
        },
        "covered": {
            "types": (int(ranking.types[kept - 1]) if kept else int(seen.sum())) / len(seen),
            "tokens": float(ranking.covered[kept - 1]) if kept else float(state.model.single[seen].sum()),
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
    notices += settings.without_effect
    if facts.unadapted_ignored:
        notices.append(f"UNADAPTED has {no_effect}; it was not read")
    if settings.per is None and settings.per_word:
        notices.append(
            "money is spent by the word, so lines are ranked per word; --per line would rank them by their whole delta"
        )
    if facts.weights_ignored:
        notices.append("--weights has no effect with one target")
    elif len(facts.weights) > 1 and "moore-lewis" in settings.name:
        notices.append(
            f"--method {settings.name} learns from all targets alike: --weights count for bits, not the order"
        )
    notices.extend(_went_on(one) for one in facts.going_on)
    notices.extend(facts.notices)
    if facts.corpus.bad:
        notices.append(skipped(facts.corpus, "AVAILABLE"))
    if facts.going_on and settings.strategy == "batch":
        notices.append("batches begin anew where a run does, so going on gives other picks than one long run would")
    if facts.exclude is not None and not facts.skipped["excluded"]:
        lines = _number(facts.exclude["lines"], "line")
        notices.append(f"--exclude: none of the {lines} of {facts.exclude['name']} is in AVAILABLE")
    if settings.per_word and facts.known is None and ranking.line.size and ranking.penalty[0] + ranking.gain[0] > 0:
        notices.append(
            "REPRESENTATIVE is so small that even the best line raises its entropy, and then the longest lines cost "
            "least per word; give more of it, or --per line"
        )
    if facts.classes is None and settings.thresholds != Thresholds():
        notices.append(f"--min-count and --ratio-threshold have {no_effect}")
    if settings.budget.patience is not None and not settings.budget.open:
        notices.append(f"--patience has no effect with {settings.budget.sentence}")
    if facts.covers["tokens"] < LITTLE_IN_COMMON - 1e-9:
        percent = 100 * facts.covers["tokens"]
        notices.append(
            f"only {percent:.0f} % of the words of REPRESENTATIVE are in AVAILABLE at all; "
            "are both in the same language, tokenized and cased the same way?"
        )
    if facts.broken:
        notices.append(
            f"{facts.broken} lines of AVAILABLE are not UTF-8 (the first: {facts.first_broken}); they were kept"
        )
    wanted = [counts for sides in facts.wanted for counts in sides]
    notices.extend(hint("REPRESENTATIVE", wanted))
    for role, given in (("REPRESENTATIVE", wanted), ("UNADAPTED", facts.have), ("SEED", facts.known)):
        broken = sum(counts.broken for counts in given or ())
        if broken:
            notices.append(f"{broken} lines of {role} are not UTF-8; they were kept")
    if kept == 0:
        if ranking.line.size:
            notices.append(
                "no line lowers the entropy of REPRESENTATIVE: nothing was picked (--lines N picks all the same)"
            )
        else:
            notices.append(_too_long(settings))
    return notices


def _too_long(settings: Settings) -> str:
    """Why not even one line was picked."""
    which, remedy = "best", "--per word or --max-length N makes shorter lines the best"
    if isinstance(settings, RankSettings):
        which, remedy = "first", "--max-length N leaves longer lines out"
    budget = settings.budget.sentence
    return f"the {which} line does not fit {budget}, and there a budget ends: nothing was picked; {remedy}"


def skipped(corpus: Corpus, role: str) -> str:
    """Which records were skipped."""
    first = next(part.first_bad for part in corpus.parts if part.bad)
    return f"{_number(corpus.bad, 'bad record')} of {role} skipped; the first: {first}"


def _went_on(one: dict[str, Any]) -> str:
    """How the lines of an earlier ranking were left out."""
    how = "by number: it was made from the same AVAILABLE"
    if one["by"] == "words":
        how = f"by their words ({one['found']:,} found): no summary beside it names this AVAILABLE as it is now"
    return f"{one['name']}: {_number(one['lines'], 'line')} left out {how}"


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _of_targets(facts: Facts) -> dict[str, Any]:
    """All targets together and, where there are several, each with its weight."""
    of_each = [
        {**_of_sides(sides), "files": files} for sides, files in zip(facts.wanted, facts.wanted_files, strict=True)
    ]
    if len(of_each) == 1:
        return of_each[0]
    sums = {name: sum(one[name] for one in of_each) for name in ("lines", "words", "other", "not_utf8")}
    targets = [{**one, "weight": weight} for one, weight in zip(of_each, facts.weights, strict=True)]
    name, types = ", ".join(one["name"] for one in of_each), sum(sizes[0] for sizes in facts.types)
    files = [file for files in facts.wanted_files for file in files]
    return {"name": name, **sums, "types": types, "files": files, "targets": targets}


def _of_sides(sides: Sequence[Counts]) -> dict[str, Any]:
    """A text of which all sides count; lines are those of one."""
    first = sides[0]
    return {
        "name": ", ".join(counts.name for counts in sides),
        "lines": first.lines,
        "words": sum(counts.total for counts in sides),
        "types": sum(len(counts) for counts in sides),
        "other": sum(counts.other for counts in sides),
        "not_utf8": sum(counts.broken for counts in sides),
        **{
            f"{order + 1}-grams": {
                "number": sum(counts.totals[order] for counts in sides),
                "types": sum(counts.sizes[order] for counts in sides),
                "other": sum(counts.others[order] for counts in sides),
            }
            for order in range(1, first.ngrams)
        },
    }
