"""Checksums of pieces, put together."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from cynical.text.checksum import ONE, Checksum, joined, of, times, x_to


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_the_checksum_of_pieces_is_that_of_the_whole(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert joined(map(of, pieces)) == of(whole) == Checksum(zlib.crc32(whole), len(whole))


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**70))
def test_products_are_those_of_a_ring(a: int, b: int, c: int, power: int) -> None:
    assert times(a, b) == times(b, a)
    assert times(a, times(b, c)) == times(times(a, b), c)
    assert times(a, b ^ c) == times(a, b) ^ times(a, c)
    assert times(a, ONE) == a
    assert times(x_to(power), x_to(3)) == x_to(power + 3)


def test_a_large_piece_counts_for_its_size() -> None:
    large = bytes(range(256)) * 40_000
    assert of(b"before") + of(large) == of(b"before" + large)
    assert of(b"before").update(large) == of(b"before" + large)
