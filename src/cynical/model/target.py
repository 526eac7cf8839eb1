"""Target: what is wanted, as one distribution over features.

A feature is a word or an n-gram of one side of a text. Each order has the same share of the mass, and several targets
are mixed by their weights:

    p(v) = sum_i weight_i * C_i(v) / (N * W_i(order of v))

A target may be widened by what its sample lacks: then all weights are (1 - u) (1 - m) of what they were, and one more
text, of lines like it, has the weight (1 - u) m; each order has its own m and u (see widening.py). The mass u is of
features that nobody knows.

Features are numbered: the words of the first side, of the next, then their pairs, then their triples. With classes,
the useful features keep their own number and the others share one for each class, order and side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError, positive
from ..options import Thresholds
from . import classes as words_by_class
from .classes import CLASSES, Tokens
from .counts import Counts, union
from .independence import Text, independent
from .widening import Widening

ENTRIES = 9  # numbers that a feature needs in a row: see _kernels/entries.py


class Features:
    """The numbers of features, and what they stand for."""

    def __init__(self, sides: Sequence[Counts]) -> None:
        """Sides with all the words and n-grams that count."""
        self.sides = tuple(sides)
        self.ngrams = sides[0].ngrams
        sizes = [[side.sizes[order] for side in sides] for order in range(self.ngrams)]
        flat = np.array(sizes).ravel()
        self._begin = (np.cumsum(flat) - flat).reshape(self.ngrams, len(sides))  # by order and side
        self.block = np.repeat(np.arange(len(flat), dtype=np.int16), flat)  # by feature: its order and side
        self.order = (self.block // len(sides)).astype(np.int8)  # 0 for words
        if ENTRIES * len(self.block) >= 1 << 32:
            raise CynicalError(
                f"REPRESENTATIVE has {len(self.block):,} different words and n-grams, more than are supported; fold "
                "rare ones (`cynical count --fold-below 2`), or give a lower --ngrams"
            )

    def __len__(self) -> int:
        return len(self.block)

    def shifts(self, side: int) -> NDArray[np.int64]:
        """What makes a feature of one side's own counts a feature here: added to a word's id, a pair's and a triple's
        number among n-grams, where pairs come before triples."""
        sizes = (*self.sides[side].sizes, 0, 0)
        begin = [*self._begin[:, side].tolist(), 0, 0]
        return np.array([begin[0], begin[1], begin[2] - sizes[1]], np.int64)

    def aligned(self, counts: Sequence[Counts]) -> NDArray[np.int64]:
        """How often each feature was seen in a text, of which the counts of each side are given."""
        out = np.zeros(len(self), np.int64)
        feature, count = self.located(counts)
        out[feature] = count
        return out

    def of_block(self, order: int, side: int) -> slice:
        """The features of an order, 0 for words, and a side."""
        begin = int(self._begin[order, side])
        return slice(begin, begin + self.sides[side].sizes[order])

    def located(self, counts: Sequence[Counts]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which features a text has, and how often."""
        features, times = [], []
        for number, (side, seen) in enumerate(zip(self.sides, counts, strict=True)):
            if side is seen:
                place, count = np.arange(sum(side.sizes)), side.of_features
            else:
                place, count = side.located(seen)
            ends = np.cumsum(side.sizes)
            order = np.searchsorted(ends, place, side="right")
            features.append(place + (self._begin[:, number] - (ends - side.sizes))[order])
            times.append(count)
        return np.concatenate(features), np.concatenate(times)

    def name(self, feature: int) -> bytes:
        """As people write it: an n-gram's words with spaces between, a line's boundary as <s> or </s>."""
        block = int(self.block[feature])
        order, number = divmod(block, len(self.sides))
        side = self.sides[number]
        parts = list(side.parts_of(sum(side.sizes[:order]) + feature - int(self._begin[order, number])))
        if order:
            parts[0], parts[-1] = parts[0] or b"<s>", parts[-1] or b"</s>"
        return b" ".join(parts)


