"""Inputs: the corpora of a run, target by target and side by side.

A text may have several sides, such as a sentence and its translation. The first side of AVAILABLE is where lines are
chosen; the others go along and, where REPRESENTATIVE has them too, count as evidence.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .corpus import Source
from .counts import Counts
from .errors import CynicalError
from .jaded import Jaded
from .rankings import COLUMNS, FEATURE_ENTROPY

Given = Source | Counts


@dataclass(frozen=True, slots=True)
class Inputs:
    targets: list[list[Given]]  # by target, then by side that counts
    available: list[Source]  # AVAILABLE, then the sides that go along, those that count first
    columns: list[str]  # what the sides that go along are called
    replaces: list[str]  # and what in the name of AVAILABLE their name stands for; empty if that is not known
    unadapted: list[Given] | None = None  # by side that counts
    seed: list[Given | Jaded] | None = None
    exclude: Source | None = None
    weights: list[float] | None = None

    @property
    def counted(self) -> int:
        """How many sides count."""
        return len(self.targets[0])


def gather(
    targets: Sequence[Given],
    available: Source,
    *,
    unadapted: Given | None = None,
    seed: Given | Jaded | None = None,
    exclude: Source | None = None,
    weights: Sequence[float] | None = None,
    sides: Mapping[str, Source] | Sequence[Source] = (),
    representative_with: Sequence[Given] = (),
    unadapted_with: Sequence[Given] = (),
    seed_with: Sequence[Given] = (),
) -> Inputs:
    """Put together what belongs together; `representative_with` has the sides of the first target, then of the next."""
    names = list(sides) if isinstance(sides, Mapping) else []
    others: list[Source] = [sides[name] for name in names] if isinstance(sides, Mapping) else list(sides)
    more, rest = divmod(len(representative_with), len(targets))
    if rest:
        raise CynicalError(
            f"--representative-with was given {len(representative_with)} times for {len(targets)} targets; "
            "give it as often for each -r, in the same order"
        )
    if more > len(others):
        needed = f"--with {len(others)} time{'' if len(others) == 1 else 's'}"
        raise CynicalError(
            f"--representative-with was given for {more} more side{'' if more == 1 else 's'}, but {needed}; "
            "give --with FILE for each side of AVAILABLE"
        )
    for role, option, given, base in (
        ("UNADAPTED", "-u", unadapted_with, unadapted),
        ("SEED", "-s", seed_with, seed),
    ):
        name = f"--{role.lower()}-with"
        if given and base is None:
            raise CynicalError(f"{name} is the other side of {role}, but there is none; give {option} FILE too")
        if len(given) > more:
            raise CynicalError(f"{name} has no effect unless --representative-with says that both sides count")
        if base is not None and len(given) < more and not isinstance(base, Jaded) and role == "UNADAPTED":
            raise CynicalError(f"{role} has one side, but {more + 1} count; give {name} FILE too")
    found = [side_name(available, other, place) for place, other in enumerate(others, 2)]
    columns = names or [name for name, _ in found]
    _check_columns(columns)
    return Inputs(
        [[target, *representative_with[place * more : (place + 1) * more]] for place, target in enumerate(targets)],
        [available, *others],
        columns,
        [replaced for _, replaced in found],
        None if unadapted is None else [unadapted, *unadapted_with],
        None if seed is None else [seed, *seed_with],
        exclude,
        None if weights is None else list(weights),
    )


def targets_of(representative: Any, weighted: bool) -> list[Given]:
    """One target or several: with weights, a list of them; without, a list of counts or of lists is several too."""
    if isinstance(representative, (list, tuple)) and representative:
        several = all(isinstance(item, (Counts, list, tuple)) for item in representative)
        if weighted or several:
            return list(representative)
    return [representative]


def sides_of(given: Any) -> list[Any]:
    """A tuple is several sides, anything else is one."""
    if given is None:
        return []
    return list(given) if isinstance(given, tuple) else [given]


def side_name(available: Source, other: Source, place: int) -> tuple[str, str]:
    """What tells a side's file from AVAILABLE's: of pool.en and pool.de it is 'de', in place of 'en'."""
    a, b = _fields(available), _fields(other)
    differ = [(mine, yours) for yours, mine in zip(a, b, strict=False) if mine != yours]
    if len(a) != len(b) or len(differ) != 1:  # not names of one kind: their endings, if they have any
        differ = [(b[-1], a[-1])] if len(a) > 1 and len(b) > 1 and a[-1] != b[-1] else []
    if differ and differ[0][0] and differ[0][0].isprintable() and differ[0][0] not in (*COLUMNS, FEATURE_ENTROPY):
        return differ[0]
    return f"side{place}", ""


def _fields(source: Source) -> list[str]:
    """The parts of a file's name."""
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, Path) for item in source):
        source = source[0]
    return os.fspath(source).rpartition("/")[2].split(".") if isinstance(source, (str, Path)) else []


def _check_columns(names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if not name or not name.isprintable() or name in (*COLUMNS, FEATURE_ENTROPY):
            raise CynicalError(f"a side cannot be called {name!r}; call it something else, say 'de'")
        if name in names[:place]:
            raise CynicalError(f"two sides are called {name!r}; give their files different endings")
