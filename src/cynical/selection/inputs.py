"""Inputs: the corpora of a run, target by target and side by side.

A text may have several sides, such as a sentence and its translation. The first side of AVAILABLE is where lines are
chosen; the others go along and, where REPRESENTATIVE has them too, count as evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import CynicalError, number_of
from ..jaded.columns import COLUMNS, FEATURE_ENTROPY, SCORE, SHARDS
from ..model.counts import Counts
from ..model.target import normalized
from ..options import Reading
from ..text.paths import are_files, expand, is_folder
from ..text.sources import Source

Given = Source | Counts
LONGEST = 60  # letters in the name of a side


@dataclass(frozen=True, slots=True)
class Inputs:
    targets: list[list[Given]]  # by target, then by side that counts
    available: list[Source]  # AVAILABLE, then the sides that go along, those that count first
    columns: list[str]  # what the sides that go along are called
    replaces: list[str]  # and what in the name of AVAILABLE their name stands for; empty if that is not known
    unadapted: list[Given] | None = None  # by side that counts
    seed: list[Any] | None = None  # SEED, which may hold rankings, and its other sides
    exclude: Source | None = None
    weights: list[float] | None = None
    reading: Reading = Reading()
    id_key: str | None = None
    prior: Any = None  # a number for each line: a field of records, a file, or numbers
    by: Any = None  # the same, or a method that gives it

    @property
    def counted(self) -> int:
        """How many sides count."""
        return len(self.targets[0])


def gather_from_python(
    representative: Any,
    available: Source,
    weights: Sequence[float] | None,
    with_: Any,
    representative_with: Any,
    unadapted_with: Any = None,
    seed_with: Any = None,
    **more: Any,
) -> Inputs:
    """`gather` for what a function of the package is given: sides may have names, and one alone needs no list."""
    names = list(with_) if isinstance(with_, Mapping) else []
    targets = targets_of(representative, weights is not None)
    if len(targets) > 1 and isinstance(representative_with, Mapping):
        raise CynicalError(
            "representative_with: with several targets, give a tuple with the sides of the first target first"
        )
    return gather(
        targets,
        available,
        weights=weights,
        sides=with_ if isinstance(with_, Mapping) else sides_of(with_),
        representative_with=sides_of(representative_with, names),
        unadapted_with=sides_of(unadapted_with, names),
        seed_with=sides_of(seed_with, names),
        **more,
    )


def gather(
    targets: Sequence[Given],
    available: Source,
    *,
    unadapted: Given | None = None,
    seed: Any = None,
    exclude: Source | None = None,
    weights: Sequence[float] | None = None,
    sides: Mapping[str, Source] | Sequence[Source] = (),
    representative_with: Sequence[Given] = (),
    unadapted_with: Sequence[Given] = (),
    seed_with: Sequence[Given] = (),
    reading: Reading | None = None,
    id_key: str | None = None,
    prior: Any = None,
    by: Any = None,
) -> Inputs:
    """Put together what belongs together; `representative_with` has the sides of the first target, then of the next."""
    names = list(sides) if isinstance(sides, Mapping) else []
    others: list[Source] = [sides[name] for name in names] if isinstance(sides, Mapping) else list(sides)
    more, rest = divmod(len(representative_with), len(targets))
    if rest:
        raise CynicalError(
            f"--representative-with was given {number_of(len(representative_with), 'time')} for "
            f"{number_of(len(targets), 'target')}; give it "
            "the same number of times for each -r, in the same order"
        )
    if more > len(others):
        needed = f"--with {len(others)} time{'' if len(others) == 1 else 's'}"
        raise CynicalError(
            f"--representative-with was given for {more} more side{'' if more == 1 else 's'}, but {needed}; "
            "give --with FILE for each side of AVAILABLE"
        )
    for role, option, given, base in (("UNADAPTED", "-u", unadapted_with, unadapted), ("SEED", "-s", seed_with, seed)):
        name = f"--{role.lower()}-with"
        if given and base is None:
            raise CynicalError(f"{name} is the other side of {role}, but {role} is missing; give {option} FILE too")
        if len(given) > more:
            raise CynicalError(
                f"{name} has no effect, because only one side counts; give --representative-with to make both sides "
                "count"
            )
    normalized(weights, len(targets))  # wrong ones should show before anything is read
    found = [side_name(available, other, place) for place, other in enumerate(others, 2)]
    columns = names or [name for name, _ in found]
    _check_columns(columns)
    for place, given_side in enumerate(representative_with):
        _check_order(targets[place // more], given_side, place % more, columns)
    return Inputs(
        [[target, *representative_with[place * more : (place + 1) * more]] for place, target in enumerate(targets)],
        [available, *others],
        columns,
        [replaced for _, replaced in found],
        None if unadapted is None else [unadapted, *unadapted_with],
        None if seed is None else [seed, *seed_with],
        exclude,
        None if weights is None else list(weights),
        Reading() if reading is None else reading,
        id_key,
        prior,
        by,
    )


def _check_order(target: Given, other: Given, place: int, columns: Sequence[str]) -> None:
    """Sides go together by their order; a name that is that of another side shows a slip."""
    if isinstance(target, Counts) or isinstance(other, Counts):
        return
    name, _ = side_name(target, other, 0)
    if name in columns and name != columns[place]:
        raise CynicalError(
            f"--representative-with: side {place + 2} is {name!r}, but {columns[place]!r} with --with; give both in "
            "the same order"
        )


def targets_of(representative: Any, weighted: bool) -> list[Given]:
    """One target or several: with weights, a list of them; without, a list of counts or of lists is several too."""
    if isinstance(representative, (list, tuple)) and representative:
        several = all(isinstance(item, (Counts, list, tuple)) for item in representative)
        if weighted or several:
            return list(representative)
    return [representative]


def sides_of(given: Any, names: Sequence[str] = ()) -> list[Any]:
    """A tuple is several sides, and so is a mapping from names, anything else is one."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        known = [name for name in names if name in given]
        if len(known) != len(given) or known != list(names[: len(known)]):
            raise CynicalError(
                f"sides {', '.join(map(str, given))} count, but AVAILABLE has {', '.join(names) or 'none'}; use the "
                "same names in `with_`, with those that count first"
            )
        return [given[name] for name in known]
    return list(given) if isinstance(given, tuple) else [given]


