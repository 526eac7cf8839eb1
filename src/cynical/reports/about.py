"""The head of a page: the method, the texts with their sizes, and the settings that differ from the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import UNSET

from ..evaluation.records import Comparison
from ..jaded.summary import Summary
from ..options import Measure, Option, Recorded, Settings, default_settings, options_of
from ..options.commands import SHARES, Comparing
from ..options.method import METHODS
from ..text.paths import without_folders
from .data import TextRow
from .evaluations import GivenEvaluation
from .representative import WantedWords

SIZES = ("lines", "words", "types")


def title(name: str, comparison: Comparison | None) -> str:
    """The heading of the page."""
    return name if comparison is None else f"Comparison on {without_folders(comparison.held_out.name)}"


def kind(summary: Summary | None) -> str:
    """What made the ranking."""
    method = None if summary is None else summary.method
    return "a ranking" if method is None else "a cynical ranking" if method == "cynical" else f"a ranking by {method}"


class Named(Protocol):
    """A text of a summary, an evaluation or a comparison."""

    @property
    def name(self) -> str: ...


def texts(
    summary: Summary | None,
    wanted: WantedWords | None,
    evaluation: GivenEvaluation | None,
    comparison: Comparison | None,
) -> list[TextRow]:
    """The texts that the page is about."""
    rows = list(_targets(summary, wanted, comparison))
    available: Named | None = None
    excluded: Named | None = None
    if summary is not None:
        available, excluded = summary.available, summary.exclude
        rows += _row("UNADAPTED", summary.unadapted)
    if comparison is not None:
        available, excluded = comparison.available, comparison.exclude or excluded
    sides = [] if summary is None else [side.name for side in summary.available.sides]
    rows += _row("AVAILABLE", available, f"with {', '.join(sides)}" if sides else "")
    rows += [] if summary is None else _row("SEED", summary.seed)
    left_out = None
    if summary is not None and "excluded" in summary.skipped:
        left_out = summary.skipped["excluded"] + summary.skipped.get("contaminated", 0)
    note = "" if left_out is None else f"{left_out:,} line{'' if left_out == 1 else 's'} of AVAILABLE excluded"
    rows += _row("excluded", excluded, note)
    rows += _row("HELDOUT", _held_out(wanted, evaluation, comparison))
    return rows


def _targets(summary: Summary | None, wanted: WantedWords | None, comparison: Comparison | None) -> Iterator[TextRow]:
    if comparison is not None:
        yield from _row("REPRESENTATIVE", comparison.representative)
    elif summary is not None and summary.representative is not None:
        for one in summary.representative.each:
            weight = getattr(one, "weight", UNSET)
            yield from _row("REPRESENTATIVE", one, "" if weight is UNSET else f"weight {weight:g}")
    elif wanted is not None:
        for text in wanted.representative:
            yield from _row("REPRESENTATIVE", text)


def _held_out(
    wanted: WantedWords | None, evaluation: GivenEvaluation | None, comparison: Comparison | None
) -> Named | None:
    if comparison is not None:
        return comparison.held_out
    if evaluation is not None and evaluation.held_out:
        return evaluation.held_out
    return None if wanted is None else wanted.held_out


def _row(role: str, one: Named | None, note: str = "") -> list[TextRow]:
    """A row, or none if the text has no name."""
    if one is None or not one.name:
        return []
    sizes = {size: getattr(one, size, UNSET) for size in SIZES}
    return [TextRow(role=role, name=one.name, note=note, **sizes)]


def changed(settings: Recorded, method: str = "cynical") -> list[str] | None:
    """Settings that are not the defaults of a method, as options; None if they are not known."""
    if not settings:
        return None
    return list(_options(settings, default_settings(method if method in METHODS else "cynical")))


def changed_of_comparison(comparison: Comparison) -> list[str] | None:
    """The same of a comparison, whose budgets are of its own."""
    shares = sorted({point.share for method in comparison.methods for point in method.measured})
    settings = {name: value for name, value in comparison.settings.items() if name != "share"}
    own = () if tuple(shares) in ((), SHARES) else (f"--shares {','.join(f'{share:g}' for share in shares)}",)
    more = {"seeds": max(comparison.seeds, 1), "subsample": comparison.subsample, "random_seed": comparison.random_seed}
    return [*own, *(changed({**settings, **more}) or [])]


def _options(settings: Recorded, default: Settings) -> Iterator[str]:
    of_compare = {one.name: one for group in (Measure, Comparing) for one in options_of(group, "compare")}
    declared = {**of_compare, **{one.name: one for one, _ in default.values()}}
    usual = {**{name: one.default for name, one in of_compare.items()}, **default.recorded()}
    for name, value in settings.items():
        if name != "method" and value is not None and value is not False and value != usual.get(name):
            yield declared.get(name, Option(help="", name=name)).shown(value)
