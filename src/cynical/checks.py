"""Numbers that come from outside: what they are, or a sentence that says what they should be."""

from __future__ import annotations

import math
import operator
from typing import Any

from .errors import CynicalError


def whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number from `least` on."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise CynicalError(f"--{name} must be a whole number from {least} on, found {value!r}")
    return operator.index(value)


def positive(name: str, value: Any) -> float:
    """A number more than 0, however Python writes it."""
    try:
        short = str(value) if hasattr(value, "dtype") else value  # numpy's 0.1 of four bytes is 0.1 to people
        number = math.nan if isinstance(value, (bool, str)) else float(short)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise CynicalError(f"--{name} must be a number more than 0, found {value!r}")
    return number
