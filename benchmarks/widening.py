"""How strong should --widen and --ngram-smoothing be?

    python benchmarks/widening.py [--scratch DIR] [--strengths F,...] [--ngram-smoothing N,...] [--six] [DOMAIN ...]

The texts are others than those of comparison.py, so that these need not decide it; with --six they are those. Of the
lines of a domain of the pool, 45 % (at most 8,000) are REPRESENTATIVE and 20 % (at most 3,000) the held-out text;
AVAILABLE is the pool without both.

For every F with every N, `--ngrams 2 --per word --widen F --ngram-smoothing N` is compared with plain `--ngrams 2 --per
word` at 0.3, 1, 3 and 10 % of AVAILABLE's words. Prints by how many percent its 4-gram perplexity is higher, at each
budget, on average and at most; by how many percent its unknown words are more, on average; and in how many cases its
perplexity is the lower of the two, or within the interval of the lower (see `cynical compare`). The last rows are the
same over all texts.
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
STRENGTHS, SMOOTHING = "0,0.25,0.5,0.7,1", "0,2000,5000,10000"
SHARES = (0.003, 0.01, 0.03, 0.1)
PLAIN = "cynical-2-grams"
HOW: dict[str, Any] = {"ngrams": 2, "per": "word"}  # what that is


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
    parser.add_argument("--six", action="store_true", help="the texts of comparison.py")
    parser.add_argument("domains", nargs="*", metavar="DOMAIN", help=f"({' '.join(DOMAINS)})")
    options = parser.parse_args()
    settings = list(itertools.product(numbers(options.strengths), numbers(options.ngram_smoothing)))
    changes: dict[tuple[float, float], list[Change]] = {setting: [] for setting in settings}
    rows = []
    with scratch(options.scratch) as here:
        for name in here.tasks() if options.six else options.domains or DOMAINS:
            text = given(here, name) if options.six else drawn(here, name)
            for setting in settings:
                note(f"{name}: --widen {setting[0]:g} --ngram-smoothing {setting[1]:g} ...")
                changes[setting].append(compared(text, *setting))
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


def compared(text: Text, strength: float, smoothing: float) -> Change:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        jaded = cynical.select(
            text.representative,
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
    pool = read(here.pool)
    domains = read(here.pool.with_name("pool.en.domain"))
    lines = [i for i, one in enumerate(domains) if one == domain]
    random.Random(domain).shuffle(lines)
    wanted = min(len(lines) * 45 // 100, 8000)
    held_out = min(len(lines) // 5, 3000)
    out = set(lines[: wanted + held_out])
    return Text(
        [pool[i] for i in sorted(lines[:wanted])],
        [pool[i] for i in sorted(lines[wanted : wanted + held_out])],
        [line for i, line in enumerate(pool) if i not in out],
    )


def given(here: Scratch, task: str) -> Text:
    return Text(read(here.train(task)), read(here.test(task)), read(here.pool))


def read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


if __name__ == "__main__":
    main()
