"""Copies of lines, by their hashes."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cynical.selection import copies

hashes = st.lists(st.integers(0, 5), max_size=20).map(lambda numbers: np.array(numbers, np.uint64) << np.uint64(60))


def ranks(same: list[int]) -> list[int]:
    """For each how many equal ones come before it."""
    seen: Counter[int] = Counter()
    found = []
    for one in same:
        found.append(seen[one])
        seen[one] += 1
    return found


@given(hashes, hashes, st.integers(1, 4), st.sampled_from([1, 3, 100]))
def test_copies_are_what_counting_says(same: copies.Hashes, others: copies.Hashes, most: int, block: int) -> None:
    with patch.object(copies, "BLOCK", block):
        before = same.copy()
        assert copies.beyond(same, most).tolist() == [rank >= most for rank in ranks(same.tolist())]
        known = set(others.tolist()) - {0}
        assert copies.is_one_of(same, others).tolist() == [one in known for one in same.tolist()]
        assert same.tolist() == before.tolist()


@given(hashes, hashes, st.data(), st.sampled_from([1, 3, 100]))
def test_as_many_copies_are_taken_as_were_picked(
    same: copies.Hashes, picked: copies.Hashes, data: st.DataObject, block: int
) -> None:
    out = np.array(data.draw(st.lists(st.booleans(), min_size=len(same), max_size=len(same))), np.bool_)
    times, expected = Counter(picked.tolist()), out.tolist()
    for line, one in enumerate(same.tolist()):
        if not out[line] and times[one]:
            times[one] -= 1
            expected[line] = True
    hashes, number = np.unique(picked, return_counts=True)
    free = Counter(one for one, marked in zip(same.tolist(), out.tolist(), strict=True) if not marked)
    with patch.object(copies, "BLOCK", block):
        assert copies.count_free(same, hashes, out).tolist() == [free[one] for one in hashes.tolist()]
        copies.take_copies(same, hashes, number, out)
    assert out.tolist() == expected


@given(hashes, st.integers(0, 20), st.integers(1, 4))
def test_copies_elsewhere_come_first(same: copies.Hashes, cut: int, most: int) -> None:
    """What is beyond in a whole is beyond in its second half, if that is told what the first half has."""
    before = copies.counted(same[:cut], 0, (1 << 64) - 1)
    whole = copies.beyond(same, most)[cut:] & (same[cut:] != 0)
    assert (copies.beyond(same[cut:], most, before) & (same[cut:] != 0)).tolist() == whole.tolist()


@pytest.mark.parametrize("kinds", [1, 1000, 200_000, 10**9])
def test_little_memory_is_needed_beside_the_hashes(kinds: int) -> None:
    lines = 1 << 20
    same = np.random.default_rng(1).integers(1, kinds + 1, lines).astype(np.uint64)
    with patch.object(copies, "BLOCK", 1 << 14):
        tracemalloc.start()
        copies.beyond(same, 1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 12 * lines
