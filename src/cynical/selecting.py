"""From four corpora to a Jaded ranking: read, classify, index, search."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .choosing import Choice, choose, open_excluded
from .classes import MIN_COUNT, RATIO_THRESHOLD, Thresholds
from .corpus import Corpus
from .counting import count_words, counts_in
from .counts import Counts, union
from .entropy import SMOOTHING, make_state
from .errors import CynicalError, CynicalWarning
from .index import build, check_same_lines, collapse_index, find_lines, hash_lines
from .inputs import Given, Inputs, gather, sides_of, targets_of
from .jaded import Jaded
from .opening import Reading, Source, open_corpus
from .progress import Progress, peak_memory
from .reading import number_of_jobs
from .records import Field
from .seeding import Seed, leave_out, open_seed
from .selection import KERNELS, NEED_CLASSES, NEED_COPIES, STRATEGIES
from .selection.budget import Budget
from .selection.ranking import Task
from .settings import Settings
from .summary import Facts, skipped, summarize
from .target import Target, totals_of
from .tokens import Tokenizer


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

    >>> import cynical
    >>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
    >>> jaded.lines.tolist()
    [2, 0]
    """
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
    )
    names = list(with_) if isinstance(with_, Mapping) else []
    targets = targets_of(representative, weights is not None)
    if len(targets) > 1 and isinstance(representative_with, Mapping):
        raise CynicalError(
            "representative_with: with several targets give a tuple, the sides of the first target first"
        )
    inputs = gather(
        targets,
        available,
        unadapted=unadapted,
        seed=seed,
        exclude=exclude,
        weights=weights,
        sides=with_ if isinstance(with_, Mapping) else sides_of(with_),
        representative_with=sides_of(representative_with, names),
        unadapted_with=sides_of(unadapted_with, names),
        seed_with=sides_of(seed_with, names),
        reading=Reading(text_key, bad_records, scratch),
        id_key=id_key,
    )
    jaded = run(inputs, settings, Progress(progress))
    for notice in jaded.summary["notices"]:
        warnings.warn(notice, CynicalWarning, stacklevel=2)
    return jaded


def run(inputs: Inputs, settings: Settings, progress: Progress) -> Jaded:
    """`select` with its corpora and its settings together."""
    began = time.perf_counter()
    texts = _Texts(inputs, settings, progress)
    index, target, facts = texts.index, texts.target, texts.facts
    if texts.needs_classes:
        facts.classes = texts.classify()
    if settings.vocabulary == "classes":
        collapse_index(index, len(target.features), target.collapse())
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
    ranking = STRATEGIES[settings.strategy](task)
    kept = ranking.stop if settings.budget.open else len(ranking.line)
    summary = summarize(settings, facts, state, ranking, (before, features_before), kept)
    progress.seconds["total"] = time.perf_counter() - began
    summary["seconds"] = {name: round(value, 3) for name, value in progress.seconds.items()}
    summary["memory"] = {"peak": peak_memory(), "peak_without_mapped_input": progress.unmapped or None}
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
    )


