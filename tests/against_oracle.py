"""The fast code beside the oracle, and lines to compare them on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import cynical
from cynical.options.ranking import Strategy
from tests import oracle

WORDS = ["a", "b", "c", "d", "e", "antidisestablishment", "antidisestablishmentarian", "z"]


def lines_of(words: list[str], most: int, longest: int = 6) -> st.SearchStrategy[list[str]]:
    return st.lists(st.lists(st.sampled_from(words), max_size=longest).map(" ".join), max_size=most)


some_words = st.lists(
    st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=4
)


def encoded(lines: Sequence[str]) -> list[bytes]:
    return [line.encode() for line in lines]


def check(
    representative: list[str],
    available: list[str],
    seed: list[str],
    unadapted: list[str] | None,
    vocabulary: str,
    smoothing: float,
    max_length: int | None = None,
    strategy: Strategy = "exact",
    per: str = "line",
    ngrams: int = 1,
    ngram_smoothing: float = 0.0,
) -> None:
    """One target and one side: the same picks as the oracle's."""
    problem = oracle.Problem(
        [[encoded(representative)]],
        [encoded(available)],
        [encoded(seed)],
        None if unadapted is None else [encoded(unadapted)],
        vocabulary,
        smoothing,
        ngrams,
        None,
        per,
        ngram_smoothing=ngram_smoothing,
    )
    if max_length is not None:
        problem.leave_only(lambda line: problem.lines[line][1] <= max_length)
    options: dict[str, Any] = {
        "seed": seed or None,
        "unadapted": unadapted,
        "vocabulary": vocabulary,
        "smoothing": smoothing,
        "max_length": max_length,
        "per": per,
        "ngrams": ngrams,
        "ngram_smoothing": ngram_smoothing,
    }
    compare(problem, strategy, representative, available, **options)


def compare(
    problem: oracle.Problem,
    strategy: Strategy,
    representative: Any,
    available: list[str],
    solve: Callable[[oracle.Problem], list[oracle.Pick]] | None = None,
    **options: Any,
) -> None:
    """The same picks, deltas and entropies as the oracle, to the last bit where bits decide."""

    def run() -> cynical.Jaded:
        with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
            return cynical.select(representative, available, strategy=strategy, all=True, jobs=2, **options)

    if not problem.lines:
        with pytest.raises(cynical.CynicalError, match="no eligible line is left"):
            run()
        return
    before, features_before = problem.before, problem.feature_h
    picks = (oracle.STRATEGIES[strategy] if solve is None else solve)(problem)
    jaded = run()
    assert jaded.lines.tolist() == [pick.line for pick in picks]
    assert jaded.delta.tolist() == [pick.delta for pick in picks]
    assert jaded.penalty.tolist() == [pick.penalty for pick in picks]
    assert jaded.gain.tolist() == [pick.gain for pick in picks]
    assert jaded.words.tolist() == [pick.words for pick in picks]
    assert jaded.best_words == [pick.word for pick in picks]
    assert jaded.entropy_before == pytest.approx(before, abs=1e-12)
    assert jaded.entropy == pytest.approx([pick.entropy for pick in picks], abs=1e-11)
    assert jaded.stop == oracle.stopping_point(jaded.entropy_before, jaded.entropy.tolist())
    if options.get("ngrams", 1) > 1:
        assert jaded.feature_entropy == pytest.approx([pick.feature_entropy for pick in picks], abs=1e-11)
        assert jaded.summary["feature_entropy"]["before"] == pytest.approx(features_before, abs=1e-12)
    else:
        assert jaded.feature_entropy is None


def shares_a_word(representative: list[str], available: list[str]) -> bool:
    return bool(set(" ".join(representative).split()) & set(" ".join(available).split()))


def zipfian(lines: int, seed: int, words: int = 300, longest: int = 25) -> list[str]:
    """Lines that look like text: few words are frequent, lengths differ, some lines are copies."""
    rng = np.random.default_rng(seed)
    made: list[str] = []
    for _ in range(lines):
        if made and rng.random() < 0.1:
            made.append(made[rng.integers(len(made))])
            continue
        ranks = (words ** rng.random(rng.integers(0, longest))).astype(int)
        made.append(" ".join(f"w{rank}" for rank in ranks))
    return made
