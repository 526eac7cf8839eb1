"""Every pick, delta and entropy against the oracle, and what the paper says must hold."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.memory import reserved
from cynical.model.entropy import make_state
from cynical.model.target import Target
from cynical.selection import exact, opening
from cynical.selection import search as ranking
from tests import oracle
from tests.against_oracle import WORDS, check, encoded, lines_of, shares_a_word, some_words, zipfian


@pytest.fixture(autouse=True)
def small_texts_are_refreshed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LEAST_STALE", 1)
    monkeypatch.setattr(opening, "LEAST_OPEN", 1)


@given(
    representative=some_words,
    available=lines_of(WORDS, 14, 12),
    seed=st.one_of(st.just([]), some_words),
    unadapted=st.one_of(st.none(), some_words),
    vocabulary=st.sampled_from(["full", "classes"]),
    smoothing=st.sampled_from([0.01, 1.0, 1e-6, 0.37, 1e-30]),
    max_length=st.sampled_from([None, 3]),
)
@example(["a b"], ["a", "a", "b", "b", "a b", "b a"], [], None, "full", 0.01, None)  # ties
@example(["a b c d"], ["a " * 20, "a a a a b", "z z z"], ["a"], None, "full", 0.01, None)  # many repeats
@settings(max_examples=300)
def test_every_pick_is_the_one_that_the_oracle_finds_by_trying_all(
    representative: list[str],
    available: list[str],
    seed: list[str],
    unadapted: list[str] | None,
    vocabulary: str,
    smoothing: float,
    max_length: int | None,
) -> None:
    assume(shares_a_word(representative, available))
    check(representative, available, seed, unadapted, vocabulary, smoothing, max_length)


@pytest.mark.parametrize("vocabulary", ["full", "classes"])
def test_a_text_of_four_hundred_lines_is_ranked_as_the_oracle_ranks_it(vocabulary: str) -> None:
    check(zipfian(40, 1), zipfian(400, 2), zipfian(10, 3), zipfian(100, 4), vocabulary, 0.01)


@given(
    some_words,
    lines_of(WORDS[:4], 20, 6),
    st.integers(1, 30),
    st.sampled_from(["line", "word"]),
    st.integers(1, 2),
)
@example(["a b"], ["a b", "b a", "a b", "a a", "b b", "b a"], 1, "line", 1)  # ties between heaps of one length
def test_a_length_of_too_many_entries_is_in_several_heaps(
    representative: list[str], available: list[str], most: int, per: str, ngrams: int
) -> None:
    assume(shares_a_word(representative, available))
    with mock.patch.object(exact, "MOST_ENTRIES", most):
        check(representative, available, [], None, "full", 0.01, per=per, ngrams=ngrams)


@pytest.mark.skipif(sys.platform != "linux", reason="room that takes no memory until it is used")
def test_rows_may_come_after_two_to_the_32_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, pool = zipfian(50, 5), zipfian(600, 6)
    whole = cynical.select(wanted, pool, all=True)
    lay_out, far = exact.lay_out, 1 << 32

    def lay_out_far_away(*given: Any) -> opening.LaidOut:
        laid = lay_out(*given)
        row_data = reserved(far + len(laid.heaps.row_data), np.uint32)
        row_data[far:] = laid.heaps.row_data
        heaps = laid.heaps._replace(row_data=row_data, base=laid.heaps.base + far)
        return replace(laid, heaps=heaps, places=laid.places + far, sample=laid.sample + far)

    monkeypatch.setattr(exact, "lay_out", lay_out_far_away)
    again = cynical.select(wanted, pool, all=True)
    assert again.lines.tolist() == whole.lines.tolist()
    assert again.delta.tolist() == whole.delta.tolist()


def test_refreshing_often_or_never_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, pool = zipfian(50, 5), zipfian(600, 6)
    whole = cynical.select(wanted, pool, all=True)
    for least, picks in ((10**9, 7), (1, 1000), (12, 1000)):
        monkeypatch.setattr(opening, "LEAST_STALE", least)
        monkeypatch.setattr(ranking, "PICKS", picks)
        again = cynical.select(wanted, pool, all=True)
        assert again.lines.tolist() == whole.lines.tolist()
        assert again.entropy.tolist() == whole.entropy.tolist()


def test_equal_deltas_go_to_the_earlier_line_though_their_gains_differ() -> None:
    """Gains of more than an eighth of a bit that differ by some 2^-56 give one delta."""
    wanted = ["w8 w5 w4 w4 w1 w6 w5 w8 w8 w2 w4 w11 w2 w2 w3 w11"]
    check(wanted, ["w9 w2", "w6 w5"], [], None, "full", 0.01)
    rng = np.random.default_rng(5)
    for _ in range(60):
        texts = [[" ".join(f"w{w}" for w in rng.integers(0, 12, n)) for n in sizes] for sizes in ([16], [2] * 12)]
        if shares_a_word(*texts):
            check(texts[0], texts[1], [], None, "full", 0.01)


@pytest.mark.parametrize("words", [10**9, 10**10, 10**12])
def test_near_ties_after_a_huge_seed_are_told_apart(words: int) -> None:
    """Penalties are so small then that the rounding of 1 + w / W is most of them."""
    wanted = cynical.Counts.from_pairs([(b"a", 1), (b"b", 1)], "tok:whitespace|lower:no")
    seed = cynical.Counts.from_pairs([(b"a", words // 2), (b"b", words // 3), (b"c", words // 6)], wanted.signature)
    lines = [" ".join(["a"] * n + ["z"] * (n // 2)) for n in range(1, 40)]
    jaded = cynical.select(wanted, lines, seed=seed, all=True)
    problem = oracle.Problem([[[b"a b"]]], [encoded(lines)])
    problem.counts.update({(1, 0, b"a"): words // 2, (1, 0, b"b"): words // 3})
    problem.selected = seed.total
    assert jaded.lines.tolist() == [pick.line for pick in oracle.exact(problem)]


def test_the_sum_of_the_deltas_is_the_change_of_the_entropy() -> None:
    wanted, pool = zipfian(60, 7), zipfian(2000, 8)
    jaded = cynical.select(wanted, pool, all=True)
    counts = Counter(word for line in wanted for word in line.split())
    p = {word.encode(): count / counts.total() for word, count in counts.items()}
    selected: Counter[bytes] = Counter(word.encode() for line in pool for word in line.split())
    by_formula = oracle.entropy(p, selected, selected.total(), 0.01)
    assert jaded.entropy_before + math.fsum(jaded.delta) == pytest.approx(by_formula, abs=1e-9)
    assert jaded.entropy[-1] == pytest.approx(by_formula, abs=1e-9)


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 300), st.integers(0, 5)), min_size=1, max_size=6),
    st.sampled_from([1e-30, 0.01, 3.0]),
)
def test_no_gain_ever_grows(words: list[tuple[int, int, int]], smoothing: float) -> None:
    count, had, more = (np.array(column) for column in zip(*words, strict=True))
    target = Target([[cynical.Counts.from_pairs([(b"%d" % i, int(n)) for i, n in enumerate(count)], "tok:none")]])
    now = make_state(target, had, [0], smoothing).model
    later = make_state(target, had + more, [0], smoothing).model
    assert (now.gain <= later.gain).all()
    assert (later.gain <= 0).all()
    expected = [oracle.gain_of_word(p, int(h), 1, smoothing) for p, h in zip(now.p, had, strict=True)]
    assert now.gain[: len(count)].tolist() == expected


def test_a_second_copy_of_a_line_gains_less() -> None:
    jaded = cynical.select(["a b c d e f"], ["a b c"] * 5, all=True)
    assert jaded.lines.tolist() == [0, 1, 2, 3, 4]
    assert all(np.diff(jaded.gain) > 0)


def test_without_a_budget_the_ranking_ends_where_the_entropy_is_lowest() -> None:
    wanted, pool = zipfian(40, 9), zipfian(800, 10) + ["x y z"] * 400
    whole = cynical.select(wanted, pool, all=True)
    patient = cynical.select(wanted, pool, patience="all")
    assert len(patient) == patient.stop == whole.stop
    assert patient.lines.tolist() == whole.lines[: whole.stop].tolist()
    assert 0 < whole.stop < len(whole)
    assert patient.summary["stop"]["known"]


def test_nothing_is_picked_where_no_line_helps() -> None:
    jaded = cynical.select(["a b"], ["a " + "x " * 5000], seed=["a a b b"] * 10)
    assert len(jaded) == jaded.stop == 0
    assert "nothing was picked" in jaded.summary["notices"][-1]


@given(st.integers(1, 60), st.sampled_from(["lines", "words"]))
@settings(max_examples=40)
def test_a_budget_gives_the_longest_prefix_of_the_whole_ranking_that_fits(amount: int, kind: str) -> None:
    wanted, pool = zipfian(30, 11), zipfian(60, 12)
    whole = cynical.select(wanted, pool, all=True)
    spent = np.arange(1, len(whole) + 1) if kind == "lines" else np.cumsum(whole.words)
    fits = int((spent <= amount).sum())
    some = cynical.select(wanted, pool, lines=amount) if kind == "lines" else cynical.select(wanted, pool, words=amount)
    assert some.lines.tolist() == whole.lines[:fits].tolist()
    assert some.delta.tolist() == whole.delta[:fits].tolist()


def test_a_share_is_of_all_words_of_available() -> None:
    pool = ["a b"] * 5 + ["x y z w v u"] * 5  # 40 words
    assert int(cynical.select(["a b"], pool, share=0.25).words.sum()) == 10
    assert int(cynical.select(["a b"], pool, share=0.24).words.sum()) == 8
    assert int(cynical.select(["a b"], pool, share=0.25, max_length=2).words.sum()) == 10


def test_the_number_of_threads_changes_nothing() -> None:
    wanted, pool = zipfian(50, 13), zipfian(3000, 14)
    results = [b"".join(cynical.select(wanted, pool, all=True, jobs=jobs).to_bytes()) for jobs in (1, 2, 5)]
    assert results[0] == results[1] == results[2]


SMALL = """
import cynical
from cynical.selection import opening
from tests.against_oracle import check, zipfian
from tests.oracle import words_of
opening.LEAST_OPEN = opening.LEAST_STALE = 1
for seed in range(3):
    check(zipfian(8, seed), zipfian(12, seed + 50), [], None, "full", 0.01)
    for strategy in ("exact", "word", "batch"):
        check(zipfian(8, seed), zipfian(12, seed + 50), ["w1 w2"], None, "classes", 0.5, None, strategy)
    for per, ngrams in (("word", 1), ("line", 2), ("word", 3)):
        for strategy in ("exact", "word", "batch"):
            check(zipfian(8, seed), zipfian(12, seed + 50), ["w1 w2"], None, "full", 0.5, None, strategy, per, ngrams)
