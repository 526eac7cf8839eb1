"""What may be chosen: which lines of AVAILABLE are left out, each for one reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.read import read_part
from ..model.overlap import same_words
from ..model.sequences import Numbering
from ..options import Eligibility, Reading
from ..progress import Progress
from ..text.corpus import Corpus, Part
from ..text.places import find_lines, part_of
from ..text.sources import Source, open_corpus
from .copies import beyond, is_one_of
from .index import HowToRead, Index

REASONS = ("blank", "excluded", "in_seed", "too_short", "too_long", "copies")  # the first that fits counts


@dataclass(frozen=True, slots=True)
class Chosen:
    allowed: NDArray[np.bool_]  # by line
    skipped: dict[str, int]  # lines by reason


def open_excluded(source: Source, reading: Reading) -> Corpus:
    """A text whose lines are never to be picked, or a ranking, of which that is so too."""
    corpus = open_corpus(source, "--exclude", reading, rankings=True)
    for part in corpus.parts:
        if part.is_counts:
            raise CynicalError(f"{part.name}: --exclude compares lines, and counts have none; give a text")
    return Corpus(corpus.name, [_lines_of(part) if part.is_ranking else part for part in corpus.parts])


def _lines_of(part: Part) -> Part:
    """The lines of a ranking as a text."""
    ranking = read_part(part)
    return Corpus.in_memory(part.name, ranking.content.texts(slice(0, len(ranking)))).parts[0]


def check_left(skipped: Mapping[str, int], lines: int, shortest: int, longest: int) -> None:
    """See to it that some line may be picked; lines have this many words."""
    if sum(skipped.values()) == lines:
        counted = ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in skipped.items() if number)
        raise CynicalError(
            f"no line is left to choose from: {counted} (lines have {shortest} to {longest} words); "
            "loosen what leaves lines out, or give more text with -a"
        )


@dataclass(frozen=True, slots=True)
class Excluded:
    """Lines that are never to be picked: hashes of their words and, where they can be read again, the lines."""

    hashes: NDArray[np.uint64]
    lines: Corpus | None = None

    def has(self, index: Index, how: HowToRead) -> NDArray[np.bool_]:
        """By line of AVAILABLE, is it one of them? Equal hashes are not enough where the words can be compared."""
        out = is_one_of(index.source, self.hashes)
        if self.lines is None or not out.any():
            return out
        found, numbering = np.flatnonzero(out), Numbering()
        own = part_of(index.places[0], found)
        theirs = np.flatnonzero(is_one_of(self.hashes, index.source[found]))
        others = part_of(find_lines(self.lines, how.jobs, Progress(), "--exclude"), theirs)
        read = [numbering.read(one, how.tokenizer, how.jobs, Progress(), "--exclude") for one in (own, others)]
        out[found] = same_words(*read)
        return out


def choose(
    index: Index,
    bounds: Eligibility,
    excluded: Excluded | None,
    picked: NDArray[np.bool_] | None,
    how: HowToRead,
) -> Chosen:
    """Lines that may be picked, if there are any; `picked` says which lines SEED has already."""
    words = index.words
    lengths = index.of_sides if bounds.length_per == "side" else (words,)
    left_out: dict[str, Callable[[], NDArray[np.bool_]]] = {"blank": lambda: words == 0}
    if excluded is not None:
        left_out["excluded"] = lambda: excluded.has(index, how)
    if picked is not None:
        left_out["in_seed"] = lambda: picked
    if (shortest := bounds.min_length) is not None:
        left_out["too_short"] = lambda: reduce(np.minimum, lengths) < shortest
    if (longest := bounds.max_length) is not None:
        left_out["too_long"] = lambda: reduce(np.maximum, lengths) > longest
    if (most := bounds.max_copies) is not None:
        left_out["copies"] = lambda: beyond(index.same, most)
    allowed, skipped = np.ones(index.lines, np.bool_), dict.fromkeys(REASONS, 0)
    for reason, find in left_out.items():
        out = find()
        skipped[reason] = int(np.count_nonzero(out & allowed))
        allowed &= ~out
    return Chosen(allowed, skipped)
