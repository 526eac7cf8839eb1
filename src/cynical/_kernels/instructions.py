"""Functions that are one instruction in machine code, or a few on whole vectors, which numba cannot know of.

What each does in Python is written where kernels import it from.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic
from numba.extending import overload

from .jit import (
    LANES,
    atomic_add,
    atomic_load,
    atomic_store,
    compare_and_swap,
    multiply_add,
    prefetch,
    raise_lanes,
    yield_core,
)
from .mix import folded_product

intrinsic: Any = numba_intrinsic
ALIGNED = 8  # bytes, as every int64 of an array is


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Where array[index] is."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


@intrinsic
def _prefetch(typing_context, array, index):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        address = _address(context, builder, signature.args[0], *arguments)
        address = builder.bitcast(address, ir.IntType(8).as_pointer())
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


@intrinsic
def _raise_lanes(typing_context, bound, count, begin, column, change, number):  # type: ignore[no-untyped-def]
    """Vectors of any processor: LLVM divides them into those that it has."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        of_bound, of_count, _, of_column, of_change, _ = signature.args
        bounds, counts, begin, columns, changes, number = arguments
        bytes_, shorts, words = (ir.VectorType(ir.IntType(bits), LANES) for bits in (8, 16, 32))
        total = cgutils.alloca_once_value(builder, ir.Constant(shorts, [0] * LANES))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, number) as loop:
            column = builder.load(_address(context, builder, of_column, columns, loop.index))
            place = builder.mul(builder.add(begin, column), begin.type(LANES))
            address = builder.bitcast(_address(context, builder, of_count, counts, place), bytes_.as_pointer())
            times = builder.zext(builder.load(address, align=1), shorts)
            change = builder.load(_address(context, builder, of_change, changes, loop.index))
            every = _in_all_lanes(builder, builder.trunc(change, ir.IntType(16)))
            builder.store(builder.add(builder.load(total), builder.mul(times, every)), total)
        address = builder.bitcast(_address(context, builder, of_bound, bounds, begin.type(0)), words.as_pointer())
        raised = builder.add(builder.load(address, align=4), builder.zext(builder.load(total), words))
        builder.store(raised, address, align=4)
        declared = ir.FunctionType(ir.IntType(32), [words])
        name = f"llvm.vector.reduce.smin.v{LANES}i32"
        lowest = cgutils.get_or_insert_function(builder.module, declared, name)  # type: ignore[no-untyped-call]
        return builder.sext(builder.call(lowest, [raised]), ir.IntType(64))

    return types.int64(bound, count, types.int64, column, change, types.int64), generate


def _in_all_lanes(builder: Any, value: Any) -> Any:
    """A vector of one number, LANES times."""
    undefined = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    first = builder.insert_element(undefined, value, ir.IntType(32)(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


@intrinsic
def _atomic_load(typing_context, array, index):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load_atomic(_address(context, builder, signature.args[0], *arguments), "acquire", ALIGNED)

    return types.int64(array, types.int64), generate


@intrinsic
def _atomic_store(typing_context, array, index, value):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store_atomic(arguments[2], address, "release", ALIGNED)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def _atomic_add(typing_context, array, index, value):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        address = _address(context, builder, signature.args[0], *arguments[:2])
        return builder.atomic_rmw("add", address, arguments[2], "acq_rel")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def _compare_and_swap(typing_context, array, index, expected, value):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        address = _address(context, builder, signature.args[0], *arguments[:2])
        made = builder.cmpxchg(address, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(made, 1)

    return types.boolean(array, types.int64, types.int64, types.int64), generate


@intrinsic
def _yield_core(typing_context):  # type: ignore[no-untyped-def]
    """A function of the C library on Linux and macOS."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        declared = ir.FunctionType(ir.IntType(32), [])
        function = cgutils.get_or_insert_function(builder.module, declared, "sched_yield")  # type: ignore[no-untyped-call]
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate


def register(options: dict[str, Any]) -> None:
    """Tell numba which function is which instruction."""
    in_place: Any = {**options, "forceinline": True}
    overload(prefetch, jit_options=in_place)(lambda array, index: lambda array, index: _prefetch(array, index))
    overload(folded_product, jit_options=in_place)(lambda a, b: lambda a, b: _folded_product(a, b))
    overload(multiply_add, jit_options=in_place)(lambda a, b, c: lambda a, b, c: _multiply_add(a, b, c))
    overload(raise_lanes, jit_options=in_place)(
        lambda bound, count, begin, column, change, number: (
            lambda bound, count, begin, column, change, number: _raise_lanes(
                bound, count, begin, column, change, number
            )
        )
    )
    overload(atomic_load, jit_options=in_place)(lambda array, index: lambda array, index: _atomic_load(array, index))
    overload(atomic_store, jit_options=in_place)(
        lambda array, index, value: lambda array, index, value: _atomic_store(array, index, value)
    )
    overload(atomic_add, jit_options=in_place)(
        lambda array, index, value: lambda array, index, value: _atomic_add(array, index, value)
    )
    overload(compare_and_swap, jit_options=in_place)(
        lambda array, index, expected, value: (
            lambda array, index, expected, value: _compare_and_swap(array, index, expected, value)
        )
    )
    overload(yield_core, jit_options=in_place)(lambda: lambda: _yield_core())
