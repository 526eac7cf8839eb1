"""Kernels by themselves: arrays in, arrays out. What they do together, the tests of the other rooms show."""

from __future__ import annotations

import functools
import importlib
import math
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cynical as package
from cynical._kernels import log2, tsv, word_lists
from cynical._kernels.buckets import BASIS, bucket_names, features_of_lines
from cynical._kernels.chunk import Chunk, find_white_space
from cynical._kernels.entries import Rows, write_entry
from cynical._kernels.group_bounds import RATIO, below, least_at
from cynical._kernels.groups import MAXIMA
from cynical._kernels.index import collapse_rows
from cynical._kernels.jit import LANES, raise_lanes
from cynical._kernels.layout import find_copies
from cynical.model.entropy import make_state
from cynical.model.known import scratch_for
from cynical.model.target import Target
from tests import oracle


def test_rows_are_copies_only_if_all_their_words_and_lengths_are_equal() -> None:
    entry = np.array([1, 2, 1, 2, 1, 3, 1, 2, 1], np.uint32)
    start, entries = np.array([0, 2, 4, 6, 8]), np.array([2, 2, 2, 2, 1], np.uint32)
    words, order = np.array([5, 5, 5, 6, 6], np.uint32), np.arange(5)
    first = np.zeros(5, np.bool_)
    key = np.zeros(5, np.int64)  # one for all, as if hashes met
    find_copies(Rows(entry, start, entries), words, order, key, first)
    assert first.tolist() == [True, False, True, True, True]


def test_a_row_is_read_as_it_was_written() -> None:
    """Rows of features become rows of tokens: here each feature is its own token, or two features are one."""
    features, written = 10, [(3, 1), (0, 8), (9, 9), (4, 70_000), (5, 2)]
    entry, at = np.zeros(20, np.uint32), 0
    for v, c in written:
        at = write_entry(entry, at, v, c, features)
    assert at == 7  # two entries where there are more than eight
    rows = Rows(entry, np.zeros(1, np.int64), np.array([at], np.uint32))
    scratch = scratch_for(features)
    before = entry.copy()
    assert collapse_rows(rows, features, np.arange(features), scratch) == at
    assert entry.tolist() == before.tolist()
    token = np.arange(features)
    token[0] = 3  # seen 1 + 8 times then
    assert collapse_rows(rows, features, token, scratch) == at
    assert entry[:3].tolist() == [3 + 8 * features, 9, 9 + 8 * features]


