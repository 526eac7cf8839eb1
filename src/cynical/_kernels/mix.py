"""Keys to slots of a hash table, and counts to keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunk import U64
from .jit import inlined

MIX = U64(0x9E3779B97F4A7C15)
SEED = U64(0x243F6A8885A308D3)  # what keys are hashed with; nothing but time depends on it


def folded_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """The lower half of a product of 128 bits, xor its upper half; instructions.py has it for machine code."""
    product = int(a) * int(b)
    return U64(product & (2**64 - 1) ^ product >> 64)


@inlined
def slot_of(key: np.uint64, slots: int) -> int:
    """Where a key is looked for first, in a table whose size is a power of two.

    Every bit of a key has a say in the lowest bits of the product's upper or lower half. A product of 64 bits would
    not do: it takes bits up, and keys that differ only in their highest bytes would share a slot.
    """
    return np.int64(folded_product(key ^ SEED, MIX) & U64(slots - 1))


@inlined
def hash_of(counts: NDArray[np.uint8]) -> np.uint64:
    h = U64(0)
    for k in range(counts.size):
        h = (h ^ U64(counts[k])) * MIX
        h ^= h >> U64(32)
    return h
