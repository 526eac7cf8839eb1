"""Which lines are equal to others, by the hashes of their words; block by block, so that beside the hashes no more than
8 bytes per line are needed, for a sorted copy of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 18  # lines that are looked at together

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]


def is_one_of(same: Hashes, hashes: Hashes) -> NDArray[np.bool_]:
    """For each line whether its hash is one of these; 0, of lines without words, is none."""
    out = np.zeros(len(same), np.bool_)
    wanted = np.unique(hashes[hashes != 0])
    for lines, _ in _found(same, wanted):
        out[lines] = True
    return out


def beyond(same: Hashes, most: int, elsewhere: tuple[Hashes, Numbers] | None = None) -> NDArray[np.bool_]:
    """For each line whether at least N equal ones come before it; `elsewhere` has hashes, in their order, that lines
    before these have, and how many."""
    out, hashes = np.zeros(len(same), np.bool_), _more_than(same, most)
    times = np.zeros(len(hashes), np.uint32)
    if elsewhere is not None and len(elsewhere[0]):
        hashes = np.union1d(hashes, elsewhere[0])
        times = np.zeros(len(hashes), np.uint32)
        times[np.searchsorted(hashes, elsewhere[0])] = np.minimum(elsewhere[1], most)
    for lines, _, before in _ranked(same, hashes, times):
        out[lines[before >= most]] = True
    return out


def counted(same: Hashes, low: int, high: int) -> tuple[Hashes, Numbers]:
    """The hashes between two numbers, the second included, in their order, and how many lines have each."""
    hashes, times = np.unique(
        same[(same >= np.uint64(low)) & (same <= np.uint64(high)) & (same != 0)], return_counts=True
    )
    return hashes, times.astype(np.int64)


def count_free(same: Hashes, hashes: Hashes, out: NDArray[np.bool_]) -> Numbers:
    """How many lines have each of these hashes, which are sorted, beside those that are marked."""
    free = np.zeros(len(hashes), np.int64)
    for lines, place in _found(same, hashes):
        free += np.bincount(place[~out[lines]], minlength=len(hashes))
    return free


def take_copies(same: Hashes, hashes: Hashes, times: Numbers, out: NDArray[np.bool_]) -> None:
    """Mark the earliest lines that have these hashes, which are sorted, as many of each as is said, beside those that
    are marked already."""
    for lines, place, before in _ranked(same, hashes, np.zeros(len(hashes), np.uint32), out):
        out[lines[before < times[place]]] = True


def _more_than(same: Hashes, most: int) -> Hashes:
    """The hashes that more than this many lines have, in their order; they replace the front of the sorted copy."""
    hashes, kept = np.sort(same), 0
    for begin in range(0, len(hashes) - most, BLOCK):
        end = min(begin + BLOCK, len(hashes) - most)
        frequent = hashes[begin:end][hashes[begin:end] == hashes[begin + most : end + most]]
        new = np.append(np.ones(1, np.bool_), frequent[1:] != frequent[:-1])[: len(frequent)]
        if kept and len(frequent):
            new[0] = frequent[0] != hashes[kept - 1]
        hashes[kept : kept + int(new.sum())] = frequent[new]
        kept += int(new.sum())
    return hashes[:kept]


def _ranked(
    same: Hashes, hashes: Hashes, times: NDArray[np.uint32], but: NDArray[np.bool_] | None = None
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Lines that have one of these hashes, which one, and how many such lines come before, `times` of them elsewhere;
    block by block."""
    for lines, place in _found(same, hashes):
        if but is not None:
            free = ~but[lines]
            lines, place = lines[free], place[free]
        before = _equal_before(place) + times[place]
        np.add.at(times, place, np.uint32(1))
        yield lines, place, before


def _found(same: Hashes, hashes: Hashes) -> Iterator[tuple[Numbers, Numbers]]:
    """Lines that have one of these hashes, which are sorted, and which one; block by block."""
    for begin in range(0, len(same) if len(hashes) else 0, BLOCK):
        block = same[begin : begin + BLOCK]
        place = np.minimum(np.searchsorted(hashes, block), len(hashes) - 1)
        lines = np.flatnonzero(hashes[place] == block)
        yield lines + begin, place[lines]


def _equal_before(numbers: Numbers) -> Numbers:
    """For each number how many equal ones come before it."""
    order = np.argsort(numbers, kind="stable")
    begins = np.flatnonzero(np.append(True, np.diff(numbers[order]) != 0)) if len(order) else order
    sizes = np.diff(np.append(begins, len(order)))
    before = np.empty(len(order), np.int64)
    before[order] = np.arange(len(order)) - np.repeat(begins, sizes)
    return before
