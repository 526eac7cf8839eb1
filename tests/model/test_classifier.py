"""The classifier: what it learns, its probabilities, and that nothing but its seed decides them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import cynical
from cynical.model.classifier import Classifier, learn
from cynical.model.hashed_lines import HashedLines, HowToHash, hash_lines_of
from cynical.progress import Progress
from cynical.selection.available import LocalFiles
from cynical.selection.second_model import judge_lines
from cynical.selection.texts import Texts
from cynical.text.corpus import Corpus
from cynical.text.tokenizer import Tokenizer

RNG = np.random.default_rng(3)
RECIPES = [
    f"stir the {a} with the {b} and bake it" for a in ("flour", "sugar", "butter") for b in ("milk", "egg", "salt")
] * 8
OTHERS = [" ".join(f"w{w}" for w in RNG.zipf(1.3, RNG.integers(3, 12)) if w < 5000) or "w1" for _ in range(900)]
POOL = [line for pair in zip(OTHERS, [*RECIPES[:36], *OTHERS[:864]], strict=True) for line in pair]


def how(jobs: int = 1, buckets: int = 1 << 12) -> HowToHash:
    return HowToHash(Tokenizer(), buckets, jobs, Progress())


def corpus(lines: list[str]) -> Corpus:
    return Corpus.in_memory("lines", [line.encode() for line in lines])


def hashed(lines: list[str]) -> HashedLines:
    return hash_lines_of([corpus(lines)], how(), "AVAILABLE")


def test_lines_of_the_language_are_told_from_others() -> None:
    pool = LocalFiles([corpus(POOL)], 1, None, how())
    share = judge_lines(Texts([[corpus(RECIPES)]], None, [], None), pool, how(), 0)
    wanted = np.array([line.startswith("stir") for line in POOL])
    assert pool.score is not None
    assert pool.score[wanted].min() > 0.9
    assert pool.score[~wanted].max() < 0.1
    assert share == pytest.approx(wanted.mean(), rel=0.5)


def test_the_log_odds_are_those_of_the_formula() -> None:
    """A mean in which twenty features of no weight have their part."""
    model = Classifier(np.linspace(-1, 1, 1 << 12), 0.25, 2.0, -0.5, 0.0)
    lines = ["a b", "", "a rose is a rose", "b"]
    text = hashed(lines)
    expected = []
    for begin, end in zip([0, *text.end.tolist()], text.end.tolist(), strict=False):
        weights = model.weight[text.bucket[begin:end]]
        expected.append(2.0 * (weights.sum() / (len(weights) + 20) + 0.25) - 0.5)
    assert model.log_odds([corpus(lines)], how(), "AVAILABLE") == pytest.approx(expected, abs=1e-12)
    assert text.sizes.tolist() == [3, 0, 9, 1]


def test_it_learns_what_the_gradient_says() -> None:
    """Slow gradient descent beside the kernel, step by step; the steps shrink, from the second of seven on here."""
    from cynical._kernels.classifier import RATE, RATE_OF_ALL, train

    text, label, order = hashed(["a b", "c", "a c c"]), np.array([1, 0, 1], np.uint8), np.array([2, 0, 1, 0])
    weight = np.zeros((1 << 12) + 1)
    train(text.bucket, text.end, label, order, weight, 1, 7)
    slow, begin = np.zeros_like(weight), [0, *text.end.tolist()]
    for number, line in enumerate(order.tolist()):
        own = text.bucket[begin[line] : begin[line + 1]].tolist()
        likely = 1 / (1 + math.exp(-(sum(slow[own]) / (len(own) + 20) + slow[-1])))
        step = (label[line] - likely) * (6 - number) / 7
        slow[-1] += RATE_OF_ALL * step
        for v in own:
            slow[v] += RATE * step / (len(own) + 20)
    assert weight == pytest.approx(slow, abs=1e-10)


def test_probabilities_are_calibrated_on_lines_that_were_held_out() -> None:
    """Random labels, two of three wanted where a line says yes: a classifier cannot be surer than that."""
    lines = [f"yes w{i}" for i in range(3000)]
    label = RNG.random(3000) < 2 / 3
    model = learn(
        hashed([line for line, one in zip(lines, label, strict=True) if one]),
        hashed([line for line, one in zip(lines, label, strict=True) if not one]),
        1 << 12,
        0,
    )
    odds = model.log_odds([corpus([f"yes v{i}" for i in range(2000)])], how(), "AVAILABLE")
    assert (1 / (1 + np.exp(-odds))).mean() == pytest.approx(2 / 3, abs=0.06)


def test_exp_is_that_of_python() -> None:
    from cynical._kernels.classifier import probabilities

    x = np.concatenate([np.linspace(-40, 40, 2001), [-800.0, 800.0]])
    out = np.empty(len(x))
    probabilities(x, 0.5, out)
    expected = [1 / (1 + math.exp(-max(-700.0, min(700.0, one)))) for one in x.tolist()]
    assert out == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("jobs", [2, 3])
def test_threads_change_nothing_and_the_seed_does(jobs: int) -> None:
    one, other = (cynical.rank(RECIPES, POOL, method="classifier", all=True, jobs=number) for number in (1, jobs))
    assert one.score is not None and other.score is not None
    assert one.lines.tolist() == other.lines.tolist() and one.score.tolist() == other.score.tolist()
    seeded = cynical.rank(RECIPES, POOL, method="classifier", all=True, random_seed=7)
    assert seeded.score is not None and seeded.score.tolist() != one.score.tolist()


def test_counts_raise_an_error_and_few_lines_are_enough() -> None:
    with pytest.raises(cynical.CynicalError, match=r"is trained on lines, but this is a \.counts file; give the text"):
        cynical.rank(cynical.count(RECIPES), POOL, method="classifier", all=True)
    for wanted in (RECIPES[:1], RECIPES[:5]):
        made = cynical.rank(wanted, POOL, method="classifier", all=True)
        assert "stir" in made.texts[0] and made.score is not None and np.isfinite(made.score).all()


def test_both_sides_are_looked_at() -> None:
    """Only the second side tells which lines are wanted."""
    first = ["the same words"] * len(POOL)
    made = cynical.rank(
        ["the same words"] * len(RECIPES), first, representative_with=RECIPES, with_=POOL, method="classifier", all=True
    )
    best = [POOL[line] for line in made.lines[:30].tolist()]
    assert all(line.startswith("stir") for line in best)
