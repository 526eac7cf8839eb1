"""Per word, n-grams, several targets, both sides of a text: against the oracle."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options.ranking import Strategy, Vocabulary
from cynical.selection import opening
from tests import oracle
from tests.against_oracle import WORDS, check, compare, encoded, lines_of, shares_a_word, some_words, zipfian

strategies = st.sampled_from(["exact", "exact", "word", "batch"])


@pytest.fixture(autouse=True)
def small_texts_are_refreshed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LEAST_STALE", 1)
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)


@pytest.mark.slow
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
    strategy: Strategy,
    per: str,
    ngrams: int,
) -> None:
    assume(shares_a_word(representative, available))
    check(representative, available, seed, unadapted, vocabulary, smoothing, max_length, strategy, per, ngrams)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["exact", "word", "batch"])
@pytest.mark.parametrize(("per", "ngrams"), [("word", 1), ("line", 2), ("word", 2), ("word", 3)])
def test_a_text_of_three_hundred_lines_is_ranked_as_the_oracle_ranks_it(
    strategy: Strategy, per: str, ngrams: int
) -> None:
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


@pytest.mark.slow
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
    ngram_smoothing=st.sampled_from([0.0, 0.7, 5000.0]),
)
@settings(max_examples=300)
def test_mixtures_and_both_sides_are_ranked_as_the_oracle_ranks_them(
    targets: list[list[tuple[str, str]]],
    available: list[tuple[str, str]],
    seed: list[tuple[str, str]],
    unadapted: list[tuple[str, str]] | None,
    weights: list[float],
    strategy: Strategy,
    vocabulary: str,
    per: str,
    ngrams: int,
    two_sides: bool,
    ngram_smoothing: float,
) -> None:
    count = 2 if two_sides else 1
    given = [target for target in targets if all(any(line.strip() for line in side) for side in sides(target)[:count])]
    pool, known = sides(available), sides(seed)
    have = None if unadapted is None else sides(unadapted)
    common = any(shares_a_word(list(sides(target)[side]), pool[side]) for target in given for side in range(count))
    empty = [text for text in (known, have) if text and any(text) and not all(any(map(str.strip, s)) for s in text)]
    assume(given and common and not empty and any(map(str.strip, pool[0] + (pool[1] if two_sides else []))))
    weights = weights[: len(given)]

    def text(both: tuple[list[str], list[str]]) -> list[list[bytes]]:
        return [encoded(side) for side in both[:count]]

    problem = oracle.Problem(
        [text(sides(target)) for target in given],
        text(pool),
        text(known),
        None if have is None else text(have),
        vocabulary,
        0.01,
        ngrams,
        weights,
        per,
        ngram_smoothing=ngram_smoothing,
    )
    options: dict[str, Any] = {"vocabulary": vocabulary, "per": per, "ngrams": ngrams, "weights": weights}
    options["ngram_smoothing"] = ngram_smoothing
    options |= {"with_": pool[1], "seed": known[0] if seed else None, "unadapted": have[0] if have else None}
    if two_sides:
        options |= {
            "representative_with": tuple(sides(target)[1] for target in given),
            "seed_with": known[1] if seed else None,
            "unadapted_with": have[1] if have else None,
        }
    compare(problem, strategy, [sides(target)[0] for target in given], pool[0], **options)


@pytest.mark.parametrize("ngrams", [1, 2, 3])
@pytest.mark.parametrize("below", [2, 6, 40])
def test_folded_words_and_n_grams_count_as_one_that_is_never_seen(ngrams: int, below: int) -> None:
    """Also where no n-gram is left: single words then still have an entropy of their own."""
    texts = [zipfian(30, 41, words=12), zipfian(60, 42, words=40)]
    counts = [cynical.count(text, ngrams=ngrams).folded(below) for text in texts]
    seed = cynical.count(zipfian(20, 43, words=12), ngrams=ngrams).folded(2)
    jaded = cynical.select(counts, zipfian(50, 44, words=12), weights=[3, 1], ngrams=ngrams, seed=seed, all=True)

    def entropy(orders: int) -> float:
        return oracle.folded_entropy([folded(one) for one in counts], (0.75, 0.25), folded(seed), orders)

    assert jaded.entropy_before == pytest.approx(entropy(1), abs=1e-9)
    if ngrams > 1:
        assert jaded.summary["feature_entropy"]["before"] == pytest.approx(entropy(ngrams), abs=1e-9)
        assert jaded.feature_entropy is not None
        total = jaded.summary["feature_entropy"]["before"] + math.fsum(jaded.delta)
        assert jaded.feature_entropy[-1] == pytest.approx(total, abs=1e-9)
    words = cynical.select(
        [one.folded(1) for one in map(only_words, counts)],
        ["w1"],
        weights=[3, 1],
        seed=[*zipfian(20, 43, words=12), *jaded.texts],
        lines=1,
    )
    if below == 40:
        return
    assert jaded.entropy[-1] == pytest.approx(words.entropy_before, abs=1e-9)


def folded(counts: cynical.Counts) -> oracle.Folded:
    named = {counts.parts_of(v): n for v, n in enumerate(counts.of_features.tolist())}
    return oracle.Folded(named, counts.totals, counts.others)


def only_words(counts: cynical.Counts) -> cynical.Counts:
    return replace(counts, grams=None, signature="tok:whitespace|lower:no")


@pytest.mark.parametrize("strategy", ["exact", "word", "batch"])
@pytest.mark.parametrize("ngrams", [1, 2])
def test_where_every_line_costs_more_than_it_brings_the_picks_are_the_oracles(strategy: Strategy, ngrams: int) -> None:
    wanted = zipfian(20, 50, words=40)
    for number in range(4):
        pool = zipfian(60, 51 + number, words=200, longest=14)
        check(wanted, pool, wanted * 60, None, "full", 0.01, None, strategy, "word", ngrams)
    longer = ["a x", "a" + " x" * 7, "a" + " x" * 11, "b x x", "b x x x"]  # and then long lines cost least per word
    check(["a b c d e"], longer, [], None, "full", 0.01, None, strategy, "word", ngrams)


def test_what_is_left_out_where_both_sides_count() -> None:
    """Copies are equal in both sides, lines are excluded by the first, and a blank side is not a blank line."""
    wanted, pool = (["a b c"], ["x y z"]), (["a b", "a b", "a b", "c", ""], ["x", "x", "y", "z", "z y"])
    both: dict[str, Any] = {"with_": pool[1], "representative_with": wanted[1], "all": True}

    def picked(**options: Any) -> list[int]:
        return sorted(cynical.select(wanted[0], pool[0], **both, **options).lines.tolist())

    assert picked() == [0, 1, 2, 3, 4]
    assert picked(max_copies=1) == [0, 2, 3, 4]
    assert picked(exclude=["a  b", ""]) == [3, 4]
    assert picked(exclude=["x"]) == [0, 1, 2, 3, 4]
    first = cynical.select(wanted[0], pool[0], **{**both, "all": False, "lines": 2})
    other = cynical.select(wanted[0], pool[0][::-1], **{**both, "with_": pool[1][::-1]}, seed=first)
    texts = sorted(zip(other.texts, other.sides["side2"], strict=True))
    left = Counter(zip(*pool, strict=True)) - Counter(zip(first.texts, first.sides["side2"], strict=True))
    assert texts == sorted(left.elements())


def test_a_hash_of_a_line_tells_words_that_end_in_nul() -> None:
    jaded = cynical.select(["a `\0"], ["a", "`\0", "a"], all=True, exclude=["`\0"], max_copies=1)
    assert jaded.lines.tolist() == [0]


def test_rankings_by_words_add_up() -> None:
    """Two rankings that hold copies of one line leave out two copies; an empty one none."""
    pool = ["a b"] * 4 + ["c"] * 2
    first = cynical.select(["a b c"], pool, lines=1, per="line", max_length=2, min_length=2)
    second = cynical.select(["a b c"], pool, lines=1, seed=first, min_length=2)
    empty = cynical.select(["a b c"], pool, words=1, min_length=2)
    assert (len(empty), first.texts, second.texts) == (0, ["a b"], ["a b"])
    rest = cynical.select(["a b c"], [*pool, "z"], all=True, seed=[first, second, empty])
    assert [one["by"] for one in rest.summary["seed"]["rankings"]] == ["words"] * 3
    assert [one["found"] for one in rest.summary["seed"]["rankings"]] == [1, 1, 0]
    assert sorted(rest.texts) == ["a b"] * 2 + ["c"] * 2 + ["z"]


def test_coverage_with_n_grams_is_that_of_words() -> None:
    jaded = cynical.select(["a a a b c d"], ["a b", "x", "c x x x"], lines=1, ngrams=2)
    assert jaded.texts == ["a b"]
    assert jaded.summary["covered"].to_dict() == {"types": 0.5, "tokens": pytest.approx(4 / 6)}
    assert jaded.summary["available"]["covers"].to_dict() == {"types": 0.75, "tokens": pytest.approx(5 / 6)}


@pytest.mark.parametrize("vocabulary", ["full", "classes"])
def test_coverage_counts_seed_and_the_same_things_on_both_sides(vocabulary: Vocabulary) -> None:
    wanted, pool = ["a a a b c d"] * 9, ["a b", "x d", "x a a a a a"]
    jaded = cynical.select(wanted, pool, all=True, seed=["c c c"], vocabulary=vocabulary)
    assert jaded.summary["covered"] == jaded.summary["available"]["covers"]
    assert jaded.summary["covered"]["tokens"] == pytest.approx(1.0)
    fewer = cynical.select(wanted, pool[:2], lines=1, seed=["d"], vocabulary=vocabulary).summary
    if vocabulary == "full":
        assert fewer["covered"].to_dict() == fewer["available"]["covers"].replaced(types=0.75).to_dict()
        assert fewer["covered"]["tokens"] == pytest.approx(5 / 6)
    assert not any("occur in AVAILABLE" in notice for notice in jaded.summary["notices"])
