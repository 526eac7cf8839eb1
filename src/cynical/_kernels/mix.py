"""Keys to slots of a hash table."""

from __future__ import annotations

from typing import Any

import numpy as np

from .chunk import U64
from .jit import config, inlined

MIX = U64(0x9E3779B97F4A7C15)
SEED = U64(0x243F6A8885A308D3)  # what keys are hashed with; nothing but time depends on it

if config.DISABLE_JIT:

    def folded_product(a: np.uint64, b: np.uint64) -> np.uint64:
        """The lower half of a product of 128 bits, xor its upper half."""
        product = int(a) * int(b)
        return U64(product & (2**64 - 1) ^ product >> 64)

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic as numba_intrinsic

    intrinsic: Any = numba_intrinsic

    @intrinsic
    def folded_product(typing_context, a, b):  # type: ignore[no-untyped-def]
        """The lower half of a product of 128 bits, xor its upper half: one instruction on 64-bit processors."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            wide, narrow = ir.IntType(128), ir.IntType(64)
            product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
            upper = builder.lshr(product, ir.Constant(wide, 64))
            return builder.xor(builder.trunc(product, narrow), builder.trunc(upper, narrow))

        return types.uint64(types.uint64, types.uint64), generate


@inlined
def slot_of(key: np.uint64, slots: int) -> int:
    """Where a key is looked for first, in a table whose size is a power of two.

    Every bit of a key has a say in the lowest bits of the product's upper or lower half. A product of 64 bits would
    not do: it takes bits up, and keys that differ only in their highest bytes would share a slot.
    """
    return np.int64(folded_product(key ^ SEED, MIX) & U64(slots - 1))
