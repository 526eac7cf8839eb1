"""Per word, n-grams, several targets, both sides of a text: against the oracle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.selection import exact

from . import reference
from .compare import WORDS, check, compare, encoded, lines_of, shares_a_word, some_words, zipfian

strategies = st.sampled_from(["exact", "exact", "word", "batch"])


@pytest.fixture(autouse=True)
def small_texts_are_refreshed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "LEAST_STALE", 1)


@given(
    representative=some_words,
    available=lines_of(WORDS, 20, 8),
    seed=st.one_of(st.just([]), some_words),
    unadapted=st.one_of(st.none(), some_words),
    vocabulary=st.sampled_from(["full", "full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 0.37]),
    max_length=st.sampled_from([None, 3]),
    strategy=strategies,
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 3),
)
@example(["a b"], ["a", "a a", "b", "b b", "a b", "a b a b"], [], None, "full", 0.01, None, "exact", "word", 1)
@example(["a b", "a"], ["a c", "a", "a c", "z a z a"] * 4, [], ["z z"], "full", 0.01, None, "batch", "word", 2)
@settings(max_examples=500)
def test_per_word_and_n_grams_are_ranked_as_the_oracle_ranks_them(
    representative: list[str],
    available: list[str],
    seed: list[str],
    unadapted: list[str] | None,
    vocabulary: str,
    smoothing: float,
    max_length: int | None,
    strategy: str,
    per: str,
    ngrams: int,
) -> None:
    if shares_a_word(representative, available):
        check(representative, available, seed, unadapted, vocabulary, smoothing, max_length, strategy, per, ngrams)


@pytest.mark.parametrize("strategy", ["exact", "word", "batch"])
@pytest.mark.parametrize(("per", "ngrams"), [("word", 1), ("line", 2), ("word", 2), ("word", 3)])
def test_a_text_of_three_hundred_lines_is_ranked_as_the_oracle_ranks_it(strategy: str, per: str, ngrams: int) -> None:
    texts = zipfian(40, 1), zipfian(300, 2), zipfian(10, 3)
    for vocabulary in ("full", "classes") if ngrams < 3 else ("full",):
        check(*texts, zipfian(100, 4), vocabulary, 0.01, None, strategy, per, ngrams)


def test_equal_deltas_per_word_go_to_the_earlier_line() -> None:
    """Twice the words for twice the bits is a tie, and so are quotients that round to one number."""
    check(["a b c d e f g h"], ["c d", "a b", "h", "a", "e f", "b"] * 3, [], None, "full", 1e-6, None, "exact", "word")
    check(
        ["w8 w5 w4 w4 w1 w6 w5 w8 w8 w2 w4"],
        ["w9 w2", "w6 w5", "w2", "w1 w1"],
        [],
        None,
        "full",
        0.01,
        None,
        "exact",
        "word",
    )


texts_of_two_sides = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS[:5]), max_size=4).map(" ".join),
        st.lists(st.sampled_from(WORDS[3:]), max_size=4).map(" ".join),
    ),
    min_size=1,
    max_size=8,
)


def sides(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


@given(
    targets=st.lists(texts_of_two_sides, min_size=1, max_size=3),
    available=texts_of_two_sides,
    seed=st.one_of(st.just([]), texts_of_two_sides),
    unadapted=st.one_of(st.none(), texts_of_two_sides),
    weights=st.lists(st.sampled_from([1.0, 0.3, 7.0]), min_size=3, max_size=3),
    strategy=strategies,
    vocabulary=st.sampled_from(["full", "full", "classes"]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 3),
    two_sides=st.booleans(),
)
@settings(max_examples=300)
def test_mixtures_and_both_sides_are_ranked_as_the_oracle_ranks_them(
    targets: list[list[tuple[str, str]]],
    available: list[tuple[str, str]],
    seed: list[tuple[str, str]],
    unadapted: list[tuple[str, str]] | None,
    weights: list[float],
    strategy: str,
    vocabulary: str,
    per: str,
    ngrams: int,
    two_sides: bool,
) -> None:
    count = 2 if two_sides else 1
    given = [target for target in targets if all(any(line.strip() for line in side) for side in sides(target)[:count])]
    pool, known = sides(available), sides(seed)
    have = None if unadapted is None else sides(unadapted)
    common = any(shares_a_word(list(sides(target)[side]), pool[side]) for target in given for side in range(count))
    empty = [text for text in (known, have) if text and any(text) and not all(any(map(str.strip, s)) for s in text)]
    if not given or not common or empty or not any(map(str.strip, pool[0] + (pool[1] if two_sides else []))):
        return
    weights = weights[: len(given)]

    def text(both: tuple[list[str], list[str]]) -> list[list[bytes]]:
        return [encoded(side) for side in both[:count]]

    problem = reference.Problem(
        [text(sides(target)) for target in given],
        text(pool),
        text(known),
        None if have is None else text(have),
        vocabulary,
        0.01,
        ngrams,
        weights,
        per,
    )
    options: dict[str, Any] = {"vocabulary": vocabulary, "per": per, "ngrams": ngrams, "weights": weights}
    options |= {"with_": pool[1], "seed": known[0] if seed else None, "unadapted": have[0] if have else None}
    if two_sides:
        options |= {
            "representative_with": tuple(sides(target)[1] for target in given),
            "seed_with": known[1] if seed else None,
            "unadapted_with": have[1] if have else None,
        }
    compare(problem, strategy, [sides(target)[0] for target in given], pool[0], **options)


def test_n_grams_are_counted_with_one_boundary_at_each_end() -> None:
    counts = cynical.count(["a b c", "", "a"], ngrams=3)
    assert counts.totals == (4, 6, 4)  # w words have w + 1 pairs and w triples
    found = {b" ".join(counts.parts_of(v)): n for v, n in enumerate(counts.of_features.tolist())}
    pairs = {b" a": 2, b"a b": 1, b"b c": 1, b"c ": 1, b"a ": 1}
    triples = {b" a b": 1, b"a b c": 1, b"b c ": 1, b" a ": 1}
    assert found == {b"a": 2, b"b": 1, b"c": 1, **pairs, **triples}
    assert counts["a b"] == 1
    assert counts["b a"] == 0
