"""Checks of single values that only options have: what a value means, or an error that says what it should be.

Numbers are read as people type them: 10000, 10_000, 10,000, 10k, 2.5M, 1e7, 5%.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from ..errors import CynicalError, whole

FACTORS: dict[str, int | Decimal] = {
    "": 1,
    "K": 10**3,
    "M": 10**6,
    "B": 10**9,
    "G": 10**9,
    "T": 10**12,
    "%": Decimal("0.01"),
}
MOST_DIGITS = 30  # of a whole number: a larger one is a slip
MOST_EXPONENT = 400  # of any: what no double can be
MOST_BYTES = 1 << 62
LONGEST_CURRENCY = 12  # characters
MOST_SEED = (1 << 64) - 1


def number(text: str) -> Decimal:
    """A number as people type it, exactly; ValueError if it is none."""
    found = re.fullmatch(r"([+-]?[\d.,_]+(?:[eE][+-]?\d+)?|[+-]?inf|nan)\s*([kKmMbBgGtT%]?)", text.strip())
    digits = "" if found is None else found[1]
    if "," in digits and not re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", digits):
        raise ValueError(text)  # a decimal comma, perhaps
    try:
        made = Decimal(digits.replace(",", ""))
    except InvalidOperation:
        raise ValueError(text) from None
    if made.is_finite() and made and abs(made.adjusted()) > MOST_EXPONENT:
        raise ValueError(text)
    return made * FACTORS[found[2].upper() if found is not None else ""]


def whole_number(text: str) -> int:
    """A whole number as people type it; ValueError if it is none."""
    found = number(text)
    if not found.is_finite() or found.adjusted() > MOST_DIGITS or found != found.to_integral_value():
        raise ValueError(text)
    return int(found)


def real_number(text: str) -> float:
    """Any number as people type it; ValueError if it is none."""
    return float(number(text))


def typed_share(text: str) -> float:
    """A fraction as people type it; of a bare 1, which may be meant as 1 %, a whole number remains."""
    return 1 if text.strip() == "1" else real_number(text)


def share(option: str, value: Any) -> float:
    """A fraction of a whole, say 0.1 or 10%."""
    found = value
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = real_number(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        raise CynicalError(f"{option} must be more than 0 and at most 1, for example 0.1 or 10%, found {found!r}")
    return value if isinstance(value, int) else float(value)


def patience(option: str, value: Any) -> float:
    """A share of the words, of which there may be any number; 'all' is infinity."""
    try:
        number = math.inf if value == "all" else real_number(value) if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        raise CynicalError(f"{option} must be a fraction of AVAILABLE's words, or 'all', found {value!r}") from None
    if not number > 0:
        raise CynicalError(
            f"{option} must be a fraction of AVAILABLE's words greater than 0, or 'all', found {number:g}"
        )
    return number


def size(option: str, value: str | int) -> int:
    """A number of bytes: 8G is eight thousand million, 8GiB eight times 2^30."""
    number = value if isinstance(value, int) else _bytes(value)
    if number is None or not 0 < number <= MOST_BYTES:
        raise CynicalError(f"{option} {value}: expected a size such as 8G or 500M")
    return number


def _bytes(value: str) -> int | None:
    text = value.strip().upper()
    binary = re.fullmatch(r"(.*)([KMGT])IB", text)
    try:
        if binary is not None:
            return int(number(binary[1]) * 1024 ** (1 + "KMGT".index(binary[2])))
        return int(number(text.removesuffix("B")))
    except (OverflowError, ValueError):
        return None


def currency(option: str, value: Any) -> str:
    """The name of a currency."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_CURRENCY or not value.isprintable():
        raise CynicalError(f"{option} {value}: expected a short name such as EUR, or a symbol")
    return value


def whole_from_0(option: str, value: Any) -> int:
    return whole(option, value, 0)


def random_seed(option: str, value: Any) -> int:
    whole(option, value, 0)
    if value > MOST_SEED:
        raise CynicalError(f"{option} must be less than 2^64, found {value}")
    return int(value)


def listed(each: Callable[[str], Any], example: str) -> Callable[[str, Any], tuple[Any, ...]]:
    """A check of values separated by commas, or of a sequence."""

    def check(option: str, value: Iterable[Any] | str) -> tuple[Any, ...]:
        if not isinstance(value, str):
            return tuple(value)
        try:
            return tuple(each(one) for one in value.split(",")) if value else ()
        except ValueError:
            raise CynicalError(f"{option} {value}: expected {example}") from None

    return check
