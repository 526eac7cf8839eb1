"""One run: corpora and settings in, a ranking out."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from ..errors import if_one, number_of
from ..jaded.columns import CodedWords, Columns
from ..jaded.content import PoolContent
from ..jaded.jaded import Jaded
from ..jaded.money import spent
from ..jaded.rows import Reasons
from ..jaded.signature import hash_of_corpus
from ..jaded.summary import Available as AvailableText
from ..jaded.summary import Memory
from ..model.budget import Limits
from ..model.budget import limits as limits_of
from ..model.cost import Bill, tariff_of
from ..model.entropy import State
from ..model.overlap import RUN
from ..options import Settings
from ..options.budget import NO_LIMIT
from ..progress import Progress, peak_memory
from ..version import __version__
from .available import Available, open_local
from .checkpoint import RunIdentity, WhatWasRead, open_checkpoint
from .documents import SHARE_OF_DOCUMENT, note_beyond_share
from .eligible import NOT_AMONG_BEST, REASONS
from .excluded import find_inside
from .index import HowToOpen
from .inputs import Inputs
from .model_stop import Found, find_stop
from .prepare import Prepared, first_state, make_task, prepare
from .prior import Rate, among_best, no_rate, with_prior
from .search import Ranking, Task
from .seed import notice_picked_again
from .sign import sign
from .summarize import summarize


def run(
    inputs: Inputs,
    settings: Settings,
    progress: Progress,
    rate: Rate = no_rate,
    most_rescored: int | None = None,
    look_at_picks: bool = True,
) -> Jaded:
    """Rank lines of AVAILABLE on this machine; `rate` knows the methods of --by, a rehearsal ends after this many
    rescorings, and without `look_at_picks` there are no notices about texts that picks contain."""
    return rank_prepared(prepare(inputs, settings, progress, open_local), rate, most_rescored, look_at_picks)


def rank_prepared(
    prepared: Prepared[Available],
    rate: Rate = no_rate,
    most_rescored: int | None = None,
    look_at_picks: bool = True,
) -> Jaded:
    """Rank lines of AVAILABLE, wherever they are."""
    settings = prepared.settings
    if settings.eligibility.among is not None:
        prepared = among_best(prepared, rate)
    if prepared.inputs.prior is not None:
        prepared = with_prior(prepared)
    found = None
    if settings.stop == "model":
        prepared, found = find_stop(prepared, most_rescored)

    def search(task: Task) -> Ranking:
        task.most_rescored = most_rescored
        return prepared.available.search(task, settings.ranking.strategy)

    jaded = finish(prepared, search, found=found)
    return with_notices(prepared, jaded) if look_at_picks else jaded


def with_notices(prepared: Prepared[Available], jaded: Jaded) -> Jaded:
    """The same ranking, with notices about picks: lines of a text in SEED, and longer ones that contain lines that are
    never to be picked."""
    more, seed = _excluded_inside(prepared, jaded.lines), prepared.texts.seed
    if seed is not None:
        how = HowToOpen(prepared.tokenizer, prepared.jobs, prepared.progress)
        more += notice_picked_again(seed, prepared.available.places[0], jaded.lines, how)
    return jaded.replaced(summary=jaded.summary.replaced(notices=[*jaded.summary.notices, *more])) if more else jaded


def _excluded_inside(prepared: Prepared[Available], lines: NDArray[np.int64]) -> list[str]:
    exclude, ngrams = prepared.texts.exclude, prepared.settings.eligibility.exclude_ngrams
    if exclude is None or not len(lines):
        return []
    how = prepared.tokenizer, prepared.jobs
    found = find_inside(exclude, prepared.available.places[0], lines, how, ngrams)
    if not found.lines:
        return []
    of = f"the {'' if found.all else 'first '}{number_of(found.of, 'line')} of {exclude.name}"
    how_to = (
        f"--exclude compares whole lines; use --exclude-ngrams {RUN} to exclude lines that share {RUN} words in a row"
    )
    if ngrams is not None:
        have = if_one(found.lines, "it has", "they have")
        how_to = f"{have} fewer words than --exclude-ngrams {ngrams}; give a smaller number to exclude such lines"
    are = if_one(found.lines, "is", "are")
    return [f"{found.lines:,} of {of} {are} contained in longer lines that were picked: {how_to}"]


def finish(
    prepared: Prepared[Available],
    search: Callable[[Task], Ranking],
    score: Callable[[NDArray[np.int64]], NDArray[np.float64]] | None = None,
    found: Found | None = None,
) -> Jaded:
    """The ranking that `search` finds; `score` tells what lines of AVAILABLE were ranked by, if it was something else
    than bits, and `found` where to stop, if the entropy does not."""
    settings, facts, progress = prepared.settings, prepared.facts, prepared.progress
    state = first_state(prepared, prepared.target)
    before, features_before = state.entropy(), state.feature_entropy()
    signature = sign(prepared.inputs, settings, prepared.texts, prepared.available, facts)
    task = _begin(prepared, state, found, signature)
    try:
        ranking = search(task)
    finally:
        if task.checkpoint is not None:
            task.checkpoint.close()
    kept = ranking.stop if settings.budget.open and found is None else len(ranking.line)
    missed = None if task.bill is None else task.bill.missed
    summary = summarize(settings, facts, prepared.classes, state, ranking, (before, features_before), kept, missed)
    if found is not None:
        summary = summary.replaced(model_stop=found.of(ranking))
    progress.seconds["total"] = time.perf_counter() - prepared.began
    summary = summary.replaced(
        signature=signature,
        available=_known_again(summary.available, prepared),
        seconds={name: round(value, 3) for name, value in progress.seconds.items()},
        memory=Memory(
            peak=peak_memory(),
            peak_without_mapped_input=progress.unmapped or None,
            limit=prepared.storage.limit,
            in_scratch=prepared.storage.spilled,
        ),
    )
    cut = slice(0, kept)
    no_word = ranking.word[cut] == len(prepared.target.turn)  # but its prior
    used, word = np.unique(np.where(no_word, -1, ranking.word[cut]), return_inverse=True)
    none = int(np.count_nonzero(used < 0))
    columns = Columns(
        rank=np.arange(1, kept + 1),
        line=ranking.line[cut],
        delta=ranking.penalty[cut] + ranking.gain[cut],
        penalty=ranking.penalty[cut],
        gain=ranking.gain[cut],
        entropy=ranking.entropy[cut],
        words=ranking.words[cut],
        best=CodedWords(word.astype(np.int64) - none, prepared.target.names(used[none:].tolist())),
        feature_entropy=ranking.feature_entropy[cut] if prepared.target.ngrams > 1 else None,
        score=None if score is None else score(ranking.line[cut]),
    )
    content = PoolContent(prepared.available.places, columns.line, prepared.inputs.columns, prepared.inputs.id_key)
    bits = before - float(columns.entropy[-1]) if kept else 0.0
    summary = summary.replaced(money=spent(columns, content, settings.budget, prepared.inputs.counted, bits))
    return Jaded(
        columns,
        content,
        summary,
        before,
        summary.chosen_stop.lines,
        storage=prepared.storage,
        reasons=_reasons(prepared.available, settings.eligibility.max_share_of_document, columns.line),
    )


def _reasons(available: Available, max_share: float | None, picks: NDArray[np.int64]) -> Reasons:
    """Why lines were not picked."""
    names = (*REASONS, NOT_AMONG_BEST, SHARE_OF_DOCUMENT)
    if max_share is not None:
        note_beyond_share(available, max_share, picks, len(names))
    return Reasons(available.reason, names)


def _known_again(available: AvailableText, prepared: Prepared[Available]) -> AvailableText:
    """What tells AVAILABLE from what it may become, for whoever goes back to it."""
    read = prepared.available
    others = [hash_of_corpus(places.corpus) for places in read.places[1:]]
    sides = [side.replaced(crc32=one) for side, one in zip(available.sides, others, strict=True)]
    return available.replaced(crc32=hash_of_corpus(read.corpus), sides=sides, id_key=prepared.inputs.id_key or UNSET)


def _begin(prepared: Prepared[Available], state: State, found: Found | None, signature: str) -> Task:
    """What the search is told; with a checkpoint, after the picks that are there."""
    settings, progress, available = prepared.settings, prepared.progress, prepared.available
    limits = limits_of(settings.budget, available.contents.words)
    if found is not None and settings.budget.open:
        limits = Limits(NO_LIMIT, found.words, NO_LIMIT)
    task = make_task(prepared, state, limits, progress)
    task.bill = _bill(prepared)
    task.pay = _pay(prepared, task.bill)
    where = settings.execution.checkpoint
    if where is not None:
        task.checkpoint = open_checkpoint(
            where, identify(prepared, state, signature), settings.execution.checkpoint_every
        )
        if task.checkpoint.damaged:
            progress.notice(
                f"{where}: the checkpoint is damaged after {number_of(len(task.checkpoint), 'pick')}; the rest is "
                "computed again"
            )
        if len(task.checkpoint):
            with progress.stage("continue"):
                task.begun = available.replay(state, task.checkpoint.lines, task.checkpoint.words)
            progress.notice(f"resuming after {number_of(len(task.checkpoint), 'pick')} of {where}")
    return task


def _bill(prepared: Prepared[Available]) -> Bill | None:
    """For picks that are paid for by their texts, where neither words nor lines limit them already."""
    budget = prepared.settings.budget
    tariff = tariff_of(budget, prepared.inputs.counted)
    return None if budget.money is None or tariff is None or not budget.paid_by_text else Bill(tariff)


def _pay(
    prepared: Prepared[Available], bill: Bill | None
) -> Callable[[NDArray[np.int64], NDArray[np.int64]], int] | None:
    """Pays for picks, as many as the money buys."""
    if bill is None:
        return None
    money, places = prepared.settings.budget.money, prepared.available.places
    return lambda line, words: bill.add(words, PoolContent(places, line).texts, money)


def identify(prepared: Prepared[Available], state: State, signature: str) -> RunIdentity:
    """What tells this run from others whose picks may differ."""
    available, model = prepared.available, state.model
    contents, digest = available.contents, hashlib.sha256()
    arrays = (model.p, model.counts, model.smoothing, model.ngram_added, prepared.target.turn, contents.count)
    for array in (*arrays, *available.fingerprints()):
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    digest.update(f"{contents.lines} {contents.totals} {available.skipped}".encode())
    read = WhatWasRead(contents.lines, contents.words, len(model.p), digest.hexdigest(), signature)
    return RunIdentity(__version__, prepared.settings.recorded(), read)
