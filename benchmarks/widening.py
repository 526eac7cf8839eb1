"""How strong should --widen and --ngram-smoothing be?

    python benchmarks/widening.py [--scratch DIR] [--strengths F,...] [--ngram-smoothing N,...] [--noise DRAWS]
        [--large | --six] [DOMAIN ...]

The texts are others than those of comparison.py, so that these need not decide it; with --six they are those. Of the
lines of a domain of the pool, 45 % (at most 8,000) are REPRESENTATIVE and 20 % (at most 3,000) the held-out text;
AVAILABLE is the pool without both. That leaves 0.2 to 5 % of AVAILABLE that belong to the domain. With --large the
texts are one or more domains (at most 20,000 lines are REPRESENTATIVE), with parts of the pool left out, so that 11 to
20 % belong to the text or are akin to it.

For every F with every N, `--ngrams 2 --per word --widen F --ngram-smoothing N` is compared with plain `--ngrams 2 --per
word` at 0.3, 1, 3 and 10 % of AVAILABLE's words. Prints by how many percent its 4-gram perplexity is higher, at each
budget, on average and at most; by how many percent its unknown words are more, on average; and in how many cases its
perplexity is the lower of the two, or within the interval of the lower (see `cynical compare`). The last rows are the
same over all texts.

With --noise no setting is compared: plain word pairs are ranked for a random 99 % of REPRESENTATIVE, drawn DRAWS times,
beside plain word pairs for all of it. What that changes is noise.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cynical
from corpora import Scratch, arguments, note, scratch, table

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
STRENGTHS, SMOOTHING = "0,0.25,0.5,0.7,1", "0,2000,5000,10000"
SHARES = (0.003, 0.01, 0.03, 0.1)
PLAIN = "cynical-2-grams"
HOW: dict[str, Any] = {"ngrams": 2, "per": "word"}  # what that is


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


@dataclass(frozen=True)
class Change:
    """What a setting changes on one text, by budget."""

    perplexity: NDArray[np.float64]  # in percent
    unknown: NDArray[np.float64]
    leads: NDArray[np.bool_]  # is the perplexity the lower of the two, or within the interval of the lower?


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--strengths", default=STRENGTHS, metavar="F,...", help=f"({STRENGTHS})")
    parser.add_argument("--ngram-smoothing", default=SMOOTHING, metavar="N,...", help=f"({SMOOTHING})")
    parser.add_argument(
        "--noise", type=int, default=0, metavar="DRAWS", help="compare random 99 %% of REPRESENTATIVE with all of it"
    )
    texts = parser.add_mutually_exclusive_group()
    texts.add_argument("--large", action="store_true", help=f"large parts of the pool: {', '.join(LARGE)}")
    texts.add_argument("--six", action="store_true", help="the texts of comparison.py")
    parser.add_argument("domains", nargs="*", metavar="DOMAIN", help=f"({' '.join(DOMAINS)})")
    options = parser.parse_args()
    settings = list(itertools.product(numbers(options.strengths), numbers(options.ngram_smoothing)))
    settings = [(0.0, 0.0)] if options.noise else settings
    changes: dict[tuple[float, float], list[Change]] = {setting: [] for setting in settings}
    rows = []
    with scratch(options.scratch) as here:
        for name in here.tasks() if options.six else options.domains or (LARGE if options.large else DOMAINS):
            text = (given if options.six else large if options.large else drawn)(here, name)
            for setting, draw in itertools.product(settings, range(max(options.noise, 1))):
                note(f"{name}: --widen {setting[0]:g} --ngram-smoothing {setting[1]:g} ...")
                sample = thinned(text.representative, draw) if options.noise else text.representative
                changes[setting].append(compared(text, sample, *setting))
                rows.append((name, *cells(setting, changes[setting][-1:])))
    rows += [("all texts", *cells(setting, made)) for setting, made in changes.items()]
    budgets = [f"{100 * share:g} %" for share in SHARES]
    print(table(("text wanted", "widen", "smoothing", *budgets, "mean", "most", "unknown words", "not higher"), rows))


def numbers(given: str) -> list[float]:
    return [float(one) for one in given.split(",")]


def cells(setting: tuple[float, float], made: Sequence[Change]) -> list[str]:
    """A row of the table: the mean over texts."""
    perplexity = np.mean([change.perplexity for change in made], axis=0)
    unknown = np.mean([change.unknown for change in made])
    leads = np.concatenate([change.leads for change in made])
    most = np.max([change.perplexity for change in made])
    changed = [f"{one:+.1f}" for one in (*perplexity, perplexity.mean(), most, unknown)]
    return [*(f"{one:g}" for one in setting), *changed, f"{np.count_nonzero(leads)} of {len(leads)}"]


def thinned(lines: Sequence[str], draw: int) -> list[str]:
    """99 % of some lines."""
    numbers = random.Random(draw)
    return [line for line in lines if numbers.random() < 0.99]


def compared(text: Text, sample: Sequence[str], strength: float, smoothing: float) -> Change:
    """A ranking for a sample of REPRESENTATIVE, beside plain word pairs for all of it."""
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        jaded = cynical.select(
            sample,
            text.available,
            share=SHARES[-1],
            exclude=text.held_out,
            widen=strength,
            ngram_smoothing=smoothing,
            **HOW,
        )
        corpora = text.representative, text.available, text.held_out
        made = cynical.compare(*corpora, shares=SHARES, methods=[PLAIN], lists=[jaded.texts], exclude=text.held_out)
    plain, own = (method.measured for method in made.methods)
    figures = np.array([[[one.ngram_perplexity, one.oov_tokens] for one in points] for points in (plain, own)])
    higher = 100 * (figures[1] / figures[0] - 1)
    leads = [point.intervals is not None and point.intervals.ngram_perplexity.leads for point in own]
    return Change(higher[:, 0], higher[:, 1], np.array(leads))


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
    return Text(read(here.train(task)), read(here.test(task)), read(here.pool))


def read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


if __name__ == "__main__":
    main()
