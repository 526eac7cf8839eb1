"""The paper's shortcuts against the oracle: the same picks, through the same words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options.ranking import Strategy
from cynical.selection import batch
from cynical.selection import search as ranking
from tests.against_oracle import WORDS, check, lines_of, shares_a_word, some_words, zipfian

strategies = pytest.mark.parametrize("strategy", ["word", "batch"])


@pytest.mark.slow
@given(
    representative=some_words,
    available=lines_of(WORDS, 30, 6),
    seed=st.one_of(st.just([]), some_words),
    unadapted=st.one_of(st.none(), some_words),
    vocabulary=st.sampled_from(["full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 0.37]),
    max_length=st.sampled_from([None, 3]),
    strategy=st.sampled_from(["word", "batch"]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"] * 5, [], None, "full", 0.01, None, "batch")
@example(["a b", "a"], ["a c", "a d", "a c", "a c", "a e"] * 4, [], ["z z z"], "full", 0.01, None, "batch")
@settings(max_examples=400)
def test_picks_are_those_of_the_oracle(
    representative: list[str],
    available: list[str],
    seed: list[str],
    unadapted: list[str] | None,
    vocabulary: str,
    smoothing: float,
    max_length: int | None,
    strategy: Strategy,
) -> None:
    assume(shares_a_word(representative, available))
    check(representative, available, seed, unadapted, vocabulary, smoothing, max_length, strategy)


@strategies
@pytest.mark.parametrize("vocabulary", ["full", "classes"])
def test_a_text_of_four_hundred_lines_is_ranked_as_the_oracle_ranks_it(strategy: Strategy, vocabulary: str) -> None:
    check(zipfian(40, 1), zipfian(400, 2), zipfian(10, 3), zipfian(100, 4), vocabulary, 0.01, None, strategy)


HARD = {
    "a word in every line": (["a b c"] * 3, [f"a x{i}" for i in range(200)] + ["b", "c"]),
    "a line that repeats one word a thousand times": (["a b", "a"], ["a " * 1000, "a b", "b", "a", "x"]),
    "many copies of one line": (["a b c"], ["a b"] * 300 + ["a c"] * 20 + ["x"]),
    "a useful word with a single line": (["rare rare rare rare b"], ["b"] * 40 + ["rare b"] + ["b b x"] * 10),
    "no useful word at all": (["a b"] * 10, ["a b"] * 12 + ["a"] * 3 + ["z"] * 2),
}


@strategies
@pytest.mark.parametrize("name", HARD)
def test_hard_inputs_are_ranked_as_the_oracle_ranks_them(strategy: Strategy, name: str) -> None:
    representative, available = HARD[name]
    check(representative, available, [], None, "full", 0.01, None, strategy)
    check(representative, available, [], None, "classes", 0.01, None, strategy)


@given(
    different=st.lists(lines_of([*WORDS, "x", "y"], 1, 4).map(" ".join), min_size=1, max_size=6),
    which=st.lists(st.integers(0, 5), min_size=20, max_size=90),
    smoothing=st.sampled_from([0.01, 1.0]),
    per=st.sampled_from(["line", "word"]),
)
@example(["a x", "a y", "a b"], [0, 0, 0, 1, 0, 0, 2, 1, 1, 0] * 9, 0.01, "line")
@settings(max_examples=50)
def test_copies_are_picked_in_the_order_of_the_oracle(
    different: list[str], which: list[int], smoothing: float, per: str
) -> None:
    available = [different[number % len(different)] for number in which]
    assume(shares_a_word(WORDS[:4], available))
    check(WORDS[:4], available, [], None, "full", smoothing, None, "batch", per)


@strategies
def test_ten_thousand_copies_of_one_line_are_ranked(strategy: Strategy) -> None:
    jaded = cynical.select(["a b c"] * 4, ["a b"] * 10_000 + ["c x"], strategy=strategy, all=True)
    assert sorted(jaded.lines.tolist()) == list(range(10_001))
    assert jaded.summary["search"].rescored < 200_000, "copies are scored together"
    if strategy == "word":
        assert jaded.lines[jaded.lines < 10_000].tolist() == list(range(10_000))


@strategies
def test_budgets_give_prefixes_and_threads_change_nothing(strategy: Strategy, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, pool = zipfian(60, 30), zipfian(900, 31)
    whole = cynical.select(wanted, pool, strategy=strategy, all=True)
    for lines in (1, 2, 17, 333):
        some = cynical.select(wanted, pool, strategy=strategy, lines=lines, jobs=3)
        assert some.lines.tolist() == whole.lines[:lines].tolist()
    fits = int((np.cumsum(whole.words) <= 777).sum())
    assert cynical.select(wanted, pool, strategy=strategy, words=777).lines.tolist() == whole.lines[:fits].tolist()
    monkeypatch.setattr(ranking, "PICKS", 5)
    monkeypatch.setattr(batch, "PICKS", 5)
    again = cynical.select(wanted, pool, strategy=strategy, all=True, jobs=1)
    assert b"".join(again.to_bytes()) == b"".join(whole.to_bytes())


@strategies
def test_the_word_column_is_the_word_that_led_to_the_line(strategy: Strategy) -> None:
    jaded = cynical.select(zipfian(60, 32), zipfian(300, 33), strategy=strategy, all=True)
    for word, text in zip(jaded.best_words, jaded.texts, strict=True):
        assert word in text.split() or (word == "" and not set(text.split()) & set(" ".join(zipfian(60, 32)).split()))


@strategies
def test_deltas_add_up(strategy: Strategy) -> None:
    jaded = cynical.select(zipfian(60, 34), zipfian(1000, 35), strategy=strategy, all=True)
    exact = cynical.select(zipfian(60, 34), zipfian(1000, 35), all=True)
    assert jaded.entropy[-1] == pytest.approx(jaded.entropy_before + sum(jaded.delta), abs=1e-9)
    assert jaded.entropy[-1] == pytest.approx(exact.entropy[-1], abs=1e-9)
    assert exact.delta[0] <= jaded.delta[0]
