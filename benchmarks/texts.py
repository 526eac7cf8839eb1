"""What the benchmarks rank for: texts with a pool and a held-out text each.

Not a script. `six` are those of comparison.py. The others are drawn from domains of the pool, so that a choice can be
made on them and measured on the six: 45 % of a domain's lines are REPRESENTATIVE and 20 % (at most 3,000) the held-out
text; AVAILABLE is the pool without both. `drawn` are twelve domains (at most 8,000 lines are REPRESENTATIVE), which
leaves 0.2 to 5 % of AVAILABLE that belong to the domain. A `large` text is one or more domains (at most 20,000 lines),
with parts of the pool left out, so that 11 to 20 % of AVAILABLE belong to the text or are akin to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpora import Scratch
from cynical.evaluation.subsamples import Subsamples

KINDS = ("six", "drawn", "large")

DOMAINS = (
    "swdoc/python-doc",
    "swdoc/postgres-doc",
    "techdocs/k8s",
    "techdocs/dotnet",
    "techdocs/cpp",
    "wordnet",
    "elife/neuroscience",
    "elife/immunology-and-inflammation",
    "elife/cell-biology",
    "libreoffice-ui",
    "bible",
    "dialog/taskmaster",
)
MOST, MOST_OF_LARGE = 8000, 20_000  # lines of REPRESENTATIVE


@dataclass(frozen=True)
class Large:
    """A text that is a large part of its pool."""

    wanted: str  # what the names of its domains begin with
    but: tuple[str, ...] = ()  # domains that are not meant
    thinned: str = ""  # what the names of those domains begin with
    left_out: float = 0.0  # of whose lines this share is not in AVAILABLE
    elsewhere: bool = False  # nor is the text itself: what is available is only akin to it


LARGE = {
    "swdoc": Large("swdoc/", left_out=0.875),
    "techdocs": Large("techdocs/"),
    "techdocs-other": Large("techdocs/cpp", elsewhere=True),
    "elife": Large(
        "elife/", but=("elife/plant-biology", "elife/neuroscience"), thinned="elife/neuroscience", left_out=1.0
    ),
    "elife-other": Large("elife/neuroscience", thinned="elife/", left_out=0.5, elsewhere=True),
}


@dataclass(frozen=True)
class Text:
    """A kind of text, and where to look for more of it."""

    representative: list[str]
    held_out: list[str]
    available: list[str]


def texts(here: Scratch, kind: str, names: Sequence[str]) -> Iterator[tuple[str, Text]]:
    """Those of a kind that are named, or all of them."""
    made, known = {"six": (given, here.tasks()), "drawn": (drawn, DOMAINS), "large": (large, [*LARGE])}[kind]
    for name in names or known:
        yield name, made(here, name)


def drawn(here: Scratch, domain: str) -> Text:
    """A text out of the pool."""
    pool, domains = pool_of(here)
    lines = [i for i, one in enumerate(domains) if one == domain]
    random.Random(domain).shuffle(lines)
    return split(pool, lines, MOST, set())


def large(here: Scratch, name: str) -> Text:
    """A text that is a large part of its pool."""
    (pool, domains), how, chance = pool_of(here), LARGE[name], random.Random(name)
    lines = [i for i, one in enumerate(domains) if one.startswith(how.wanted) and one not in how.but]
    chance.shuffle(lines)
    out, kept = (set(lines), set()) if how.elsewhere else (set(), set(lines))
    thinned = [i for i, one in enumerate(domains) if one.startswith(how.thinned) and i not in kept]
    return split(pool, lines, MOST_OF_LARGE, out.union(i for i in thinned if chance.random() < how.left_out))


def split(pool: Sequence[str], lines: Sequence[int], most: int, left_out: set[int]) -> Text:
    """The first of some lines are REPRESENTATIVE, the next are held out; AVAILABLE is what else is not left out."""
    wanted = min(len(lines) * 45 // 100, most)
    held_out = min(len(lines) // 5, 3000)
    out = left_out.union(lines[: wanted + held_out])
    return Text(
        [pool[i] for i in sorted(lines[:wanted])],
        [pool[i] for i in sorted(lines[wanted : wanted + held_out])],
        [line for i, line in enumerate(pool) if i not in out],
    )


def pool_of(here: Scratch) -> tuple[list[str], list[str]]:
    """The lines of the pool, and their domains."""
    return read(here.pool), read(here.pool.with_name("pool.en.domain"))


def given(here: Scratch, task: str) -> Text:
    """A text of comparison.py."""
    return Text(read(here.train(task)), read(here.test(task)), read(here.pool))


def part_of(lines: Sequence[str], share: float, seed: int) -> list[str]:
    """Those of REPRESENTATIVE that `cynical compare --subsample` ranks for with a seed."""
    return [lines[place] for place in Subsamples([], share).lines(len(lines), seed)]


def read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()
