"""Cynical selection and the baselines on the same texts, at the same budgets."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, CynicalWarning
from ..jaded.jaded import Jaded
from ..model.budget import Budget, share_of
from ..model.count import count_words, counts_in
from ..model.kneser_ney import BESIDES, ORDER
from ..model.sequences import Numbering, Sequences
from ..options import Settings, check_seed
from ..progress import Progress
from ..selection.eligible import Choice, open_excluded
from ..selection.index import hash_lines
from ..selection.inputs import Inputs, gather_from_python
from ..text.compression import inner_suffix
from ..text.corpus import Corpus
from ..text.reader import number_of_jobs
from ..text.sources import Reading, Source, open_corpus
from ..text.tokenizer import Tokenizer
from ..version import __version__
from .evaluate import Measure, check_held_out, language_model, notices_of, open_text, sizes
from .hold_out import hold_out
from .listing import open_listed
from .methods import OURS, WHAT, chosen, rank_by
from .prefixes import HeldOut, Point, cuts_at, rounded

SHARES = (0.003, 0.01, 0.03, 0.1)


@dataclass(frozen=True, slots=True)
class Contender:
    """A method, and how its selections of growing budgets did."""

    name: str
    what: str
    seconds: float  # to rank; 0 for a list that was given
    points: list[tuple[float, Point]]  # by share of AVAILABLE's words
    jaded: Jaded | None  # of our own methods

    def as_dict(self) -> dict[str, Any]:
        points = [{"share": share, **point.as_dict()} for share, point in self.points]
        return {"name": self.name, "what": self.what, "seconds": round(self.seconds, 3), "points": points}


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    methods: list[Contender]
    held_out: dict[str, Any]
    available: dict[str, Any]
    about: dict[str, Any]  # what else it was told: REPRESENTATIVE, --exclude, settings
    measure: Measure
    vocabulary: int
    signature: str
    random_seed: int
    seconds: dict[str, float]
    notices: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        names = ", ".join(method.name for method in self.methods)
        return f"<Comparison of {names} on {self.held_out['name']}>"

    def as_dict(self) -> dict[str, Any]:
        return {
            "methods": [method.as_dict() for method in self.methods],
            "heldout": self.held_out,
            "available": self.available,
            **self.about,
            "order": self.measure.order,
            "lm": self.measure.lm,
            "vocabulary": self.vocabulary,
            "signature": self.signature,
            "random_seed": self.random_seed,
            "cynical": __version__,
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "notices": self.notices,
        }


def compare(
    representative: Source,
    available: Source,
    held_out: Source | None = None,
    *,
    shares: Sequence[float] = SHARES,
    methods: Sequence[str] = (),
    lists: Sequence[Source] = (),
    order: int = ORDER,
    lm: str = "own",
    random_seed: int = 0,
    with_: Any = None,
    representative_with: Any = None,
    exclude: Source | None = None,
    max_copies: int | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    tokenizer: str = "whitespace",
    normalize: str | None = None,
    lowercase: bool = False,
    text_key: str | None = None,
    bad_records: str = "error",
    scratch: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Rank by cynical selection and by the baselines, and measure all of them on a held-out text.

    Corpora are as for `select`. Without a held-out text, every tenth line of REPRESENTATIVE is held out. `shares` are
    budgets, of AVAILABLE's words; `lists` are what other tools picked, best first.

    >>> import cynical
    >>> lines = ["a cat ran", "one bird"]
    >>> made = cynical.compare(["a cat", "a dog"], lines, ["the cat"], shares=[1], methods=["random"])
    >>> made.methods[0].points[0][1].words
    5
    """
    settings = Settings(
        choice=Choice(min_length, max_length, max_copies),
        tokenizer=Tokenizer(tokenizer, lowercase, 1, normalize),
        jobs=jobs,
    )
    reading = Reading(text_key, bad_records, scratch)
    inputs = gather_from_python(
        representative, available, None, with_, representative_with, exclude=exclude, reading=reading
    )
    made = run(
        inputs, held_out, settings, Measure(order, lm), tuple(shares), methods, lists, random_seed, Progress(progress)
    )
    for notice in made.notices:
        warnings.warn(notice, CynicalWarning, stacklevel=2)
    return made


