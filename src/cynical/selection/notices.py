"""Notices: what a user should know of a run, from options without effect to a budget that was too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import if_one, number_of
from ..jaded.summary import EarlierRanking
from ..model.untokenized import hint
from ..options import Settings
from ..options.budget import shortest
from .inputs import Inputs
from .search import Ranking

if TYPE_CHECKING:
    from .facts import Facts

NO_EFFECT = "no effect with --strategy exact and --vocabulary full"
LITTLE_IN_COMMON = 0.7  # of the representative tokens: two texts of one language share more


def without_effect(inputs: Inputs, settings: Settings) -> list[str]:
    """What was given and has no effect."""
    notices = []
    if inputs.unadapted is not None and not settings.needs_classes:
        notices.append(f"UNADAPTED has {NO_EFFECT}; it was not read")
    if settings.ranking.per is None and settings.per_word:
        notices.append("with --money, lines are ranked by delta per word; use --per line to rank them by delta")
    several = (settings.budget.price_with is not None, settings.eligibility.length_per == "side")
    for given, option in zip(several, ("--price-with", "--length-per side"), strict=True):
        if given and inputs.counted == 1:
            notices.append(
                f"{option} has no effect, because only one side counts; give --representative-with to make another "
                "side count"
            )
    if inputs.prior is None and settings.ranking.prior_weight != 1.0:
        notices.append("--prior-weight has no effect without --prior")
    if inputs.by is not None and settings.eligibility.among is None:
        notices.append("--by has no effect without --among")
    if inputs.weights is not None and len(inputs.targets) == 1:
        notices.append("--weights has no effect with one target")
    elif len(inputs.targets) > 1 and "moore-lewis" in settings.method:
        notices.append(
            f"--method {settings.method} learns from all targets equally: --weights change the bits but not the order"
        )
    return notices


def notices_of(settings: Settings, facts: Facts, ranking: Ranking, kept: int, missed: float | None) -> list[str]:
    """What the user should know: options without effect, oddities of the text, a stopping point not reached; `missed`
    is what the next line costs, if the money does not buy it."""
    notices = [*settings.budget.notices, *settings.without_effect, *facts.without_effect]
    notices.extend(_left_out(one) for one in facts.earlier)
    notices.extend(facts.notices)
    notices.extend(facts.corpus.notices("AVAILABLE"))
    if facts.earlier and settings.ranking.strategy == "batch":
        notices.append("each run starts a new batch, so the picks differ from those of a single long run")
    if facts.exclude is not None and not facts.skipped["excluded"] + facts.skipped["contaminated"]:
        lines, ngrams = number_of(facts.exclude.lines, "line"), settings.eligibility.exclude_ngrams
        no_run = "" if ngrams is None else f", and no line shares {number_of(ngrams, 'word')} in a row with any of them"
        notices.append(f"--exclude: none of the {lines} of {facts.exclude.name} is in AVAILABLE{no_run}")
    if settings.per_word and facts.known is None and ranking.line.size and ranking.penalty[0] + ranking.gain[0] > 0:
        notices.append(
            "REPRESENTATIVE is so small that even the best line raises its entropy, so the longest lines come first, "
            "because they cost least per word; give more text, or --per line"
        )
    broken = facts.available.not_utf8
    if facts.in_common < LITTLE_IN_COMMON - 1e-9:
        notices.append(
            f"only {100 * facts.in_common:.0f} % of the words of REPRESENTATIVE occur in AVAILABLE; check that both "
            "are in the same language, tokenized and cased in the same way"
        )
    if broken:
        notices.append(
            f"{number_of(broken, 'line')} of AVAILABLE {_broken(broken)} (the first: {facts.first_broken}); "
            f"{_kept(broken)}"
        )
    wanted = [counts for sides in facts.wanted for counts in sides]
    notices.extend(hint("REPRESENTATIVE", wanted))
    for role, given in (("REPRESENTATIVE", wanted), ("UNADAPTED", facts.have), ("SEED", facts.known)):
        broken = sum(counts.broken for counts in given or ())
        if broken:
            notices.append(f"{number_of(broken, 'line')} of {role} {_broken(broken)}; {_kept(broken)}")
    budget = settings.budget
    more = (budget.lines or 0) > kept or (budget.words or 0) > ranking.words.sum() or budget.money is not None
    if ranking.ended == "lines" and more:
        notices.append(
            f"{budget.sentence} is more than AVAILABLE has: all {number_of(kept, 'eligible line')} were ranked"
        )
    if kept == 0:
        if ranking.line.size:
            words = sum(counts.total for counts in wanted)
            notices.append(
                f"no line lowers the entropy of REPRESENTATIVE, so nothing was picked: its {number_of(words, 'word')} "
                "may be too few to represent a language; give more text, or use --lines N to pick the best N lines "
                "in any case"
            )
        else:
            notices.append(_too_long(settings, missed))
    return notices


def _too_long(settings: Settings, cost: float | None) -> str:
    """Why not even one line was picked: the first one has this cost, or it has too many words."""
    budget, which = settings.budget, "best" if settings.baseline is None else "first"
    found, enough = "does not fit into", "a larger budget"
    if cost is not None:
        amount = shortest(cost)
        found, enough = (
            f"costs {amount}{f' {budget.currency}' if budget.currency else ''}, more than",
            f"--money {amount}",
        )
    shorter = "--max-length N to exclude longer lines"
    if settings.baseline is None and not settings.per_word:
        shorter = "--per word or --max-length N to put shorter lines first"
    return (
        f"the {which} line {found} {budget.sentence}, and a budget ends at the first line that does not fit, so "
        f"nothing was picked; give {enough}, or {shorter}"
    )


def _left_out(one: EarlierRanking) -> str:
    """How the lines of an earlier ranking were left out."""
    how = "by line number, because the ranking was made from the same AVAILABLE"
    if one.by == "words":
        how = f"by their words ({one.found:,} found), because it has no summary that matches this AVAILABLE"
    return f"{one.name}: {number_of(one.lines, 'line')} excluded {how}"


def _broken(lines: int) -> str:
    return f"{if_one(lines, 'is', 'are')} not valid UTF-8"


def _kept(lines: int) -> str:
    return if_one(lines, "it was kept", "they were kept")
