"""The page of a ranking: all of its figures, and what is not shown, with the reason."""

from __future__ import annotations

import shlex

from ..evaluation.records import Comparison
from ..evaluation.verdict import verdict
from ..jaded.bits import bits_over
from ..jaded.find import kind_of_ranking
from ..jaded.summary import Shares, Summary
from ..progress import Progress
from ..text.paths import shown as shown_name
from ..version import __version__
from . import about, thinning
from .bill import bill_of
from .blocks import balance_data, class_data, cut_data, label_data, length_data, line_data, unknown_data
from .data import ComparisonData, EvaluationData, MethodData, ModelStopData, PageData, PoolData, StopData
from .evaluations import GivenEvaluation
from .labels import Labels
from .picks import Picks
from .representative import UNNAMED, UNREAD, Corpora, WantedWords, read_wanted_words
from .template import fill
from .words import follow_words


def make_page(
    picks: Picks,
    *,
    corpora: Corpora | None = None,
    labels: Labels | None = None,
    evaluation: GivenEvaluation | None = None,
    comparison: Comparison | None = None,
    price: float | None = None,
    progress: Progress | None = None,
) -> bytes:
    """The whole page; the same input gives the same bytes.

    `evaluation` is of this ranking, and this is the ranking of one of the methods of `comparison`.
    """
    progress = Progress(False) if progress is None else progress
    corpora = Corpora() if corpora is None else corpora
    summary = picks.summary
    best = [evaluation.best.lines] if evaluation is not None and evaluation.best else []
    marked = [picks.lowest, picks.stop, *best]
    cuts = thinning.cuts(picks.path_of_entropy, marked)
    shown = thinning.lines(len(picks), marked, cuts)
    wanted, why_not = read_wanted_words(picks, corpora, progress)
    followed = None if wanted is None else follow_words(picks, wanted, cuts, shown, corpora, progress)
    available, billed = None if summary is None else summary.available, bill_of(picks, price)
    given = [*_notices(evaluation), *([] if comparison is None else comparison.notices)]
    made = PageData(
        version=__version__,
        name=picks.name,
        kind=about.kind(summary),
        ranked=len(picks),
        command=_command(picks),
        available=None
        if available is None
        else PoolData(name=available.name, lines=available.lines, words=available.words),
        covers=_covers(summary),
        seeded=summary is not None and summary.seed is not None,
        changed=about.changed(picks.settings, "cynical" if summary is None else summary.method),
        signature=None if summary is None else summary.signature,
        settings={name: value for name, value in picks.settings.items() if value not in (None, False)},
        stop=StopData(lines=picks.lowest, known=picks.lowest_is_known, rises=picks.rises),
        model_stop=_model_stop(picks),
        start=picks.start,
        features=picks.feature_entropy is not None,
        sides=picks.sides,
        followed=1 if wanted is None else wanted.sides,
        over=None if summary is None else bits_over(summary).units,
        price=None if billed is None else billed.price,
        bill=None if billed is None else billed.at(cuts),
        title=about.title(picks.name, comparison),
        texts=about.texts(summary, wanted, evaluation, comparison),
        verdict=[] if comparison is None else verdict(comparison),
        cuts=cut_data(picks, cuts),
        balance=balance_data(picks),
        lines=line_data(picks, shown, labels, followed),
        lengths=length_data(picks, cuts, wanted),
        labels=label_data(labels, cuts, picks, billed),
        unknown=None if followed is None else unknown_data(followed),
        classes=None if wanted is None or followed is None else class_data(wanted, followed),
        useful=None if followed is None else followed.useful,
        evaluation=None
        if evaluation is None
        else EvaluationData(points=evaluation.points, best=evaluation.best or None),
        comparison=None if comparison is None else _compared(comparison),
        notes=[
            *_missing(why_not, wanted, comparison is not None),
            *(followed.notes if followed is not None else []),
            *(_sentence(notice) for notice in given),
        ],
    )
    return fill(made.title if comparison is not None else f"{picks.name}: {made.kind}", made)


def _notices(evaluation: GivenEvaluation | None) -> list[str]:
    return [] if evaluation is None else evaluation.notices or []


def _model_stop(picks: Picks) -> ModelStopData | None:
    stop = picks.model_stop
    if stop is None:
        return None
    words, perplexity = [words for words, _ in stop.measured], [figure for _, figure in stop.measured]
    return ModelStopData(lines=stop.lines, held_out=stop.held_out, words=words, perplexity=perplexity)


def _covers(summary: Summary | None) -> Shares | None:
    """What all lines cover, if that is of the words of REPRESENTATIVE, neither of classes nor of a wider text."""
    words = summary is not None and summary.settings.get("vocabulary") != "classes" and not summary.widened
    return summary.available.covers if summary is not None and words else None


def _command(picks: Picks) -> tuple[str, str] | None:
    """What cuts the ranking: the words before the number of lines, and those after it."""
    if picks.path is None or shown_name(picks.path) != picks.path:  # no shell takes bytes that are no text
        return None
    file = shlex.quote(picks.path if not picks.path.startswith("-") else f"./{picks.path}")
    kind = kind_of_ranking(picks.path)
    return f"cynical cut {file} --lines ", f" -o best.{'txt' if kind == 'tsv' else kind}"


def _compared(comparison: Comparison) -> ComparisonData:
    return ComparisonData(
        methods=[MethodData(name=one.name, what=one.what, points=one.measured) for one in comparison.methods],
        order=comparison.order,
        lm=comparison.lm,
        vocabulary=comparison.vocabulary,
        subsample=comparison.subsample,
        changed=about.changed_of_comparison(comparison),
    )


def _missing(why_not: str, wanted: WantedWords | None, compared: bool) -> list[str]:
    """What the page leaves out and why, as sentences, and how to get it; a comparison has been given all it takes."""
    rest = "the most useful words and why a line was picked"
    if wanted is None:
        remedy = "give -t HELDOUT and REPRESENTATIVE as files" if compared else "give -r REPR"
        why = "REPRESENTATIVE is not in a file" if compared and why_not in (UNNAMED, UNREAD) else why_not
        return [_sentence(f"{remedy} for unknown words, words by class, {rest}: {why}")]
    missing = []
    if wanted.unseeded:
        missing.append(_sentence(f"give -s SEED for unknown words, {rest}: {wanted.unseeded}"))
    if wanted.unclassed:
        said = "words by class are not shown" if compared else "give -a AVAIL for words by class"
        missing.append(_sentence(f"{said}: {wanted.unclassed}"))
    return missing


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."
