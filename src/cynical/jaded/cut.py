"""Cut a ranking again without running it again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import CynicalError
from ..model.budget import Budget, share_of
from ..text.atomic_file import check_not_input
from .jaded import check_paths, output_format, side_paths, write_with_summary
from .summary import Change, CutFrom, Picked, Stop, Summary, money_spent, read_summary, summary_path
from .tsv import Ranking


@dataclass(frozen=True, slots=True)
class Cut:
    """What was kept of what there was."""

    lines: int
    words: int
    ranked: int
    entropy_before: float
    entropy: float
    notices: list[str]


def cut(path: str | Path, out: str | Path, budget: Budget, stop: bool, format: str | None, overwrite: bool) -> Cut:
    """Keep the longest prefix of a ranking that fits the budget, or ends at its stopping point."""
    if stop and not budget.open:
        raise CynicalError(f"--stop and {budget.sentence} contradict each other; give one of them")
    if budget.open and not stop:
        raise CynicalError("say where to cut: --lines N, --words N, --share F or --stop")
    format = output_format(out, format)
    if format not in ("tsv", "text"):
        raise CynicalError(f"{out}: a ranking is cut into tsv or text; for {format}, let cynical select write it")
    summary = read_summary(path)
    ranking = Ranking(path, summary=summary)
    kept, notices = _how_many(ranking, budget, stop, summary, path)
    words = ranking.words_of(kept)
    before = summary.entropy.before if summary is not None else ranking.before
    entropy = ranking.entropy_at(kept, before)
    changed = _cut_summary(summary, ranking, path, budget, stop, kept) if summary is not None else None
    files: list[tuple[str | Path, Iterable[bytes]]] = [(out, [ranking.rows(kept)])]
    if format == "text":
        known = {} if summary is None else {one.column: one.replaces for one in summary.available.sides}
        others = side_paths(out, ranking.sides, [known.get(column, "") for column in ranking.sides])
        files = [(file, ranking.texts(kept, side)) for side, file in enumerate([out, *others])]
    outputs = [file for file, _ in files]
    check_not_input([*outputs, summary_path(out)] if changed is not None else outputs, [str(path)])
    check_paths(outputs, overwrite=overwrite)
    write_with_summary(files, changed, overwrite=overwrite)
    return Cut(kept, words, len(ranking), before, entropy, notices)


def _how_many(
    ranking: Ranking, budget: Budget, stop: bool, summary: Summary | None, path: str | Path
) -> tuple[int, list[str]]:
    ranked, notices = len(ranking.words), []
    if stop:
        if summary is not None and not summary.stop.known:
            notices.append("the ranking may be too short to know its stopping point; rank further to be sure")
        exactly = summary.stop.lines if summary is not None else ranked + 1
        return exactly if exactly <= ranked else ranking.stop(ranked), notices
    most = budget.words
    if budget.share is not None:
        if summary is None:
            raise CynicalError(
                f"{path}.json: needed to know how many words AVAILABLE has; give --words N instead of --share"
            )
        most = share_of(budget.share, summary.available.words)
    kept = ranked if budget.lines is None else min(budget.lines, ranked)
    if most is not None:
        fits = np.cumsum(ranking.words) <= most
        kept = min(kept, int(np.count_nonzero(fits)))
    words = ranking.words_of(kept)
    all_ranked = summary is not None and summary.search.ended_by == "lines"
    if kept == ranked and not all_ranked and not (budget.lines == ranked or words == most):
        notices.append(f"the ranking ends after {ranked:,} lines, before {budget.sentence} does; all of it was kept")
    return kept, notices


def _cut_summary(
    summary: Summary, ranking: Ranking, path: str | Path, budget: Budget, stop: bool, kept: int
) -> Summary:
    """The summary of the ranking, with what the cut has changed."""
    before, available, money = summary.entropy.before, summary.available, summary.money
    words, after = ranking.words_of(kept), ranking.entropy_at(kept, before)
    changed = summary.replaced(
        cut=CutFrom(from_=str(path), to="--stop" if stop else budget.sentence),
        picked=Picked(
            lines=kept, words=words, share_of_lines=kept / available.lines, share_of_words=words / available.words
        ),
        money=None if money is None else money_spent(money.price, money.budget, words, before - after),
        entropy=Change(before=before, after=after),
        perplexity=Change(before=2.0**before, after=2.0**after),
        covered=None,
    )
    if ranking.feature_entropy is not None and summary.feature_entropy is not None:
        first = summary.feature_entropy.before
        last = float(ranking.feature_entropy[kept - 1]) if kept else first
        changed = changed.replaced(feature_entropy=Change(before=first, after=last))
    if kept < len(ranking.words):
        changed = changed.replaced(search=summary.search.replaced(ended_by="cut", ranked=kept))
    if summary.stop.lines > kept:
        lowest = ranking.stop(kept)
        entropy = ranking.entropy_at(lowest, before)
        stopped = Stop(lines=lowest, words=ranking.words_of(lowest), entropy=entropy, known=False)
        changed = changed.replaced(stop=stopped)
    return changed
