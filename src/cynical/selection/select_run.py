"""From four corpora to a Jaded ranking: read, classify, index, search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..memory import parse_size
from ..model.budget import Budget
from ..model.classes import MIN_COUNT, RATIO_THRESHOLD, Thresholds
from ..model.entropy import SMOOTHING
from ..options import Settings
from ..progress import Progress
from ..text.sources import Reading, Source
from ..text.tokenizer import Tokenizer
from .checkpoint import EVERY
from .eligible import Choice
from .inputs import Given, gather_from_python
from .run import run, warned


def select(
    representative: Given | Sequence[Given],
    available: Source,
    *,
    unadapted: Given | None = None,
    seed: Given | Jaded | Sequence[object] | None = None,
    weights: Sequence[float] | None = None,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    unadapted_with: Given | tuple[Given, ...] | None = None,
    seed_with: Given | tuple[Given, ...] | None = None,
    lines: int | None = None,
    words: int | None = None,
    share: float | None = None,
    all: bool = False,
    price: float | None = None,
    money: float | None = None,
    patience: float | str | None = None,
    strategy: str = "exact",
    vocabulary: str = "full",
    per: str | None = None,
    ngrams: int = 1,
    smoothing: float = SMOOTHING,
    min_count: int = MIN_COUNT,
    ratio_threshold: float = RATIO_THRESHOLD,
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
    checkpoint: str | Path | None = None,
    checkpoint_every: float = EVERY,
    memory: int | str | None = None,
    engine: str = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by how many bits each takes off the cross-entropy of REPRESENTATIVE.

    A `str` or a `Path` is a file ('-' is standard input, a pattern such as 'pool/*.txt' is all files that match), a
    list of `Path` several files, any other iterable of `str` the lines themselves. REPRESENTATIVE, UNADAPTED and SEED
    may be `Counts` or a .counts file; SEED may be an earlier ranking, whose lines are left out. At most one of `lines`,
    `words`, `share` (of AVAILABLE's words), `money` (with the `price` of a word) and `all` says how much to pick;
    without one, the ranking ends where the entropy is lowest. `tokenizer` is whitespace, words, characters, spm:MODEL,
    hf:tokenizer.json or python:MODULE:FUNCTION, `normalize` nfc or nfkc.

    Several targets are a list of `Counts`, a list of lists of lines, or with `weights` a list of anything. The other
    side of AVAILABLE is `with_`; a mapping from names to sides, or a tuple, is several. `representative_with`,
    `unadapted_with` and `seed_with` are other sides that count as evidence.

    With `engine="ray"` the lines are held by as many `workers` on the cluster at `address`, or one of our own; the
    ranking is the same.

    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> jaded.lines.tolist()
    [2, 0]
    """
    from ..cluster.actors import Engine, select_on_ray

    where = Engine(engine, address, workers)
    if isinstance(patience, str):
        if patience != "all":
            raise CynicalError(f"patience must be a number or 'all', found {patience!r}")
        patience = math.inf
    settings = Settings(
        Budget(lines, words, share, all, patience, price, money),
        strategy,
        vocabulary,
        per,
        smoothing,
        Thresholds(min_count, ratio_threshold),
        Choice(min_length, max_length, max_copies),
        Tokenizer(tokenizer, lowercase, ngrams, normalize),
        jobs,
        checkpoint,
        checkpoint_every,
        parse_size(memory),
    )
    inputs = gather_from_python(
        representative,
        available,
        weights,
        with_,
        representative_with,
        unadapted_with,
        seed_with,
        unadapted=unadapted,
        seed=seed,
        exclude=exclude,
        reading=Reading(text_key, bad_records, scratch),
        id_key=id_key,
    )
    if where.name == "ray":
        return warned(select_on_ray(inputs, settings, Progress(progress), where))
    return warned(run(inputs, settings, Progress(progress)))
