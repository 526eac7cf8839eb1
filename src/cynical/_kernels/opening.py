"""Which rows have a node: the open ones, near the front.

A heap has a cut. Rows whose gain is above it are closed: they have no node. Gains only rise, so a closed row stays
above the cut, and none is needed before the cut itself comes to the front. Then all rows are scored and opened again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .entries import ENTRIES, HEAD, LEFT
from .exact import Heaps, gain_at, place_of, sift, tag_of
from .formulas import UNIT, Model
from .jit import inlined, kernel, prefetch

AHEAD = 4  # rows


@inlined
def heapify(node: NDArray[np.int64], root: int, size: int) -> None:
    for i in range(size // 2 - 1, -1, -1):
        sift(node, root, i, size, node[root + i, 0], node[root + i, 1])


@kernel
def gains_at(model: Model, heaps: Heaps, place: NDArray[np.int64], gain: NDArray[np.float64]) -> None:
    """The present gain of some rows, in bits; infinite if their lines have all been picked."""
    for i in range(place.size):
        left = heaps.row_data[place[i] + LEFT]
        gain[i] = gain_at(model, heaps, place[i]) * UNIT if left else np.inf


@kernel
def open_rows(model: Model, heaps: Heaps, place: int, begin: int, end: int, opened: NDArray[np.int64]) -> None:
    """Score the rows begin to end, the first of them at `place`, and give those that are not above the cut a node.

    The nodes of a heap begin where its first row of these is; `opened` says, by heap, how many there are.
    """
    row, b = begin, np.searchsorted(heaps.first, begin, side="right") - 1
    opened[:] = 0
    while row < end:
        stop, at, cut = min(end, heaps.first[b + 1]), row, heaps.cut[b]
        for _ in range(row, stop):
            if heaps.row_data[place + LEFT]:
                gain = gain_at(model, heaps, place)
                if gain * UNIT <= cut:
                    heaps.node[at, 0], heaps.node[at, 1] = gain, tag_of(heaps, b, place)
                    at += 1
            place += HEAD + np.int64(heaps.row_data[place + ENTRIES])
        opened[b] = at - row
        row, b = stop, b + 1


@kernel
def build_heaps(heaps: Heaps, parts: NDArray[np.int64], opened: NDArray[np.int64], begin: int, end: int) -> None:
    """Make heaps of the nodes of open rows: opened[i, b] for heap b from the part that begins at row parts[i]."""
    node = heaps.node
    for b in range(begin, end):
        root, size = heaps.first[b], 0
        for part in range(opened.shape[0]):
            at = max(root, parts[part])
            for i in range(at, at + opened[part, b]):
                node[root + size, 0], node[root + size, 1] = node[i, 0], node[i, 1]
                size += 1
        heaps.size[b] = size
        heapify(node, root, size)


@kernel
def score_open(model: Model, heaps: Heaps, first: int, step: int) -> None:
    """Score the open rows, in every step-th heap."""
    node = heaps.node
    for b in range(first, heaps.size.size, step):
        root, size = heaps.first[b], heaps.size[b]
        for i in range(size):
            ahead = place_of(heaps, b, node[root + min(i + AHEAD, size - 1), 1])
            prefetch(heaps.row_data, ahead)
            prefetch(heaps.row_data, ahead + 16)
            node[root + i, 0] = gain_at(model, heaps, place_of(heaps, b, node[root + i, 1]))
        heapify(node, root, size)
