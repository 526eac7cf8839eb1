"""Numbers as people read them, and columns of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..evaluation.records import Interval


def share(fraction: float) -> str:
    """A share in percent, with as many digits as matter."""
    percent = 100 * fraction
    if percent >= 10 or percent == 0:
        return f"{percent:.1f} %"
    return f"{percent:.2f} %" if percent >= 0.01 else f"{percent:.1g} %"


def figure(value: float) -> str:
    """A perplexity, with as many digits as matter."""
    return f"{value:,.0f}" if value >= 10000 else f"{value:,.1f}" if value >= 100 else f"{value:,.2f}"


def interval(ends: Interval) -> str:
    """Of a perplexity: both ends, to a digit less."""
    return "\u2013".join(f"{end:,.0f}" if end >= 100 else f"{end:,.1f}" for end in (ends.low, ends.high))


def spread(deviation: float) -> str:
    """A standard deviation, with as many digits as matter."""
    return f"{deviation:,.{0 if deviation >= 100 else 1 if deviation >= 10 else 2}f}"


def columns(rows: Sequence[tuple[str, str, str]]) -> str:
    """A name, a figure aligned to the right and another beside it."""
    width = [max(len(row[i]) for row in rows) for i in range(2)]
    return "\n".join(f"{a:<{width[0]}}  {b:>{width[1]}}  {c}".rstrip() for a, b, c in rows)


def lined_up(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 0) -> list[str]:
    """Columns aligned to the right, except the first `left` and the last, which are names and marks."""
    width = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    names = {*range(left), len(head) - 1}
    return [
        "  ".join(
            f"{cell:<{size}}" if i in names else f"{cell:>{size}}"
            for i, (cell, size) in enumerate(zip(row, width, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
