"""N-grams, counted."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.model import hash_tables as tables
from cynical.text import corpus
from tests import oracle
from tests.against_oracle import WORDS


def test_n_grams_are_counted_with_one_boundary_at_each_end() -> None:
    counts = cynical.count(["a b c", "", "a"], ngrams=3)
    assert counts.totals == (4, 6, 4)  # w words have w + 1 pairs and w triples
    found = {b" ".join(counts.parts_of(v)): n for v, n in enumerate(counts.of_features.tolist())}
    pairs = {b" a": 2, b"a b": 1, b"b c": 1, b"c ": 1, b"a ": 1}
    triples = {b" a b": 1, b"a b c": 1, b"b c ": 1, b" a ": 1}
    assert found == {b"a": 2, b"b": 1, b"c": 1, **pairs, **triples}
    assert counts["a b"] == 1
    assert counts["b a"] == 0


@given(
    st.lists(st.lists(st.sampled_from(WORDS[:6]), max_size=5).map(" ".join), min_size=1, max_size=12),
    st.integers(1, 40),
    st.integers(1, 3),
    st.integers(2, 3),
)
@settings(max_examples=60)
def test_n_grams_of_several_chunks_and_threads_are_those_of_all(
    lines: list[str], chunk: int, jobs: int, ngrams: int
) -> None:
    """In the order in which they appear, words before pairs before triples, from tables that must grow."""
    expected = Counter(v for line in lines for v in oracle.features_of(line.encode().split(), ngrams))
    assume(expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus, "CHUNK", chunk)
        patch.setattr(tables, "TYPES", 2)
        counts = cynical.count(lines, ngrams=ngrams, jobs=jobs)
    found = [(counts.parts_of(v), n) for v, n in enumerate(counts.of_features.tolist())]
    in_order = sorted(expected, key=lambda feature: feature[0])
    assert found == [(feature[2:], expected[feature]) for feature in in_order]
