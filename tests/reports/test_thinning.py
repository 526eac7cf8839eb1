"""Few cuts stand for many."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cynical.reports import thinning


@given(st.integers(0, 400), st.integers(40, 120), st.integers(0, 5), st.lists(st.integers(0, 400), max_size=3))
def test_few_cuts_are_carried_and_no_valley_is_lost(lines: int, most: int, seed: int, keep: list[int]) -> None:
    entropy = np.random.default_rng(seed).normal(size=lines + 1).cumsum()
    cuts = thinning.cuts(entropy, keep, most)
    assert len(cuts) <= most
    assert cuts.tolist() == sorted(set(cuts.tolist()))
    assert {0, lines, *(one for one in keep if one <= lines)} <= set(cuts.tolist())
    assert {int(np.argmin(entropy)), int(np.argmax(entropy))} <= set(cuts.tolist())
    if lines < most:
        assert cuts.tolist() == list(range(lines + 1))


@given(st.integers(0, 3000), st.integers(16, 200), st.lists(st.integers(0, 3000), max_size=2))
def test_lines_are_carried_near_every_cut(ranked: int, most: int, around: list[int]) -> None:
    cuts = thinning.cuts(np.linspace(9, 1, ranked + 1), around, 400)
    lines = thinning.lines(ranked, around, cuts, most)
    assert len(lines) == min(ranked, most)
    assert lines.tolist() == sorted(set(lines.tolist()))
    for cut in around:
        if 0 < cut <= ranked:
            assert cut - 1 in lines  # the last line that is kept
    if ranked:
        places = np.searchsorted(cuts, lines + 1)
        assert np.diff(np.concatenate([[0], places, [len(cuts) - 1]])).max() <= 3 * len(cuts) / (most // 3) + 2