def run(
    inputs: Inputs,
    held_out: Any,
    settings: Settings,
    measure: Measure,
    shares: Sequence[float],
    methods: Sequence[str],
    lists: Sequence[Any],
    random_seed: int,
    progress: Progress,
) -> Comparison:
    """`compare` with its corpora and its settings together."""
    began = time.perf_counter()
    check_seed(random_seed)
    names, shares = chosen(methods, inputs.counted), sorted({Budget(share=share).share or 0.0 for share in shares})
    if not shares:
        raise CynicalError("--shares: give at least one share of AVAILABLE's words, say 0.01")
    settings = replace(settings, budget=Budget(share=shares[-1]))
    table = _Table(inputs, held_out, settings, measure, lists, progress)
    contenders, notices = [], list(table.notices)
    for place, name in enumerate(names, 1):
        progress.during = f"{name} ({place}/{len(names)}), "
        own = Progress(progress.wanted)
        own.during = progress.during
        started = time.perf_counter()
        jaded = rank_by(name, table.inputs, settings, random_seed, own)
        seconds = time.perf_counter() - started
        notices += [notice for notice in jaded.summary.notices if notice not in notices]
        points = table.points(table.pool.take(jaded.lines), jaded.words, shares, progress)
        contenders.append(Contender(name, WHAT[name], seconds, points, jaded if name in OURS else None))
    progress.during = ""
    for text in table.lists:
        points = table.points(text, text.lengths, shares, progress, table.pool.words)
        contenders.append(Contender(text.name, "a list", 0.0, points, None))
        if text.words < share_of(shares[-1], table.pool.words):
            notices.append(f"{text.name} has only {text.words:,} words, fewer than the largest budget; all were taken")
    for share in shares:
        if not all(point.words for contender in contenders for amount, point in contender.points if amount == share):
            notices.append(f"{100 * share:g} % of {table.words:,} words has no room for the first line of some methods")
    progress.seconds["ranking"] = sum(contender.seconds for contender in contenders)
    progress.seconds["total"] = time.perf_counter() - began
    return Comparison(
        contenders,
        {"name": table.held_out.name, **sizes(table.judge)},
        {"name": table.pool.name, "lines": len(table.pool), "words": table.words, "types": table.types},
        table.about,
        measure,
        table.types + BESIDES,
        settings.tokenizer.signature,
        random_seed,
        dict(progress.seconds),
        notices,
    )