@pytest.mark.parametrize("gap", [1, 2, 63, 64, 65, 200])
@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 200])
def test_words_are_found_wherever_they_begin_and_end(gap: int, size: int) -> None:
    """White space is looked at in groups of 64 bytes; a word may begin, end or continue in any of them."""
    for shift in (0, 1, 62, 63):
        line = b" " * shift + (b"w" * size + b" " * gap) * 3 + b"x\n"
        padded = np.full(-(-len(line) // 64) * 64 + 64, 32, np.uint8)
        padded[: len(line)] = np.frombuffer(line, np.uint8)
        eight, blank = padded.view(np.uint64), np.zeros(len(padded) // 64, np.uint64)
        line_end, bucket, end = np.zeros(len(padded), np.int64), np.zeros(8, np.uint32), np.zeros(1, np.int64)
        assert find_white_space(padded, eight, blank, line_end) == (1, False)
        chunk = Chunk(padded, eight, blank, line_end[:1])
        assert features_of_lines(chunk, BASIS, 1 << 20, bucket, end) == 7 == end[0]
        word, pair, names = b"w" * size, b"w" * size + b" " + b"w" * size, np.zeros(2, np.int64)
        start = np.array([0, size, 3 * size + 1])
        bucket_names(np.frombuffer(word + pair, np.uint8), start, BASIS, 1 << 20, names)
        assert bucket[[0, 1, 3]].tolist() == [names[0]] * 3
        assert bucket[[2, 4]].tolist() == [names[1]] * 2


def test_length_classes_grow_with_the_length_and_end() -> None:
    lengths = [*range(1, 5000), 10**5, 10**6, 2**31 - 1]
    classes = [word_lists.length_class(length) for length in lengths]
    assert classes == sorted(classes)
    assert classes[:16] == list(range(1, 17))
    assert classes[-1] < 241


def test_numbers_have_nine_significant_digits_as_in_c() -> None:
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.normal(size=4000) * 10.0 ** rng.integers(-12, 12, 4000), [0, 1, -1, 1e-5, 1e-4, 0.1]])
    numbers = np.append(numbers, [123456789, 1234567890, 999999999.9, 9.9999999996, 1e22, -1e-17]).reshape(-1, 4)
    size = len(numbers)
    empty = tsv.Texts(np.zeros(1, np.uint8), np.zeros(size + 1, np.int64))
    ones = np.ones(size, np.int64)
    out = np.zeros(size * 200, np.uint8)
    end = tsv.write_rows(out, tsv.Columns(ones, ones, numbers, ones, -ones, np.zeros((size, 0))), empty, empty)
    written = [row.split("\t")[2:6] for row in out[:end].tobytes().decode().splitlines()]
    assert written == [[f"{number:.9g}" for number in row] for row in numbers.tolist()]


@pytest.mark.parametrize(("size", "line"), [(2**54, 3), (2**40, 20)])
def test_what_is_held_back_names_the_earliest_line_of_gains_that_may_make_one_utility(size: int, line: int) -> None:
    """Doubles tell gains of 2^-16 bit apart, but not those of 2^-2."""
    from cynical._kernels.sharded_exact import hold_back
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


def test_the_logarithm_is_correctly_rounded() -> None:
    rng = np.random.default_rng(0)
    near_one, any_size = (
        1 + rng.normal(size=3000) * 2.0 ** -rng.integers(6, 50, 3000),
        np.exp(rng.normal(size=3000) * 20),
    )
    x = np.concatenate([near_one, any_size, rng.random(3000), [1.0, 2.0, 0.5, 2.0**-80]])
    found = np.empty_like(x)
    log2.log2_of(x, found)
    assert found.tolist() == [oracle.log2(float(value)) for value in x]


@given(
    had=st.integers(0, 10**7),
    p=st.floats(1e-9, 1.0),
    smoothing=st.sampled_from([0.01, 1.0, 1e-30, 0.37]),
    most=st.sampled_from(MAXIMA.tolist()),
)
def test_a_parabola_stays_below_the_gain_and_meets_it_at_one_and_at_the_most(
    had: int, p: float, smoothing: float, most: int
) -> None:
    line, bend = below(p, had, smoothing, float(most))
    gain = [p * math.log2((had + smoothing) / (had + c + smoothing)) for c in range(most + 1)]
    parabola = [c * (line + c * bend) for c in range(most + 1)]
    room = 1e-12 * most * abs(line) + RATIO * p
    assert all(low <= true + room for low, true in zip(parabola, gain, strict=True))
    assert parabola[1] == pytest.approx(gain[1], abs=room)
    assert parabola[most] == pytest.approx(gain[most], abs=room)


@given(
    p=st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=5),
    counts=st.lists(st.integers(0, 10**7), min_size=5, max_size=5),
    smoothing=st.sampled_from([0.01, 1.0, 1e-30]),
    price=st.floats(1e-9, 10.0),
    row=st.lists(st.integers(0, 300), min_size=5, max_size=5),
    common=st.integers(0, 5),
)
@example([0.5], [63] * 5, 0.01, 0.5 * math.log2(math.e) / 64, [1] * 5, 1)  # where the series is enough
def test_no_row_brings_less_than_the_least_and_the_price_of_its_common_features(
    p: list[float], counts: list[int], smoothing: float, price: float, row: list[int], common: int
) -> None:
    """As formulas say it: a sum of logarithms. The least is that of the best row, which may have parts of features."""
    own = max(len(p) - common, 0)
    model: Any = SimpleNamespace(
        p=np.array(p), counts=np.array(counts), smoothing=np.array([smoothing]), ngram_added=np.zeros(0)
    )
    columns: Any = SimpleNamespace(feature=np.arange(len(p)), common=np.array([len(p) - own]))
    least = least_at(model, columns, price)
    brought = paid = lowest = 0.0
    for v in range(own, len(p)):
        had, bits = counts[v] + smoothing, p[v] * math.log2(math.e)
        brought -= bits * math.log1p(row[v] / had)
        paid += price * row[v]
        most = max(bits / price - had, 0.0)
        lowest += price * most - bits * math.log1p(most / had)
    room = 1e-12 * (1.0 + paid)
    assert brought + paid >= least - room
    assert lowest - 0.02 * abs(lowest) - room <= least <= lowest + room


