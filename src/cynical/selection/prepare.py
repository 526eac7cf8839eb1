"""Texts: the corpora of a run, opened, read and indexed, and which lines may be picked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.summary import EarlierRanking, Exclude
from ..memory import Storage
from ..model.count import count_words, counts_in
from ..model.counts import Counts, union
from ..model.target import Target, totals_of
from ..options import Settings
from ..progress import Progress
from ..text.corpus import Corpus
from ..text.places import Places, find_lines
from ..text.reader import number_of_jobs
from ..text.records import Field
from ..text.sources import Reading, Source, open_corpus
from ..version import __version__
from .eligible import choose, open_excluded
from .index import Index, build, check_same_lines, hash_lines
from .inputs import Given, Inputs
from .plan import make_plan
from .replay import replay
from .search import Begun, Task
from .seed import Seed, leave_out, open_seed
from .summarize import Counted, LeftOut, gather_facts, skipped


class Texts:
    """The corpora of a run, read; those whose lines matter may be read again."""

    def __init__(self, inputs: Inputs, settings: Settings, progress: Progress) -> None:
        self._settings, self.progress = settings, progress
        self.tokenizer, self.jobs = settings.tokenizer, number_of_jobs(settings.jobs)
        self.storage = Storage(settings.memory, inputs.reading.scratch)
        _check_roles(inputs)
        reading = inputs.reading
        with progress.stage("read"):
            targets = [[opened(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
            self.targets: Sequence[Sequence[Corpus | Counts]] = targets  # REPRESENTATIVE, by target, then by side
            seed = self._open_seed(inputs)
            adapting = (
                [opened(side, "UNADAPTED", reading) for side in inputs.unadapted or []]
                if settings.needs_classes
                else []
            )
            if adapting and len(adapting) < inputs.counted:
                raise CynicalError(
                    f"UNADAPTED has one side, but {inputs.counted} count; give --unadapted-with FILE too"
                )
            exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
            sides = self._open_available(inputs)
            warm_up(progress, "separate", settings.kernel)
            wanted = [self._count(texts, "REPRESENTATIVE") for texts in targets]
            self.wanted = wanted  # what they come to
            self.known = self._count_seed(seed) if seed is not None else None
            self._have = self._count(adapting, "UNADAPTED") if adapting else None
            excluded = None
            if exclude is not None:
                excluded = hash_lines(exclude, settings.tokenizer, self.jobs, progress, "--exclude")
            self.target = self._target(wanted, inputs)
            earlier = seed.earlier if seed is not None else []
            hashed = bool(settings.needs_copies or earlier or settings.choice.max_copies or exclude is not None)
            self.available = sides[: inputs.counted]  # AVAILABLE, by side that counts
            self.index, self.places = self._read_available(sides, inputs, hashed, excluded)
            if len(sides) > 1 and any(side.bad for side in sides):
                raise CynicalError("--bad-records skip would pair lines that do not belong together; mend the records")
        self._check_in_common(sides[0])
        files = [texts[0].files if isinstance(texts[0], Corpus) else [] for texts in targets]
        picked: NDArray[np.bool_] | None = None
        found: list[EarlierRanking] = []
        if earlier:
            picked, found = leave_out(earlier, self.index, settings.tokenizer, self.jobs, progress)
        notices = [] if seed is None else list(seed.notices)
        given: dict[str, list[Any]] = {
            "REPRESENTATIVE": [side for texts in targets for side in texts],
            "UNADAPTED": adapting,
        }
        given |= {"SEED": [piece for pieces in (seed.sides if seed is not None else []) for piece in pieces]}
        given |= {"--exclude": [exclude]}
        for role, corpora in given.items():
            notices += [skipped(one, role) for one in corpora if isinstance(one, Corpus) and one.bad]
        self.allowed, reasons = self._choose(excluded, picked)
        named = None
        if exclude is not None and excluded is not None:
            named = Exclude(name=exclude.name, lines=len(excluded))
        self.facts = gather_facts(
            inputs,
            settings,
            self.index,
            self.places,
            self.target,
            Counted(wanted, files, self._have, self.known),
            LeftOut(found, named, reasons),
            notices,
        )

    def _open_seed(self, inputs: Inputs) -> Seed | None:
        return open_seed(inputs.seed, inputs.columns[: inputs.counted - 1], inputs.reading) if inputs.seed else None

    def _open_available(self, inputs: Inputs) -> list[Corpus]:
        """AVAILABLE and its other sides."""
        sides = [open_corpus(side, "AVAILABLE", inputs.reading) for side in inputs.available]
        for side in sides:
            if counts_in(side) is not None:
                raise CynicalError(f"{side.name}: AVAILABLE must be text, lines cannot be chosen from counts")
        return sides

    def _read_available(
        self, sides: Sequence[Corpus], inputs: Inputs, hashed: bool, excluded: NDArray[np.uint64] | None
    ) -> tuple[Index, tuple[Places, ...]]:
        """The rows of the sides that count, and where the lines of all sides are."""
        counted, carried = sides[: inputs.counted], sides[inputs.counted :]
        settings = self._settings
        if settings.memory is not None:
            plan = make_plan(counted, self.tokenizer, self.target.features, self.jobs, hashed)
            self.storage.decide(plan.memory, plan.least_memory)
            for part in (part for side in sides for part in side.parts):
                self.storage.may_drop(part.raw)
            self.storage.watch()
        index = build(counted, self.tokenizer, self.target.features, self.jobs, self.progress, hashed, self.storage)
        along = [find_lines(side, self.jobs, self.progress, "AVAILABLE") for side in carried]
        places = (*index.places, *along)
        check_same_lines(places)
        check_ids(sides[0], inputs.id_key)
        return index, places

    def _choose(
        self, excluded: NDArray[np.uint64] | None, picked: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.bool_], dict[str, int]]:
        """Which lines may be picked, and how many may not for which reason."""
        chosen = choose(self.index, self._settings.choice, excluded, picked)
        return chosen.allowed, chosen.skipped

    def classify(self) -> dict[str, int]:
        index, have = self.index, self._have
        unadapted = self.target.aligned(have) if have is not None else index.count
        totals = totals_of(have) if have is not None else index.totals
        return self.target.classify(unadapted, totals, index.count, self._settings.thresholds)

    def identity(self) -> dict[str, Any]:
        """What tells this run from others whose picks may differ."""
        digest = hashlib.sha256()
        for array in (self.target.p, self.index.count, *self._lines_known()):
            digest.update(np.ascontiguousarray(array).view(np.uint8).data)
        sizes = f"{self.index.lines} {self.index.totals} {self.facts.skipped}"
        digest.update(sizes.encode())
        for counts in self.known or []:
            digest.update(counts.count.tobytes())
        return {
            "cynical": __version__,
            "settings": self._settings.as_dict(),
            "read": {"lines": self.index.lines, "words": self.index.words, "digest": digest.hexdigest()},
        }

    def _lines_known(self) -> list[NDArray[Any]]:
        """By line, what tells one from another."""
        return [self.index.length, self.index.entries, self.allowed]

    def replay(self, task: Task, lines: NDArray[np.int64], words: NDArray[np.int64]) -> Begun:
        """Apply picks of an earlier run."""
        task.allowed[lines] = False
        return replay(task.state, task.index, lines, lines, words)

    def _count(self, sides: Sequence[Given], role: str) -> list[Counts]:
        settings = self._settings
        counted = [count_words(side, settings.tokenizer, settings.jobs, self.progress, role) for side in sides]
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
                    self.progress,
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


def check_ids(corpus: Corpus, key: str | None) -> None:
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
    from .._kernels.jit import must_compile

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