class _Table:
    """The texts that all sit around: opened once, and numbered for the language models."""

    def __init__(
        self,
        inputs: Inputs,
        held_out: Any,
        settings: Settings,
        measure: Measure,
        lists: Sequence[Any],
        progress: Progress,
    ) -> None:
        reading, jobs, tokenizer = inputs.reading, number_of_jobs(settings.jobs), settings.tokenizer
        self._measure, self._reading, self._how, self._progress = measure, reading, (tokenizer, jobs), progress
        self.notices: list[str] = []
        with progress.stage("read"):
            targets = [[open_text(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
            sides = [open_corpus(side, "AVAILABLE", reading) for side in inputs.available]
            exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
            if held_out is not None:
                self.held_out = open_text(held_out, "HELDOUT", reading)
            else:
                targets, self.held_out = self._hold_out(targets)
                exclude = self.held_out if exclude is None else _joined(exclude, self.held_out)
            self.inputs = replace(
                inputs, targets=[list(sides) for sides in targets], available=list(sides), exclude=exclude
            )
            numbering = Numbering()
            self.pool = numbering.read(sides[0], tokenizer, jobs, progress, "AVAILABLE")
            self.types = len(numbering)
            test = numbering.read(self.held_out, tokenizer, jobs, progress, "HELDOUT")
            wanted = [numbering.read(target[0], tokenizer, jobs, progress, "REPRESENTATIVE") for target in targets]
            known = Sequences.of(
                np.concatenate([text.ids for text in wanted]), np.concatenate([text.lengths for text in wanted])
            )
            excluded = None if exclude is None else hash_lines(exclude, tokenizer, jobs, progress, "--exclude")
            self.notices += notices_of(sides[0], self.held_out, tokenizer, jobs, progress, sides[0].name, excluded)
            self.lists = [self._list(one, sides[0], numbering, excluded) for one in lists]
            self.judge, self._numbers = HeldOut(test, len(numbering), known), len(numbering)
            check_held_out(self.judge, self.pool, self.held_out.name, sides[0].name)
            self.words = self.pool.words
            for side in sides[1 : inputs.counted]:
                self.words += count_words(side, tokenizer, jobs, progress, "AVAILABLE").total
        name = ", ".join(target[0].name for target in targets)
        self.about = {
            "representative": {"name": name, **sizes(HeldOut(known, len(numbering)))},
            "exclude": None if excluded is None or exclude is None else {"name": exclude.name, "lines": len(excluded)},
            "settings": settings.as_dict(),
        }

    def points(
        self,
        text: Sequences,
        words: NDArray[np.int64],
        shares: Sequence[float],
        progress: Progress,
        total: int | None = None,
    ) -> list[tuple[float, Point]]:
        """The longest prefixes that do not exceed a share of all words, those of AVAILABLE by default, measured."""
        cuts = cuts_at(words, [share_of(share, self.words if total is None else total) for share in shares])
        size = max(self.types, len(np.unique(text.ids))) + BESIDES
        with (
            progress.stage("evaluate"),
            language_model(self._measure, self.judge.text, self._numbers, size, self._reading) as model,
        ):
            points = self.judge.points(text, cuts, model, progress)
        return list(zip(shares, map(rounded, points), strict=True))

    def _list(
        self, given: Any, available: Corpus, numbering: Numbering, excluded: NDArray[np.uint64] | None
    ) -> Sequences:
        """What another tool picked: a ranking, a text, or numbers of lines (.ids), without what is excluded."""
        (tokenizer, jobs), progress = self._how, self._progress
        numbers = isinstance(given, (str, Path)) and inner_suffix(given) == ".ids"
        listed = open_listed(given, available if numbers else None, None, self._reading, jobs, progress)
        text = numbering.read(listed.corpus, tokenizer, jobs, progress, "--list")
        if not text.words:
            raise CynicalError(f"{listed.name}: no word in its {len(text):,} lines; there is nothing to compare")
        if counts_in(listed.corpus) is not None:
            raise CynicalError(f"{listed.name}: these are counts; give what was picked as text, or as a ranking")
        hashes = hash_lines(listed.corpus, tokenizer, jobs, progress, "--list")
        if excluded is None:
            self.notices += notices_of(listed.corpus, self.held_out, tokenizer, jobs, progress, listed.name)
            return text
        left_out = np.isin(hashes, excluded[excluded != 0])
        if left_out.any():
            self.notices.append(f"{listed.name}: {int(left_out.sum()):,} lines were left out, as --exclude says")
        text = text.take(np.flatnonzero(~left_out))
        if not text.words:
            raise CynicalError(f"{listed.name}: --exclude leaves nothing of it; there is nothing to compare")
        return text

    def _hold_out(self, targets: list[list[Corpus]]) -> tuple[list[list[Corpus]], Corpus]:
        if len(targets) > 1:
            raise CynicalError("of several targets none can be held out by itself; give a held-out text with -t")
        kept, held_out = hold_out(targets[0], self._how[1], self._progress)
        self.notices.append(
            f"no -t: every tenth line of {targets[0][0].name} was held out, to judge by, and is excluded from "
            "AVAILABLE; the rest was REPRESENTATIVE"
        )
        return [kept], held_out


def _joined(one: Corpus, other: Corpus) -> Corpus:
    return Corpus(f"{one.name}, {other.name}", [*one.parts, *other.parts])
