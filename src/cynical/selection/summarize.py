"""What a run has to say of itself: figures for machines, and notices for people."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from .._kernels.jit import numba_version
from ..jaded.summary import (
    Among,
    Available,
    Change,
    EarlierRanking,
    Exclude,
    Grams,
    IndexSize,
    Picked,
    Prior,
    ReadAs,
    Representative,
    Search,
    Seed,
    Shares,
    Side,
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
from ..model.target import Target
from ..model.untokenized import hint
from ..model.widening import Widening
from ..options import Settings
from ..text.corpus import Corpus, File
from ..version import __version__
from .available import Available as ReadAvailable
from .inputs import Inputs
from .search import Ranking
from .texts import Counted

NO_EFFECT = "no effect with --strategy exact and --vocabulary full"
LITTLE_IN_COMMON = 0.7  # of the representative tokens: two texts of one language share more


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is known of the corpora, for the summary."""

    available: Available
    corpus: Corpus  # AVAILABLE
    first_broken: str  # where its first line is that is not UTF-8
    index: IndexSize
    reading: ReadAs
    wanted: Sequence[Sequence[Counts]]  # REPRESENTATIVE, by target, then by side
    wanted_files: Sequence[list[list[File]]]  # by target, then by side
    weights: Sequence[float]
    types: int  # of REPRESENTATIVE: words that are different
    have: Sequence[Counts] | None  # UNADAPTED, by side
    known: Sequence[Counts] | None  # SEED, by side
    known_files: list[list[File]]  # by side
    in_common: float  # of the representative tokens: those that AVAILABLE has
    earlier: list[EarlierRanking]  # the rankings in it
    exclude: Exclude | None
    skipped: Mapping[str, int]  # lines by reason
    without_effect: Sequence[str]  # sentences on what was given and has no effect
    notices: Sequence[str]
    widening: Widening | None  # what lines of AVAILABLE add to the target
    prior: Prior | UnsetType = UNSET
    among: Among | UnsetType = UNSET

    @property
    def words(self) -> int:
        return self.available.words


def gather_facts(
    inputs: Inputs,
    settings: Settings,
    read: ReadAvailable,
    target: Target,
    counted: Counted,
    exclude: Exclude | None,
    notices: Sequence[str],
    widening: Widening | None,
) -> Facts:
    """What is known before anything is picked; `notices` are sentences on the corpora but AVAILABLE."""
    corpus, contents = read.corpus, read.contents
    kinds = [part.records.format for part in corpus.parts if part.records is not None]
    sides = zip(read.places[1:], inputs.columns, inputs.replaces, strict=True)
    available = Available(
        name=corpus.name,
        format=kinds[0] if kinds else "strings" if any(part.folded for part in corpus.parts) else "text",
        shards=len(corpus.parts),
        empty_shards=sum(part.end == part.begin for part in corpus.parts),
        files=corpus.files,
        sides=[
            Side(
                name=side.corpus.name,
                column=column,
                replaces=replaced,
                counts=place < inputs.counted,
                files=side.corpus.files,
            )
            for place, (side, column, replaced) in enumerate(sides, 1)
        ],
        bytes=corpus.size,
        lines=contents.lines,
        words=contents.words,
        not_utf8=contents.broken,
    )
    return Facts(
        available,
        corpus,
        contents.first_broken,
        IndexSize(features=len(target.features), entries=contents.entries),
        ReadAs(
            text_key=inputs.reading.text_key,
            text_template=inputs.reading.text_template or UNSET,
            unit=UNSET if inputs.reading.unit == "document" else inputs.reading.unit,
            bad_records=inputs.reading.bad_records,
            input_format=inputs.reading.input_format,
        ),
        counted.wanted,
        counted.files,
        target.weights,
        sum(side.sizes[0] for side in target.features.sides),
        counted.unadapted,
        counted.seed,
        counted.seed_files,
        float(target.single[contents.count[: target.words] > 0].sum()),
        list(read.earlier),
        exclude,
        read.skipped,
        _without_effect(inputs, settings),
        notices,
        widening,
    )


def coverable(target: Target, count: NDArray[np.int64], seed: Sequence[Counts] | None) -> Shares:
    """What of what the model counts is in SEED or in any line of AVAILABLE, of whose features the counts are given."""
    seen = target.counted(count) if seed is None else target.counted(count) + target.aligned(seed)
    shared = seen[: target.words] > 0
    return Shares(types=float(shared.mean()), tokens=float(target.single[shared].sum()))


def _widened(widening: Widening | None) -> Widened | UnsetType:
    if widening is None:
        return UNSET
    return Widened(lines=widening.lines, share_of_lines=widening.share, mass=widening.mass.tolist())


