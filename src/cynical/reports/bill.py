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
    others: NDArray[np.int64] | None  # by pick, of the other sides, where these have a price of their own

    def at(self, cuts: NDArray[np.int64]) -> BillData:
        """What is paid for up to each cut."""
        return BillData(
            per=self.terms.paid_per,
            currency=self.terms.currency,
            price_with=self.terms.price_with,
            units=_up_to(cuts, self.units),
            others=None if self.others is None else _up_to(cuts, self.others),
        )


def bill_of(picks: Picks, price: float | None) -> Billed | None:
    """At this price or, failing that, the ranking's; None if there is none."""
    terms = terms_of(Budget(price=price), picks.summary)
    tariff = tariff_of(terms, min(paid_sides(picks.summary), len(picks.sides)))
    if tariff is None or terms.price is None:
        return None
    units = units_of(tariff, picks.words, picks.jaded.content.texts)
    if terms.price_with is None:
        return Billed(terms, terms.price, units.sum(axis=0), None)
    return Billed(terms, terms.price, units[0], units[1:].sum(axis=0))


def _up_to(cuts: NDArray[np.int64], units: NDArray[np.int64]) -> list[int]:
    return [int(total) for total in np.concatenate([[0], np.cumsum(units)])[cuts]]
