"""The functions of Python: the commands, for texts in memory or in files.

Each has an explicit signature, for editors; tests compare names, defaults and choices with the declared options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import warn
from .evaluation.compare import Contest
from .evaluation.compare import run as run_comparison
from .evaluation.evaluate import EvaluationInputs
from .evaluation.evaluate import run as run_evaluation
from .evaluation.rank import run as run_baseline
from .evaluation.records import Comparison, Evaluation
from .jaded.jaded import Jaded
from .model.count import count_words
from .model.counts import Counts
from .options import Cluster, Execution, Measure, Reading, Rereading, Settings, TextOptions, pick
from .options.commands import SHARES, Comparing, Counting
from .options.execution import CHECKPOINT_EVERY, EngineName
from .options.method import ORDER, POINTS, RANDOM_SEED, LanguageModelName, MethodName
from .options.ranking import MIN_COUNT, RATIO_THRESHOLD, SMOOTHING, Per, Strategy, Vocabulary
from .options.reading import BadRecords, Normalize
from .progress import Progress
from .selection.inputs import Given, Inputs, gather_from_python
from .selection.run import run as run_selection
from .text.sources import Source, open_corpus
from .text.tokenizer import Tokenizer


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
    strategy: Strategy = "exact",
    vocabulary: Vocabulary = "full",
    per: Per | None = None,
    ngrams: int = 1,
    smoothing: float = SMOOTHING,
    min_count: int = MIN_COUNT,
    ratio_threshold: float = RATIO_THRESHOLD,
    exclude: Source | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    max_copies: int | None = None,
    tokenizer: str = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    id_key: str | None = None,
    bad_records: BadRecords = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    memory: int | str | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = CHECKPOINT_EVERY,
    engine: EngineName = "local",
    address: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by how many bits each takes off the cross-entropy of REPRESENTATIVE.

    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> jaded.lines.tolist()
    [2, 0]
    """
    told = locals()
    where, settings, inputs = pick(Cluster, told), Settings.picked(told), _inputs(told)
    if where.engine == "ray":
        from .cluster.actors import select_on_ray

        jaded = select_on_ray(inputs, settings, Progress(progress), where)
    else:
        jaded = run_selection(inputs, settings, Progress(progress))
    warn(jaded.summary.notices)
    return jaded


def rank(
    representative: Given | Sequence[Given],
    available: Source,
    *,
    method: MethodName = "random",
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
    min_length: int | None = None,
    max_length: int | None = None,
    max_copies: int | None = None,
    tokenizer: str = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    id_key: str | None = None,
    bad_records: BadRecords = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Jaded:
    """Rank the lines of AVAILABLE by another method, to compare with.

    >>> import cynical
    >>> jaded = cynical.rank(["a cat sat"], ["a dog", "the black cat sat", "a bird flew"], method="longest")
    >>> jaded.lines.tolist(), jaded.score.tolist()
    ([1, 2, 0], [4.0, 3.0, 2.0])
    """
    told = locals()
    jaded = run_baseline(_inputs(told), Settings.picked(told), Progress(progress))
    warn(jaded.summary.notices)
    return jaded


def count(
    source: Source | Counts,
    *,
    ngrams: int = 1,
    tokenizer: str = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    bad_records: BadRecords = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Counts:
    """Count the words of a corpus, given as for `select`, and its n-grams up to the length `ngrams`.

    >>> import cynical
    >>> counts = cynical.count(["a rose is a rose"], ngrams=2)
    >>> counts["rose"], counts["a rose"], counts.total
    (2, 2, 5)
    """
    told = locals()
    opened = source if isinstance(source, Counts) else open_corpus(source, "corpus", pick(Reading, told))
    how = Tokenizer.of(pick(TextOptions, told), pick(Counting, told).ngrams)
    return count_words(opened, how, pick(Execution, told).jobs, Progress(progress), "corpus")


def evaluate(
    ranking: Jaded | Source,
    held_out: Source,
    *,
    representative: Source | None = None,
    available: Source | None = None,
    side: str | None = None,
    order: int = ORDER,
    lm: LanguageModelName = "own",
    points: int = POINTS,
    at: Sequence[int] = (),
    vocabulary_size: int | None = None,
    tokenizer: str | None = None,
    normalize: Normalize | None = None,
    lowercase: bool | None = None,
    text_key: str | None = None,
    bad_records: BadRecords = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Evaluation:
    """Measure growing prefixes of a ranking, or of any list of lines in order, on a held-out text.

    >>> import cynical
    >>> evaluation = cynical.evaluate(["a cat", "a dog ran"], ["a cat ran"], order=2)
    >>> evaluation.points[-1].lines, evaluation.points[-1].oov_tokens
    (2, 0.0)
    """
    told = locals()
    texts = EvaluationInputs(
        ranking, held_out, representative, available, side, pick(Rereading, told), pick(Reading, told)
    )
    made = run_evaluation(texts, pick(Measure, told), pick(Execution, told).jobs, Progress(progress))
    warn(made.notices)
    return made


def compare(
    representative: Source,
    available: Source,
    held_out: Source | None = None,
    *,
    shares: Sequence[float] = SHARES,
    methods: Sequence[str] = (),
    lists: Sequence[Source] = (),
    order: int = ORDER,
    lm: LanguageModelName = "own",
    random_seed: int = RANDOM_SEED,
    with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None,
    representative_with: Given | tuple[Given, ...] | None = None,
    exclude: Source | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    max_copies: int | None = None,
    tokenizer: str = "whitespace",
    normalize: Normalize | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    bad_records: BadRecords = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Rank by cynical selection and by the baselines, and measure all of them on a held-out text.

    >>> import cynical
    >>> lines = ["a cat ran", "one bird"]
    >>> made = cynical.compare(["a cat", "a dog"], lines, ["the cat"], shares=[1], methods=["random"])
    >>> made.methods[0].points[0][1].words
    5
    """
    told = locals()
    contest = Contest(Settings.picked(told), pick(Measure, told), pick(Comparing, told))
    made = run_comparison(_inputs(told), held_out, contest, Progress(progress)).comparison
    warn(made.notices)
    return made


def _inputs(told: Mapping[str, Any]) -> Inputs:
    """The corpora among the parameters of a function."""
    more = {name: told[name] for name in ("unadapted", "seed", "exclude", "id_key") if name in told}
    return gather_from_python(
        told["representative"],
        told["available"],
        told.get("weights"),
        told["with_"],
        told["representative_with"],
        told.get("unadapted_with"),
        told.get("seed_with"),
        **more,
        reading=pick(Reading, told),
    )
