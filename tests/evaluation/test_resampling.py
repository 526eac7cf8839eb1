"""Intervals: the bootstrap over held-out lines."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cynical.evaluation import resampling
from cynical.evaluation.records import DECIDING
from cynical.evaluation.resampling import certainties, resample, units_of
from tests import oracle

SAMPLES = 40
AMOUNT = st.integers(0, 1000).map(lambda number: number / 64)
UNIT = st.tuples(st.integers(1, 9), AMOUNT, AMOUNT)  # words, and the bits of two methods


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "SAMPLES", SAMPLES)


def slowly(bits: list[float], words: list[int]) -> list[float]:
    """Perplexities of all samples."""
    found = []
    for sample in range(SAMPLES):
        drawn = [int(oracle.lot(sample, line) * len(bits)) for line in range(len(bits))]
        found.append(2 ** (sum(bits[line] for line in drawn) / sum(words[line] for line in drawn)))
    return found


def arrays(units: list[tuple[int, float, float]], column: int) -> NDArray[np.float64]:
    return np.stack([np.array([unit[column] for unit in units], np.float64)] * len(DECIDING))


@given(st.lists(UNIT, min_size=1, max_size=12))
def test_every_sample_is_what_its_lines_say(units: list[tuple[int, float, float]]) -> None:
    words = [unit[0] for unit in units]
    made = resample([[arrays(units, 1)], [arrays(units, 2)]], arrays(units, 0))
    expected = [slowly([unit[column] for unit in units], words) for column in (1, 2)]
    for one, samples, column in zip(made, expected, (1, 2), strict=True):
        assert one.samples[0] == pytest.approx(samples)
        assert one.samples[1] == pytest.approx(np.log2(samples), abs=1e-9)  # unknown words are no perplexity
        assert one.whole[0] == pytest.approx(2 ** (sum(unit[column] for unit in units) / sum(words)))
    first, second = (one.ngram_perplexity for one in certainties(made) if one is not None)
    low, high = np.quantile(expected[0], [0.025, 0.975])
    assert (first.low, first.high) == pytest.approx((low, high))
    lowest, other = (first, second) if made[0].whole[0] <= made[1].whole[0] else (second, first)
    sign = 1 if lowest is first else -1
    difference = sign * (np.array(expected[1]) - np.array(expected[0]))
    assert lowest.above is None and lowest.leads and other.above is not None
    ends = np.quantile(difference, [0.025, 0.975])
    assert (other.above.low, other.above.high) == pytest.approx(
        tuple(ends), rel=1e-8, abs=1e-8 * max(map(max, expected))
    )
    assert other.leads == (other.above.low <= 0)


def test_the_order_of_lines_and_methods_in_memory_changes_no_bit() -> None:
    """As threads do: sums of whole numbers are the same in whatever order they are added."""
    rng = np.random.default_rng(1)
    words, bits = rng.integers(1, 30, 5000).astype(float), rng.random((6, 5000)) * 300
    one = resample([[np.stack([row] * 3)] for row in bits], np.stack([words] * 3))
    other = resample([[np.stack([row] * 3)] for row in bits[::-1]], np.stack([words] * 3))
    for a, b in zip(one, other[::-1], strict=True):
        assert np.array_equal(a.samples, b.samples)
    scale = resampling._scale(bits)
    whole = np.rint(bits * scale[:, None])
    assert (whole.max(axis=1) * bits.shape[1] <= 2**53).all() and np.array_equal(whole.sum(1), whole[:, ::-1].sum(1))


def test_noise_leads_and_a_real_difference_does_not() -> None:
    rng = np.random.default_rng(2)
    words = np.full(400, 20.0)
    line = rng.normal(150, 40, 400)  # lines differ much more than methods do
    noise, worse = line + rng.normal(0, 3, 400), line + rng.normal(3, 3, 400)
    three = (np.stack([bits] * 3) for bits in (line, noise - noise.mean() + line.mean() + 0.05, worse))
    best, tied, behind = certainties(resample([[one] for one in three], np.stack([words] * 3)))
    assert best is not None and tied is not None and behind is not None
    assert best.ngram_perplexity.leads and tied.ngram_perplexity.leads and not behind.ngram_perplexity.leads
    assert behind.ngram_perplexity.low < best.ngram_perplexity.high  # their own intervals overlap


def test_a_method_equals_itself_and_what_picked_nothing_has_no_interval() -> None:
    bits = np.arange(30.0).reshape(3, 10)
    same = resample([[bits], [bits]], np.ones((3, 10)))
    one, nothing, other = certainties([same[0], None, same[1]])
    assert one is not None and other is not None and nothing is None
    assert one.entropy.leads and other.entropy.leads and other.entropy.above is not None
    assert (other.entropy.above.low, other.entropy.above.high) == (0, 0)
    assert certainties([None]) == [None]


def test_the_interval_of_a_mean_of_seeds_is_that_of_student(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "SAMPLES", 1000)
    words = np.full((3, 50), 10.0)
    values = [1.0, 2.0, 4.0, 5.0, 9.0]
    (mixed,) = resample([[np.full((3, 50), 10 * value) for value in values]], words)
    error = statistics.stdev(values) / math.sqrt(len(values))
    low, high = np.quantile(mixed.samples[2], [0.025, 0.975])
    assert mixed.whole[2] == statistics.mean(values)
    assert (low, high) == pytest.approx((4.2 - 2.776 * error, 4.2 + 2.776 * error), rel=0.1, abs=0.3 * error)
    (alone,) = resample([[np.full((3, 50), 10.0)]], words)
    assert set(alone.samples[2]) == {1.0}


@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_a_95_percent_interval_contains_the_truth_in_about_95_of_100_cases(
    seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two methods that are equal, with seeds that are not."""
    monkeypatch.setattr(resampling, "SAMPLES", 1000)
    rng, cases = np.random.default_rng(3), 2000
    weights = np.stack([resampling._weights_of_seeds(place, seeds) for place in (0, 1)])
    for second in (0, 1):  # the same numbers for both, and others
        values = rng.normal(size=(cases, 2, seeds))
        differences = values[:, 0] @ weights[0] - values[:, 1] @ weights[second]
        low, high = np.quantile(differences, [0.025, 0.975], axis=1)
        contain = np.mean((low <= 0) & (high >= 0))
        assert 0.93 <= contain <= (0.97 if second == 0 else 1.0)  # seeds apart: somewhat more than 95


def test_seeds_that_decide_the_same_for_all_methods_are_compared_in_pairs() -> None:
    """A method that is as much better with every seed is better for sure, however much the seeds differ."""
    words = np.full((3, 50), 10.0)
    seeds = [np.full((3, 50), bits) for bits in (10.0, 30.0, 80.0)]
    best, behind = certainties(resample([seeds, [sums + 1 for sums in seeds]], words, paired=True))
    assert best is not None and behind is not None and behind.entropy.above is not None
    assert behind.entropy.above.low == pytest.approx(0.1) == behind.entropy.above.high
    assert behind.entropy.low < best.entropy.high and not behind.entropy.leads
    _, apart = certainties(resample([seeds, [sums + 1 for sums in seeds]], words))
    assert apart is not None and apart.entropy.leads  # seeds that have nothing to do with each other


def test_lines_without_words_are_not_drawn_and_many_lines_are_drawn_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert units_of(np.array([0, 3, 0, 0, 2, 1, 0])).tolist() == [0, 4, 5]
    monkeypatch.setattr(resampling, "UNITS", 3)
    starts = units_of(np.ones(10, np.int64))
    assert starts.tolist() == [0, 3, 6]
    assert np.add.reduceat(np.arange(10), starts).sum() == 45
