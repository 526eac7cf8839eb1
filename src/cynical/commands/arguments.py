"""What commands make of their arguments, and how they speak."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import CynicalError, tell


def corpus_of(paths: Sequence[str]) -> Any:
    """Several files are one corpus."""
    return paths[0] if len(paths) == 1 else [Path(path) for path in paths] if paths else None


def show(notices: Sequence[str]) -> None:
    for notice in notices:
        tell(f"notice: {notice}")


def whole_numbers(option: str, given: str | None) -> tuple[int, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(int(one) for one in given.split(",")) if given else ()
    except ValueError:
        raise CynicalError(f"{option} {given}: expected whole numbers with commas between, say 10000,100000") from None


def fractions(option: str, given: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(one) for one in given.split(",")) if given else ()
    except ValueError:
        raise CynicalError(f"{option} {given}: expected fractions with commas between, say 0.01,0.1") from None
