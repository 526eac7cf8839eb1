"""What does it cost to keep the lines that score best, and select exactly from these alone?

    python benchmarks/prefiltering.py [--scratch DIR] [--tasks TASK,...] [--keep F] [--share F] [--sample N]

Of the pool, lines with a share of its words are kept: those that score best against a frozen state, random ones, or
those that a classifier likes best. Then `select` picks from them (2-grams, per word), as many words as from the whole
pool. Prints for each way the 4-gram perplexity of the held-out text, how much higher it is than for a selection from
the whole pool, and how many of the words picked there were kept. States: nothing selected yet; REPRESENTATIVE as SEED;
and a small selection from a sample of the pool as SEED.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cynical
from corpora import Scratch, arguments, note, scratch, table

HEADER = ("text wanted", "kept by", "perplexity", "higher by", "words of the whole selection that were kept")
HOW: dict[str, Any] = {"ngrams": 2, "per": "word"}
Scores = NDArray[np.float64]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--tasks", default="medqa,law,novel", metavar="TASK,...", help="(medqa,law,novel)")
    parser.add_argument("--keep", type=float, default=0.2, metavar="F", help="share of the words that are kept (0.2)")
    parser.add_argument("--share", type=float, default=0.01, metavar="F", help="share that is picked (0.01)")
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="one line of N is the sample (20)")
    options = parser.parse_args()
    rows: list[tuple[str, ...]] = []
    with scratch(options.scratch) as here:
        for task in options.tasks.split(","):
            rows += measured(here, task, options.keep, options.share, options.sample)
    print(table(HEADER, rows))


def measured(here: Scratch, task: str, keep: float, share: float, every: int) -> list[tuple[str, ...]]:
    note(f"{task} ...")
    test, wanted = read(here.test(task)), read(here.train(task))
    held_out = set(test)
    pool = [line for line in read(here.pool) if line not in held_out]
    words = np.array([len(line.split()) for line in pool])
    budget, types = int(share * words.sum()), len(cynical.count(pool))

    def perplexity(picked: list[str]) -> float:
        with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
            point = cynical.evaluate(picked, test, points=1, vocabulary_size=types).points[-1]
        assert point.ngram_perplexity is not None
        return point.ngram_perplexity

    whole = cynical.select(wanted, pool, words=budget, **HOW)
    best = perplexity(whole.texts)
    rows: list[tuple[str, ...]] = [(task, "everything", f"{best:.1f}", "", "")]
    for name, score in scorers(wanted, pool, every, share).items():
        order = np.argsort(score(), kind="stable")
        kept = np.sort(order[np.cumsum(words[order]) <= keep * words.sum()])
        chosen = cynical.select(wanted, [pool[line] for line in kept.tolist()], words=budget, **HOW)
        found = perplexity(chosen.texts)
        alike = words[whole.lines[np.isin(whole.lines, kept)]].sum() / words[whole.lines].sum()
        rows.append((task, name, f"{found:.1f}", f"{100 * (found / best - 1):.1f} %", f"{100 * alike:.0f} %"))
        note("  ".join(rows[-1]))
    return rows


def scorers(wanted: list[str], pool: list[str], every: int, share: float) -> dict[str, Callable[[], Scores]]:
    """By name, what gives each line of the pool a score, the lowest best."""
    sample = pool[::every]
    first = cynical.select(wanted, sample, share=min(every * share / 4, 0.2), **HOW)

    def against(seed: Any, **more: Any) -> Callable[[], Scores]:
        return lambda: cynical.Scorer(wanted, seed=seed, **{**HOW, **more}).score(pool).score

    return {
        "score, nothing selected": against(None),
        "score per line, nothing selected": against(None, per="line"),
        "score, REPRESENTATIVE as SEED": against(wanted),
        "score, picks of a sample as SEED": against(first),
        "classifier": lambda: -likely(cynical.Scorer(wanted, unadapted=sample, classifier=True), pool),
        "random": lambda: np.random.default_rng(0).random(len(pool)),
    }


def likely(scorer: cynical.Scorer, pool: list[str]) -> Scores:
    found = scorer.score(pool).classifier
    assert found is not None
    return found


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