def _without_effect(inputs: Inputs, settings: Settings) -> list[str]:
    notices = []
    if inputs.unadapted is not None and not settings.needs_classes:
        notices.append(f"UNADAPTED has {NO_EFFECT}; it was not read")
    if settings.ranking.per is None and settings.per_word:
        notices.append("with --money lines are ranked per word; --per line would rank them by their whole delta")
    several = (settings.budget.price_with is not None, settings.eligibility.length_per == "side")
    for given, option in zip(several, ("--price-with", "--length-per side"), strict=True):
        if given and inputs.counted == 1:
            notices.append(
                f"{option} has no effect where only one side counts; --representative-with makes another count"
            )
    if inputs.prior is None and settings.ranking.prior_weight != 1.0:
        notices.append("--prior-weight has no effect without --prior")
    if inputs.by is not None and settings.eligibility.among is None:
        notices.append("--by has no effect without --among")
    if inputs.weights is not None and len(inputs.targets) == 1:
        notices.append("--weights has no effect with one target")
    elif len(inputs.targets) > 1 and "moore-lewis" in settings.method:
        notices.append(
            f"--method {settings.method} learns from all targets alike: --weights count for bits, not the order"
        )
    return notices


def summarize(
    settings: Settings,
    facts: Facts,
    classes: Mapping[str, int] | None,
    state: State,
    ranking: Ranking,
    at_first: tuple[float, float],
    kept: int,
) -> Summary:
    """The summary of a ranking, without its signature, seconds and memory; `at_first` are both entropies."""
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
        notices=_notices(settings, facts, classes, ranking, kept),
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


def _notices(
    settings: Settings, facts: Facts, classes: Mapping[str, int] | None, ranking: Ranking, kept: int
) -> list[str]:
    """What the user should know: options without effect, oddities of the text, a stopping point not reached."""
    notices = [*settings.without_effect, *facts.without_effect]
    notices.extend(_went_on(one) for one in facts.earlier)
    notices.extend(facts.notices)
    notices.extend(facts.corpus.notices("AVAILABLE"))
    if facts.earlier and settings.ranking.strategy == "batch":
        notices.append("each run begins a new batch, so resuming gives other picks than one long run would")
    if facts.exclude is not None and not facts.skipped["excluded"] + facts.skipped["contaminated"]:
        lines, ngrams = _number(facts.exclude.lines, "line"), settings.eligibility.exclude_ngrams
        no_run = "" if ngrams is None else f", and no line shares {_number(ngrams, 'word')} in a row with one"
        notices.append(f"--exclude: none of the {lines} of {facts.exclude.name} is in AVAILABLE{no_run}")
    if settings.per_word and facts.known is None and ranking.line.size and ranking.penalty[0] + ranking.gain[0] > 0:
        notices.append(
            "REPRESENTATIVE is so small that even the best line raises its entropy, and then the longest lines cost "
            "least per word; give more of it, or --per line"
        )
    broken = facts.available.not_utf8
    if facts.in_common < LITTLE_IN_COMMON - 1e-9:
        notices.append(
            f"only {100 * facts.in_common:.0f} % of the words of REPRESENTATIVE are in AVAILABLE at all; "
            "are both in the same language, tokenized and cased the same way?"
        )
    if broken:
        notices.append(f"{broken} lines of AVAILABLE are not UTF-8 (the first: {facts.first_broken}); they were kept")
    wanted = [counts for sides in facts.wanted for counts in sides]
    notices.extend(hint("REPRESENTATIVE", wanted))
    for role, given in (("REPRESENTATIVE", wanted), ("UNADAPTED", facts.have), ("SEED", facts.known)):
        broken = sum(counts.broken for counts in given or ())
        if broken:
            notices.append(f"{broken} lines of {role} are not UTF-8; they were kept")
    budget = settings.budget
    if ranking.ended == "lines" and (budget.lines is not None or budget.words is not None or budget.money is not None):
        notices.append(
            f"{budget.sentence} is more than AVAILABLE has: all {_number(kept, 'line')} that may be picked were ranked"
        )
    if kept == 0:
        if ranking.line.size:
            words = sum(counts.total for counts in wanted)
            notices.append(
                f"no line lowers the entropy of REPRESENTATIVE, so nothing was picked: its {_number(words, 'word')} "
                "may be too few to say what a language is like; give more of it, or --lines N, which picks the best N "
                "in any case"
            )
        else:
            notices.append(_too_long(settings))
    return notices


def _too_long(settings: Settings) -> str:
    """Why not even one line was picked."""
    which, remedy = "best", "--per word or --max-length N makes shorter lines the best"
    if settings.baseline is not None:
        which, remedy = "first", "--max-length N leaves longer lines out"
    budget = settings.budget.sentence
    return f"the {which} line does not fit {budget}, and there a budget ends: nothing was picked; {remedy}"


def _went_on(one: EarlierRanking) -> str:
    """How the lines of an earlier ranking were left out."""
    how = "by number: it was made from the same AVAILABLE"
    if one.by == "words":
        how = f"by their words ({one.found:,} found): no summary beside it names this AVAILABLE as it is now"
    return f"{one.name}: {_number(one.lines, 'line')} left out {how}"


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


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
