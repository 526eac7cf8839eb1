"""What a run begins with: its corpora opened, counted and read, the target, and what is known of AVAILABLE."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from .._kernels.ahead import compile_ahead
from ..errors import CynicalError
from ..jaded.summary import Exclude
from ..memory import Storage
from ..model.budget import Limits
from ..model.counts import Counts
from ..model.entropy import State, make_state
from ..model.overlap import Runs, read_runs
from ..model.target import Target, normalized, totals_of
from ..model.widening import Widening
from ..options import Ranking, Settings
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import check_text_key
from ..text.tokenizer import Tokenizer
from .available import Available, Opened
from .eligible import Filters, check_left, leave_lines_out
from .excluded import Excluded
from .facts import Facts, coverable, gather_facts
from .index import HowToOpen, HowToRead, HowToTokenize
from .inputs import Inputs
from .search import Task
from .second_model import HowToWiden, check_can_widen, widen
from .texts import Counted, Texts, count_texts, count_wanted, open_texts

A = TypeVar("A", bound=Available)
A_co = TypeVar("A_co", bound=Available, covariant=True)


@dataclass(frozen=True, slots=True)
class Prepared(Generic[A_co]):
    """What a search begins with."""

    began: float  # when the run did
    inputs: Inputs
    settings: Settings
    progress: Progress
    tokenizer: Tokenizer
    jobs: int
    storage: Storage
    texts: Texts
    counted: Counted
    target: Target
    available: A_co
    facts: Facts  # for the summary
    classes: dict[str, int] | None  # how many words each class has, if they have classes
    has_prior: bool = False  # do rows have a prior?

    @property
    def left(self) -> int:
        """How many lines may be picked."""
        return self.available.contents.lines - sum(self.available.skipped.values())


def prepare(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    open_available: Callable[[Inputs, HowToTokenize], Opened[A]],
) -> Prepared[A]:
    """Open and count all corpora, make the target of them, and have AVAILABLE read, wherever it is."""
    began = time.perf_counter()
    tokenizer = Tokenizer.of(settings.text, settings.ranking.ngrams)
    jobs, storage = number_of_jobs(settings.execution.jobs), Storage(settings.memory_limit, inputs.reading.scratch)
    with progress.stage("read"):
        texts = open_texts(inputs, settings)
        if settings.ranking.widen:
            check_can_widen(texts, settings.ranking.ngrams)
        opened_available = open_available(inputs, HowToOpen(tokenizer, jobs, progress))
        if not opened_available.of_records:
            check_text_key(inputs.reading, texts.all)
    compile_ahead(settings.small_runs, progress, jobs)
    with progress.stage("read"):
        with progress.stage("count"):
            wanted = count_wanted(texts, tokenizer, jobs, progress)
        ngrams, runs = settings.eligibility.exclude_ngrams, None
        if texts.exclude is not None and ngrams is not None:
            runs = read_runs(texts.exclude, ngrams, tokenizer, jobs, progress, "--exclude")
        widening = None
        if settings.ranking.widen:
            with progress.stage("widen"):
                weights = normalized(inputs.weights, len(wanted))
                how_to_widen = HowToWiden(tokenizer, jobs, progress, weights, settings.ranking.widen, runs)
                widening = widen(texts, opened_available, wanted, how_to_widen)
        with progress.stage("count"):
            target = make_target(wanted, inputs, widening)
            counted = count_texts(texts, wanted, target.features.sides, tokenizer, jobs, progress)
        earlier = texts.seed.earlier if texts.seed is not None else []
        max_copies = settings.eligibility.max_copies
        hashed = bool(settings.needs_copies or earlier or max_copies or texts.exclude is not None)
        strategy = settings.ranking.strategy
        how = HowToRead(tokenizer, target.features, jobs, progress, hashed, runs, storage, strategy=strategy)
        excluded = None
        if counted.excluded is not None and texts.exclude is not None:
            excluded = Excluded(counted.excluded, texts.exclude)
        available = opened_available.read(how)
        leave_lines_out(available, Filters(settings.eligibility, excluded, earlier), how)
    contents = available.contents
    if not contents.count.any():
        raise CynicalError(
            f"{opened_available.name}: no word in common with REPRESENTATIVE ({target.words} word types); check that "
            "both are in the same language, tokenized and cased in the same way (--lowercase may help)"
        )
    check_left(available.skipped, contents.lines, contents.shortest, contents.longest)
    exclude = None
    if texts.exclude is not None and counted.excluded is not None:
        exclude = Exclude(name=texts.exclude.name, lines=len(counted.excluded))
    notices = [
        *_no_runs(runs, texts.exclude),
        *(texts.seed.notices if texts.seed is not None else []),
        *_empty_seed(counted.seed),
        *notices_of(texts),
    ]
    if settings.ranking.widen and widening is None:
        notices.append("the classifier found no line of AVAILABLE similar to REPRESENTATIVE, so --widen added nothing")
    facts = gather_facts(inputs, settings, available, target, counted, exclude, notices, widening)
    classes = _classify(target, counted.unadapted, available, settings) if settings.needs_classes else None
    if settings.ranking.vocabulary == "classes":
        available.collapse(len(target.features), target.collapse())
    covers = coverable(target, contents.count, counted.seed)
    facts = replace(facts, available=facts.available.replaced(covers=covers))
    return Prepared(
        began, inputs, settings, progress, tokenizer, jobs, storage, texts, counted, target, available, facts, classes
    )


def first_state(prepared: Prepared[Available], target: Target) -> State:
    """The model of a target before anything is picked."""
    return state_of(target, prepared.counted.seed, prepared.settings.ranking, prepared.has_prior)


def state_of(target: Target, seed: list[Counts] | None, ranking: Ranking, has_prior: bool = False) -> State:
    """The model of a target when SEED, of which the counts by side are given, has been selected."""
    return make_state(
        target,
        np.zeros(len(target.turn), np.int64) if seed is None else target.aligned(seed),
        [0] * target.ngrams if seed is None else totals_of(seed),
        ranking.smoothing,
        ranking.ngram_smoothing,
        has_prior,
    )


def make_task(prepared: Prepared[Available], state: State, limits: Limits, progress: Progress) -> Task:
    """What a search is told."""
    return Task(
        state,
        prepared.left,
        prepared.target.turn,
        limits,
        prepared.settings.per_word,
        prepared.jobs,
        progress,
        prepared.storage,
        has_prior=prepared.has_prior,
        max_share=prepared.settings.eligibility.max_share_of_document,
    )


def make_target(wanted: list[list[Counts]], inputs: Inputs, widening: Widening | None) -> Target:
    """What REPRESENTATIVE comes to."""
    target = Target(wanted, inputs.weights, widening)
    for sides in wanted:
        for counts in sides:
            if len(counts) == 0:
                raise CynicalError(
                    f"{counts.name}: all words of REPRESENTATIVE were folded; count again with a lower --fold-below"
                )
    return target


def _classify(
    target: Target, unadapted: list[Counts] | None, available: Available, settings: Settings
) -> dict[str, int]:
    """Give features their classes, by UNADAPTED or else by AVAILABLE; how many each class has."""
    contents = available.contents
    count = target.aligned(unadapted) if unadapted is not None else contents.count
    totals = totals_of(unadapted) if unadapted is not None else contents.totals
    return target.classify(count, totals, contents.count, settings.thresholds)


def _no_runs(runs: Runs | None, exclude: Corpus | None) -> list[str]:
    """A notice if a text is too short for the runs that were asked for."""
    if runs is None or runs.number or exclude is None:
        return []
    longest = int(runs.lines.lengths.max(initial=0))
    return [
        f"--exclude-ngrams {runs.length}: no line of {exclude.name} has that many words (the longest has {longest}), "
        "so only whole lines were compared"
    ]


def _empty_seed(seed: Sequence[Counts] | None) -> list[str]:
    """Somebody whose export failed would pay for the same lines again."""
    if seed is None or any(counts.total for counts in seed):
        return []
    return ["SEED (-s) has no words, so nothing counts as selected before"]


def notices_of(texts: Texts) -> list[str]:
    """What the user should know of the corpora but AVAILABLE, such as records that were skipped."""
    given: Mapping[str, Sequence[object]] = {
        "REPRESENTATIVE": [side for sides in texts.targets for side in sides],
        "UNADAPTED": texts.unadapted,
        "SEED": [piece for pieces in (texts.seed.sides if texts.seed is not None else []) for piece in pieces],
        "--exclude": [texts.exclude],
    }
    return [
        notice
        for role, corpora in given.items()
        for one in corpora
        if isinstance(one, Corpus)
        for notice in one.notices(role)
    ]
