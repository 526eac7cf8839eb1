"""N-grams that are smoothed towards independent words: the oracle's picks, and what --ngram-smoothing does."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.options import Settings
from cynical.options.ranking import FOR_MODEL, Strategy
from tests import oracle
from tests.against_oracle import WORDS, check, compare, encoded, lines_of, shares_a_word, some_words, zipfian
from tests.conftest import Run


@given(
    representative=some_words,
    available=lines_of(WORDS, 16, 8),
    seed=st.one_of(st.just([]), some_words),
    vocabulary=st.sampled_from(["full", "full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 1e-30]),
    strategy=st.sampled_from(["exact", "word", "batch"]),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(2, 3),
    ngram_smoothing=st.sampled_from([1e-3, 0.7, 40.0, 5000.0, 1e9]),
)
@example(["a b"], ["a", "b", "a b", "b a", "a b"], [], "full", 0.01, "exact", "line", 2, 1.0)  # ties
@settings(max_examples=100)
def test_picks_are_those_of_the_oracle(
    representative: list[str],
    available: list[str],
    seed: list[str],
    vocabulary: str,
    smoothing: float,
    strategy: Strategy,
    per: str,
    ngrams: int,
    ngram_smoothing: float,
) -> None:
    assume(shares_a_word(representative, available))
    options = None, strategy, per, ngrams, ngram_smoothing
    check(representative, available, seed, None, vocabulary, smoothing, *options)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["exact", "word", "batch"])
@pytest.mark.parametrize(("per", "ngrams"), [("line", 2), ("word", 2), ("word", 3)])
def test_a_text_of_three_hundred_lines_is_ranked_as_the_oracle_ranks_it(
    strategy: Strategy, per: str, ngrams: int
) -> None:
    texts = zipfian(40, 1), zipfian(300, 2), zipfian(10, 3)
    for vocabulary in ("full", "classes") if ngrams < 3 else ("full",):
        check(*texts, zipfian(100, 4), vocabulary, 0.01, None, strategy, per, ngrams, 300.0)


def test_a_prior_is_no_n_gram() -> None:
    """Where lines have a prior, one feature more comes after the n-grams."""
    wanted, pool = zipfian(20, 1, words=12), zipfian(60, 2, words=12, longest=8)
    prior = [number % 5 / 100 for number in range(len(pool))]
    problem = oracle.Problem([[encoded(wanted)]], [encoded(pool)], ngrams=2, prior=prior, ngram_smoothing=50.0)
    compare(problem, "exact", wanted, pool, ngrams=2, prior=prior, ngram_smoothing=50.0)


@pytest.mark.parametrize("ngrams", [2, 3])
def test_the_sum_of_the_deltas_is_the_change_of_the_entropy(ngrams: int) -> None:
    wanted, pool = zipfian(60, 7), zipfian(300, 8)
    jaded = cynical.select(wanted, pool, ngrams=ngrams, ngram_smoothing=5000, all=True)
    problem = oracle.Problem([[encoded(wanted)]], [encoded(pool)], ngrams=ngrams, ngram_smoothing=5000)
    selected: Counter[Any] = Counter()
    for features, _ in problem.lines.values():
        selected.update(features)
    added = {v: s - 0.01 for v, s in problem.s.items()}
    by_formula = oracle.entropy(problem.p, selected, selected.total(), 0.01, 0.0, added, 5000.0 * (ngrams - 1))
    before = jaded.summary["feature_entropy"]["before"]
    assert before + math.fsum(jaded.delta) == pytest.approx(by_formula, abs=1e-9)
    assert jaded.feature_entropy is not None and jaded.feature_entropy[-1] == pytest.approx(by_formula, abs=1e-9)
    plain = cynical.select(wanted, pool, ngrams=ngrams, all=True)
    assert plain.lines.tolist() != jaded.lines.tolist()
    assert plain.entropy_before == jaded.entropy_before
    assert plain.entropy[-1] == pytest.approx(jaded.entropy[-1], abs=1e-9), "that of single words is the same"


@pytest.mark.parametrize("options", [{"ngrams": 2, "per": "word"}, {"ngrams": 3, "vocabulary": "classes"}, {}])
def test_none_is_the_default(options: dict[str, Any]) -> None:
    wanted, pool = zipfian(40, 7), zipfian(200, 8)
    plain = cynical.select(wanted, pool, all=True, **options)
    made = cynical.select(wanted, pool, all=True, ngram_smoothing=0, **options)
    assert b"".join(made.to_bytes()) == b"".join(plain.to_bytes()) and made.signature == plain.signature
    assert "ngram-smoothing" not in str(plain.signature)


def test_a_pair_that_independent_words_explain_is_worth_less() -> None:
    """Both pairs are as frequent, and their words have been seen. Only a and b are frequent without each other."""
    wanted = [*["m a b n", "m x y n"] * 2, *["b m a n"] * 6]
    pool, seed = ["z a b z", "z x y z"], ["a z b z x z y"] * 1000
    plain, smooth = (
        cynical.select(wanted, pool, seed=seed, ngrams=2, ngram_smoothing=number, all=True) for number in (0, 10)
    )
    assert (plain.texts[0], smooth.texts[0]) == ("z a b z", "z x y z")


def test_it_is_in_the_settings_and_in_the_signature() -> None:
    made = cynical.select(zipfian(40, 7), zipfian(200, 8), ngrams=2, ngram_smoothing=12.5, lines=3)
    assert "|ngram-smoothing:12.5|" in str(made.signature) and made.summary.settings["ngram_smoothing"] == 12.5
    assert Settings.of(for_="model").changed()["ngram_smoothing"] == 5000.0
    assert "ngram_smoothing" not in Settings.of(for_="model", ngrams=1).changed(), "it is not in force"


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, 1e10])
def test_what_cannot_be_is_an_error(value: float) -> None:
    with pytest.raises(cynical.CynicalError, match=r"ngram_smoothing must be between 0 and 1e\+09, found"):
        cynical.select(["a b"], ["a b"], ngrams=2, ngram_smoothing=value)


def test_with_single_words_a_notice_says_that_it_has_no_effect() -> None:
    with pytest.warns(cynical.CynicalWarning, match="ngram_smoothing has no effect with ngrams=1"):
        made = cynical.select(["a b"], ["a b", "b a c"], ngram_smoothing=3, all=True)
    assert made.delta.tolist() == cynical.select(["a b"], ["a b", "b a c"], all=True).delta.tolist()
    with pytest.warns(cynical.CynicalWarning, match="ngram_smoothing has no effect with ngrams=1"):
        cynical.Scorer(["a b"], ngram_smoothing=3)
    assert Settings.of(for_="model", ngrams=1, ngram_smoothing=3).without_effect
    assert not Settings.of(for_="model", ngrams=1).without_effect, "nobody has given it"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cynical.select(zipfian(40, 7), zipfian(200, 8), for_="model", ngrams=1, per="line", widen=0, lines=3)


def test_the_command_line(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("\n".join(zipfian(40, 7)) + "\n")
    (tmp_path / "a.txt").write_text("\n".join(zipfian(200, 8)) + "\n")
    common = ("select", "-r", "r.txt", "-a", "a.txt", "--overwrite", "--all", "-o")
    done = cynical(*common, "one.tsv", "--for", "model", "--widen", "0")
    assert done.returncode == 0, done.stderr
    done = cynical(*common, "two.tsv", "--ngrams", "2", "--per", "word", "--ngram-smoothing", "5000")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    done = cynical(*common, "three.tsv", "--ngram-smoothing", "5000")
    assert "--ngram-smoothing has no effect with --ngrams 1" in done.stderr
    done = cynical(*common, "three.tsv", "--ngrams", "2", "--ngram-smoothing", "-1")
    assert done.returncode == 2 and "--ngram-smoothing must be between 0 and 1e+09, found -1" in done.stderr
    scored = ("score", "-r", "r.txt", "-a", "a.txt", "--ngrams", "2", "-o")
    assert cynical(*scored, "plain.scores").returncode == 0
    assert cynical(*scored, "smooth.scores", "--ngram-smoothing", "5000").returncode == 0
    assert (tmp_path / "plain.scores").read_bytes() != (tmp_path / "smooth.scores").read_bytes()


def test_documentation_of_functions_says_what_for_model_is() -> None:
    words, number = FOR_MODEL["widen"], FOR_MODEL["ngram_smoothing"]
    said = f"widen={words:g}, ngram_smoothing={number:g}``"
    for function in (cynical.select, cynical.Scorer):
        text = " ".join(str(function.__doc__).split())
        assert said in text
        assert f"0 by default, {words:g} for a model" in text and f"0 by default, {number:g} for a model" in text


def test_the_order_of_lines_does_not_change_a_bit_of_what_classes_share() -> None:
    wanted, pool = zipfian(60, 7), zipfian(200, 8)
    options: dict[str, Any] = {"ngrams": 2, "vocabulary": "classes", "ngram_smoothing": 5000, "all": True}
    one, other = cynical.select(wanted, pool, **options), cynical.select(wanted[::-1], pool, **options)
    assert one.delta.tolist() == other.delta.tolist() and one.lines.tolist() == other.lines.tolist()
