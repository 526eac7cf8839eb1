"""From a ranking and a held-out text to figures."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.made_from import reading_then, representative_files, tokenizer_then
from ..jaded.summary import Summary
from ..model.count import counts_in
from ..model.kneser_ney import BESIDES
from ..model.sequences import Numbering, Sequences
from ..options import Measure, Reading, Rereading
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import Source, in_memory_as, open_corpus
from ..text.tokenizer import Tokenizer
from .language_models import check_measure, language_model
from .listing import Listed, open_listed
from .prefixes import HeldOut, best, cuts_at, geometric_cuts
from .records import EvaluatedRanking, Evaluation, MeasuredText
from .texts import TextReader, check_held_out, open_text


@dataclass(frozen=True, slots=True)
class EvaluationInputs:
    """What is evaluated, by what, and how it is read."""

    ranking: Jaded | Source
    held_out: Source
    representative: Source | None = None
    available: Source | None = None  # where the lines are, if the ranking is a list of line numbers
    side: str | None = None
    overrides: Rereading = Rereading()  # how text is read, where not as the ranking's summary says
    reading: Reading = Reading()


def run(inputs: EvaluationInputs, measure: Measure, jobs: int | None, progress: Progress) -> Evaluation:
    """Measure growing prefixes of a ranking."""
    check_measure(measure)
    with progress.stage("read"):
        texts = _read(inputs, number_of_jobs(jobs), progress)
    vocabulary = _vocabulary(measure, texts.types)
    marks = texts.listed.marks(len(texts.text))
    cuts = _cuts(texts.text, measure, texts.listed, texts.notices).union(one for one in marks if one is not None)
    judge = texts.judge
    with (
        progress.stage("evaluate"),
        language_model(measure, judge.text, judge.types, vocabulary, inputs.reading.scratch) as model,
    ):
        points = judge.points(texts.text, sorted(cuts), model, progress)
    stop, lowest = (next((point for point in points if point.lines == lines), None) for lines in marks)
    return Evaluation(
        points=points,
        best=best(points),
        stop=stop,
        lowest_entropy=lowest,
        ranking=EvaluatedRanking(
            name=texts.listed.name,
            lines=len(texts.text),
            words=texts.text.words,
            types=texts.types,
            available_words=texts.listed.available_words,
            cuttable=texts.listed.ranked,
        ),
        held_out=judge.sizes(texts.held_out.name),
        representative=texts.representative,
        order=measure.order,
        lm=measure.lm,
        vocabulary=vocabulary,
        signature=texts.tokenizer.signature,
        seconds={name: round(value, 3) for name, value in progress.seconds.items()},
        notices=texts.notices,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """What is evaluated, read."""

    listed: Listed
    text: Sequences
    types: int  # of the ranking
    held_out: Corpus
    judge: HeldOut
    representative: MeasuredText | None
    tokenizer: Tokenizer
    notices: list[str]


def _read(inputs: EvaluationInputs, jobs: int, progress: Progress) -> _Texts:
    reading = inputs.reading
    held_out = open_text(inputs.held_out, "HELDOUT", reading)
    wanted = None if inputs.representative is None else open_text(inputs.representative, "REPRESENTATIVE", reading)
    listed = open_listed(inputs.ranking, inputs.available, inputs.side, reading, jobs, progress)
    if counts_in(listed.corpus) is not None:
        raise CynicalError(f"{listed.name}: this is a .counts file; give a ranking, or a text")
    reader = TextReader(tokenizer_then(listed.summary, inputs.overrides), jobs, progress)
    notices: list[str] = []
    if wanted is None and inputs.side is None:
        wanted, notices = named_representative(listed.summary, reading)
    numbering = Numbering()
    text = reader.sequences(numbering, listed.corpus, "RANKING")
    types = len(numbering)
    if not text.words:
        raise CynicalError(
            f"{listed.name}: no words in its {len(text):,} lines, so there is nothing to evaluate; give a ranking "
            "with words"
        )
    test = reader.sequences(numbering, held_out, "HELDOUT")
    known = None if wanted is None else reader.sequences(numbering, wanted, "REPRESENTATIVE")
    judge = HeldOut.of(test, len(numbering), known)
    check_held_out(judge, text, held_out.name, listed.name)
    notices += reader.notices(listed.corpus, held_out, listed.name, (text, test))
    notices += reader.known_lines(held_out, [] if wanted is None else [wanted])
    sizes = None if wanted is None or known is None else HeldOut.of(known, len(numbering)).sizes(wanted.name)
    return _Texts(listed, text, types, held_out, judge, sizes, reader.tokenizer, notices)


def named_representative(summary: Summary | None, reading: Reading) -> tuple[Corpus | None, list[str]]:
    """The REPRESENTATIVE that a summary names, if it can still be read as it was; else a notice."""
    if summary is None or summary.representative is None or not summary.representative.files:
        return None, []
    name = summary.representative.name
    paths = [path for sides in representative_files(summary) for path in sides[0]]
    try:
        corpus = open_corpus(paths, "REPRESENTATIVE", reading_then(summary, reading)) if paths else None
    except CynicalError:
        corpus = None
    if corpus is None:
        in_memory = any(file.path == in_memory_as("REPRESENTATIVE") for file in summary.representative.files)
        why = "was in memory and is not stored with the ranking" if in_memory else "is missing or has changed"
        return None, [f"{name} {why}, so the coverage of its vocabulary is not shown; give -r REPR to see it"]
    return (None if counts_in(corpus) is not None else corpus), []


def _vocabulary(measure: Measure, types: int) -> int:
    if measure.vocabulary_size is not None and measure.vocabulary_size < types + BESIDES:
        raise CynicalError(
            f"--vocabulary-size {measure.vocabulary_size}: the ranking has {types:,} word types, {types + BESIDES:,} "
            f"with the end of a line and the unknown word; give at least {types + BESIDES}"
        )
    return types + BESIDES if measure.vocabulary_size is None else measure.vocabulary_size


def _cuts(text: Sequences, measure: Measure, listed: Listed, notices: list[str]) -> set[int]:
    """How many lines to measure."""
    words = text.lengths
    if measure.at:
        cuts = {cut for cut in cuts_at(words, sorted(measure.at)) if text.start[cut]}
        beyond = [budget for budget in measure.at if budget > text.words]
        if beyond:
            notices.append(
                f"{listed.name} has only {text.words:,} words, fewer than --at {max(beyond)}; all of them were used"
            )
        if not cuts:
            raise CynicalError(
                f"--at {max(measure.at)}: the first line of {listed.name} has more words than that; give a larger "
                "number"
            )
    else:
        cuts = set(geometric_cuts(words, measure.points))
    return cuts
