"""From a ranking and a held-out text to figures."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import whole
from ..errors import CynicalError, CynicalWarning
from ..jaded.jaded import Jaded
from ..jaded.summary import Summary, reading_then, representative_files, tokenizer_then
from ..model.count import counts_in
from ..model.kneser_ney import BESIDES, ORDER, check_order
from ..model.sequences import Numbering, Sequences
from ..progress import Progress
from ..selection.index import hash_lines
from ..selection.summarize import skipped
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import Reading, Source, open_corpus
from ..text.tokenizer import Tokenizer
from ..version import __version__
from .kenlm import check_kenlm, kenlm
from .listing import Listed, open_listed
from .prefixes import HeldOut, LanguageModel, OwnModel, Point, best, cuts_at, geometric_cuts, rounded

POINTS = 20
MODELS = ("own", "kenlm")
MOST_WORDS = 10**12
MOST_POINTS = 1000


@dataclass(frozen=True, slots=True)
class Measure:
    """How prefixes are measured."""

    order: int = ORDER
    lm: str = "own"
    points: int = POINTS
    at: tuple[int, ...] = ()  # words of the prefixes, in place of a number of points
    vocabulary_size: int | None = None  # words of the language; by default those of the whole ranking

    def __post_init__(self) -> None:
        check_order(self.order)
        if self.lm not in MODELS:
            raise CynicalError(f"--lm {self.lm}: no such model; choose from {', '.join(MODELS)}")
        if self.lm == "kenlm":
            check_kenlm()
            if self.order == 1:
                raise CynicalError(
                    "--order 1: KenLM has no models of single words; leave --lm kenlm out, or give 2 or more"
                )
        if whole("points", self.points) > MOST_POINTS:
            raise CynicalError(f"--points must be at most {MOST_POINTS:,}, found {self.points}")
        for words in self.at:
            whole("at", words)
        if self.vocabulary_size is not None and whole("vocabulary-size", self.vocabulary_size) > MOST_WORDS:
            raise CynicalError(f"--vocabulary-size must be at most {MOST_WORDS:,}, found {self.vocabulary_size}")


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """What held-out text says of growing prefixes; the last is the whole ranking, or as far as it was asked for."""

    points: list[Point]
    best: Point  # the lowest n-gram perplexity
    stop: Point | None  # the stopping point of the ranking, if it has one
    ranking: dict[str, Any]
    held_out: dict[str, Any]
    representative: dict[str, Any] | None
    measure: Measure
    vocabulary: int
    signature: str
    seconds: dict[str, float]
    notices: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        best = f"best cut {self.best.lines:,} lines, perplexity {self.best.ngram_perplexity:.5g}"
        return f"<Evaluation of {self.ranking['name']} on {self.held_out['name']}: {len(self.points)} points, {best}>"

    def as_dict(self) -> dict[str, Any]:
        return {
            "points": [point.as_dict() for point in self.points],
            "best": self.best.as_dict(),
            "stop": None if self.stop is None else self.stop.as_dict(),
            "ranking": self.ranking,
            "heldout": self.held_out,
            "representative": self.representative,
            "order": self.measure.order,
            "lm": self.measure.lm,
            "vocabulary": self.vocabulary,
            "signature": self.signature,
            "cynical": __version__,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notices": self.notices,
        }


def evaluate(
    ranking: Jaded | Source,
    held_out: Source,
    *,
    representative: Source | None = None,
    available: Source | None = None,
    side: str | None = None,
    order: int = ORDER,
    lm: str = "own",
    points: int = POINTS,
    at: Sequence[int] = (),
    vocabulary_size: int | None = None,
    tokenizer: str | None = None,
    normalize: str | None = None,
    lowercase: bool | None = None,
    text_key: str | None = None,
    bad_records: str = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Evaluation:
    """Measure growing prefixes of a ranking, or of any list of lines in order, on a held-out text.

    A ranking is a `Jaded`, its file, or any corpus. Text is read as the ranking's summary says, unless `tokenizer`,
    `normalize` or `lowercase` say otherwise. `points` prefixes are measured, or those with `at` words.

    >>> import cynical
    >>> evaluation = cynical.evaluate(["a cat", "a dog ran"], ["a cat ran"], order=2)
    >>> evaluation.points[-1].lines, evaluation.points[-1].oov_tokens
    (2, 0.0)
    """
    made = run(
        ranking,
        held_out,
        Measure(order, lm, points, tuple(at), vocabulary_size),
        representative=representative,
        available=available,
        side=side,
        reads=(tokenizer, normalize, lowercase),
        reading=Reading(text_key, bad_records, scratch),
        jobs=jobs,
        progress=Progress(progress),
    )
    for notice in made.notices:
        warnings.warn(notice, CynicalWarning, stacklevel=2)
    return made


def run(
    ranking: Any,
    held_out: Any,
    measure: Measure,
    *,
    representative: Any = None,
    available: Any = None,
    side: str | None = None,
    reads: tuple[str | None, str | None, bool | None] = (None, None, None),
    reading: Reading | None = None,
    jobs: int | None = None,
    progress: Progress,
) -> Evaluation:
    """`evaluate` with its settings together."""
    reading, jobs = Reading() if reading is None else reading, number_of_jobs(jobs)
    with progress.stage("read"):
        decides = open_text(held_out, "HELDOUT", reading)
        wanted = None if representative is None else open_text(representative, "REPRESENTATIVE", reading)
        listed = open_listed(ranking, available, side, reading, jobs, progress)
        if counts_in(listed.corpus) is not None:
            raise CynicalError(f"{listed.name}: these are counts; give a ranking, or lines in some order")
        tokenizer = tokenizer_then(listed.summary, *reads)
        notices: list[str] = []
        if wanted is None and side is None:
            wanted, notices = named_representative(listed.summary, reading)
        numbering = Numbering()
        text = numbering.read(listed.corpus, tokenizer, jobs, progress, "RANKING")
        types = len(numbering)
        if not text.words:
            raise CynicalError(f"{listed.name}: no word in its {len(text):,} lines; there is nothing to evaluate")
        test = numbering.read(decides, tokenizer, jobs, progress, "HELDOUT")
        known = None if wanted is None else numbering.read(wanted, tokenizer, jobs, progress, "REPRESENTATIVE")
        judge = HeldOut(test, len(numbering), known)
        check_held_out(judge, text, decides.name, listed.name)
        notices += notices_of(listed.corpus, decides, tokenizer, jobs, progress, listed.name)
    vocabulary = _vocabulary(measure, types)
    cuts, stop = _cuts(text, measure, listed, notices)
    with progress.stage("evaluate"), language_model(measure, test, len(numbering), vocabulary, reading) as model:
        points = [rounded(point) for point in judge.points(text, cuts, model, progress)]
    by_lines = {point.lines: point for point in points}
    return Evaluation(
        points,
        best(points),
        by_lines.get(stop) if stop is not None else None,
        {
            "name": listed.name,
            "lines": len(text),
            "words": text.words,
            "types": types,
            "available_words": listed.available_words,
            "cuttable": listed.ranked,
        },
        {"name": decides.name, **sizes(judge)},
        None if wanted is None or known is None else {"name": wanted.name, **sizes(HeldOut(known, len(numbering)))},
        measure,
        vocabulary,
        tokenizer.signature,
        dict(progress.seconds),
        notices,
    )


def open_text(source: Any, role: str, reading: Reading) -> Corpus:
    corpus = open_corpus(source, role, reading)
    if counts_in(corpus) is not None:
        raise CynicalError(f"{corpus.name}: these are counts, but n-grams are wanted of {role}; give it as text")
    for part in corpus.parts:
        if part.is_ranking:
            raise CynicalError(f"{part.name}: a ranking, but {role} must be text; cynical cut makes a text of it")
    return corpus


def named_representative(summary: Summary | None, reading: Reading) -> tuple[Corpus | None, list[str]]:
    """The REPRESENTATIVE that a summary names, if it can still be read as it was; else a notice."""
    if summary is None or summary.representative is None or not summary.representative.files:
        return None, []
    name = summary.representative.name
    paths = [path for paths in representative_files(summary) for path in paths]
    try:
        corpus = open_corpus(paths, "REPRESENTATIVE", reading_then(summary, reading)) if paths else None
    except CynicalError:
        corpus = None
    if corpus is None:
        return None, [
            f"{name} is not there any more as it was; give -r REPR to see how much of its vocabulary is there"
        ]
    return (None if counts_in(corpus) is not None else corpus), []


def check_held_out(judge: HeldOut, text: Sequences, held_out: str, name: str) -> None:
    if not judge.text.words:
        raise CynicalError(
            f"{held_out}: no word in the HELDOUT text ({len(judge.text):,} lines); give a text with words"
        )
    if not judge.shares_a_word(text):
        raise CynicalError(
            f"{held_out}: no word in common with {name}; "
            "are both in the same language, tokenized and cased the same way?"
        )


def notices_of(
    corpus: Corpus,
    held_out: Corpus,
    tokenizer: Tokenizer,
    jobs: int,
    progress: Progress,
    name: str,
    excluded: NDArray[np.uint64] | None = None,
) -> list[str]:
    """What a user should know of the texts before trusting the figures; `excluded` are hashes of lines that no
    selection has."""
    notices = [skipped(one, role) for one, role in ((corpus, name), (held_out, "HELDOUT")) if one.bad]
    if corpus.files == held_out.files:
        notices.append(f"{name} and HELDOUT are the same file: the figures say nothing of other text")
    test = hash_lines(held_out, tokenizer, jobs, progress, "HELDOUT")
    test = test[test != 0]
    seen = np.isin(test, hash_lines(corpus, tokenizer, jobs, progress, name))
    if excluded is not None:
        seen &= ~np.isin(test, excluded)
    if seen.any():
        notices.append(
            f"{int(seen.sum()):,} of the {len(test):,} lines of {held_out.name} stand in {name} word for word, so it "
            f"is not quite held out; pick with --exclude {held_out.name} to keep them out"
        )
    return notices


@contextmanager
def language_model(
    measure: Measure, held_out: Sequences, types: int, vocabulary: int, reading: Reading
) -> Iterator[LanguageModel]:
    if measure.lm == "own":
        yield OwnModel(held_out, types, measure.order, vocabulary)
        return
    with kenlm(held_out, measure.order, vocabulary, reading.scratch) as model:
        yield model


def _vocabulary(measure: Measure, types: int) -> int:
    if measure.vocabulary_size is not None and measure.vocabulary_size < types + BESIDES:
        raise CynicalError(
            f"--vocabulary-size {measure.vocabulary_size}: the ranking alone has {types:,} words, and "
            f"with the end of a line and one for all unknown ones {types + BESIDES:,}; give at least that"
        )
    return types + BESIDES if measure.vocabulary_size is None else measure.vocabulary_size


def _cuts(text: Sequences, measure: Measure, listed: Listed, notices: list[str]) -> tuple[list[int], int | None]:
    """How many lines to measure, and the stopping point among them."""
    words, stop = text.lengths, listed.stop
    if stop is not None and not 0 < stop <= len(text):
        stop = None
    if measure.at:
        cuts = {cut for cut in cuts_at(words, sorted(measure.at)) if text.start[cut]}
        beyond = [budget for budget in measure.at if budget > text.words]
        if beyond:
            notices.append(
                f"{listed.name} has only {text.words:,} words, fewer than --at {max(beyond)}; all of it was taken"
            )
        if not cuts:
            raise CynicalError(
                f"--at {max(measure.at)}: not even the first line of {listed.name} fits; give more words"
            )
    else:
        cuts = set(geometric_cuts(words, measure.points))
    return sorted(cuts | ({stop} if stop is not None else set())), stop


def sizes(text: HeldOut) -> dict[str, Any]:
    return {
        "lines": len(text.text),
        "words": text.text.words,
        "types": text.number_of_types,
        "mean_length": text.mean_length,
    }