class _Texts:
    """The corpora of a run, read."""

    def __init__(self, inputs: Inputs, settings: Settings, progress: Progress) -> None:
        self._settings, self._progress = settings, progress
        self.jobs = number_of_jobs(settings.jobs)
        self.needs_classes = settings.vocabulary == "classes" or settings.strategy in NEED_CLASSES
        _check_roles(inputs)
        reading = inputs.reading
        with progress.stage("read"):
            targets = [[opened(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
            seed = open_seed(inputs.seed, inputs.columns[: inputs.counted - 1], reading) if inputs.seed else None
            adapting = (
                [opened(side, "UNADAPTED", reading) for side in inputs.unadapted or []] if self.needs_classes else []
            )
            if adapting and len(adapting) < inputs.counted:
                raise CynicalError(
                    f"UNADAPTED has one side, but {inputs.counted} count; give --unadapted-with FILE too"
                )
            exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
            sides = [open_corpus(side, "AVAILABLE", reading) for side in inputs.available]
            for side in sides:
                if counts_in(side) is not None:
                    raise CynicalError(f"{side.name}: AVAILABLE must be text, lines cannot be chosen from counts")
            warm_up(progress, "separate", KERNELS[settings.strategy])
            wanted = [self._count(texts, "REPRESENTATIVE") for texts in targets]
            self.known = self._count_seed(seed) if seed is not None else None
            self._have = self._count(adapting, "UNADAPTED") if adapting else None
            excluded = None
            if exclude is not None:
                excluded = hash_lines(exclude, settings.tokenizer, self.jobs, progress, "--exclude")
            self.target = self._target(wanted, inputs)
            earlier = seed.earlier if seed is not None else []
            hashed = bool(settings.strategy in NEED_COPIES or earlier or settings.choice.max_copies)
            counted, carried = sides[: inputs.counted], sides[inputs.counted :]
            self.index = build(
                counted, settings.tokenizer, self.target.features, self.jobs, progress, hashed or exclude is not None
            )
            along = [find_lines(side, self.jobs, progress, "AVAILABLE") for side in carried]
            self.places = (*self.index.places, *along)
            check_same_lines(self.places)
            _check_ids(sides[0], inputs.id_key)
            if len(sides) > 1 and any(side.bad for side in sides):
                raise CynicalError("--bad-records skip would pair lines that do not belong together; mend the records")
        self._check_in_common(sides[0])
        self.facts = Facts(
            self.index, self.places, inputs.columns, inputs.replaces, self.target, wanted, self._have, self.known
        )
        self.facts.wanted_files = [texts[0].files if isinstance(texts[0], Corpus) else [] for texts in targets]
        self.facts.unadapted_ignored = inputs.unadapted is not None and not self.needs_classes
        if exclude is not None and excluded is not None:
            self.facts.exclude = {"name": exclude.name, "lines": len(excluded)}
        self.facts.weights_ignored = inputs.weights is not None and len(inputs.targets) == 1
        picked = None
        if earlier:
            picked, self.facts.going_on = leave_out(earlier, self.index, settings.tokenizer, self.jobs, progress)
        self.facts.notices = seed.notices if seed is not None else []
        given: dict[str, list[Any]] = {
            "REPRESENTATIVE": [side for texts in targets for side in texts],
            "UNADAPTED": adapting,
        }
        given |= {"SEED": [piece for pieces in (seed.sides if seed is not None else []) for piece in pieces]}
        given |= {"--exclude": [exclude]}
        for role, corpora in given.items():
            self.facts.notices += [skipped(one, role) for one in corpora if isinstance(one, Corpus) and one.bad]
        chosen = choose(self.index, settings.choice, excluded, picked)
        self.allowed, self.facts.skipped = chosen.allowed, chosen.skipped

    def classify(self) -> dict[str, int]:
        index, have = self.index, self._have
        unadapted = self.target.aligned(have) if have is not None else index.count
        totals = totals_of(have) if have is not None else index.totals
        return self.target.classify(unadapted, totals, index.count, self._settings.thresholds)

    def _count(self, sides: Sequence[Given], role: str) -> list[Counts]:
        settings = self._settings
        counted = [count_words(side, settings.tokenizer, settings.jobs, self._progress, role) for side in sides]
        check_same_lines([counts for counts in counted if counts.lines])
        return counted

    def _count_seed(self, seed: Seed) -> list[Counts]:
        """Rankings may be empty, and a side may be blank where others have words."""
        settings, may_be_empty = self._settings, bool(seed.earlier) or len(seed.sides) > 1
        sides = []
        for pieces in seed.sides:
            counted = [
                count_words(
                    piece,
                    settings.tokenizer,
                    settings.jobs,
                    self._progress,
                    piece.name if isinstance(piece, Counts) and piece.name else "SEED",
                    may_be_empty=may_be_empty,
                )
                for piece in pieces
            ]
            sides.append(union(counted))
        check_same_lines([counts for counts in sides if counts.lines])
        return sides

    def _target(self, wanted: list[list[Counts]], inputs: Inputs) -> Target:
        target = Target(wanted, inputs.weights)
        for sides in wanted:
            for counts in sides:
                if len(counts) == 0:
                    raise CynicalError(
                        f"{counts.name}: all words of REPRESENTATIVE were folded; count with a lower --fold-below"
                    )
        return target

    def _check_in_common(self, corpus: Corpus) -> None:
        if not self.index.count.any():
            raise CynicalError(
                f"{corpus.name}: no word in common with REPRESENTATIVE ({self.target.words} word types); "
                "are both in the same language, tokenized and cased the same way? (--lowercase may help)"
            )


def _check_ids(corpus: Corpus, key: str | None) -> None:
    """See to it that records have names before time is spent on them."""
    for part in corpus.parts if key is not None else ():
        if part.records is None:
            raise CynicalError("--id-key names a field of records, but AVAILABLE is plain text; leave it out")
        if part.end > part.begin and part.records.fields([0], Field(str(key)))[0] is None:
            raise CynicalError(
                f"{part.name}: --id-key {key}: its first record has no such field; name one that all have"
            )


def opened(source: Source | Counts, role: str, reading: Reading | None = None) -> Corpus | Counts:
    """A source whose files are open: what is missing shows before anything takes time."""
    return source if isinstance(source, Counts) else open_corpus(source, role, reading)


def warm_up(progress: Progress, *kernels: str) -> None:
    """Say so if kernels must be compiled first: it happens once, and takes longer than a small run."""
    from ._kernels.jit import must_compile

    if must_compile(kernels):
        progress.notice("compiling, once on this machine (10 to 20 s) ...")


def _check_roles(inputs: Inputs) -> None:
    sources: list[Any] = [side for sides in inputs.targets for side in sides]
    sources += [*inputs.available, *(inputs.unadapted or []), inputs.exclude]
    if sum(str(path) == "-" for source in [*sources, *(inputs.seed or [])] for path in _paths(source)) > 1:
        raise CynicalError("standard input can be read only once; put it into a file and name that")
    if any(isinstance(side, Counts) for side in inputs.available):
        raise CynicalError("AVAILABLE must be text, lines cannot be chosen from counts")


def _paths(source: object) -> list[Any]:
    """What of a source is a path, or counts; not lines."""
    if isinstance(source, (str, Path, Counts)):
        return [source]
    return [item for item in source if isinstance(item, Path)] if isinstance(source, (list, tuple)) else []