@given(st.data())
def test_vectors_raise_bounds_as_python_does(data: st.DataObject) -> None:
    """Sums of up to 2^16 - 1, in blocks of which the first column may be any."""
    columns, block = data.draw(st.integers(1, 6)), data.draw(st.integers(0, 2))
    numbers = np.random.default_rng(data.draw(st.integers(0, 1 << 32)))
    count = numbers.integers(0, 255, (3, columns, LANES)).astype(np.uint8)
    column = numbers.permutation(columns)
    number = data.draw(st.integers(0, columns))
    most = 65535 // max(int(count[block].max()) * number, 1)
    change = numbers.integers(0, most + 1, columns).astype(np.int32)
    change[number:] = -1  # not looked at
    bound = numbers.integers(-1000, 1 << 30, LANES).astype(np.int32)
    expected, found = bound.copy(), bound.copy()
    lowest = raise_lanes(expected, count, block * columns, column, change, number)
    assert compiled_raise()(found, count, block * columns, column, change, number) == lowest == expected.min()
    assert found.tolist() == expected.tolist()


LOOK_UPS = """
import importlib, sys
import numba
import numpy as np
from cynical._kernels.jit import KINDS, look_up, trailing_zeros
importlib.import_module("cynical._kernels.compiling")  # tells numba about them

@numba.njit
def found(code, at, number, table, begin, total, beside, limit):
    return look_up(code, at, number, table, begin, total, beside, limit)

@numba.njit
def lowest(bits):
    return trailing_zeros(bits)

numbers = np.random.default_rng(7)
for case in range(200):
    code = numbers.integers(0, KINDS, 12 * KINDS).astype(np.uint8)
    table = (numbers.integers(0, 256, 12 * KINDS) // numbers.integers(1, 40)).astype(np.uint8)
    at, begin = numbers.integers(0, 4 * KINDS, 2)
    number, limit = int(numbers.integers(0, 8)), int(numbers.integers(0, 256))
    total, beside = (numbers.integers(0, 256, (2, KINDS)) // numbers.integers(1, 90)).astype(np.uint8)
    expected, own = total.copy(), total.copy()
    mask = look_up(code, at, number, table, begin, expected, beside, limit)
    assert found(code, at, number, table, begin, own, beside, limit) == mask
    assert own.tolist() == expected.tolist()
    bits = [min(int(one) + int(more), 255) <= limit for one, more in zip(expected, beside)]
    assert [bool(int(mask) >> lane & 1) for lane in range(KINDS)] == bits
    if mask:
        assert lowest(mask) == trailing_zeros(mask) == bits.index(True)
print("equal")
"""
OF_PROCESSOR = ["", "+ssse3", "+ssse3,+avx,+avx2", "+sse2"]


@pytest.mark.parametrize("features", OF_PROCESSOR, ids=["this one", "SSSE3", "AVX2", "none"])
def test_processors_look_up_codes_as_python_does(features: str) -> None:
    """Compiled for processors that have fewer instructions than this one."""
    pytest.importorskip("numba")
    if features and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("these are instructions of another kind of processor")
    of = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": features} if features else {}
    command = [sys.executable, "-c", LOOK_UPS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **of})
    assert done.stdout == "equal\n"


@functools.cache
def compiled_raise() -> Callable[..., int]:
    numba = pytest.importorskip("numba")
    importlib.import_module("cynical._kernels.compiling")  # tells numba about it

    def raised(bound, count, begin, column, change, number):  # type: ignore[no-untyped-def]
        return raise_lanes(bound, count, begin, column, change, number)

    return cast(Callable[..., int], numba.njit(raised))
