"""Moore-Lewis, against the oracle."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import cynical
from tests import oracle
from tests.against_oracle import zipfian

TASK, POOL, TEST = zipfian(80, 11, words=60), zipfian(500, 12), zipfian(40, 13, words=70)


def ranked(*given: Any, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.rank(*given, **options)


@pytest.mark.parametrize(("order", "seed"), [(1, 0), (2, 0), (3, 7)])
def test_moore_lewis_is_the_difference_in_bits_per_word(order: int, seed: int) -> None:
    drawn = oracle.sample(POOL, sum(len(line.split()) for line in TASK), seed)
    scores = oracle.moore_lewis(TASK, POOL, drawn, order)
    made = ranked(TASK, POOL, method="moore-lewis", order=order, random_seed=seed)
    assert made.score == pytest.approx([scores[line] for line in made.lines.tolist()], abs=1e-9)
    assert made.lines.tolist() == sorted(made.lines.tolist(), key=lambda line: (round(scores[line], 9), line))


def test_bilingual_moore_lewis_adds_both_sides() -> None:
    other, other_task = ([" ".join(f"x{word}" for word in line.split()) for line in text] for text in (POOL, TASK))
    other_task = [line.replace("xw1 ", "xw2 ") for line in other_task]
    made = ranked(TASK, POOL, with_=other, representative_with=other_task, method="bilingual-moore-lewis", order=2)
    words = 2 * sum(len(line.split()) for line in TASK)
    drawn = oracle.sample([f"{a} {b}" for a, b in zip(POOL, other, strict=True)], words, 0)
    halves = [[" ".join(line.split()[: len(line.split()) // 2]) for line in drawn]]
    halves.append([" ".join(line.split()[len(line.split()) // 2 :]) for line in drawn])
    both = np.array(oracle.moore_lewis(TASK, POOL, halves[0], 2)) + np.array(
        oracle.moore_lewis(other_task, other, halves[1], 2)
    )
    assert made.score == pytest.approx(both[made.lines], abs=1e-9)


def test_moore_lewis_of_one_side_or_both_is_said() -> None:
    with pytest.raises(cynical.CynicalError, match='"bilingual-moore-lewis" needs both sides'):
        ranked(TASK, POOL, method="bilingual-moore-lewis")
    with pytest.raises(cynical.CynicalError, match='"moore-lewis" uses one side, but both sides count'):
        ranked(TASK, POOL, with_=POOL, representative_with=TASK, method="moore-lewis")
    with pytest.raises(cynical.CynicalError, match="Moore-Lewis is trained on text"):
        ranked(cynical.count(TASK), POOL, method="moore-lewis")


def test_moore_lewis_learns_from_all_targets_and_where_no_word_comes_twice() -> None:
    one, other = TASK[:40], TASK[40:]
    joined = ranked(TASK, POOL, method="moore-lewis").lines.tolist()
    assert ranked([one, other], POOL, weights=[1, 1], method="moore-lewis").lines.tolist() == joined
    rare = ["w1 w2 w3"]
    made = ranked(rare, POOL, method="moore-lewis", order=1)
    scores = oracle.moore_lewis(rare, POOL, oracle.sample(POOL, 3, 0), 1, least=1)
    assert made.score == pytest.approx([scores[line] for line in made.lines.tolist()], abs=1e-9)
