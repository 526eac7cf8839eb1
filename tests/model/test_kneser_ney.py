"""The n-gram model: against the oracle, against KenLM's figures, and what must hold of any probabilities."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.kneser_ney import FALLBACK, NGramModel
from cynical.model.sequences import Numbering, Sequences
from cynical.progress import Progress
from cynical.text.sources import open_corpus
from cynical.text.tokenizer import Tokenizer
from tests.against_oracle import zipfian
from tests.oracle import KneserNey

WORDS = ["a", "b", "c", "d", "long-word-number-one", "é"]
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=12)

KENLM = {  # with and without unknown words, by order; then tokens and unknown ones
    "medqa": ({2: (79.475, 57.408), 3: (43.420, 30.788), 4: (38.110, 26.947)}, 62_066, 2_390),
    "shakespeare": ({2: (193.984, 130.204), 3: (183.653, 122.768), 4: (182.769, 122.240)}, 42_029, 2_537),
    "elife-plant": ({2: (297.649, 158.936), 3: (250.237, 131.871), 4: (247.161, 130.580)}, 79_980, 6_759),
}


def numbered(*texts: list[str]) -> tuple[list[Sequences], int]:
    numbering = Numbering()
    return [numbering.read(open_corpus(text, "text"), Tokenizer(), 2, Progress(), "text") for text in texts], len(
        numbering
    )


def split(text: list[str]) -> list[list[str]]:
    return [line.split() for line in text if line.split()]


@pytest.mark.slow
@given(LINES, LINES, st.integers(1, 5), st.integers(0, 3))
def test_every_line_costs_what_the_oracle_says(train: list[str], test: list[str], order: int, more: int) -> None:
    (learnt, asked), types = numbered(train, test)
    model = NGramModel(order, types)
    model.add(learnt)
    oracle = KneserNey(split(train), order)
    assert model.discounts[1:].tolist() == [pytest.approx(oracle.discounts[k]) for k in range(1, order + 1)]
    vocabulary = len(oracle.known) + more
    assert model.known == len(oracle.known)
    cost = model.cost(asked, vocabulary)
    for n, line in enumerate(test):
        tokens = [*line.split(), "</s>"] if line.split() else []
        known, unknown = 0.0, 0.0
        for place, word in enumerate(tokens):
            bits = -math.log2(oracle.probability(word, ["<s>", *tokens[:place]], vocabulary))
            if word in oracle.known:
                known += bits
            else:
                unknown += bits
        assert cost.bits[n] == pytest.approx(known, abs=1e-9)
        assert cost.unknown_bits[n] == pytest.approx(unknown, abs=1e-9)
        assert cost.tokens[n] == len(tokens)
        assert cost.unknown[n] == sum(word not in oracle.known for word in tokens)


@given(LINES, LINES, st.integers(1, 5), st.data())
def test_a_text_learnt_bit_by_bit_is_the_same_as_at_once(
    train: list[str], test: list[str], order: int, data: st.DataObject
) -> None:
    (learnt, asked), types = numbered(train, test)
    whole, parts = NGramModel(order, types), NGramModel(order, types)
    whole.add(learnt)
    cut = data.draw(st.integers(0, len(train)))
    parts.add(learnt, np.arange(cut))
    parts.cost(asked, types + 2)
    parts.add(learnt, np.arange(cut, len(train)))
    assert parts.discounts.tolist() == whole.discounts.tolist()
    assert parts.cost(asked, types + 2).bits.tolist() == whole.cost(asked, types + 2).bits.tolist()


@given(LINES, st.lists(st.sampled_from([*WORDS, "new"]), max_size=5), st.integers(1, 5))
def test_probabilities_sum_to_1_after_any_history(train: list[str], history: list[str], order: int) -> None:
    (learnt, before), types = numbered(train, [" ".join(history)])
    model = NGramModel(order, types)
    for line in range(len(train)):  # and after every line that is added
        model.add(learnt, np.array([line]))
        vocabulary = model.known + 5
        *words, end, unknown = model.distribution(before.ids.tolist(), vocabulary)
        seen = set(learnt.ids[: learnt.start[line + 1]].tolist())
        total = math.fsum(p for word, p in enumerate(words) if word in seen) + end
        assert total + (vocabulary - 1 - len(seen)) * unknown == pytest.approx(1.0, abs=1e-9)
        assert all(p == unknown for word, p in enumerate(words) if word not in seen)
        assert 0 < min(*words, end, unknown) <= max(*words, end, unknown) <= 1


def test_more_text_of_the_same_kind_makes_a_better_model() -> None:
    (learnt, asked), types = numbered(zipfian(6000, 1), zipfian(300, 2))
    model, before = NGramModel(3, types), math.inf
    for begin in range(0, 6000, 1500):
        model.add(learnt, np.arange(begin, begin + 1500))
        now = model.cost(asked, types + 2).perplexity
        assert now < before
        before = now


def test_a_text_too_small_to_tell_has_the_usual_discounts() -> None:
    (learnt,), types = numbered(["a b"])
    model = NGramModel(2, types)
    model.add(learnt)
    assert model.discounts[1:].tolist() == [list(FALLBACK)] * 2


def test_tables_grow_in_the_middle_of_a_line_as_well() -> None:
    rng = random.Random(4)
    words = [f"w{int(4000 ** rng.random())}" for _ in range(60_000)]
    one, many = [" ".join(words)], [" ".join(words[i : i + 50]) for i in range(0, 2000, 50)]
    (learnt, asked), types = numbered(one, many)
    model = NGramModel(5, types)
    model.add(learnt)
    oracle = KneserNey(split(one), 5)
    cost = model.cost(asked, types + 2)
    line = many[7].split()
    bits = [oracle.bits(word, ["<s>", *line[:place]], types + 2) for place, word in enumerate([*line, "</s>"])]
    assert cost.bits[7] == pytest.approx(math.fsum(bits), abs=1e-9)


@pytest.mark.parametrize("task", KENLM)
def test_perplexities_are_those_of_kenlm(corpora: Path, task: str) -> None:
    figures, tokens, unknown = KENLM[task]
    train, test = (corpora / "repr" / f"{task}.{part}.tok" for part in ("train", "test"))
    for order, (including, without) in figures.items():
        last = cynical.evaluate(train, test, order=order, points=1).points[-1]
        assert last.ngram_perplexity == pytest.approx(including, rel=1e-4)  # the figures have five or six digits
        assert last.ngram_perplexity_known == pytest.approx(without, rel=1e-4)
        assert last.oov_tokens == pytest.approx(unknown / (tokens - sum(1 for _ in test.open("rb"))))


SMALL = """
import cynical
from tests.against_oracle import zipfian
made = cynical.evaluate(zipfian(40, 1), zipfian(20, 2, words=500), order=5, points=3)
print(made.points)
ranked = cynical.rank(zipfian(20, 3), zipfian(60, 4), method="moore-lewis")
print(ranked.lines.tolist(), ranked.score.tolist())
"""


@pytest.mark.slow
def test_the_kernels_are_right_where_a_wild_index_raises() -> None:
    said = []
    for setting in ("NUMBA_NOTHING", "NUMBA_DISABLE_JIT"):
        command = [sys.executable, "-W", "ignore", "-c", SMALL]
        environment = {**os.environ, setting: "1"}
        done = subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        said.append(done.stdout)
    assert said[0] == said[1]
