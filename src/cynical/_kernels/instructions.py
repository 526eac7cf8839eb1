"""Functions that are one instruction in machine code, or a few on whole vectors, which numba cannot know of.

What each does in Python is written where kernels import it from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic
from numba.extending import overload

from .jit import (
    KINDS,
    LANES,
    atomic_add,
    atomic_load,
    atomic_store,
    compare_and_swap,
    look_up,
    multiply_add,
    prefetch,
    raise_lanes,
    trailing_zeros,
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


def _in_all_lanes(builder: Any, value: Any, lanes: int = LANES) -> Any:
    """A vector of one number."""
    undefined = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
    return _chosen(builder, builder.insert_element(undefined, value, ir.IntType(32)(0)), undefined, [0] * lanes)


def _chosen(builder: Any, first: Any, second: Any, places: Sequence[int]) -> Any:
    """The elements at some places of two vectors, numbered from the first of one to the last of the other."""
    return builder.shuffle_vector(first, second, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), list(places)))


BYTES = ir.VectorType(ir.IntType(8), KINDS)


@intrinsic
def _look_up(typing_context, code, at, number, table, begin, total, beside, limit):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        of_code, _, _, of_table, _, of_total, of_beside, _ = signature.args
        codes, at, number, tables, begin, totals, besides, limit = arguments
        features = getattr(context.codegen(), "_tm_features", "").split(",")

        def place(kind: Any, array: Any, index: Any) -> Any:
            return builder.bitcast(_address(context, builder, kind, array, index), BYTES.as_pointer())

        declared = ir.FunctionType(BYTES, [BYTES] * 2)
        name = f"llvm.uadd.sat.v{KINDS}i8"
        add = cgutils.get_or_insert_function(builder.module, declared, name)  # type: ignore[no-untyped-call]
        of_all = place(of_total, totals, at.type(0))
        total = cgutils.alloca_once_value(builder, builder.load(of_all, align=1))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, number) as loop:
            behind = builder.mul(loop.index, at.type(KINDS))
            code = builder.load(place(of_code, codes, builder.add(at, behind)), align=1)
            table = builder.load(place(of_table, tables, builder.add(begin, behind)), align=1)
            builder.store(builder.call(add, [builder.load(total), _found(builder, features, table, code)]), total)
        builder.store(builder.load(total), of_all, align=1)
        beside = builder.load(place(of_beside, besides, at.type(0)), align=1)
        most = _in_all_lanes(builder, builder.trunc(limit, ir.IntType(8)), KINDS)
        return builder.bitcast(
            builder.icmp_unsigned("<=", builder.call(add, [builder.load(total), beside]), most), ir.IntType(KINDS)
        )

    whole = types.int64
    return types.uint64(code, whole, whole, table, whole, total, beside, whole), generate


# how processors look up bytes in a table of 16: what has the instruction, for how many bytes at once, and its name
IN_16 = (
    ("+avx512bw", 64, "llvm.x86.avx512.pshuf.b.512"),
    ("+avx2", 32, "llvm.x86.avx2.pshuf.b"),
    ("+ssse3", 16, "llvm.x86.ssse3.pshuf.b.128"),
)
OTHER = 0x70  # added to what is not in a table of 16, makes the highest bit of a byte 1: then 0 is found


def _found(builder: Any, features: Sequence[str], table: Any, code: Any) -> Any:
    """What a table of KINDS bytes has for each code."""

    def call(name: str, *operands: Any) -> Any:
        declared = ir.FunctionType(operands[-1].type, [one.type for one in operands])
        return builder.call(cgutils.get_or_insert_function(builder.module, declared, name), operands)  # type: ignore[no-untyped-call]

    def part(vector: Any, begin: int, width: int) -> Any:
        return _chosen(builder, vector, vector, range(begin, begin + width))

    def joined(parts: list[Any]) -> Any:
        while len(parts) > 1:
            both = range(2 * parts[0].type.count)
            parts = [_chosen(builder, *two, both) for two in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    if "+avx512vbmi" in features:
        return call("llvm.x86.avx512.permvar.qi.512", table, code)
    if "+neon" in features:
        quarters = [part(table, begin, 16) for begin in range(0, KINDS, 16)]
        codes = [part(code, begin, 16) for begin in range(0, KINDS, 16)]
        return joined([call("llvm.aarch64.neon.tbl4.v16i8", *quarters, one) for one in codes])
    for feature, width, name in IN_16:
        if feature in features:
            found = []
            for begin in range(0, KINDS, width):
                of_lanes, any_quarter = part(code, begin, width), None
                for first in range(0, KINDS, 16):
                    vector = of_lanes.type
                    near = builder.xor(of_lanes, ir.Constant(vector, [first] * width))
                    near = call(f"llvm.uadd.sat.v{width}i8", near, ir.Constant(vector, [OTHER] * width))
                    quarter = _chosen(builder, table, table, [first + lane % 16 for lane in range(width)])
                    here = call(name, quarter, near)
                    any_quarter = here if any_quarter is None else builder.or_(any_quarter, here)
                found.append(any_quarter)
            return joined(found)
    found, integer = ir.Constant(BYTES, ir.Undefined), ir.IntType(32)
    for lane in range(KINDS):
        kind = builder.zext(builder.extract_element(code, integer(lane)), integer)
        found = builder.insert_element(found, builder.extract_element(table, kind), integer(lane))
    return found


@intrinsic
def _trailing_zeros(typing_context, bits):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


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
    overload(look_up, jit_options=in_place)(
        lambda code, at, number, table, begin, total, beside, limit: (
            lambda code, at, number, table, begin, total, beside, limit: _look_up(
                code, at, number, table, begin, total, beside, limit
            )
        )
    )
    overload(trailing_zeros, jit_options=in_place)(lambda bits: lambda bits: _trailing_zeros(bits))
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
