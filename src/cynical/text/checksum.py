"""Checksums of texts that are read in pieces, by whoever, in whatever order: CRC-32, put together in the text's order.

A CRC is the remainder of a polynomial over GF(2): the bits of the text, divided by P. So the CRC of A followed by B is
that of A times x^(8 |B|), modulo P, plus that of B, and nobody needs to read A and B together. The CRC-32 of zlib (and
of gzip, zip and `crc32 FILE`) also inverts the bits at both ends; in the sum that cancels out.

Polynomials are numbers whose highest bit, 2^31, is the coefficient of x^0.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterable
from typing import NamedTuple

P = 0xEDB88320  # x^32 is not written down
ONE, X = 1 << 31, 1 << 30


class Checksum(NamedTuple):
    """The CRC-32 of some bytes, and how many they are."""

    crc: int = 0
    size: int = 0

    def __add__(self, behind: Checksum) -> Checksum:  # type: ignore[override]
        """The checksum of these bytes and those after them."""
        if not self.size:
            return behind
        return Checksum(times(self.crc, x_to(8 * behind.size)) ^ behind.crc, self.size + behind.size)

    def update(self, data: bytes | memoryview) -> Checksum:
        """That of these bytes and some more."""
        return Checksum(zlib.crc32(data, self.crc), self.size + len(data))


def of(data: bytes | memoryview) -> Checksum:
    return Checksum(zlib.crc32(data), len(data))


def joined(pieces: Iterable[Checksum]) -> Checksum:
    """The checksum of all pieces, concatenated."""
    whole = Checksum()
    for piece in pieces:
        whole += piece
    return whole


def times(a: int, b: int) -> int:
    """The product of two polynomials, modulo P."""
    product = 0
    while a:
        if a & ONE:
            product ^= b
        a = a << 1 & 0xFFFFFFFF
        b = b >> 1 ^ (P if b & 1 else 0)
    return product


def x_to(power: int) -> int:
    """x to some power, modulo P."""
    product = ONE
    for place in range(power.bit_length()):
        if power >> place & 1:
            product = times(_x_to_two_to(place), product)
    return product


@functools.cache
def _x_to_two_to(place: int) -> int:
    """x^(2^place), modulo P."""
    root = _x_to_two_to(place - 1) if place else 0
    return times(root, root) if place else X
