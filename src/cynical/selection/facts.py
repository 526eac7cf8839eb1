"""Facts: what is known of the corpora of a run before anything is picked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from ..jaded.summary import Among, Available, EarlierRanking, Exclude, IndexSize, Prior, ReadAs, Shares, Side
from ..model.counts import Counts
from ..model.target import Target
from ..model.widening import Widening
from ..options import Settings
from ..text.corpus import Corpus, File
from .available import Available as ReadAvailable
from .inputs import Inputs
from .notices import without_effect
from .texts import Counted


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is known of the corpora, for the summary."""

    available: Available
    corpus: Corpus  # AVAILABLE
    first_broken: str  # where its first line is that is not UTF-8
    index: IndexSize
    reading: ReadAs
    wanted: Sequence[Sequence[Counts]]  # REPRESENTATIVE, by target, then by side
    wanted_files: Sequence[list[list[File]]]  # by target, then by side
    weights: Sequence[float]
    types: int  # of REPRESENTATIVE: words that are different
    have: Sequence[Counts] | None  # UNADAPTED, by side
    known: Sequence[Counts] | None  # SEED, by side
    known_files: list[list[File]]  # by side
    in_common: float  # of the representative tokens: those that AVAILABLE has
    earlier: list[EarlierRanking]  # the rankings in it
    exclude: Exclude | None
    skipped: Mapping[str, int]  # lines by reason
    without_effect: Sequence[str]  # sentences on what was given and has no effect
    notices: Sequence[str]
    widening: Widening | None  # what lines of AVAILABLE add to the target
    prior: Prior | UnsetType = UNSET
    among: Among | UnsetType = UNSET

    @property
    def words(self) -> int:
        return self.available.words


def gather_facts(
    inputs: Inputs,
    settings: Settings,
    read: ReadAvailable,
    target: Target,
    counted: Counted,
    exclude: Exclude | None,
    notices: Sequence[str],
    widening: Widening | None,
) -> Facts:
    """What is known before anything is picked; `notices` are sentences on the corpora but AVAILABLE."""
    corpus, contents = read.corpus, read.contents
    kinds = [part.records.format for part in corpus.parts if part.records is not None]
    sides = zip(read.places[1:], inputs.columns, inputs.replaces, strict=True)
    available = Available(
        name=corpus.name,
        format=kinds[0] if kinds else "strings" if any(part.folded for part in corpus.parts) else "text",
        shards=len(corpus.parts),
        empty_shards=sum(part.end == part.begin for part in corpus.parts),
        files=corpus.files,
        sides=[
            Side(
                name=side.corpus.name,
                column=column,
                replaces=replaced,
                counts=place < inputs.counted,
                files=side.corpus.files,
            )
            for place, (side, column, replaced) in enumerate(sides, 1)
        ],
        bytes=corpus.size,
        lines=contents.lines,
        words=contents.words,
        not_utf8=contents.broken,
    )
    return Facts(
        available,
        corpus,
        contents.first_broken,
        IndexSize(features=len(target.features), entries=contents.entries),
        ReadAs(
            text_key=inputs.reading.text_key,
            text_template=inputs.reading.text_template or UNSET,
            unit=UNSET if inputs.reading.unit == "document" else inputs.reading.unit,
            bad_records=inputs.reading.bad_records,
            input_format=inputs.reading.input_format,
        ),
        counted.wanted,
        counted.files,
        target.weights,
        sum(side.sizes[0] for side in target.features.sides),
        counted.unadapted,
        counted.seed,
        counted.seed_files,
        float(target.single[contents.count[: target.words] > 0].sum()),
        list(read.earlier),
        exclude,
        read.skipped,
        without_effect(inputs, settings),
        notices,
        widening,
    )


def coverable(target: Target, count: NDArray[np.int64], seed: Sequence[Counts] | None) -> Shares:
    """What of what the model counts is in SEED or in any line of AVAILABLE, of whose features the counts are given."""
    seen = target.counted(count) if seed is None else target.counted(count) + target.aligned(seed)
    shared = seen[: target.words] > 0
    return Shares(types=float(shared.mean()), tokens=float(target.single[shared].sum()))
