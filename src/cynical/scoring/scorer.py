"""Scorer: scores any line, given REPRESENTATIVE and the lines that were selected before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import CynicalError, warn
from ..jaded.jaded import Jaded
from ..options import Execution, Reading, Settings, pick
from ..options.ranking import MIN_COUNT, RATIO_THRESHOLD, SMOOTHING, Goal, Per, Vocabulary
from ..options.reading import BadRecords, InputFormat, Normalize, TokenizerObject, Unit
from ..progress import Progress
from ..selection.inputs import Given, Inputs, gather_from_python, side_name, sides_of, targets_of
from ..text.corpus import Corpus, Part
from ..text.folding import fold_all
from ..text.reader import number_of_jobs, read_all
from ..text.sources import Source, open_corpus
from .freeze import freeze
from .frozen import Frozen, Tables, tables_of
from .lines import OfSide, Scores, SideWorker, joined, put_together

ROLE = "the lines"


class Scorer:
    """Score any lines against a fixed state: REPRESENTATIVE and the lines that were selected before.

    The score of a line is exactly the one that `select` would give it as the next pick. A Scorer can be pickled (the
    pickle is small) and used by several threads and processes at once.

    Parameters
    ----------
    representative : source, Counts or a list of them
        The language you want: a text, `Counts` or a .counts file. A list of `Counts`, a list of lists of lines or, with
        `weights`, any list is several targets.
    unadapted : source or Counts, optional
        The language you have, for example a sample of the lines to score. Required for ``vocabulary="classes"`` (counts
        are enough), and for `widen` and `classifier` (which are trained on its lines).
    seed : source, Counts, Jaded or a list of them, optional
        Lines that you have selected before: a text, counts or a ranking.
    weights : sequence of float, optional
        The weight of each target; only their ratios matter. By default, all are equal.
    representative_with : source, or a tuple or a mapping of sources, optional
        The other side of REPRESENTATIVE, so that both sides count. The keys of a mapping name the sides.
    unadapted_with : source, or a tuple or a mapping of sources, optional
        The other side of UNADAPTED, if both sides count.
    seed_with : source, or a tuple or a mapping of sources, optional
        The other side of SEED, if both sides count.
    vocabulary : {"full", "classes"}, default "full"
        What is counted. "full": every word of REPRESENTATIVE. "classes": useful words individually, all other words by
        their class.
    for_ : {"coverage", "model"}, default "coverage"
        The purpose of the lines. "model": train a language model; a shorthand for
        ``ngrams=2, per="word", widen=0.7, ngram_smoothing=5000``, each of which can be overridden.
    per : {"line", "word"}, optional
        The meaning of `Scores.score`: delta ("line", the default), or delta per word ("word", the default for a model).
    ngrams : {1, 2, 3}, optional
        Length of the longest n-grams to count; 1 by default, 2 for a model.
    widen : float, optional
        Add words to REPRESENTATIVE that a sample of its size misses, from lines of UNADAPTED that a classifier finds
        similar; this many times the amount estimated from REPRESENTATIVE. 0 by default, 0.7 for a model.
    smoothing : float, default 0.01
        Number that is added to every count of the model.
    ngram_smoothing : float, optional
        Smooth n-grams towards what independent words would give, as if the model had seen this many more n-grams of
        each length whose last word does not depend on the words before it. 0 by default, 5000 for a model.
    min_count : int, default 3
        Words that occur less often than this in both texts are classed as dubious.
    ratio_threshold : float, default e
        Words that are more than this many times as frequent in REPRESENTATIVE are classed as useful.
    classifier : bool, default False
        Also train a classifier to tell lines of REPRESENTATIVE from lines of UNADAPTED, for `Scores.classifier`.
    tokenizer : str, function or tokenizer, default "whitespace"
        How lines are split into words: "whitespace", "words", "characters", "spm:MODEL", "hf:tokenizer.json",
        "python:MODULE:FUNCTION"; or a function from a line to its words, or a tokenizer of tokenizers, transformers or
        sentencepiece.
    normalize : {"nfc", "nfkc"}, optional
        Unicode normal form to convert all text to.
    lowercase : bool, default False
        Convert all text to lower case.
    text_key : str, optional
        The field of JSON lines, or the column of a table, that holds the text; "text" by default.
    text_template : str, optional
        Template for several fields, for example ``"{instruction}\\n{output}"``; replaces `text_key`.
    unit : {"document", "paragraph", "line"}, default "document"
        The unit of scoring: the whole text of a record, each paragraph, or each line.
    bad_records : {"error", "skip"}, default "error"
        What to do with records that have no text.
    input_format : {"text", "jsonl", "csv", "tsv", "parquet"}, optional
        The format of files whose suffix does not say it.
    scratch : path, optional
        The folder for temporary files; by default the one of the system.
    jobs : int, optional
        Number of threads; one per core by default. The result does not depend on it.
    progress : bool, default False
        Show progress bars while the texts are read, in a terminal or a notebook.

    Examples
    --------
    >>> import cynical
    >>> scorer = cynical.Scorer(["a cat sat", "a cat ran"], seed=["a dog"])
    >>> scores = scorer.score(["a cat", "a dog", "one bird"])
    >>> scores.delta.argmin(), scores.words.tolist()
    (np.int64(0), [2, 2, 2])
    """

    def __init__(
        self,
        representative: Given | Sequence[Given],
        *,
        unadapted: Given | None = None,
        seed: Given | Jaded | Sequence[object] | None = None,
        weights: Sequence[float] | None = None,
        representative_with: Given | Mapping[str, Given] | tuple[Given, ...] | None = None,
        unadapted_with: Given | Mapping[str, Given] | tuple[Given, ...] | None = None,
        seed_with: Given | Mapping[str, Given] | tuple[Given, ...] | None = None,
        vocabulary: Vocabulary = "full",
        for_: Goal = "coverage",
        per: Per | None = None,
        ngrams: int | None = None,
        widen: float | None = None,
        smoothing: float = SMOOTHING,
        ngram_smoothing: float | None = None,
        min_count: int = MIN_COUNT,
        ratio_threshold: float = RATIO_THRESHOLD,
        classifier: bool = False,
        tokenizer: str | TokenizerObject = "whitespace",
        normalize: Normalize | None = None,
        lowercase: bool = False,
        text_key: str | None = None,
        text_template: str | None = None,
        unit: Unit = "document",
        bad_records: BadRecords = "error",
        input_format: InputFormat | None = None,
        scratch: str | Path | None = None,
        jobs: int | None = None,
        progress: bool = False,
    ) -> None:
        told = locals()
        made = freeze(_inputs(told), Settings.picked(told), Progress(progress), classifier)
        warn(made.notices)
        self._assign(made.frozen, pick(Reading, told), pick(Execution, told).jobs)

    @classmethod
    def of(cls, frozen: Frozen, reading: Reading | None = None, jobs: int | None = None) -> Scorer:
        """A Scorer of a state that was made elsewhere."""
        made = cls.__new__(cls)
        made._assign(frozen, Reading() if reading is None else reading, jobs)
        return made

    def _assign(self, frozen: Frozen, reading: Reading, jobs: int | None) -> None:
        self._frozen, self._reading, self._jobs = frozen, reading, jobs
        self._tables: Tables | None = None
        self._idle: list[list[SideWorker]] = [[] for _ in frozen.sides]

    def __reduce__(self) -> tuple[Any, ...]:
        return _scorer, (self._frozen, self._reading, self._jobs)

    def __repr__(self) -> str:
        words = sum(len(side) for side in self._frozen.sides)
        return f"<Scorer: {words:,} words, {self._frozen.tokenizer.signature}>"

    @property
    def sides(self) -> int:
        """The number of sides of a text that count."""
        return len(self._frozen.sides)

    @property
    def tables(self) -> Tables:
        """What kernels look words up in; made when it is first needed."""
        if self._tables is None:
            self._tables = tables_of(self._frozen)
        return self._tables

    def score(self, lines: Source, with_: Source | Mapping[str, Source] | tuple[Source, ...] | None = None) -> Scores:
        """Score lines: strings, records, or a file, given as for `select`.

        Parameters
        ----------
        lines : source
            The lines: strings, a column or a table, or a path (a `str` or a `Path` is a file).
        with_ : source, or a tuple or a mapping of sources, optional
            Their other sides, line by line, if several sides count.

        Returns
        -------
        Scores
            Arrays with one number per line, in the order of the lines.
        """
        others = sides_of(with_, self._frozen.columns)
        if len(others) != self.sides - 1:
            raise CynicalError(
                f"this Scorer was made for {self.sides} side{'s' if self.sides > 1 else ''}, but got "
                f"{1 + len(others)}; give the other sides with --with"
            )
        read = [self._read(number, side) for number, side in enumerate([lines, *others])]
        numbers = [len(side.words) for side in read]
        if len(set(numbers)) > 1:
            raise CynicalError(
                f"the sides have {' and '.join(f'{number:,}' for number in numbers)} lines; they must match line by "
                "line"
            )
        return put_together(self.tables, read)

    def _read(self, side: int, source: Source) -> OfSide:
        """The lines of one side."""
        corpus, idle, taken = self._opened(source), self._idle[side], []

        def worker() -> SideWorker:
            try:
                taken.append(idle.pop())
            except IndexError:
                taken.append(SideWorker(self.tables, side))
            return taken[-1]

        read_all(corpus, self._frozen.tokenizer, number_of_jobs(self._jobs), Progress(), worker, ROLE)
        pieces = sorted((piece for one in taken for piece in one.pieces), key=lambda piece: piece[0])
        for one in taken:
            one.pieces = []
        idle.extend(taken)
        return joined([piece for _, piece in pieces])

    def _opened(self, source: Source) -> Corpus:
        """Strings need no further look: a Scorer may be called a thousand times."""
        if isinstance(source, (list, tuple)) and self._reading.unit == "document":
            try:
                text, folded = fold_all(source)
                return Corpus(ROLE, [Part(ROLE, text, 0, len(text), size=len(text), folded=folded)])
            except (TypeError, UnicodeEncodeError):  # other things, or what is wrong will be said
                pass
        return open_corpus(source, ROLE, self._reading)


def _scorer(frozen: Frozen, reading: Reading, jobs: int | None) -> Scorer:
    return Scorer.of(frozen, reading, jobs)


def _inputs(told: Mapping[str, Any]) -> Inputs:
    """The corpora among the parameters: sides are named as their files are, since there is no AVAILABLE."""
    given: Any = told["representative_with"]
    targets: Any = targets_of(told["representative"], told["weights"] is not None)
    if isinstance(given, Mapping):
        names = list(given)
    else:
        others = sides_of(given)[: len(sides_of(given)) // len(targets)]
        names = [side_name(targets[0], other, place)[0] for place, other in enumerate(others, 2)]
    return gather_from_python(
        told["representative"],
        (),
        told["weights"],
        dict.fromkeys(names, ()),
        given,
        told["unadapted_with"],
        told["seed_with"],
        unadapted=told["unadapted"],
        seed=told["seed"],
        reading=pick(Reading, told),
    )
