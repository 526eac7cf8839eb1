"""Classes of words, against the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.classes import CLASSES, classify, ratios
from cynical.model.word_list import list_words
from cynical.options import Thresholds
from tests import oracle

few = st.integers(0, 8)


@given(
    st.lists(st.tuples(few, few, few), min_size=1, max_size=8), st.integers(0, 4), st.sampled_from([1.0, 2.0, math.e])
)
def test_classes_are_what_the_oracle_says(words: list[tuple[int, int, int]], min_count: int, threshold: float) -> None:
    r, u, a = (np.array(column) for column in zip(*words, strict=True))
    total_r, total_u = max(int(r.sum()), 1), max(int(u.sum()), 1)
    found = classify(r, u, a, ratios(r, total_r, u, total_u), Thresholds(min_count, threshold))
    ratio = [(r / total_r) / (u / total_u) if u else math.inf for r, u, _ in words]
    expected = [oracle.class_of(*word, ratio[i], min_count, threshold) for i, word in enumerate(words)]
    assert [CLASSES[number] for number in found] == expected


def test_the_word_list_has_every_word_once_and_the_useful_ones_first() -> None:
    wanted = cynical.count(["x x x x y y y z q", "rare"])
    have = cynical.count(["a a a a a a a a a y y y z z z z z z z z z z z z"])
    table = list_words(wanted, have, cynical.count(["x y z a rare b"]), Thresholds())
    rows = b"".join(table.to_bytes()).decode().splitlines()
    assert rows[0].split("\t") == ["word", "class", "representative", "unadapted", "available", "ratio"]
    assert [row.split("\t")[:2] for row in rows[1:]] == [
        ["x", "useful"],
        ["y", "meh"],
        ["z", "bad"],
        ["rare", "dubious"],
        ["q", "impossible"],
        ["a", "useless"],
        ["b", "useless"],
    ]
    assert rows[1].split("\t")[2:] == ["4", "0", "1", "inf"]
    assert sum(wanted_share for _, _, wanted_share, _ in table.by_class()) == pytest.approx(1.0)
    assert [name for name, *_ in table.by_class()] == list(reversed(CLASSES))


def test_without_available_every_word_of_unadapted_is_possible() -> None:
    wanted, have = cynical.count(["x x x y"]), cynical.count(["y y y y y y"])
    assert [CLASSES[n] for n in list_words(wanted, have, None, Thresholds()).classes] == ["bad", "impossible"]
