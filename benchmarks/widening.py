"""How strong should --widen and --ngram-smoothing be?

    python benchmarks/widening.py [--scratch DIR] [--strengths F,...] [--ngram-smoothing N,...] [--noise DRAWS]
        [--subsample F] [--seeds N] [--texts drawn|large|six] [TEXT ...]

The texts are twelve others than those of comparison.py, so that these need not decide it: see texts.py.

For every F with every N, `--ngrams 2 --per word --widen F --ngram-smoothing N` is compared with plain `--ngrams 2 --per
word` at 0.3, 1, 3 and 10 % of AVAILABLE's words. Prints by how many percent its 4-gram perplexity is higher, at each
budget, on average and at most; by how many percent its unknown words are more, on average; and in how many cases its
perplexity is the lower of the two, or within the interval of the lower (see `cynical compare`). The last rows are the
same over all texts.

With --subsample both are ranked for a random fraction F of REPRESENTATIVE, and for another one with each of the seeds 0
to N - 1, as `cynical compare --subsample` does; a row is of one seed, the last rows are of all.

With --noise no setting is compared: plain word pairs are ranked for a random 99 % of REPRESENTATIVE, drawn DRAWS times,
beside plain word pairs for all of it. What that changes is noise.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cynical
from corpora import arguments, note, scratch, table
from texts import KINDS, Text, part_of, texts

STRENGTHS, SMOOTHING = "0,0.25,0.5,0.7,1", "0,2000,5000,10000"
SHARES = (0.003, 0.01, 0.03, 0.1)
PLAIN = "cynical-2-grams"
HOW: dict[str, Any] = {"ngrams": 2, "per": "word"}  # what that is


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
    parser.add_argument("--subsample", type=float, default=1.0, metavar="F", help="share of REPRESENTATIVE by seed (1)")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="with --subsample (5)")
    parser.add_argument("--texts", choices=KINDS, default="drawn", help="which kind: see texts.py (drawn)")
    parser.add_argument("names", nargs="*", metavar="TEXT", help="(all of the kind)")
    options = parser.parse_args()
    settings = list(itertools.product(numbers(options.strengths), numbers(options.ngram_smoothing)))
    settings = [(0.0, 0.0)] if options.noise else settings
    draws = range(options.noise or (options.seeds if options.subsample < 1 else 1))
    changes: dict[tuple[float, float], list[Change]] = {setting: [] for setting in settings}
    rows = []
    with scratch(options.scratch) as here:
        for name, text in texts(here, options.texts, options.names):
            for setting, draw in itertools.product(settings, draws):
                note(f"{name}: --widen {setting[0]:g} --ngram-smoothing {setting[1]:g} ...")
                part = replace(text, representative=part_of(text.representative, options.subsample, draw))
                sample = thinned(part.representative, draw) if options.noise else part.representative
                changes[setting].append(compared(part, sample, *setting))
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


if __name__ == "__main__":
    main()
