"""The texts that all methods are compared on: opened once, and numbered for the language models."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import CynicalError, if_one, number_of
from ..jaded.jaded import Jaded
from ..jaded.summary import Exclude
from ..model.count import count_words
from ..model.sequences import Numbering, Sequences
from ..selection.excluded import open_excluded
from ..selection.inputs import Given, Inputs
from ..selection.sides import check_same_lines
from ..text.corpus import Corpus
from ..text.hold_out import hold_out
from ..text.places import find_lines
from ..text.sources import Source, check_text_key, open_corpus
from .divergence import Divergence
from .lists import JudgedText, Lists
from .prefixes import HeldOut
from .records import MeasuredText, TextSizes
from .sides import BOTH, Side, Sides, joined, places
from .subsamples import with_parts
from .texts import LeftOut, TextReader, check_held_out, open_text


@dataclass(frozen=True, slots=True, eq=False)
class Judges:
    """What judges, and what else is judged."""

    held_out: Sequence[Source] = ()  # by side; without one, a tenth of REPRESENTATIVE is
    side: str | None = None  # which side of parallel text is judged
    lists: Sequence[Jaded | Source] = ()  # what other tools picked


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """The corpora of a comparison, opened: what is read twice may be a pipe."""

    targets: list[list[Corpus]]  # by target, then by side that counts
    available: list[Corpus]  # by side
    exclude: Corpus | None
    held_out: list[Corpus]  # by side that is judged
    judged: list[int]  # the places of these sides
    notices: list[str]
    split: bool = False  # is the held-out text a part of REPRESENTATIVE?

    def inputs(self, inputs: Inputs) -> Inputs:
        """The inputs of every method."""
        targets: list[list[Given]] = [list(sides) for sides in self.targets]
        found = with_parts(inputs, self.targets) if self.split else replace(inputs, targets=targets)
        return replace(found, available=list(self.available), exclude=self.exclude)


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """What every method is given, and what judges it."""

    inputs: Inputs
    targets: list[list[Corpus]]  # REPRESENTATIVE, by target, then by side that counts
    sides: Sides  # that are judged
    words: int  # of all sides of AVAILABLE that count
    available: TextSizes
    representative: MeasuredText
    exclude: Exclude | None
    lists: list[list[Sequences]]  # what other tools picked, by side
    notices: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class _ReadSide:
    """A side that is judged, read; its numbering may still grow."""

    text: JudgedText
    pool: Sequences
    types: int  # of the pool
    held_out: Sequences
    targets: list[Sequences]  # REPRESENTATIVE, by target; empty where it does not have this side

    def side(self) -> Side:
        """What judges, when all words have numbers."""
        numbering, known = self.text.numbering, Sequences.joined(self.targets) if self.targets else None
        judge = HeldOut.of(self.held_out, len(numbering), known)
        check_held_out(judge, self.pool, self.text.held_out.name, self.text.available.name)
        return Side(
            place=self.text.place,
            name=self.text.name,
            pool=self.pool,
            types=self.types,
            judge=judge,
            held_out=judge.sizes(self.text.held_out.name),
            divergence=Divergence.of(numbering.table, self.targets, self.pool) if self.targets else None,
        )


def prepare(inputs: Inputs, judges: Judges, reader: TextReader, ngrams: int | None) -> Arena:
    """Read everything once; --exclude leaves out what shares a run of `ngrams` words, if that is given."""
    opened = _open(inputs, judges, reader)
    exclude, notices = opened.exclude, opened.notices
    excluded = None if exclude is None else LeftOut.of(exclude, ngrams, reader)
    left_out = None if excluded is None else excluded.lines_of(opened.available[0], "AVAILABLE")
    read = []
    for place, held_out in zip(opened.judged, opened.held_out, strict=True):
        available = opened.available[place]
        read.append(_read(opened, inputs.columns, place, held_out, reader))
        both = read[-1].pool, read[-1].held_out
        notices += reader.notices(available, held_out, available.name, both, left_out, place == 0, ngrams)
        known = [sides[place] for sides in opened.targets if place < len(sides) and not opened.split]
        notices += reader.known_lines(held_out, known)
    lists = Lists([one.text for one in read], opened.available[0], excluded, inputs.reading, reader)
    given = []
    for one in judges.lists:
        found, more = lists.read(one)
        given.append(found)
        notices += more
    sides = Sides([one.side() for one in read], BOTH if len(read) > 1 else judges.side)
    others = [opened.available[place] for place in range(inputs.counted) if place not in opened.judged]
    words = sum(count_words(side, reader.tokenizer, reader.jobs, reader.progress, "AVAILABLE").total for side in others)
    words += sum(side.pool.words for side in sides.each if side.place < inputs.counted)
    return Arena(
        inputs=opened.inputs(inputs),
        targets=opened.targets,
        sides=sides,
        words=words,
        available=TextSizes(
            name=opened.available[0].name, lines=len(sides.each[0].pool), words=words, types=sides.types
        ),
        representative=_representative(opened, read, reader),
        exclude=None
        if excluded is None or exclude is None
        else Exclude(name=exclude.name, lines=len(excluded.lines.hashes)),
        lists=given,
        notices=notices,
    )


def _open(inputs: Inputs, judges: Judges, reader: TextReader) -> Opened:
    reading = inputs.reading
    judged = places(judges.side, inputs.columns, len(judges.held_out), inputs.counted)
    targets = [[open_text(side, "REPRESENTATIVE", reading) for side in sides] for sides in inputs.targets]
    available = [open_corpus(side, "AVAILABLE", reading) for side in inputs.available]
    exclude = None if inputs.exclude is None else open_excluded(inputs.exclude, reading)
    check_text_key(reading, [*itertools.chain(*targets), *available, *([] if exclude is None else [exclude])])
    if judges.held_out:
        given = [open_text(side, "HELDOUT", reading) for side in judges.held_out]
        check_same_lines([find_lines(side, reader.jobs, reader.progress, "HELDOUT") for side in given])
        return Opened(targets, available, exclude, given, judged, [])
    if len(targets) > 1:
        raise CynicalError("with several targets, no held-out text can be split off; give one with -t")
    split = hold_out(targets[0], reader.jobs, reader.progress)
    check_same_lines(split.places)
    if not len(split):
        raise CynicalError(
            f"{targets[0][0].name}: {number_of(len(split.held), 'line')} {if_one(len(split.held), 'is', 'are')} too "
            "few to hold some out; give a held-out text with -t"
        )
    first = split.held_out(0)
    notice = (
        f"no held-out text was given (-t), so every tenth line of {targets[0][0].name} was held out and excluded "
        "from AVAILABLE; the rest was used as REPRESENTATIVE"
    )
    both = first if exclude is None else Corpus(f"{exclude.name}, {first.name}", [*exclude.parts, *first.parts])
    notices = [notice, *(said for side in targets[0] for said in side.notices("REPRESENTATIVE"))]
    return Opened([split.kept], available, both, [split.held_out(place) for place in judged], judged, notices, True)


def _read(opened: Opened, columns: Sequence[str], place: int, held_out: Corpus, reader: TextReader) -> _ReadSide:
    numbering, available = Numbering(), opened.available[place]
    text = JudgedText(place, columns[place - 1] if place else None, available, held_out, numbering)
    pool = reader.sequences(numbering, available, "AVAILABLE")
    types = len(numbering)
    test = reader.sequences(numbering, held_out, "HELDOUT")
    wanted = [sides[place] for sides in opened.targets if place < len(sides)]
    return _ReadSide(
        text, pool, types, test, [reader.sequences(numbering, target, "REPRESENTATIVE") for target in wanted]
    )


def _representative(opened: Opened, read: Sequence[_ReadSide], reader: TextReader) -> MeasuredText:
    """The sides that are judged, if REPRESENTATIVE has them, else its first."""
    found = []
    for one in read:
        if one.targets:
            name = ", ".join(sides[one.text.place].name for sides in opened.targets)
            found.append(HeldOut.of(Sequences.joined(one.targets), len(one.text.numbering)).sizes(name))
    if found:
        return joined(found)
    numbering = Numbering()
    first = Sequences.joined([reader.sequences(numbering, sides[0], "REPRESENTATIVE") for sides in opened.targets])
    return HeldOut.of(first, len(numbering)).sizes(", ".join(sides[0].name for sides in opened.targets))
