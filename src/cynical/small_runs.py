"""Small runs of everything that has kernels. What they call is what is compiled ahead: see _kernels/ahead.py.

    python -m cynical.small_runs CLAIMS NAME ...

compiles what the runs of these names call. Several such processes share the work: in the folder CLAIMS each says what
it does.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from ._kernels.ahead import NO_FOLDER, compile_ahead, compile_claimed
from ._kernels.jit import FOLDER, IN_PYTHON
from .errors import CynicalError, CynicalWarning
from .jaded.jaded import Jaded
from .options import Reading, Settings
from .progress import Progress
from .selection.inputs import Inputs, gather
from .selection.run import run as select_run

WANTED = "a cat sat on a mat\na cat ran\na CAF\u00c9 sat\nthe cat and the mat\n" * 5
POOL = "a dog ran on a mat\na bird sat on a long-winded caf\u00e9\nA cat sat\na cat sat\n\na mat\n" * 5


class _Texts:
    """Files to read, in a folder of their own."""

    def __init__(self, folder: str) -> None:
        self.wanted, self.pool, self.out = Path(folder, "wanted.txt"), Path(folder, "pool.txt"), Path(folder, "out.tsv")

    def write(self) -> None:
        self.wanted.write_text(WANTED, "utf-8")
        self.pool.write_text(POOL, "utf-8")

    def inputs(self, **more: Any) -> Inputs:
        return gather([self.wanted], self.pool, **more)

    def settings(self, **options: Any) -> Settings:
        return Settings.of(**({} if "lines" in options else {"all": True}), **{"jobs": 1, **options})

    def select(self, inputs: Inputs | None = None, **options: Any) -> Jaded:
        """Rank lines, and write the ranking."""
        jaded = select_run(inputs or self.inputs(), self.settings(**options), Progress())
        jaded.write(self.out, overwrite=True)
        return jaded


@contextmanager
def _changed(module: ModuleType, **values: object) -> Iterator[None]:
    """With other constants, for what is not done for so few lines otherwise."""
    saved = {name: getattr(module, name) for name in values}
    try:
        vars(module).update(values)
        yield
    finally:
        vars(module).update(saved)


def exact(texts: _Texts) -> None:
    """With few open rows, that are scored again."""
    from .selection import opening

    with _changed(opening, LEAST_OPEN=2, LEAST_STALE=0, ALONE=((1 << 63, 4),)):
        texts.select()


def grouped(texts: _Texts) -> None:
    """Rows in groups."""
    from .selection import grouped

    with _changed(grouped, FEWEST=1, PATIENCE=-1):
        texts.select()


def team(texts: _Texts) -> None:
    """The same, by two threads; and rows in pages."""
    from .selection import grouped

    with _changed(grouped, FEWEST=1, PATIENCE=-1, SHARE=1):
        texts.select(jobs=2)
    paged(texts, jobs=2)


def paged(texts: _Texts, jobs: int = 1) -> None:
    """Rows in pages."""
    from .selection import grouped, paged

    with (
        _changed(grouped, FEWEST=1, PATIENCE=-1, PAGED=1, SHEETS=1, ORDERED=0),
        _changed(paged, DIFFERENT=0.0, MOST_LARGE=1.0),
    ):
        texts.select(jobs=jobs)


def word(texts: _Texts) -> None:
    texts.select(strategy="word")


def grouped_words(texts: _Texts) -> None:
    """The same, with rows in groups."""
    from .selection import grouped

    with _changed(grouped, FEWEST=1, PATIENCE=-1):
        texts.select(strategy="word")


def batch(texts: _Texts) -> None:
    texts.select(strategy="batch")


def ngrams(texts: _Texts) -> None:
    texts.select(ngrams=3)


def widen(texts: _Texts) -> None:
    texts.select(widen=1)


def stop(texts: _Texts) -> None:
    """By a model."""
    from .selection import model_stop

    with _changed(model_stop, LEAST=1):
        texts.select(stop="model")


def count(texts: _Texts) -> None:
    from .model.count import count_words
    from .model.hash_tables import GramTable, WordTable
    from .text.pieces import Pieces
    from .text.tokenizer import Tokenizer

    for tokenizer in (Tokenizer(), Tokenizer("words", lowercase=True)):
        count_words(texts.wanted, tokenizer, 1, Progress(), "corpus")
    Pieces(["a", "b"], [], str).join(["a b"], [[0, 1]], lambda _: [])  # of a tokenizer library
    WordTable(4).grow(4)  # as tables do where there are more words than here
    GramTable(4).grow()


def score(texts: _Texts) -> None:
    from .options import Reading
    from .options.scoring import Scoring
    from .scoring.run import run
    from .scoring.scorer import Scorer
    from .scoring.stream import HowToStream
    from .text.streams import Told

    Scorer(texts.wanted, unadapted=texts.pool, vocabulary="classes", jobs=1).score(texts.pool)
    tables, how = Scorer(texts.wanted, jobs=1).tables, HowToStream(Reading(), 1, Progress(), Told([]))
    run(tables, texts.inputs(), Scoring(output=str(texts.out)), how, overwrite=True)


def variants(texts: _Texts) -> None:
    """What few runs need: classes, priors, two sides, what is known already, texts of their own, a checkpoint."""
    texts.select(vocabulary="classes", per="word")
    texts.select(texts.inputs(prior=[0.0] * POOL.count("\n")))
    texts.select(texts.inputs(sides=[texts.pool], representative_with=[texts.wanted]), ngrams=2, max_copies=1)
    document = gather([texts.wanted], [POOL], reading=Reading(unit="line"))
    texts.select(document, max_share_of_document=0.5)
    known = texts.inputs(seed=texts.wanted, unadapted=texts.pool, exclude=texts.wanted)
    for _ in range(2):  # the second resumes the first
        texts.select(known, checkpoint=str(texts.out.with_suffix(".checkpoint")), lines=2, ngrams=2)
    texts.select(texts.inputs(seed=texts.out), lines=2).write(texts.out.with_suffix(".txt"))


def exclude(texts: _Texts) -> None:
    """What shares words with a text."""
    texts.select(texts.inputs(exclude=texts.wanted), exclude_ngrams=4)


def rank(texts: _Texts) -> None:
    from .evaluation.rank import run
    from .model.count import count_words
    from .text.tokenizer import Tokenizer

    for method in ("random", "dsir", "classifier", "moore-lewis"):
        run(texts.inputs(), texts.settings(method=method), Progress()).write(texts.out, overwrite=True)
    counts = count_words(texts.wanted, Tokenizer(ngrams=2), 1, Progress(), "corpus")
    run(gather([counts], texts.pool), texts.settings(method="dsir", ngrams=2), Progress())


def evaluate(texts: _Texts) -> None:
    from .evaluation import texts as judged
    from .evaluation.evaluate import EvaluationInputs, run
    from .options import Measure

    with _changed(judged, RUN=3):
        run(EvaluationInputs(texts.pool, texts.wanted, texts.wanted), Measure(), 1, Progress())


def compare(texts: _Texts) -> None:
    from .evaluation.compare import Contest, run
    from .options.commands import Comparing

    told = Comparing(methods=("random",), shares=(1.0,))
    run(texts.inputs(), [texts.wanted], Contest(Settings.of(jobs=1), told=told), Progress())


def report(texts: _Texts) -> None:
    from .reports.report import ReportInputs, run

    run(texts.select(), ReportInputs(representative=[texts.wanted], jobs=1), Progress())


def cluster(texts: _Texts) -> None:
    """Two shards, in this process."""
    from .cluster.run import run
    from .cluster.worker import make_shard
    from .cluster.workers import Here
    from .jaded.summary import EngineFacts

    facts = EngineFacts(name="here", version="", processors=1)
    for settings in (texts.settings(), texts.settings(strategy="batch")):
        inputs = gather([str(texts.wanted)], str(texts.pool))
        with run(inputs, settings, Progress(), 2, lambda share, plan, _: Here(make_shard(share, plan)), facts) as made:
            made.with_texts().write(str(texts.out), format="tsv", overwrite=True)


_ALL = (
    exact,
    grouped,
    team,
    paged,
    word,
    grouped_words,
    batch,
    ngrams,
    widen,
    stop,
    count,
    score,
    variants,
    exclude,
    rank,
    evaluate,
    compare,
    report,
    cluster,
)
RUNS: dict[str, Callable[[_Texts], None]] = {one.__name__: one for one in _ALL}


def run_all(names: Iterable[str]) -> None:
    """Do small runs, silently."""
    for name in names:
        with (
            tempfile.TemporaryDirectory(prefix="cynical-") as folder,
            warnings.catch_warnings(action="ignore", category=CynicalWarning),
        ):
            texts = _Texts(folder)
            texts.write()
            RUNS[name](texts)


def compile_all(jobs: int | None, progress: Progress) -> Path:
    """Compile everything; where the machine code is."""
    if IN_PYTHON or FOLDER is None:
        raise CynicalError("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it" if IN_PYTHON else NO_FOLDER)
    if not compile_ahead(list(RUNS), progress, jobs):
        raise CynicalError("not all kernels could be compiled; try again with more memory, or with -j 1")
    return FOLDER


if __name__ == "__main__":
    compile_claimed(Path(sys.argv[1]), lambda: run_all(sys.argv[2:]))
