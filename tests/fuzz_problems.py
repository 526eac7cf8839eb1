"""Small random problems with random options, of which the oracle knows the answer."""

from __future__ import annotations

import random
import warnings
from itertools import chain
from typing import Any

import cynical
from tests import oracle
from tests.against_oracle import compare, encoded

WORDS = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "\u00e4",
    "\u4e2d\u6587",
    "antidisestablishment",
    "antidisestablishmentarian",
    "z",
    "<s>",
    "0",
]
SMOOTHING = (1e-6, 0.01, 0.01, 0.01, 1.0, 30.0)


def lines(rng: random.Random, most: int, longest: int, words: int) -> list[str]:
    """Some lines, a few of them copies, with more or less white space between words."""
    made: list[str] = []
    for _ in range(rng.randrange(1, most + 1)):
        if made and rng.random() < 0.15:
            made.append(rng.choice(made))
        else:
            some = [WORDS[int(words * rng.random() ** 2)] for _ in range(rng.randrange(longest + 1))]
            made.append(rng.choice((" ", " ", "  ", "\t", "\u3000")).join(some))
    return made


def try_problem(seed: int, case: int) -> bool:
    """Solve one problem, the same whenever it is asked for; False if it is one that raises an error."""
    rng = random.Random(f"problem {seed} {case}")
    words = rng.randrange(1, len(WORDS) + 1)
    targets = [lines(rng, 4, 6, words) for _ in range(rng.choice((1, 1, 1, 2)))]
    sides = rng.choice((1, 1, 1, 2)) if len(targets) == 1 else 1
    available = lines(rng, rng.choice((5, 20, 40)), rng.choice((3, 8, 20)), words)
    strategy: Any = rng.choice(("exact", "exact", "word", "batch"))
    options: dict[str, Any] = {
        "vocabulary": rng.choice(("full", "full", "classes")),
        "smoothing": rng.choice(SMOOTHING),
        "ngrams": rng.choice((1, 1, 2, 3)),
        "per": rng.choice(("line", "word")),
        "ngram_smoothing": rng.choice((0.0, 0.0, 2.0, 5000.0)),
    }
    seeds = lines(rng, 4, 8, words) if rng.random() < 0.3 and sides == 1 else []
    unadapted = lines(rng, 6, 8, words) if rng.random() < 0.3 and sides == 1 else None
    weights = [rng.choice((1.0, 0.3, 2.0)) for _ in targets] if len(targets) > 1 else None
    has_prior = strategy == "exact" and rng.random() < 0.2
    prior = [rng.choice((-0.1, 0.0, 1e-3, 0.05)) for _ in available] if has_prior else None
    others = [lines(rng, 4, 6, words)[:1] * len(text) for text in (targets[0], available)] if sides == 2 else []
    if not all("".join(text).split() for text in (*targets, *others[:1], *([] if unadapted is None else [unadapted]))):
        return False
    if not set(" ".join(chain(*targets)).split()) & set(" ".join(available).split()):
        return False
    limits = {"min_length": rng.choice((None, None, 2)), "max_length": rng.choice((None, None, 9))}
    limits["max_copies"] = rng.choice((None, None, 1, 2))
    exclude = lines(rng, 3, 4, words) if rng.random() < 0.2 else None
    limits["exclude_ngrams"] = None if exclude is None else rng.choice((None, 1, 2, 3))
    if sides == 2:  # lengths and copies are those of both sides
        limits, exclude = {}, None
    problem = oracle.Problem(
        [[encoded(target), *map(encoded, others[:1])] for target in targets],
        [encoded(available), *map(encoded, others[1:])],
        [encoded(seeds), *([] if sides == 1 else [[]])],
        None if unadapted is None else [encoded(unadapted)],
        weights=weights,
        prior=prior,
        **options,
    )
    left_out = oracle.left_out(encoded(available), None if exclude is None else encoded(exclude), **limits)
    if sides == 1:
        problem.leave_only(lambda line: line not in left_out)
    told = {**options, **limits, "exclude": exclude, "seed": seeds or None, "unadapted": unadapted, "prior": prior}
    if weights is not None:
        told["weights"] = weights
    if sides == 2:
        told |= {"with_": {"other": others[1]}, "representative_with": {"other": others[0]}}
    compare(problem, strategy, targets if weights is not None else targets[0], available, **told)
    return True


def try_budget(seed: int, case: int) -> bool:
    """Any budget gives a prefix of the whole ranking, the longest that fits."""
    rng = random.Random(f"budget {seed} {case}")
    words = rng.randrange(2, len(WORDS) + 1)
    task, pool = lines(rng, 4, 6, words), lines(rng, 30, 8, words)
    if not set(" ".join(task).split()) & set(" ".join(pool).split()):
        return False
    options: dict[str, Any] = {"per": rng.choice(("line", "word")), "strategy": rng.choice(("exact", "word"))}
    most = rng.randrange(1, 60)
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        whole = cynical.select(task, pool, all=True, **options)
        by_lines = cynical.select(task, pool, lines=most, **options)
        by_words = cynical.select(task, pool, words=most, **options)
    assert by_lines.lines.tolist() == whole.lines[:most].tolist()
    kept = len(by_words)
    assert by_words.lines.tolist() == whole.lines[:kept].tolist()
    assert by_words.words.sum() <= most
    assert kept == len(whole) or whole.words[: kept + 1].sum() > most
    return True
