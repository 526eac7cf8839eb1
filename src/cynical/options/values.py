"""Checks of single values that only options have: what a value means, or an error that says what it should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..errors import CynicalError, whole

FACTORS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
MOST_SEED = (1 << 64) - 1


def share(option: str, value: Any) -> float:
    """A fraction of a whole, say 0.1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        raise CynicalError(f"{option} must be more than 0 and at most 1 (0.1 is a tenth), found {value!r}")
    return value


def patience(option: str, value: Any) -> float:
    """A share of the words, of which there may be any number; 'all' is infinity."""
    try:
        number = math.inf if value == "all" else float(value)
    except (TypeError, ValueError):
        raise CynicalError(f"{option} must be a share of AVAILABLE's words, or 'all', found {value!r}") from None
    if not number > 0:
        raise CynicalError(f"{option} must be a share of the words that is more than 0, or 'all', found {number:g}")
    return number


def size(option: str, value: str | int) -> int:
    """A number of bytes: 8G is eight thousand million, 8GiB eight times 2^30."""
    number = value if isinstance(value, int) else _bytes(value)
    if number is None or number <= 0:
        raise CynicalError(f"{option} {value}: expected a size such as 8G or 500M")
    return number


def _bytes(value: str) -> int | None:
    text = value.strip().upper()
    binary = text.endswith("IB")
    text = text.removesuffix("IB").removesuffix("B")
    number, factor = (text[:-1], text[-1]) if text[-1:] in FACTORS and text else (text, "")
    try:
        return int(float(number) * (1024 ** "KMGT".index(factor) * 1024 if binary and factor else FACTORS[factor]))
    except (OverflowError, ValueError):
        return None


def not_negative(option: str, value: Any) -> Any:
    if not value >= 0:
        raise CynicalError(f"{option} must not be negative, found {value}")
    return value


def random_seed(option: str, value: Any) -> int:
    if whole(option, value, 0) > MOST_SEED:
        raise CynicalError(f"{option} must be less than 2^64, found {value}")
    return int(value)


def listed(each: Callable[[str], Any], example: str) -> Callable[[str, Any], tuple[Any, ...]]:
    """A check of values with commas between them, or of a sequence."""

    def check(option: str, value: Iterable[Any] | str) -> tuple[Any, ...]:
        if not isinstance(value, str):
            return tuple(value)
        try:
            return tuple(each(one) for one in value.split(",")) if value else ()
        except ValueError:
            raise CynicalError(f"{option} {value}: expected {example}") from None

    return check
