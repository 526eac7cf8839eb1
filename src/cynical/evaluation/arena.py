"""The texts that all methods are compared on: opened once, and numbered for the language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.jaded import Jaded
from ..jaded.summary import Exclude
from ..model.count import count_words, counts_in
from ..model.sequences import Numbering, Sequences
from ..options import Reading
from ..selection.eligible import open_excluded
from ..selection.inputs import Given, Inputs
from ..text.compression import inner_suffix
from ..text.corpus import Corpus
from ..text.hold_out import hold_out
from ..text.sources import Source, open_corpus
from .listing import open_listed
from .prefixes import HeldOut
from .records import MeasuredText, TextSizes
from .texts import TextReader, check_held_out, open_text


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """The corpora of a comparison, opened: what is read twice may be a pipe."""

    targets: list[list[Corpus]]  # by target, then by side that counts
    available: list[Corpus]  # by side
    exclude: Corpus | None
    held_out: Corpus
    notices: list[str]

    def inputs(self, inputs: Inputs) -> Inputs:
        """The inputs of every method."""
        targets: list[list[Given]] = [list(sides) for sides in self.targets]
        return replace(inputs, targets=targets, available=list(self.available), exclude=self.exclude)


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """What every method is given, and what judges it."""

    inputs: Inputs
    pool: Sequences  # the first side of AVAILABLE
    words: int  # of all sides of AVAILABLE that count
    types: int  # of the first side
    judge: HeldOut
    held_out: MeasuredText
    representative: MeasuredText
    exclude: Exclude | None
    lists: list[Sequences]  # what other tools picked
    notices: list[str]

    @property
    def available(self) -> TextSizes:
        return TextSizes(name=self.pool.name, lines=len(self.pool), words=self.words, types=self.types)


def prepare(inputs: Inputs, held_out: Source | None, lists: Sequence[Jaded | Source], reader: TextReader) -> Arena:
    """Read everything once; without a held-out text, a tenth of REPRESENTATIVE is."""
    opened = _open(inputs, held_out, reader)
    pool_of, exclude, notices = opened.available[0], opened.exclude, opened.notices
    numbering = Numbering()
    pool = reader.sequences(numbering, pool_of, "AVAILABLE")
    types = len(numbering)
    test = reader.sequences(numbering, opened.held_out, "HELDOUT")
    known = _joined([reader.sequences(numbering, target[0], "REPRESENTATIVE") for target in opened.targets])
    excluded = None if exclude is None else reader.hashes(exclude, "--exclude")
    notices += reader.notices(pool_of, opened.held_out, pool_of.name, excluded)
    given = []
    for one in lists:
        text, more = _list(one, opened, numbering, excluded, inputs.reading, reader)
        given.append(text)
        notices += more
    judge = HeldOut.of(test, len(numbering), known)
    check_held_out(judge, pool, opened.held_out.name, pool_of.name)
    others = opened.available[1 : inputs.counted]
    words = [count_words(side, reader.tokenizer, reader.jobs, reader.progress, "AVAILABLE").total for side in others]
    return Arena(
        inputs=opened.inputs(inputs),
        pool=pool,
        words=pool.words + sum(words),
        types=types,
        judge=judge,
        held_out=judge.sizes(opened.held_out.name),
        representative=HeldOut.of(known, len(numbering)).sizes(", ".join(sides[0].name for sides in opened.targets)),
        exclude=None if excluded is None or exclude is None else Exclude(name=exclude.name, lines=len(excluded)),
        lists=given,
        notices=notices,
    )


def _open(inputs: Inputs, held_out: Source | None, reader: TextReader) -> Opened:
    reading = inputs.reading
    targets = [[open_text(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
    available = [open_corpus(side, "AVAILABLE", reading) for side in inputs.available]
    exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
    if held_out is not None:
        return Opened(targets, available, exclude, open_text(held_out, "HELDOUT", reading), [])
    if len(targets) > 1:
        raise CynicalError("of several targets none can be held out by itself; give a held-out text with -t")
    split = hold_out(targets[0], reader.jobs, reader.progress)
    if not len(split):
        raise CynicalError(
            f"{targets[0][0].name}: only {len(split.held)} lines, of which none can be held out; "
            "give a held-out text with -t"
        )
    held = split.held_out(0)
    notice = (
        f"no -t: every tenth line of {targets[0][0].name} was held out, to judge by, and is excluded from "
        "AVAILABLE; the rest was REPRESENTATIVE"
    )
    both = held if exclude is None else Corpus(f"{exclude.name}, {held.name}", [*exclude.parts, *held.parts])
    return Opened([split.kept], available, both, held, [notice])


def _joined(texts: Sequence[Sequences]) -> Sequences:
    ids, lengths = [text.ids for text in texts], [text.lengths for text in texts]
    return Sequences.of(np.concatenate(ids), np.concatenate(lengths))


def _list(
    given: Jaded | Source,
    opened: Opened,
    numbering: Numbering,
    excluded: NDArray[np.uint64] | None,
    reading: Reading,
    reader: TextReader,
) -> tuple[Sequences, list[str]]:
    """What another tool picked: a ranking, a text, or numbers of lines (.ids), without what is excluded; notices."""
    numbers = isinstance(given, (str, Path)) and inner_suffix(given) == ".ids"
    available = opened.available[0] if numbers else None
    listed = open_listed(given, available, None, reading, reader.jobs, reader.progress)
    text = reader.sequences(numbering, listed.corpus, "--list")
    if not text.words:
        raise CynicalError(f"{listed.name}: no word in its {len(text):,} lines; there is nothing to compare")
    if counts_in(listed.corpus) is not None:
        raise CynicalError(f"{listed.name}: these are counts; give what was picked as text, or as a ranking")
    if excluded is None:
        return text, reader.notices(listed.corpus, opened.held_out, listed.name)
    left_out = np.isin(reader.hashes(listed.corpus, "--list"), excluded[excluded != 0])
    text = text.take(np.flatnonzero(~left_out))
    if not text.words:
        raise CynicalError(f"{listed.name}: --exclude leaves nothing of it; there is nothing to compare")
    number = int(left_out.sum())
    return text, [f"{listed.name}: {number:,} lines were left out, as --exclude says"] if number else []
