"""The prefix of a ranking that fits a budget, and its summary."""

from __future__ import annotations

import numpy as np
from msgspec import UnsetType

from ..errors import CynicalError, number_of
from ..model.budget import share_of
from ..options import Budget
from .columns import Columns
from .content import Content
from .money import affordable, paid_sides, terms_of
from .summary import Change, CutFrom, Money, Picked, Stop, Summary, perplexity_of


def check_cut(budget: Budget, stop: bool) -> None:
    """Raise an error unless exactly one cut was given."""
    if stop and not budget.open:
        raise CynicalError(f"--stop and {budget.sentence} cannot be combined; give one of them")
    if budget.open and not stop:
        raise CynicalError("no cut was given; give --lines N, --words N, --share F, --money M or --stop")


def longest_prefix(
    columns: Columns,
    content: Content,
    stopping_point: int,
    budget: Budget,
    stop: bool,
    summary: Summary | None,
    name: str,
) -> tuple[int, list[str]]:
    """How many of the first picks fit a budget, or give the lowest entropy; and what the user should know."""
    ranked = len(columns)
    if stop:
        return stopping_point, [] if summary is None else _doubts(summary)
    most = budget.words
    if budget.share is not None:
        if summary is None:
            raise CynicalError(
                f"{name}.json: the summary is missing, so the number of words in AVAILABLE is unknown; give --words "
                "N instead of --share"
            )
        most = share_of(budget.share, summary.available.words)
    kept = ranked if budget.lines is None else min(budget.lines, ranked)
    if most is not None:
        kept = min(kept, int(np.count_nonzero(np.cumsum(columns.words) <= most)))
    if budget.money is not None:
        kept = affordable(columns, content, terms_of(budget, summary), paid_sides(summary))
    notices = budget.notices
    if budget.price_with is not None and paid_sides(summary) == 1:
        notices.append("--price-with has no effect, because only one side of the ranking counts")
    if budget.money is not None and summary is None and content.sides:
        notices.append(
            f"{name}.json: the summary is missing, so it is unknown whether other sides count; only the column "
            "`text` is paid for"
        )
    used_up = budget.lines == ranked or columns.words_of(kept) == most
    if kept == ranked and not used_up and not (summary is not None and _nothing_more_fits(summary, budget, most)):
        notices.append(
            f"the ranking ends after {number_of(ranked, 'line')}, before {budget.sentence} is reached; all lines "
            "were kept"
        )
    return kept, notices


def _doubts(summary: Summary) -> list[str]:
    """Why the stopping point of a ranking may be none."""
    if summary.stopping_point is None:
        return [
            "this ranking with n-grams has a budget, so its stopping point for a model is not known: --stop cuts where "
            "the entropy of single words is lowest, which is often too early; `cynical evaluate` finds the best cut"
        ]
    if not summary.stopping_point.known:
        return ["the ranking may be too short to contain its stopping point; rank more lines to be sure"]
    return []


def _nothing_more_fits(summary: Summary, budget: Budget, words: int | None) -> bool:
    """Was every line ranked, or did the ranking end because the next line exceeded a budget that is at least this one?
    `words` is the budget in words, if it is one."""
    search, then = summary.search, summary.settings
    if search.ended_by == "cut":
        return not isinstance(summary.cut, UnsetType) and summary.cut.to == budget.with_price
    if search.ended_by != "budget":
        return search.ended_by == "lines"
    if words is not None:
        share = then.get("share")
        most = then.get("words") if share is None else share_of(float(share), summary.available.words)
        return most is not None and words <= int(most)
    money, now = then.get("money"), terms_of(budget, summary)
    if budget.money is None or money is None or budget.money > float(money):
        return False
    return (now.price, now.paid_per, now.price_with) == tuple(
        then.get(name) for name in ("price", "price_per", "price_with")
    )


def summary_of_part(
    summary: Summary,
    part: Columns,
    money: Money | None,
    before: tuple[float, float | None],
    stop: Stop,
    cut: CutFrom,
) -> Summary:
    """The summary of a ranking, for some of its picks alone, which cost so much; `before` are both entropies before the
    first of these."""
    words, lines = part.words_of(len(part)), len(part)
    first, features = before
    after = float(part.entropy[-1]) if lines else first
    available, signature = summary.available, summary.signature
    made = summary.replaced(
        cut=cut,
        signature=None if signature is None else f"{signature}|cut:{cut.to.replace('--', '').replace(' ', ':')}",
        picked=Picked(
            lines=lines, words=words, share_of_lines=lines / available.lines, share_of_words=words / available.words
        ),
        money=money,
        entropy=Change(before=first, after=after),
        perplexity=Change(before=perplexity_of(first), after=perplexity_of(after)),
        covered=None,
        stop=stop,
    )
    if part.feature_entropy is not None and features is not None:
        last = float(part.feature_entropy[-1]) if lines else features
        made = made.replaced(feature_entropy=Change(before=features, after=last))
    return made


def stop_of(part: Columns, before: float) -> Stop:
    """Where the entropy is lowest among some picks, of which nobody knows whether it falls further."""
    lowest = part.lowest(before)
    entropy = float(part.entropy[lowest - 1]) if lowest else before
    return Stop(lines=lowest, words=part.words_of(lowest), entropy=entropy, known=False)
