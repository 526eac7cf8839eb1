"""What may be chosen: which lines of AVAILABLE are left out, each for one reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.read import read_part
from ..options import Eligibility, Reading
from ..text.corpus import Corpus, Part
from ..text.sources import Source, open_corpus
from .index import Index
from .seed import copy_ranks

REASONS = ("blank", "excluded", "in_seed", "too_short", "too_long", "copies")  # the first that fits counts


@dataclass(frozen=True, slots=True)
class Chosen:
    allowed: NDArray[np.bool_]  # by line
    skipped: dict[str, int]  # lines by reason


def open_excluded(source: Source, reading: Reading) -> Corpus:
    """A text whose lines are never to be picked, or a ranking, of which that is so too."""
    corpus = open_corpus(source, "--exclude", reading)
    for part in corpus.parts:
        if part.is_counts:
            raise CynicalError(f"{part.name}: --exclude compares lines, and counts have none; give a text")
    return Corpus(corpus.name, [_lines_of(part) if part.is_ranking else part for part in corpus.parts])


def _lines_of(part: Part) -> Part:
    """The lines of a ranking as a text."""
    ranking = read_part(part, None)
    lines = ranking.content.lines(slice(0, len(ranking)))
    return Part.in_memory(part.name, b"".join(line + b"\n" for line in lines))


def check_left(skipped: Mapping[str, int], lines: int, shortest: int, longest: int) -> None:
    """See to it that some line may be picked; lines have this many words."""
    if sum(skipped.values()) == lines:
        counted = ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in skipped.items() if number)
        raise CynicalError(
            f"no line is left to choose from: {counted} (lines have {shortest} to {longest} words); "
            "loosen what leaves lines out, or give more text with -a"
        )


def choose(
    index: Index, bounds: Eligibility, excluded: NDArray[np.uint64] | None, picked: NDArray[np.bool_] | None
) -> Chosen:
    """Lines that may be picked, if there are any; `excluded` are hashes of lines, `picked` says which lines SEED has
    already."""
    words = index.words
    reasons = {"blank": words == 0}
    if excluded is not None:
        reasons["excluded"] = np.isin(index.source, excluded[excluded != 0])  # 0 are lines without words
    if picked is not None:
        reasons["in_seed"] = picked
    if bounds.min_length is not None:
        reasons["too_short"] = words < bounds.min_length
    if bounds.max_length is not None:
        reasons["too_long"] = words > bounds.max_length
    if bounds.max_copies is not None:
        reasons["copies"] = copy_ranks(index.same) >= bounds.max_copies
    allowed, skipped = np.ones(index.lines, np.bool_), dict.fromkeys(REASONS, 0)
    for reason, out in reasons.items():
        skipped[reason] = int((out & allowed).sum())
        allowed &= ~out
    return Chosen(allowed, skipped)
