"""What n-grams would be if their last word did not depend on what precedes it.

Two frequent words are next to each other now and then, whatever they mean. A model that knows how frequent they are
should expect their pair, seen or not. With n-gram smoothing it does, as if N n-grams had been seen whose parts are
independent:

    s(v) = s + N left(v) right(v)

left(v) is the share of n-grams that begin as v does (all words except the last; the boundary of a line is a word), and
right(v) of those with the same last word, among the target's own n-grams of the order and the side of v. If there are
several sides, each has as many of the N n-grams as its share of the order's mass says.

Counts are added up before they become shares: sums of whole numbers do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .ngrams import BOUNDARY, GRAM

if TYPE_CHECKING:
    from .target import Features


class Text(NamedTuple):
    """One of the texts that a target is made of."""

    weight: NDArray[np.float64]  # by order
    counted: tuple[NDArray[np.int64], NDArray[np.int64]]  # which features it has, and how often
    totals: Sequence[int]  # W of each order


def independent(features: Features, texts: Sequence[Text]) -> NDArray[np.float64]:
    """By feature, the share of its order that an n-gram would have; 0 for words. Over all n-grams that could be made of
    the same beginnings and last words, the shares of an order add up to 1."""
    beginning, last = _parts(features)
    of_beginning, of_last, of_block = (_masses(features, part, texts) for part in (beginning, last, features.block))
    side = np.where(of_block > 0, of_block, 1.0)[features.block]  # a side without mass: neither have its n-grams
    of_order = np.zeros(features.ngrams)
    np.add.at(of_order, np.arange(len(of_block)) // len(features.sides), of_block)
    whole = np.where(of_order > 0, of_order, 1.0)[features.order]
    shares = of_beginning[beginning] / side * (of_last[last] / side) * (side / whole)
    return np.where(features.order > 0, shares, 0.0)


def _parts(features: Features) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By n-gram, a number for what it begins with and one for its last word, which are others for each order and
    side; 0 for words."""
    beginning, last, used = np.zeros(len(features), np.int64), np.zeros(len(features), np.int64), 1
    for number, side in enumerate(features.sides):
        for order, (a, b) in enumerate([] if side.grams is None else side.grams.bounds, 1):
            assert side.grams is not None
            here = features.of_block(order, number)
            for part, out in ((side.grams.left[a:b], beginning), (side.grams.right[a:b], last)):
                out[here] = used + np.where(part == BOUNDARY, len(side), part.astype(np.int64) & ~GRAM)
            used += 1 + max(side.sizes)
    return beginning, last


def _masses(features: Features, part: NDArray[np.integer], texts: Sequence[Text]) -> NDArray[np.float64]:
    """By part, the mass of all n-grams that have it, where that of an order is 1."""
    order = np.zeros(int(part.max(initial=0)) + 1, np.int8)
    order[part] = features.order
    mass = np.zeros(len(order))
    for text in texts:
        feature, count = text.counted
        number = np.bincount(part[feature], weights=count, minlength=len(order))
        mass += text.weight[order] * (number / np.maximum(text.totals, 1)[order])
    return mass
