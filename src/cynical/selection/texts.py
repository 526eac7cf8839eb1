"""The corpora of a run except AVAILABLE: opened, then counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..model.count import count_words
from ..model.counts import Counts, union
from ..model.known import count_over
from ..options import Reading, Settings
from ..progress import Progress
from ..text.corpus import Corpus, File
from ..text.paths import are_files
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer
from .excluded import open_excluded
from .index import hash_lines
from .inputs import Inputs
from .seed import Seed, open_seed
from .sides import check_same_lines


@dataclass(frozen=True, slots=True)
class Texts:
    """The corpora of a run but AVAILABLE, opened; those whose lines matter may be read again."""

    targets: Sequence[Sequence[Corpus | Counts]]  # REPRESENTATIVE, by target, then by side
    seed: Seed | None
    unadapted: Sequence[Corpus | Counts]  # by side; empty where it is not needed
    exclude: Corpus | None

    @property
    def all(self) -> list[Corpus | Counts | None]:
        """Every one of them."""
        targets = [side for sides in self.targets for side in sides]
        seed = [] if self.seed is None else [piece for pieces in self.seed.sides for piece in pieces]
        return [*targets, *seed, *self.unadapted, self.exclude]


@dataclass(frozen=True, slots=True)
class Counted:
    """What they come to."""

    wanted: list[list[Counts]]  # REPRESENTATIVE, by target, then by side
    seed: list[Counts] | None  # by side
    unadapted: list[Counts] | None  # by side
    excluded: NDArray[np.uint64] | None  # hashes of lines
    files: list[list[list[File]]]  # of REPRESENTATIVE, by target, then by side
    seed_files: list[list[File]]  # by side


def open_texts(inputs: Inputs, settings: Settings) -> Texts:
    """Open all corpora but AVAILABLE: what is missing shows before anything takes time."""
    _check_roles(inputs)
    reading = inputs.reading
    targets = [[opened(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
    seed = None
    if inputs.seed:
        seed = open_seed(inputs.seed, inputs.columns[: inputs.counted - 1], reading)
    unadapted: list[Corpus | Counts] = []
    if settings.needs_classes:
        unadapted = [opened(side, "UNADAPTED", reading) for side in inputs.unadapted or []]
    if unadapted and len(unadapted) < inputs.counted:
        raise CynicalError(f"UNADAPTED has one side, but {inputs.counted} count; give --unadapted-with FILE too")
    exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
    if exclude is None and settings.eligibility.exclude_ngrams is not None:
        raise CynicalError("--exclude-ngrams needs a text to compare with; give --exclude FILE too")
    return Texts(targets, seed, unadapted, exclude)


def count_wanted(texts: Texts, tokenizer: Tokenizer, jobs: int, progress: Progress) -> list[list[Counts]]:
    """Count REPRESENTATIVE, by target, then by side."""
    return [
        _of_same_lines([count_words(side, tokenizer, jobs, progress, "REPRESENTATIVE") for side in sides])
        for sides in texts.targets
    ]


def count_texts(
    texts: Texts,
    wanted: list[list[Counts]],
    known: Sequence[Counts],
    tokenizer: Tokenizer,
    jobs: int,
    progress: Progress,
) -> Counted:
    """Count UNADAPTED and SEED over the n-grams that each side of the target has, and hash the lines that are never to
    be picked."""
    seed = _count_seed(texts.seed, known, tokenizer, jobs, progress) if texts.seed is not None else None
    unadapted = None
    if texts.unadapted:
        sides = zip(known, texts.unadapted, strict=True)
        unadapted = _of_same_lines(
            [count_over(one, side, tokenizer, jobs, progress, "UNADAPTED") for one, side in sides]
        )
    excluded = None
    if texts.exclude is not None:
        excluded = hash_lines(texts.exclude, tokenizer, jobs, progress, "--exclude")
    files = [[side.files if isinstance(side, Corpus) else [] for side in sides] for sides in texts.targets]
    return Counted(wanted, seed, unadapted, excluded, files, [] if texts.seed is None else texts.seed.files)


def _of_same_lines(counted: list[Counts]) -> list[Counts]:
    check_same_lines([counts for counts in counted if counts.lines])
    return counted


def _count_seed(
    seed: Seed, known: Sequence[Counts], tokenizer: Tokenizer, jobs: int, progress: Progress
) -> list[Counts]:
    """SEED may be empty: nothing was selected yet."""
    sides = []
    for one, pieces in zip(known, seed.sides, strict=True):
        counted = [
            count_over(
                one,
                piece,
                tokenizer,
                jobs,
                progress,
                "SEED",
                may_be_empty=True,
            )
            for piece in pieces
        ]
        sides.append(union(counted))
    return _of_same_lines(sides)


def opened(source: Source | Counts, role: str, reading: Reading | None = None) -> Corpus | Counts:
    """A source whose files are open: what is missing shows before anything takes time."""
    return source if isinstance(source, Counts) else open_corpus(source, role, reading)


def _check_roles(inputs: Inputs) -> None:
    sources: list[Any] = [side for sides in inputs.targets for side in sides]
    sources += [*inputs.available, *(inputs.unadapted or []), inputs.exclude]
    if sum(str(path) == "-" for source in [*sources, *(inputs.seed or [])] for path in _paths(source)) > 1:
        raise CynicalError("standard input can be read only once; save it to a file and give the name of the file")
    if any(isinstance(side, Counts) for side in inputs.available):
        raise CynicalError("AVAILABLE must be text, but this is a .counts file; give the text")


def _paths(source: object) -> list[Any]:
    """What of a source is a path, or counts; not lines."""
    if isinstance(source, (str, Path, Counts)):
        return [source]
    return list(source) if are_files(source) else []
