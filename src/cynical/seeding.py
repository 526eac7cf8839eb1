"""SEED: what has been selected already. An earlier Jaded ranking is known by its header, and its lines are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .corpus import Corpus, Part, Places
from .counts import Counts
from .errors import CynicalError
from .index import Index, hash_lines, join_hashes
from .inputs import Given
from .jaded import Jaded, read_summary
from .progress import Progress
from .rankings import HEAD, Ranking, numbers
from .tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Earlier:
    """Lines that were picked before."""

    name: str
    lines: NDArray[np.int64]  # their numbers then, from 0
    sides: list[Corpus]  # their text, by side that counts
    files: list[dict[str, Any]] | None  # of AVAILABLE then, with their sizes, if that is known


def open_seed(given: Sequence[Given | Jaded], counted: int) -> tuple[list[Corpus | Counts], list[Earlier]]:
    """SEED by side that counts, and which rankings are a part of it."""
    first, *more = given
    if isinstance(first, Jaded):
        earlier = _of_jaded(first, counted)
        return [*earlier.sides], [earlier]
    corpus = first if isinstance(first, Counts) else Corpus.of(first, "SEED")
    others = [side if isinstance(side, Counts) else Corpus.of(_text(side), "SEED") for side in more]
    earlier_ones: list[Earlier] = []
    if isinstance(corpus, Corpus):
        held = [_of_part(part, counted) if part.raw[: len(HEAD)] == HEAD else part for part in corpus.parts]
        earlier_ones = [part for part in held if isinstance(part, Earlier)]
        if earlier_ones and counted > 1:
            if len(earlier_ones) < len(held) or others:
                raise CynicalError(
                    "SEED: a ranking has both sides itself; give rankings alone, or texts alone with --seed-with"
                )
            return [_together(corpus.name, [one.sides[side] for one in earlier_ones]) for side in range(counted)], (
                earlier_ones
            )
        if earlier_ones:
            parts = [part.sides[0].parts[0] if isinstance(part, Earlier) else part for part in held]
            corpus = Corpus(corpus.name, parts)
    if 1 + len(others) < counted:
        raise CynicalError(f"SEED has one side, but {counted} count; give --seed-with FILE too")
    return [corpus, *others], earlier_ones


def leave_out(
    earlier: Sequence[Earlier], index: Index, tokenizer: Tokenizer, jobs: int, progress: Progress
) -> tuple[NDArray[np.bool_], list[dict[str, Any]]]:
    """The lines of AVAILABLE that rankings have already: by number if that was this AVAILABLE, else by their words.

    By words, as many copies of a line are left out as were picked, the earliest first: in that order they were picked.
    """
    out, said = np.zeros(index.lines, np.bool_), []
    hashes: list[NDArray[np.uint64]] = []
    for one in earlier:
        by_number = one.files == index.places[0].corpus.files and _unchanged(one, index.places)
        if by_number:
            out[one.lines] = True
            found = len(one.lines)
        else:
            of_sides = [hash_lines(side, tokenizer, jobs, progress, "SEED") for side in one.sides]
            hashes.append(_one_hash(of_sides))
            found = int(np.isin(hashes[-1], index.same).sum())
        said.append(
            {"name": one.name, "lines": len(one.lines), "by": "number" if by_number else "words", "found": found}
        )
    if hashes:
        out |= _first_copies(index.same, np.concatenate(hashes))
    return out, said


def copy_ranks(same: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each line how many equal ones come before it."""
    order = np.argsort(same, kind="stable")
    begins = np.flatnonzero(np.append(True, np.diff(same[order]) != 0)) if len(order) else order
    sizes = np.diff(np.append(begins, len(order)))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(begins, sizes)
    return ranks


def _first_copies(same: NDArray[np.uint64], picked: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """The earliest lines that were picked, as many of each as were."""
    hashes, times = np.unique(picked, return_counts=True)
    place = np.minimum(np.searchsorted(hashes, same), len(hashes) - 1)
    lines = np.flatnonzero(hashes[place] == same)
    out = np.zeros(len(same), np.bool_)
    out[lines] = copy_ranks(same[lines]) < times[place[lines]]
    return out


def _one_hash(sides: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    whole = sides[0]
    for side in sides[1:]:
        whole = join_hashes(whole, side)
    return whole


def _unchanged(earlier: Earlier, sides: Sequence[Places]) -> bool:
    """Are the lines still what they were?"""
    if len(earlier.lines) and int(earlier.lines.max()) >= len(sides[0]):
        return False
    then = bytes(earlier.sides[0].parts[0].raw).split(b"\n")[:-1]
    return then == sides[0].texts(earlier.lines)


def _of_part(part: Part, counted: int) -> Earlier:
    ranking = Ranking(part.name, part.raw)
    if len(ranking.sides) + 1 < counted:
        raise CynicalError(
            f"{part.name}: this ranking has {len(ranking.sides) + 1} side, but {counted} count; "
            "give one that was made with the same --with"
        )
    texts = [b"".join(ranking.texts(len(ranking), side)) for side in range(counted)]
    summary = read_summary(part.name)
    files = summary["available"].get("files") if summary is not None else None
    return Earlier(part.name, numbers(ranking), [_in_memory(part.name, text) for text in texts], files)


def _of_jaded(jaded: Jaded, counted: int) -> Earlier:
    if len(jaded.places) < counted:
        raise CynicalError(f"SEED: this ranking has {len(jaded.places)} side, but {counted} count; make it anew")
    texts = [b"".join(text + b"\n" for text in side.texts(jaded.lines)) for side in jaded.places[:counted]]
    sides = [_in_memory("SEED", text) for text in texts]
    return Earlier("SEED", jaded.lines, sides, jaded.summary["available"].get("files"))


def _in_memory(name: str, text: bytes) -> Corpus:
    return Corpus(name, [Part(name, text, 0)])


def _together(name: str, corpora: Sequence[Corpus]) -> Corpus:
    return Corpus(name, [part for corpus in corpora for part in corpus.parts])


def _text(side: Given | Jaded) -> Any:
    if isinstance(side, Jaded):
        raise CynicalError("SEED: a ranking has all its sides itself; give it as the first")
    return side
