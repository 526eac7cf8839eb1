"""Evaluations as a page or a picture shows them: just made, or read from what `cynical evaluate --json` has written.

A file may be edited, or come from another tool: points need their lines and words, and whatever else is missing is not
shown.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import msgspec
import orjson
from msgspec import UNSET, Meta, UnsetType

from ..errors import CynicalError, os_error
from ..evaluation.records import Evaluation, GivenPoint
from ..jaded.summary import Number
from ..records import Record
from .picks import Picks

REMEDY = "give a file written by `cynical evaluate --json FILE`"


class GivenText(Record):
    """A held-out text, as far as it is known."""

    name: str = ""
    lines: Number | UnsetType = UNSET
    words: Number | UnsetType = UNSET
    types: Number | UnsetType = UNSET


class GivenEvaluation(Record):
    """An evaluation, as far as it is known."""

    points: Annotated[list[GivenPoint], Meta(min_length=1)]
    best: GivenPoint | UnsetType | None = UNSET
    held_out: GivenText | UnsetType | None = msgspec.field(default=UNSET, name="heldout")
    order: int | UnsetType | None = UNSET
    lm: str | UnsetType | None = UNSET
    vocabulary: int | UnsetType | None = UNSET
    notices: list[str] | UnsetType | None = UNSET

    @classmethod
    def of(cls, made: Evaluation) -> GivenEvaluation:
        """One that was just made."""
        text = made.held_out
        return cls(
            points=list(made.points),
            best=made.best,
            held_out=GivenText(name=text.name, lines=text.lines, words=text.words, types=text.types),
            order=made.order,
            lm=made.lm,
            vocabulary=made.vocabulary,
            notices=made.notices,
        )


def read_evaluation(file: str | Path, picks: Picks) -> GivenEvaluation:
    """The figures of a ranking, which must be this one as far as they tell."""
    try:
        made = GivenEvaluation.from_dict(orjson.loads(Path(file).read_bytes()))
    except OSError as error:
        raise os_error(file, error) from error
    except orjson.JSONDecodeError as error:
        raise CynicalError(f"{file}: expected JSON, found {error}; {REMEDY}") from None
    except msgspec.ValidationError as error:
        said = str(error)
        raise CynicalError(f"{file}: {said[:1].lower()}{said[1:]}; {REMEDY}") from None
    if any(a.lines > b.lines or a.words > b.words for a, b in itertools.pairwise(made.points)):
        raise CynicalError(f"{file}: expected points with increasing numbers of lines and words; {REMEDY}")
    last = max(point.lines for point in (*made.points, made.best or made.points[0]))
    if last > len(picks):
        raise CynicalError(
            f"{file}: an evaluation of {last:,} lines, but {picks.name} has {len(picks):,}; give the evaluation of "
            "this ranking"
        )
    return made
