"""One run, once its texts are read: search with the model of the formulas, and put together what was found."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalWarning
from ..jaded.jaded import Jaded
from ..jaded.summary import Memory
from ..model.entropy import make_state
from ..model.target import totals_of
from ..options import Settings
from ..progress import peak_memory
from .checkpoint import Checkpoint
from .inputs import Inputs
from .prepare import Texts
from .search import Ranking, Task
from .summarize import summarize


def finish(
    inputs: Inputs,
    settings: Settings,
    texts: Texts,
    began: float,
    search: Callable[[Task], Ranking],
    score: NDArray[np.float64] | None = None,
    classes: Mapping[str, int] | None = None,
) -> Jaded:
    """The ranking that `search` finds; `score` is what each line of AVAILABLE was ranked by, if it was something else
    than bits, `began` when the run did, and `classes` how many words are in each class, if they have classes."""
    index, target, facts, progress = texts.index, texts.target, texts.facts, texts.progress
    known = texts.known
    state = make_state(
        target,
        np.zeros(len(target.turn), np.int64) if known is None else target.aligned(known),
        [0] * target.ngrams if known is None else totals_of(known),
        settings.smoothing,
    )
    before, features_before = state.entropy(), state.feature_entropy()
    limits = settings.budget.limits(facts.words)
    task = Task(index, state, texts.allowed, target.turn, limits, settings.per_word, texts.jobs, progress)
    task.storage = texts.storage
    if settings.checkpoint is not None:
        task.checkpoint = Checkpoint(settings.checkpoint, texts.identity(), settings.checkpoint_every)
        if len(task.checkpoint):
            with progress.stage("continue"):
                task.begun = texts.replay(task, task.checkpoint.lines, task.checkpoint.words)
            progress.notice(f"going on behind {len(task.checkpoint):,} picks of {settings.checkpoint}")
    ranking = search(task)
    if task.checkpoint is not None:
        task.checkpoint.close()
    kept = ranking.stop if settings.budget.open else len(ranking.line)
    summary = summarize(settings, facts, classes, state, ranking, (before, features_before), kept)
    progress.seconds["total"] = time.perf_counter() - began
    summary = summary.replaced(
        seconds={name: round(value, 3) for name, value in progress.seconds.items()},
        memory=Memory(
            peak=peak_memory(),
            peak_without_mapped_input=progress.unmapped or None,
            limit=texts.storage.limit,
            in_scratch=texts.storage.spilled,
        ),
    )
    cut = slice(0, kept)
    used, word = np.unique(ranking.word[cut], return_inverse=True)
    none = int(np.count_nonzero(used < 0))
    return Jaded(
        lines=ranking.line[cut],
        delta=ranking.penalty[cut] + ranking.gain[cut],
        penalty=ranking.penalty[cut],
        gain=ranking.gain[cut],
        entropy=ranking.entropy[cut],
        feature_entropy=ranking.feature_entropy[cut] if target.ngrams > 1 else None,
        score=None if score is None else score[ranking.line[cut]],
        words=ranking.words[cut],
        word=word.astype(np.int64) - none,
        stop=ranking.stop,
        entropy_before=before,
        vocabulary=target.names(used[none:].tolist()),
        places=texts.places,
        columns=tuple(inputs.columns),
        replaces=tuple(inputs.replaces),
        id_key=inputs.id_key,
        summary=summary,
        storage=texts.storage,
    )


def warned(jaded: Jaded) -> Jaded:
    """Its notices as warnings of who called the function that called this."""
    for notice in jaded.summary.notices:
        warnings.warn(notice, CynicalWarning, stacklevel=3)
    return jaded
