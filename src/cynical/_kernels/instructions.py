"""Functions that are one instruction in machine code, which numba cannot know of.

What each does in Python is written where kernels import it from.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic as numba_intrinsic
from numba.extending import overload

from .jit import multiply_add, prefetch
from .mix import folded_product

intrinsic: Any = numba_intrinsic


@intrinsic
def _prefetch(typing_context, array, index):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        declared = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [ir.IntType(8).as_pointer()], declared)
        builder.call(function, [address, flag(0), flag(3), flag(1)])  # to read, into every level, data
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def _folded_product(typing_context, a, b):  # type: ignore[no-untyped-def]
    """One multiplication on 64-bit processors."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        upper = builder.lshr(product, ir.Constant(wide, 64))
        return builder.xor(builder.trunc(product, narrow), builder.trunc(upper, narrow))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _multiply_add(typing_context, a, b, c):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        number = ir.FloatType()
        declared = ir.FunctionType(number, [number] * 3)
        function = builder.module.declare_intrinsic("llvm.fmuladd", [number], declared)
        return builder.call(function, arguments)

    return types.float32(types.float32, types.float32, types.float32), generate


def register(options: dict[str, Any]) -> None:
    """Tell numba which function is which instruction."""
    in_place: Any = {**options, "forceinline": True}
    overload(prefetch, jit_options=in_place)(lambda array, index: lambda array, index: _prefetch(array, index))
    overload(folded_product, jit_options=in_place)(lambda a, b: lambda a, b: _folded_product(a, b))
    overload(multiply_add, jit_options=in_place)(lambda a, b, c: lambda a, b, c: _multiply_add(a, b, c))
