"""The cost of the picks of a ranking, and how many of them a budget buys."""

from __future__ import annotations

import math

from ..errors import CynicalError
from ..model.cost import Bill, tariff_of
from ..options import Budget
from .columns import Columns
from .content import Content
from .summary import Money, Summary


def terms_of(budget: Budget, summary: Summary | None) -> Budget:
    """The money of a budget and its prices: those of a ranking's summary, except what is said now."""
    then = Money() if summary is None or summary.money is None else summary.money
    return Budget(
        price=then.price if budget.price is None else budget.price,
        price_per=budget.price_per or (None if then.price is None else then.per),
        price_with=then.price_with if budget.price_with is None else budget.price_with,
        money=then.budget if budget.money is None else budget.money,
        currency=budget.currency or then.currency,
    )


def paid_sides(summary: Summary | None) -> int:
    """How many sides count, and are paid for."""
    return 1 if summary is None else 1 + sum(side.counts for side in summary.available.sides)


def affordable(columns: Columns, content: Content, terms: Budget, sides: int) -> int:
    """How many of the first picks the money buys."""
    tariff = tariff_of(terms, sides)
    if tariff is None:
        raise CynicalError("--money needs a price, and the ranking was made without one; give --price P too")
    return Bill(tariff).add(columns.words, content.texts, terms.money)


def spent(columns: Columns, content: Content, terms: Budget, sides: int, bits: float) -> Money | None:
    """What picks cost, and how many bits each unit of money bought; None if nothing has a price."""
    tariff = tariff_of(terms, sides)
    if tariff is None:
        return None
    bill = Bill(tariff)
    bill.add(columns.words, content.texts)
    return Money(
        price=terms.price,
        per=terms.paid_per,
        price_with=terms.price_with,
        currency=terms.currency,
        units=bill.units,
        budget=terms.money,
        spent=bill.money,
        bits_per_unit=bits / bill.money if bill.money and not math.isnan(bits) else None,
    )
