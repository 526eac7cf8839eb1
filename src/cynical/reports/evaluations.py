"""What `cynical evaluate --json` has written, read back for a page or a picture and checked, as others may edit it."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import orjson

from ..errors import CynicalError, os_error
from .picks import Picks

COUNTS = ("lines", "words")
MOST = 1e100  # no figure is as large
KINDS = {"notices": list, "heldout": dict, "vocabulary": int, "order": int, "lm": str}


def read_evaluation(file: str, picks: Picks) -> dict[str, Any]:
    """The figures of a ranking, which must be this one as far as they tell."""
    try:
        found = orjson.loads(Path(file).read_bytes())
    except OSError as error:
        raise os_error(file, error) from error
    except orjson.JSONDecodeError:
        found = None
    wrong = _wrong(found)
    if wrong:
        raise CynicalError(f"{file}: expected {wrong}; give what cynical evaluate --json has written")
    last = max(point["lines"] for point in [*found["points"], found.get("best") or found["points"][0]])
    if last > len(picks):
        raise CynicalError(
            f"{file}: evaluates {last:,} lines, but {picks.name} has {len(picks):,}; "
            "give the evaluation of this ranking"
        )
    return dict(found)


def _wrong(found: Any) -> str:
    """What an evaluation should have and this one has not; nothing if all is well."""
    points = found.get("points") if isinstance(found, dict) else None
    if not isinstance(points, list) or not points:
        return "a JSON object with a list of points"
    for number, point in enumerate(points, 1):
        if not _is_point(point):
            return f"lines and words as whole numbers, and numbers beside them, in point {number}"
    if any(a[name] > b[name] for a, b in itertools.pairwise(points) for name in COUNTS):
        return "points that grow, in lines and in words"
    if found.get("best") is not None and not _is_point(found["best"]):
        return "one of the points as best, with its lines and words"
    for name, kind in KINDS.items():
        if not isinstance(found.get(name), kind | None) or isinstance(found.get(name), bool):
            return f"{name} as cynical evaluate writes it"
    if not all(isinstance(notice, str) for notice in found.get("notices") or []):
        return "sentences as notices"
    if not isinstance((found.get("heldout") or {}).get("name", ""), str):
        return "the name of the held-out text"
    return ""


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, dict)
        and all(type(point.get(name)) is int and point[name] >= 0 for name in COUNTS)
        and all(value is None or (type(value) in (int, float) and abs(value) < MOST) for value in point.values())
    )
