"""From the corpora to a Jaded ranking in the order of a baseline: read, score, follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..jaded.jaded import Jaded
from ..model.budget import Budget
from ..model.entropy import SMOOTHING
from ..options import RankSettings
from ..progress import Progress
from ..selection.available import open_local
from ..selection.eligible import Choice
from ..selection.fixed_order import follow
from ..selection.inputs import Given, Inputs, gather_from_python
from ..selection.prepare import prepare
from ..selection.run import finish, warned
from ..text.sources import Reading, Source
from ..text.tokenizer import Tokenizer
from .baselines import METHODS


def rank(
    representative: Given | Sequence[Given],
    available: Source,
    *,
    method: str = "random",
    random_seed: int | None = None,
    buckets: int | None = None,
    order: int | None = None,
    weights: Sequence[float] | None = None,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    lines: int | None = None,
    words: int | None = None,
    share: float | None = None,
    all: bool = False,
    ngrams: int = 1,
    smoothing: float = SMOOTHING,
    exclude: Source | None = None,
    max_copies: int | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    tokenizer: str = "whitespace",
    normalize: str | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    id_key: str | None = None,
    bad_records: str = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by another method, to compare with: random, in-order, longest, dsir, moore-lewis or
    bilingual-moore-lewis.

    Corpora and options are as for `select`, and so is what comes back: the bits that each line takes off, given those
    before it in this order. `score` is what the method ranked by. `random_seed` (0 by default) decides how lots fall,
    `buckets` (10,000) is for dsir, `order` (3) for the n-gram models of Moore-Lewis. Without a
    budget every line is ranked.

    >>> import cynical
    >>> jaded = cynical.rank(["a cat sat"], ["a dog", "the black cat sat", "a bird flew"], method="longest")
    >>> jaded.lines.tolist(), jaded.score.tolist()
    ([1, 2, 0], [4.0, 3.0, 2.0])
    """
    settings = RankSettings(
        budget=Budget(lines, words, share, all),
        smoothing=smoothing,
        choice=Choice(min_length, max_length, max_copies),
        tokenizer=Tokenizer(tokenizer, lowercase, ngrams, normalize),
        jobs=jobs,
        method=method,
        random_seed=random_seed,
        buckets=buckets,
        order=order,
    )
    inputs = gather_from_python(
        representative,
        available,
        weights,
        with_,
        representative_with,
        exclude=exclude,
        reading=Reading(text_key, bad_records, scratch),
        id_key=id_key,
    )
    return warned(run(inputs, settings, Progress(progress)))


def run(inputs: Inputs, settings: RankSettings, progress: Progress) -> Jaded:
    """`rank` with its corpora and its settings together."""
    method = METHODS[settings.method]
    prepared = prepare(inputs, settings, progress, open_local)
    available = prepared.available
    with progress.stage("score"):
        find = method.score()
        score = None if find is None else find(prepared, settings)
        order = in_order(available.allowed, score, method.lowest_first)
    return finish(prepared, lambda task: follow(available.index, task, order), score)


def in_order(
    allowed: NDArray[np.bool_], score: NDArray[np.float64] | None, lowest_first: bool = False
) -> NDArray[np.int64]:
    """The lines that may be picked, by their scores, the best first, ties to the earlier; as they stand without."""
    lines = np.flatnonzero(allowed)
    if score is None:
        return lines
    key = score[lines] if lowest_first else -score[lines]
    return lines[np.argsort(key, kind="stable")]