class Target:
    """What REPRESENTATIVE comes to."""

    def __init__(
        self,
        targets: Sequence[Sequence[Counts]],
        weights: Sequence[float] | None = None,
        widening: Widening | None = None,
    ) -> None:
        """For each target its counts by side."""
        self.weights = normalized(weights, len(targets))
        self._mixed = [np.full(targets[0][0].ngrams, weight) for weight in self.weights]  # by text, then by order
        self._beyond = np.zeros(targets[0][0].ngrams)  # u, by order
        if widening is not None:
            own, wide = (1.0 - widening.mass) * widening.reach, widening.mass * widening.reach
            self._mixed = [*(weight * own for weight in self._mixed), wide]
            self._beyond = 1.0 - widening.reach
            targets = [*targets, widening.counts]
        self.features = Features([union(list(side)) for side in zip(*targets, strict=True)])
        self._of_features = [self.features.located(sides) for sides in targets]  # what each has, and how often
        self._counts = self._of_features  # the same of what the model counts
        self._totals = [totals_of(sides) for sides in targets]
        self._others = [
            [sum(column) for column in zip(*(counts.others for counts in sides), strict=True)] for sides in targets
        ]
        self._order = self.features.order
        self.tokens: Tokens | None = None  # what features are collapsed to, if they are
        self.turn = np.zeros(len(self.features), np.int8)  # all features are alike until they are classified

    @property
    def ngrams(self) -> int:
        return self.features.ngrams

    @property
    def words(self) -> int:
        """How many of what the model counts are single words, or classes of them; they come first."""
        return int((self._order == 0).sum())

    @property
    def p(self) -> NDArray[np.float64]:
        """The probability of each feature, or token once they are collapsed."""
        out = np.zeros(len(self._order))
        for weight, (place, count), totals in zip(self._mixed, self._counts, self._totals, strict=True):
            order = self._order[place]
            out[place] += weight[order] * (count / (self.ngrams * np.array(totals))[order])
        return out

    @property
    def single(self) -> NDArray[np.float64]:
        """The probability of each word among single words."""
        if self.ngrams == 1:
            return self.p
        out, words = np.zeros(self.words), self.words
        for weight, (place, count), totals in zip(self._mixed, self._counts, self._totals, strict=True):
            single = place < words
            out[place[single]] += weight[0] * (count[single] / totals[0])
        return out

    @property
    def independent(self) -> NDArray[np.float64]:
        """The share of its order that each n-gram would have if its last word did not depend on what precedes it."""
        texts = map(Text, self._mixed, self._of_features, self._totals)
        shares = independent(self.features, [*texts])
        if self.tokens is None:
            return shares
        out = np.zeros(len(self.tokens))
        order = np.argsort(shares)  # so that sums do not depend on the order of features
        np.add.at(out, self.tokens.of_word[order], shares[order])
        return out

    def other(self, orders: int) -> float:
        """The mass of what is known only by its number, or not at all, in a distribution over this many orders."""
        mass = float(self._beyond[:orders].sum()) / orders
        for weights, others, totals in zip(self._mixed, self._others, self._totals, strict=True):
            for weight, other, total in zip(weights.tolist(), others[:orders], totals, strict=False):
                mass += weight * (other / (orders * total))
        return mass

    def without(self, held_out: Sequence[Sequence[Counts]]) -> Target:
        """The same, as if each target lacked some of its text, which may leave features without mass."""
        less = copy(self)
        less._of_features, less._counts = list(self._of_features), list(self._counts)
        less._totals = list(self._totals)
        for number, sides in enumerate(held_out):
            lacking = self.features.aligned(sides)
            place, count = self._of_features[number]
            less._of_features[number] = place, count - lacking[place]
            place, count = self._counts[number]
            less._counts[number] = place, count - self.counted(lacking)[place]
            totals = zip(self._totals[number], totals_of(sides), strict=True)
            less._totals[number] = [total - held for total, held in totals]
        return less

    def aligned(self, counts: Sequence[Counts]) -> NDArray[np.int64]:
        """How often what the model counts was seen in a text."""
        return self.counted(self.features.aligned(counts))

    def counted(self, features: NDArray[np.int64]) -> NDArray[np.int64]:
        """Counts of features as counts of what the model counts."""
        return features if self.tokens is None else self.tokens.total(features)

    def classify(
        self,
        unadapted: NDArray[np.int64],
        totals: Sequence[int],
        available: NDArray[np.int64],
        thresholds: Thresholds,
    ) -> dict[str, int]:
        """Give each feature its class and so its turn; how many each class has. Totals are by order."""
        share, whole = np.zeros(len(self._order)), np.zeros(len(self._order), np.int64)
        for weight, (place, count), of_order in zip(self._mixed, self._counts, self._totals, strict=True):
            order = self._order[place]
            share[place] += weight[order] * (count / np.array(of_order)[order])
            whole[place] += count
        ratio = words_by_class.ratios(share, 1, unadapted, np.array(totals)[self._order])
        self._classes = words_by_class.classify(whole, unadapted, available, ratio, thresholds)
        self.turn = words_by_class.TURN[self._classes]
        number = np.bincount(self._classes, minlength=len(CLASSES)).tolist()
        return dict(zip(CLASSES[1:], number[1:], strict=True))

    def collapse(self) -> Tokens:
        """Every class but `useful` to one token for each order and side; what became what."""
        tokens = words_by_class.collapse(self._classes, self.features.block)
        self._counts = [tokens.located(place, count) for place, count in self._counts]
        order, turn = np.zeros(len(tokens), np.int8), np.zeros(len(tokens), np.int8)
        order[tokens.of_word], turn[tokens.of_word] = self._order, self.turn
        self._order, self.turn, self.tokens = order, turn, tokens
        return tokens

    def names(self, numbers: Sequence[int]) -> list[bytes]:
        """What some of the things that the model counts are called."""
        if self.tokens is None:
            return [self.features.name(number) for number in numbers]
        made = (self.tokens.meaning(number) for number in numbers)
        return [self.features.name(what) if isinstance(what, int) else what for what in made]


def totals_of(sides: Sequence[Counts]) -> list[int]:
    """W of each order, of all sides together."""
    return [sum(column) for column in zip(*(counts.totals for counts in sides), strict=True)]


def normalized(weights: Sequence[float] | None, targets: int) -> list[float]:
    """Weights that add up to 1, equal by default."""
    if weights is None:
        return [1.0 / targets] * targets
    given = ",".join(str(weight) for weight in weights)
    if len(weights) != targets:
        raise CynicalError(
            f"--weights {given}: the number of weights differs from the number of targets ({targets}); give one "
            "weight for each -r"
        )
    numbers = [positive("--weights", weight) for weight in weights]
    if sum(numbers) == math.inf:
        raise CynicalError(
            f"--weights {given}: the weights are too large to add up; give fractions, for example 0.7,0.3"
        )
    return [number / sum(numbers) for number in numbers]
