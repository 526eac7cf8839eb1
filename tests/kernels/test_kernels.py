"""Kernels by themselves: arrays in, arrays out. What they do together, the tests of the other rooms show."""

from __future__ import annotations

import numpy as np
import pytest

import cynical as package
from cynical._kernels import lists, table
from cynical._kernels.rows import find_copies
from cynical.model.entropy import make_state
from cynical.model.target import Target


def test_rows_are_copies_only_if_all_their_words_and_lengths_are_equal() -> None:
    entry = np.array([1, 2, 1, 2, 1, 3, 1, 2, 1], np.uint32)
    start, entries = np.array([0, 2, 4, 6, 8]), np.array([2, 2, 2, 2, 1], np.uint32)
    length, order = np.array([5, 5, 5, 6, 6], np.uint32), np.arange(5)
    first = np.zeros(5, np.bool_)
    find_copies(entry, start, entries, length, order, np.zeros(5, np.int64), first)  # one key for all, as if hashes met
    assert first.tolist() == [True, False, True, True, True]


def test_length_classes_grow_with_the_length_and_end() -> None:
    lengths = [*range(1, 5000), 10**5, 10**6, 2**31 - 1]
    classes = [lists.length_class(length) for length in lengths]
    assert classes == sorted(classes)
    assert classes[:16] == list(range(1, 17))
    assert classes[-1] < 241


def test_numbers_have_nine_significant_digits_as_in_c() -> None:
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.normal(size=4000) * 10.0 ** rng.integers(-12, 12, 4000), [0, 1, -1, 1e-5, 1e-4, 0.1]])
    numbers = np.append(numbers, [123456789, 1234567890, 999999999.9, 9.9999999996, 1e22, -1e-17]).reshape(-1, 4)
    size = len(numbers)
    empty = table.Texts(np.zeros(1, np.uint8), np.zeros(size + 1, np.int64))
    ones = np.ones(size, np.int64)
    out = np.zeros(size * 200, np.uint8)
    end = table.write_rows(out, table.Columns(ones, ones, numbers, ones, -ones, np.zeros((size, 0))), empty, empty)
    written = [row.split("\t")[2:6] for row in out[:end].tobytes().decode().splitlines()]
    assert written == [[f"{number:.9g}" for number in row] for row in numbers.tolist()]


@pytest.mark.parametrize(("size", "line"), [(2**54, 3), (2**40, 20)])
def test_what_is_held_back_names_the_earliest_line_of_gains_that_may_make_one_utility(size: int, line: int) -> None:
    """Doubles tell gains of 2^-16 bit apart, but not those of 2^-2."""
    from cynical._kernels.rounds import hold_back
    from cynical.selection.exact import make_heaps
    from cynical.selection.search import begin

    target = Target([[package.Counts.from_pairs([(b"a", 1)], "tok:none")]])
    state = make_state(target, np.array([10**6]), [10**6], 0.01)
    nothing, one = np.zeros(1, np.uint32), np.ones(1, np.int64)
    heaps = make_heaps(nothing, nothing, np.array([0, 2]), one, one, False)
    heaps.node[:] = [[-size - 1, 20 << 32], [-size, 3 << 32]]
    heaps.size[0] = 2
    gain, held = np.zeros(1, np.int64), np.zeros(1, np.int64)
    hold_back(state.model, heaps, begin(state), gain, held)
    assert (gain[0], held[0]) == (-size - 1, line)
