"""From a ranking and what goes with it to a page: everything that `cynical report` does but parsing and writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import CynicalError
from ..evaluation.compare import Outcome
from ..evaluation.evaluate import EvaluationInputs
from ..evaluation.evaluate import run as evaluate
from ..evaluation.verdict import winner
from ..jaded.jaded import Jaded
from ..jaded.made_from import tokenizer_then
from ..options import Measure, Reading, Rereading
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.sources import open_corpus
from .evaluations import GivenEvaluation, read_evaluation
from .labels import find_labels
from .page import make_page
from .picks import from_jaded, read_picks
from .representative import Corpora


@dataclass(frozen=True, slots=True)
class ReportInputs:
    """What a page is made from besides the ranking, and how it is read."""

    representative: Sequence[str | Path] = ()  # each is a target; by default the files that the summary names
    held_out: str | Path | Corpus | None = None  # evaluated, unless there is an evaluation
    available: Sequence[str | Path] = ()  # together they are one corpus
    seed: Sequence[str | Path] = ()  # texts, counts and rankings
    label_key: str | None = None
    labels: str | Path | None = None
    evaluation: str | Path | None = None  # a file
    price: float | None = None  # of a word
    overrides: Rereading = Rereading()
    reading: Reading = Reading()
    jobs: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A page, how many lines it is about, and what a user should know of its figures."""

    page: bytes
    lines: int
    notices: list[str]


def run(ranking: Jaded | str | Path, inputs: ReportInputs, progress: Progress) -> Report:
    """Read the ranking and what goes with it, evaluate it on a held-out text if there is one, and make the page."""
    reading = inputs.reading
    picks = from_jaded(ranking) if isinstance(ranking, Jaded) else read_picks(ranking, reading)
    held_out = None if inputs.held_out is None else open_corpus(inputs.held_out, "HELDOUT", reading)  # may be a pipe
    tokenizer = tokenizer_then(picks.summary, inputs.overrides)
    corpora = Corpora(inputs.representative, held_out, inputs.available, tokenizer, reading, inputs.jobs, inputs.seed)
    labels = find_labels(picks, inputs.label_key, inputs.labels, corpora)
    evaluation, notices = None, []
    if inputs.evaluation is not None:
        evaluation = read_evaluation(inputs.evaluation, picks)
    elif held_out is not None:
        texts = EvaluationInputs(ranking, held_out, overrides=inputs.overrides, reading=reading)
        made = evaluate(texts, Measure(), inputs.jobs, progress)
        evaluation, notices = GivenEvaluation.of(made), made.notices
    page = make_page(
        picks, corpora=corpora, labels=labels, evaluation=evaluation, price=inputs.price, progress=progress
    )
    return Report(page, len(picks), notices)


def comparison_page(outcome: Outcome, corpora: Corpora, progress: Progress) -> bytes:
    """The methods' curves, and the ranking of the best of our own methods."""
    ours = [method for method in outcome.comparison.methods if method.name in outcome.rankings]
    if not ours:
        raise CynicalError("--report shows a cynical ranking, but --methods has none; add cynical to --methods")
    best = ours[winner(ours)].name
    picks = from_jaded(outcome.rankings[best](), best)
    return make_page(picks, corpora=corpora, comparison=outcome.comparison, progress=progress)