def side_name(available: Source, other: Source, place: int) -> tuple[str, str]:
    """What tells a side's file from AVAILABLE's: of pool.en and pool.de it is 'de', in place of 'en'."""
    a, b = _fields(available), _fields(other)
    differ = [(mine, yours) for yours, mine in zip(a, b, strict=False) if mine != yours]
    if len(a) != len(b) or len(differ) != 1:  # not names of one kind: their endings, if they have any
        differ = [(b[-1], a[-1])] if len(a) > 1 and len(b) > 1 and a[-1] != b[-1] else []
    if a == b and a:  # de/pool.txt and en/pool.txt
        folders = _folder(other), _folder(available)
        differ = [folders] if folders[0] != folders[1] else []
    return differ[0] if differ and _may_be_called(differ[0][0]) else (f"side{place}", "")


def _first_file(source: Source) -> str:
    """The file that a source is, or the first of those that it is; empty if it is none."""
    if are_files(source):
        source = source[0]
    if not isinstance(source, (str, Path)):
        return ""
    return str(source) if is_folder(source) else expand(source)[0]


def _fields(source: Source) -> list[str]:
    """The parts of a file's name."""
    name = _first_file(source).rpartition("/")[2]
    return name.split(".") if name else []


def _folder(source: Source) -> str:
    return Path(_first_file(source)).parent.name


def _may_be_called(name: object) -> bool:
    """A column, and a part of a file's name."""
    if not isinstance(name, str) or name in (*COLUMNS, FEATURE_ENTROPY, SCORE, *SHARDS):
        return False
    return 0 < len(name) <= LONGEST and name.isprintable() and "/" not in name


def _check_columns(names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if not _may_be_called(name):
            raise CynicalError(f"{str(name)[:LONGEST]!r} is not a valid name for a side; use a short name such as 'de'")
        if name in names[:place]:
            raise CynicalError(
                f"two sides are named {name!r}; each --with adds a side: give the files of one side as a pattern, or "
                "different sides different suffixes"
            )
