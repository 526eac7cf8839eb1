"""Lines of one text inside those of another, beside a look at every place."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model import overlap
from cynical.model.overlap import WINDOW, inside_longer, same_words
from cynical.model.sequences import Sequences
from cynical.selection import eligible

lines_of_ids = st.lists(st.lists(st.integers(0, 2), max_size=24), max_size=8)


def sequences(lines: list[list[int]]) -> Sequences:
    return Sequences.of(
        np.array([one for line in lines for one in line], np.uint32), np.array([len(line) for line in lines], np.int64)
    )


def is_inside(line: list[int], longer: list[int]) -> bool:
    places = range(len(longer) - len(line) + 1)
    return len(line) < len(longer) and any(longer[at : at + len(line)] == line for at in places)


@given(lines=lines_of_ids, text=lines_of_ids)
def test_lines_inside_longer_ones_are_found(lines: list[list[int]], text: list[list[int]]) -> None:
    lines = [*lines, *(line[1:-1] for line in text)]
    with mock.patch.object(overlap, "PIECE", 5):
        found = inside_longer(sequences(lines), sequences(text))
    assert found.tolist() == [len(line) >= WINDOW and any(is_inside(line, one) for one in text) for line in lines]
    assert same_words(sequences(lines), sequences(text)).tolist() == [line in text for line in lines]


TEST = ["one two three four five six seven eight nine", "a b c"]
POOL = ["zero one two three four five six seven eight nine ten", "a b c d e f g", "one five nine", TEST[0]]


def test_evaluate_compare_and_select_look_inside_documents() -> None:
    made = cynical.select(TEST, POOL, all=True, exclude=TEST)
    said = "1 of the 2 lines of 2 strings are inside longer lines that were picked: --exclude compares whole lines"
    assert said in made.summary.notices and made.summary.skipped["excluded"] == 1
    assert "inside" not in " ".join(cynical.select(TEST, POOL[1:], all=True, exclude=TEST).summary.notices)
    evaluated = cynical.evaluate(cynical.select(TEST, POOL[:3], all=True), TEST)
    assert any("1 of the 2 lines of 2 strings are inside longer lines of" in notice for notice in evaluated.notices)
    compared = cynical.compare(TEST * 3, POOL, held_out=TEST, methods=["random"], shares=[1.0], exclude=TEST)
    assert any("inside longer lines of 4 strings" in notice for notice in compared.notices)


def test_what_is_excluded_is_compared_by_its_words_and_not_by_hashes_alone() -> None:
    with mock.patch.object(eligible, "is_one_of", lambda same, hashes: np.ones(len(same), np.bool_)):
        made = cynical.select(TEST, POOL, all=True, exclude=TEST)
    assert sorted(made.lines.tolist()) == [0, 1, 2] and made.summary.skipped["excluded"] == 1


def test_a_budget_larger_than_the_pool_and_a_toy_without_picks_are_explained() -> None:
    made = cynical.select(TEST, POOL, words=10**6)
    said = "--words 1000000 is more than AVAILABLE has: all 4 lines that may be picked were ranked"
    assert said in made.summary.notices
    assert "more than" not in " ".join(cynical.select(TEST, POOL, words=10).summary.notices)
    toy = cynical.select(["a b"], ["a x y z u v w"])
    assert len(toy) == 0 and "its 2 words may be too few" in " ".join(toy.summary.notices)
