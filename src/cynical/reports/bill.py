"""What the lines of a page cost, exactly as `select --money` and `cut --money` count it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..jaded.money import paid_sides, terms_of
from ..model.cost import tariff_of, units_of
from ..options import Budget
from .data import BillData
from .picks import Picks


@dataclass(frozen=True, slots=True, eq=False)
class Billed:
    """A price, and what is paid for."""

    terms: Budget
    price: float
    units: NDArray[np.int64]  # by pick

    def at(self, cuts: NDArray[np.int64]) -> BillData:
        """What is paid for up to each cut."""
        units = np.concatenate([[0], np.cumsum(self.units)])[cuts]
        return BillData(per=self.terms.paid_per, currency=self.terms.currency, units=units.tolist())


def bill_of(picks: Picks, price: float | None) -> Billed | None:
    """At this price or, failing that, the ranking's; None if there is none."""
    terms = terms_of(Budget(price=price), picks.summary)
    tariff = tariff_of(terms, min(paid_sides(picks.summary), len(picks.sides)))
    if tariff is None or terms.price is None:
        return None
    return Billed(terms, terms.price, units_of(tariff, picks.words, picks.jaded.content.texts))
