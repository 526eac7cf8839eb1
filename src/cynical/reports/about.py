"""What a page is about: who ranked, which texts with what sizes, and what was set another way than by default."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from ..evaluation.baselines import METHODS, RANDOM_SEED
from ..model.kneser_ney import ORDER
from ..options import RankSettings, Settings
from .picks import Picks
from .wanted import Wanted

OF_COMPARE = {"order": ORDER, "lm": "own", "random_seed": RANDOM_SEED}  # what a comparison may say besides
SIZES = ("lines", "words", "types")


def title(picks: Picks, comparison: dict[str, Any] | None) -> str:
    """The heading of the page."""
    if comparison is None:
        return picks.name
    heldout = (comparison.get("heldout") or {}).get("name")
    return f"Comparison on {short(heldout)}" if heldout else f"Comparison of {len(comparison['methods'])} methods"


def kind(picks: Picks) -> str:
    """What made the ranking."""
    method = None if picks.summary is None else picks.summary.method
    return "a ranking" if method is None else "a cynical ranking" if method == "cynical" else f"a ranking by {method}"


def texts(
    picks: Picks, wanted: Wanted | None, evaluation: dict[str, Any] | None, comparison: dict[str, Any] | None
) -> list[dict[str, Any]]:
    """Each text with its part in this, its name and its sizes, as far as they are known."""
    summary, compared = {} if picks.summary is None else picks.summary.to_dict(), comparison or {}
    skipped = summary.get("skipped") or {}
    rows = []
    representative = compared.get("representative") or summary.get("representative")
    if representative is None and wanted is not None:
        representative = wanted.representative
    targets = representative if isinstance(representative, list) else [representative]
    for target in targets:
        for one in (target or {}).get("targets") or [target]:
            weight = (one or {}).get("weight")
            rows.append(_row("REPRESENTATIVE", one, "" if weight is None else f"weight {weight:g}"))
    rows.append(_row("UNADAPTED", summary.get("unadapted")))
    available = compared.get("available") or summary.get("available")
    sides = [side["name"] for side in (summary.get("available") or {}).get("sides") or []]
    rows.append(_row("AVAILABLE", available, f"with {', '.join(sides)}" if sides else ""))
    rows.append(_row("SEED", summary.get("seed")))
    left_out = skipped.get("excluded")
    note = "" if left_out is None else f"{left_out:,} line{'' if left_out == 1 else 's'} of AVAILABLE left out"
    rows.append(_row("excluded", compared.get("exclude") or summary.get("exclude"), note))
    heldout = compared.get("heldout") or (evaluation or {}).get("heldout")
    if heldout is None and wanted is not None:
        heldout = wanted.held_out
    rows.append(_row("HELDOUT", heldout))
    return [row for row in rows if row is not None]


def _row(role: str, one: Any, note: str = "") -> dict[str, Any] | None:
    if not isinstance(one, dict) or not one.get("name"):
        return None
    sizes = {name: one[name] for name in SIZES if isinstance(one.get(name), int)}
    return {"role": role, "name": str(one["name"]), **sizes, "note": note}


def changed(settings: Any, method: str = "cynical") -> list[str] | None:
    """Settings that are not the defaults of a method, as options; None if they are not known."""
    if not isinstance(settings, dict) or not settings:
        return None
    default = RankSettings(method=method).as_dict() if method in METHODS else {**OF_COMPARE, **Settings().as_dict()}
    return list(_options(settings, default))


def _options(settings: dict[str, Any], default: dict[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        if value is None or value is False or value == default.get(name):
            continue
        if name == "method" or not isinstance(value, (str, int, float)):
            continue
        option = f"--{name.replace('_', '-')}"
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        yield option if value is True else f"{option} {shown}"


def short(name: str) -> str:
    """Names of files without their folders."""
    return ", ".join(PurePosixPath(one).name or one for one in name.split(", "))
