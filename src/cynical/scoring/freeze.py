"""The fixed state that lines are scored against, from REPRESENTATIVE and SEED."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._kernels.ahead import compile_ahead
from ..errors import CynicalError
from ..model.classifier import BUCKETS, Classifier, share_alike
from ..model.count import counts_in
from ..model.counts import Counts
from ..model.hashed_lines import HowToHash
from ..model.target import normalized, totals_of
from ..options import Settings
from ..options.method import RANDOM_SEED
from ..progress import Progress
from ..selection.available import LocalFiles
from ..selection.index import HowToTokenize
from ..selection.inputs import Inputs
from ..selection.prepare import make_target, notices_of, state_of
from ..selection.second_model import HowToWiden, check_can_widen, learn_to_tell, widen
from ..selection.texts import Texts, count_texts, count_wanted, open_texts
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import open_corpus
from ..text.tokenizer import Tokenizer
from .frozen import Frozen


@dataclass(frozen=True, slots=True)
class Frost:
    """A frozen state, and what the user should know of it."""

    frozen: Frozen
    notices: list[str]
    of_records: bool  # are any of the texts those of records?


def freeze(inputs: Inputs, settings: Settings, progress: Progress, classify: bool = False) -> Frost:
    """Open and count the corpora, and make a state of them that any line can be scored against.

    What `select` learns from AVAILABLE (classes of words, what widens a target, a classifier), UNADAPTED says here.
    """
    ranking, jobs = settings.ranking, number_of_jobs(settings.execution.jobs)
    tokenizer = Tokenizer.of(settings.text, ranking.ngrams)
    _check_unadapted(inputs, settings, classify)
    with progress.stage("read"):
        pool = _open_pool(inputs) if classify or ranking.widen else []
        texts = open_texts(replace(inputs, unadapted=list(pool)) if pool else inputs, settings)
        if ranking.widen:
            check_can_widen(texts, ranking.ngrams)
    compile_ahead(_small_runs(settings, classify), progress, jobs)
    with progress.stage("count"):
        wanted = count_wanted(texts, tokenizer, jobs, progress)
        widening = None
        if ranking.widen:
            weights = normalized(inputs.weights, len(wanted))
            how_to_widen = HowToWiden(tokenizer, jobs, progress, weights, ranking.widen)
            widening = widen(texts, _lines_of(pool, how_to_widen), wanted, how_to_widen)
        target = make_target(wanted, inputs, widening)
        counted = count_texts(texts, wanted, target.features.sides, tokenizer, jobs, progress)
    if ranking.vocabulary == "classes":
        assert counted.unadapted is not None
        unadapted = target.features.aligned(counted.unadapted)
        target.classify(unadapted, totals_of(counted.unadapted), unadapted, settings.thresholds)
        target.collapse()
    state = state_of(target, counted.seed, ranking)
    classifier, share = None, 0.0
    if classify:
        classifier, share = _learn(texts, pool, HowToHash(tokenizer, BUCKETS, jobs, progress))
    frozen = Frozen(
        tokenizer,
        target.features.sides,
        tuple(inputs.columns[: inputs.counted - 1]),
        state.model.p,
        state.model.counts,
        state.model.smoothing,
        state.model.ngram_added,
        state.seed_features,
        None if target.tokens is None else target.tokens.of_word,
        settings.per_word,
        classifier,
        share,
    )
    seed = [] if texts.seed is None else texts.seed.notices
    of_records = any(isinstance(one, Corpus) and one.of_records for one in texts.all)
    return Frost(frozen, [*seed, *notices_of(texts), *_without_effect(inputs, settings, bool(pool))], of_records)


def _small_runs(settings: Settings, classify: bool) -> list[str]:
    """Which small runs call the kernels that are needed."""
    learns = classify or settings.ranking.widen > 0
    return ["score", *(["ngrams"] if settings.ranking.ngrams > 1 else []), *(["widen"] if learns else [])]


def _check_unadapted(inputs: Inputs, settings: Settings, classify: bool) -> None:
    """See to it that UNADAPTED is there where it is needed."""
    needs = {
        "--classifier": classify,
        "--widen (also by --for model)": bool(settings.ranking.widen),
        "--vocabulary classes": settings.ranking.vocabulary == "classes",
    }
    wanted = next((name for name, needed in needs.items() if needed), None)
    if wanted is not None and inputs.unadapted is None:
        raise CynicalError(
            f"{wanted} compares REPRESENTATIVE with other text; give -u UNADAPTED, for example a sample of the lines"
        )


def _open_pool(inputs: Inputs) -> list[Corpus]:
    """UNADAPTED as lines, by side."""
    assert inputs.unadapted is not None
    made = []
    for side in inputs.unadapted:
        opened = side if isinstance(side, Counts) else open_corpus(side, "UNADAPTED", inputs.reading)
        if isinstance(opened, Counts) or counts_in(opened) is not None:
            raise CynicalError(
                f"{opened.name or 'UNADAPTED'}: --classifier and --widen are trained on lines, but this is a .counts "
                "file; give the text that was counted"
            )
        made.append(opened)
    if len(made) < inputs.counted:
        raise CynicalError(f"UNADAPTED has one side, but {inputs.counted} count; give --unadapted-with FILE too")
    return made


def _lines_of(pool: Sequence[Corpus], how: HowToTokenize) -> LocalFiles:
    return LocalFiles(pool, len(pool), None, how)


def _learn(texts: Texts, pool: Sequence[Corpus], how: HowToHash) -> tuple[Classifier, float]:
    """A classifier, and the share of UNADAPTED's lines that belong to the language."""
    classifier = learn_to_tell(texts, _lines_of(pool, how), how, RANDOM_SEED)
    log_odds = classifier.log_odds(pool, how, "UNADAPTED")
    return classifier, share_alike(classifier.alike(log_odds), len(log_odds))


def _without_effect(inputs: Inputs, settings: Settings, learnt: bool) -> list[str]:
    notices = list(settings.without_effect)
    if inputs.unadapted is not None and not learnt and settings.ranking.vocabulary == "full":
        notices.append("-u has no effect without --vocabulary classes, --widen or --classifier")
    return notices
