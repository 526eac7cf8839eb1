"""Lines that share their words, searched in groups: the same picks as the oracle's, and as those of the heaps."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.selection import grouped, opening
from cynical.selection import search as ranking
from tests.against_oracle import WORDS, check, lines_of, shares_a_word, some_words, zipfian


@pytest.fixture(autouse=True)
def rows_are_grouped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LEAST_STALE", 1)
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    monkeypatch.setattr(grouped, "PATIENCE", -1)


@given(
    representative=some_words,
    available=lines_of(WORDS, 20, 12),
    seed=st.one_of(st.just([]), some_words),
    smoothing=st.sampled_from([0.01, 1.0, 1e-6, 0.37, 1e-30]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 3),
    columns=st.integers(1, 6),
    frequent=st.sampled_from([1, 3, 64]),
    growth=st.sampled_from([0, 0, 1, 64]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"], [], 0.01, "line", 1, 6, 64, 0)  # ties
@example(["a b"], ["a c", "b a", "c a", "b c"], [], 0.01, "line", 1, 1, 1, 0)  # and ties in the rest
@example(["a b c d"], ["a " * 20, "a a a a b", "a " * 300, "a " * 254, "z z z"], ["a"], 0.01, "line", 1, 6, 64, 0)
def test_groups_give_the_picks_that_the_oracle_finds_by_trying_all(
    representative: list[str],
    available: list[str],
    seed: list[str],
    smoothing: float,
    per: str,
    ngrams: int,
    columns: int,
    frequent: int,
    growth: int,
) -> None:
    """With a growth of 0, bounds are always raised by what a pick has changed, as long as the unit is the same."""
    assume(shares_a_word(representative, available))
    with mock.patch.multiple(grouped, COLUMNS=columns, FREQUENT=frequent, GROWTH=growth):
        check(representative, available, seed, None, "full", smoothing, per=per, ngrams=ngrams)


@given(
    representative=some_words,
    available=lines_of(WORDS, 25, 8),
    vocabulary=st.sampled_from(["full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 1e-30]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 2),
    columns=st.integers(1, 4),
    fewest=st.sampled_from([1, 8]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"] * 4, "full", 0.01, "line", 1, 1, 1)  # ties
@example(["a b", "a"], ["a " * 300, "a " * 254 + "b", "a b", "b", "a", "z"], "full", 0.01, "line", 1, 2, 1)
@settings(max_examples=50)
def test_word_first_in_groups_gives_the_picks_of_the_oracle(
    representative: list[str],
    available: list[str],
    vocabulary: str,
    smoothing: float,
    per: str,
    ngrams: int,
    columns: int,
    fewest: int,
) -> None:
    """The best word may have a column or not: rows are picked from groups and from lists in turn."""
    assume(shares_a_word(representative, available))
    with mock.patch.multiple(grouped, COLUMNS=columns, FREQUENT=64, FEWEST=fewest):
        check(representative, available, [], None, vocabulary, smoothing, None, "word", per, ngrams)


@pytest.mark.slow
@pytest.mark.parametrize("per", ["line", "word"])
def test_a_text_of_four_hundred_lines_is_ranked_as_the_oracle_ranks_it(per: str) -> None:
    check(zipfian(40, 1), zipfian(400, 2), zipfian(10, 3), zipfian(100, 4), "full", 0.01, per=per)


def test_equal_deltas_go_to_the_earlier_line_though_their_gains_differ() -> None:
    """As in test_exact: gains that differ by some 2^-56 give one delta, at the very first picks."""
    rng = np.random.default_rng(5)

    def lines(sizes: list[int]) -> list[str]:
        return [" ".join(f"w{w}" for w in rng.integers(0, 12, size)) for size in sizes]

    texts = [(lines([16]), lines([2] * 12)) for _ in range(40)]
    for columns, (wanted, pool) in itertools.product((2, 12), texts):
        with mock.patch.object(grouped, "COLUMNS", columns):
            check(wanted, pool, [], None, "full", 0.01)


TEMPLATES = {
    "templates": [f"the cat sat near mat number n{i}" for i in range(700)],
    "digits": [" ".join(str(i * 7919 % 100003)) for i in range(700)],
    "orders": [f"order {i} shipped to customer c{i % 37} on day {i % 28} of month {i % 12}" for i in range(700)],
    "copies": ["the same line again"] * 400 + ["the same line", "the line again"] * 100,
    "characters": [" ".join(line.replace(" ", "_")) for line in zipfian(300, 3)],
}


@pytest.mark.parametrize("shape", TEMPLATES)
@pytest.mark.parametrize("patience", [-1, 0, 2])
def test_it_does_not_matter_when_rows_are_grouped(shape: str, patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = TEMPLATES[shape]
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    whole = cynical.select(pool[:200], pool, all=True)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    monkeypatch.setattr(opening, "ALONE", ((1 << 63, 10**9),))
    monkeypatch.setattr(grouped, "PATIENCE", patience)
    monkeypatch.setattr(grouped, "PER_PICK", 0)
    monkeypatch.setattr(grouped, "GROWTH", patience if patience > 0 else 0)
    monkeypatch.setattr(ranking, "PICKS", 17)
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        again = cynical.select(pool[:200], pool, all=True)
    assert group_rows.call_count > 1  # when half the rows were gone, they were grouped again
    assert again.lines.tolist() == whole.lines.tolist()
    assert again.delta.tolist() == whole.delta.tolist()
    assert again.entropy.tolist() == whole.entropy.tolist()
    assert again.words.tolist() == whole.words.tolist()


@pytest.mark.parametrize("name", ["templates", "digits", "orders"])
def test_word_first_picks_the_same_from_groups_and_from_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = TEMPLATES[name]
    monkeypatch.setattr(grouped, "FEWEST", 10**9)
    lists = cynical.select(pool[:200], pool, strategy="word", all=True)
    monkeypatch.setattr(grouped, "FEWEST", 1)
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        groups = cynical.select(pool[:200], pool, strategy="word", all=True)
    assert group_rows.call_count > 1  # when half the rows were gone, they were grouped again
    assert b"".join(groups.to_bytes()) == b"".join(lists.to_bytes())


def test_natural_text_stays_in_heaps_and_lines_that_share_their_words_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rng = np.random.default_rng(6)
    natural = [" ".join(f"w{w}" for w in rng.zipf(1.3, rng.integers(3, 30))) for _ in range(5000)]
    templates = [f"the cat sat near mat number n{i}" for i in range(5000)]
    with mock.patch.object(grouped, "group_rows", wraps=grouped.group_rows) as group_rows:
        cynical.select(natural[:500], natural, all=True)
        assert group_rows.call_count == 0
        cynical.select(templates, templates, all=True)
        assert group_rows.call_count > 0
