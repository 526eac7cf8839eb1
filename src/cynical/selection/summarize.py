"""The summary of a run: its figures, from what is known of the corpora and from the picks."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from msgspec import UNSET, UnsetType

from .._kernels.jit import numba_version
from ..jaded.summary import (
    Change,
    Grams,
    Picked,
    Representative,
    Search,
    Seed,
    Shares,
    Stop,
    Summary,
    Text,
    Widened,
    perplexity_of,
)
from ..jaded.summary import Target as TargetText
from ..model.budget import patience_words
from ..model.counts import Counts
from ..model.entropy import State
from ..model.widening import Widening
from ..options import Settings
from ..text.corpus import File
from ..version import __version__
from .facts import Facts
from .notices import notices_of
from .search import Ranking


def _widened(widening: Widening | None) -> Widened | UnsetType:
    if widening is None:
        return UNSET
    return Widened(
        lines=widening.lines,
        share_of_lines=widening.share,
        mass=widening.mass.tolist(),
        reach=widening.reach.tolist(),
    )


def summarize(
    settings: Settings,
    facts: Facts,
    classes: Mapping[str, int] | None,
    state: State,
    ranking: Ranking,
    at_first: tuple[float, float],
    kept: int,
    missed: float | None = None,
) -> Summary:
    """The summary of a ranking, without its signature, seconds and memory; `at_first` are both entropies, and `missed`
    is what the next line costs, if the money does not buy it."""
    before, features_before = at_first
    picked_words = int(ranking.words[:kept].sum())
    after = float(ranking.entropy[kept - 1]) if kept else before
    features_after = float(ranking.feature_entropy[kept - 1]) if kept else features_before
    of_features = settings.ranking.ngrams > 1
    seen = state.seen_before
    return Summary(
        cynical=__version__,
        versions={"python": platform.python_version(), "numpy": np.__version__, "numba": numba_version()},
        text_signature=facts.wanted[0][0].signature,
        method=settings.method,
        settings=settings.recorded(),
        reading=facts.reading,
        representative=_of_targets(facts),
        widened=_widened(facts.widening),
        unadapted=None if facts.have is None else _of_sides(facts.have, Text),
        seed=None
        if facts.known is None
        else _of_sides(facts.known, Seed).replaced(rankings=facts.earlier, **_files(facts.known_files)),
        available=facts.available,
        exclude=facts.exclude,
        prior=facts.prior,
        among=facts.among,
        index=facts.index,
        classes=None if classes is None else dict(classes),
        skipped={**facts.skipped, "bad_records": facts.corpus.bad},
        picked=Picked(
            lines=kept,
            words=picked_words,
            share_of_lines=kept / facts.available.lines,
            share_of_words=picked_words / facts.words,
        ),
        entropy=Change(before=before, after=after),
        feature_entropy=Change(before=features_before, after=features_after) if of_features else None,
        perplexity=Change(before=perplexity_of(before), after=perplexity_of(after)),
        stop=_stop(settings, facts, ranking, before),
        covered=Shares(
            types=(int(ranking.types[kept - 1]) if kept else int(seen.sum())) / len(seen),
            tokens=float(ranking.covered[kept - 1]) if kept else float(state.model.single[seen].sum()),
        ),
        search=Search(
            ended_by=ranking.ended,
            ranked=len(ranking.line),
            rescored=ranking.rescored,
            refreshes=ranking.refreshes,
        ),
        notices=notices_of(settings, facts, ranking, kept, missed),
    )


def _stop(settings: Settings, facts: Facts, ranking: Ranking, before: float) -> Stop:
    patience = patience_words(settings.budget, facts.words)
    beyond = int(ranking.words[ranking.stop :].sum())
    return Stop(
        lines=ranking.stop,
        words=int(ranking.words[: ranking.stop].sum()),
        entropy=float(ranking.entropy[ranking.stop - 1]) if ranking.stop else before,
        known=ranking.ended in ("patience", "lines") or beyond > patience,
    )


def _of_targets(facts: Facts) -> Representative:
    """All targets together and, where there are several, each with its weight."""
    if len(facts.wanted) == 1:
        return _of_sides(facts.wanted[0], Representative).replaced(**_files(facts.wanted_files[0]))
    targets = [
        _of_sides(sides, TargetText).replaced(weight=weight, **_files(files))
        for sides, files, weight in zip(facts.wanted, facts.wanted_files, facts.weights, strict=True)
    ]
    return Representative(
        name=", ".join(one.name for one in targets),
        lines=sum(one.lines for one in targets),
        words=sum(one.words for one in targets),
        types=facts.types,
        other=sum(one.other for one in targets),
        not_utf8=sum(one.not_utf8 for one in targets),
        files=[file for sides in facts.wanted_files for file in sides[0]],
        targets=targets,
    )


def _files(sides: Sequence[list[File]]) -> dict[str, Any]:
    """Where a text is that may be read again."""
    return {"files": sides[0], **({"sides": list(sides[1:])} if len(sides) > 1 else {})}


AnyText = TypeVar("AnyText", bound=Text)


def _of_sides(sides: Sequence[Counts], kind: type[AnyText]) -> AnyText:
    """A text of which all sides count; lines are those of one."""
    first = sides[0]
    grams = [
        Grams(
            number=sum(counts.totals[order] for counts in sides),
            types=sum(counts.sizes[order] for counts in sides),
            other=sum(counts.others[order] for counts in sides),
        )
        for order in range(1, first.ngrams)
    ]
    return kind(
        name=", ".join(counts.name for counts in sides),
        lines=first.lines,
        words=sum(counts.total for counts in sides),
        types=sum(len(counts) for counts in sides),
        other=sum(counts.other for counts in sides),
        not_utf8=sum(counts.broken for counts in sides),
        **dict(zip(("two_grams", "three_grams"), grams, strict=False)),
    )