from unittest import mock
from cynical.selection import grouped
with mock.patch.multiple(grouped, FEWEST=1, PATIENCE=-1, SHARE=1, PIECE=1, cores=lambda: 2):
    for columns in (2, 64):
        grouped.COLUMNS = columns
        check(zipfian(8, 1), zipfian(12, 51) + ["w1 " * 300], [], None, "full", 0.01, None, "exact", "word", 2)
both = {"with_": zipfian(12, 7), "representative_with": zipfian(8, 9), "seed": ["w1 w2"], "seed_with": ["w3"]}
cynical.select(zipfian(8, 3), zipfian(12, 5), all=True, ngrams=3, exclude=["w1"], max_copies=1, **both)
cynical.select([zipfian(8, 3), zipfian(8, 4)], zipfian(12, 5), all=True, ngrams=2, vocabulary="classes")
lines = ["\\u00dcber Stra\\u00dfe", "A\\u00a0b \\u3000 c", "", "a " * 20, "caf\\u00e9 ANTIDISESTABLISHMENT"]
made = list(cynical.select(lines, lines, all=True, lowercase=True).to_bytes())
assert made[0].startswith(b"rank\\tline") and len(made) == 2
lines += ["don't, e\\u0301!", "\\ufdfa\\ufdfa", "\\u65e5\\u672c\\u3002", "\\U0001f469\\u200d\\udcff\\udcc3", "..,"]
longer = ["\\ufdfa"] * 40
assert len(cynical.select(longer, longer, all=True, tokenizer="characters", normalize="nfkc")) == 40
for tokenizer in ("words", "characters"):
    for normalize in (None, "nfkc"):
        how = {"tokenizer": tokenizer, "normalize": normalize, "lowercase": True}
        raw = [line.encode("utf-8", "surrogateescape") for line in lines]
        apart = [b" ".join(words_of(line, **how)).decode("utf-8", "surrogateescape") for line in raw]
        for ngrams in (1, 3):
            one = cynical.select(lines, lines, all=True, ngrams=ngrams, **how)
            other = cynical.select(apart, apart, all=True, ngrams=ngrams)
            assert one.lines.tolist() == other.lines.tolist() and one.delta.tolist() == other.delta.tolist()
"""


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_the_kernels_are_right_where_a_wild_index_raises(setting: str) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-W", "ignore", "-c", SMALL]
    done = subprocess.run(command, cwd=root, env={**os.environ, setting: "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
