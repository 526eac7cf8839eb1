"""What lines cost: units of text at a price, added exactly. 0.12 is twelve hundredths, not the double nearest to it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ..options import Budget
from ..options.budget import PricePer

PAID = re.compile(r"[^\W_]\S*")  # what is between spaces, from its first letter or digit on
AT_ONCE = 1 << 13  # lines whose texts are in memory

Texts = Callable[[slice, int], Sequence[bytes]]  # those of some lines, on one side


@dataclass(frozen=True, slots=True)
class Tariff:
    """What is paid for, and its price on each side that is paid for."""

    per: PricePer
    prices: tuple[Fraction, ...]

    @property
    def scale(self) -> int:
        """How many of the smallest amounts that costs are made of are one unit of money."""
        return math.lcm(*(price.denominator for price in self.prices))

    def units(self, words: NDArray[np.int64], texts: Texts) -> list[list[int]]:
        """By side, what each line has; `words` are those of the tokenizer, all sides together."""
        if self.per == "token":
            return [words.tolist()]
        if self.per == "line":
            return [[1] * len(words) for _ in self.prices]
        sides = range(len(self.prices))
        return [[count(text, self.per) for text in texts(slice(0, len(words)), side)] for side in sides]

    def costs(self, units: Sequence[Sequence[int]]) -> list[int]:
        """By line, in the smallest amounts."""
        scale = self.scale
        factors = [int(price * scale) for price in self.prices]
        return [sum(map(int.__mul__, factors, line)) for line in zip(*units, strict=True)]


def count(text: bytes, per: PricePer) -> int:
    """Words as agencies count them, where what is neither letter nor digit is free; or characters, spaces included."""
    decoded = text.decode("utf-8", "replace")
    return len(decoded) if per == "character" else len(PAID.findall(decoded))


def exactly(amount: float) -> Fraction:
    """A number as it was written."""
    return Fraction(repr(float(amount)))


def tariff_of(budget: Budget, sides: int) -> Tariff | None:
    """Of a budget, where this many sides count; None if nothing has a price.

    A pair of lines is one line, unless the other sides have a price of their own.
    """
    if budget.price is None:
        return None
    others = sides - 1 if budget.paid_by_text else 0
    other = budget.price if budget.price_with is None else budget.price_with
    return Tariff(budget.paid_per, (exactly(budget.price), *[exactly(other)] * others))


def units_of(tariff: Tariff, words: NDArray[np.int64], texts: Texts) -> NDArray[np.int64]:
    """(sides, lines): what is paid for."""
    found = [np.zeros((len(tariff.prices), 0), np.int64)]
    for begin in range(0, len(words), AT_ONCE):
        found.append(np.array(tariff.units(words[begin : begin + AT_ONCE], _from(texts, begin)), np.int64))
    return np.concatenate(found, axis=1)


@dataclass(slots=True)
class Bill:
    """What was paid for so far."""

    tariff: Tariff
    units: int = 0
    cost: int = 0  # in the smallest amounts
    too_much: int | None = None  # the cost of the first line that was too expensive

    @property
    def money(self) -> float:
        return float(Fraction(self.cost, self.tariff.scale))

    @property
    def missed(self) -> float | None:
        """What the first line costs that was too expensive, if one was."""
        return None if self.too_much is None else float(Fraction(self.too_much, self.tariff.scale))

    def add(self, words: NDArray[np.int64], texts: Texts, most: float | None = None) -> int:
        """Pay for the first of some lines, one after another, as long as all cost at most this much; how many."""
        tariff = self.tariff
        limit = math.inf if most is None else math.floor(exactly(most) * tariff.scale)
        for begin in range(0, len(words), AT_ONCE):
            here = words[begin : begin + AT_ONCE]
            units = tariff.units(here, _from(texts, begin))
            total = list(accumulate(tariff.costs(units), initial=self.cost))
            fitting = sum(cost <= limit for cost in total[1:])
            self.units += sum(sum(side[:fitting]) for side in units)
            self.cost = total[fitting]
            if fitting < len(here):
                self.too_much = total[fitting + 1] - total[fitting]
                return begin + fitting
        return len(words)


def _from(texts: Texts, begin: int) -> Texts:
    return lambda rows, side: texts(slice(begin + rows.start, begin + rows.stop), side)
