"""The machine code of kernels: what arguments become, how it is kept in files, loaded and called. numba is not needed.

numba compiles a kernel to a function of numbers and addresses alone:

    int32 status = f(&result, &error, argument, argument, ...)

An array is passed as (0, 0, items, bytes per item, address, shape ..., strides ...), where the zeros are who counts the
references to it: nobody. A NamedTuple is passed as its members. compiling.py checks that the function it made takes
exactly this. ctypes calls it, and releases the interpreter's lock meanwhile.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Kinds = tuple[object, ...]  # what arguments are, in a form that is quick to compare
Described = list[Any]  # the same as JSON: an array [dtype, dimensions, layout, writable], a NamedTuple [class, members]
FLAGS = 0x1 | 0x2 | 0x100 | 0x400  # of an array, those that matter: C or Fortran order, aligned, writable
PLAIN = {bool: "|b1", int: np.dtype(np.int64).str, float: np.dtype(np.float64).str}
POINTER, BOOL = "pointer", "bool"
C_TYPES: dict[str, Any] = {
    POINTER: ctypes.c_void_p,
    BOOL: ctypes.c_bool,  # as a result
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}


class NotSupportedError(Exception):
    """This cannot be passed or kept in the way of this module; numba has a way of its own."""


def flattened(arguments: Sequence[object]) -> tuple[Kinds, list[Any]]:
    """What arguments are, and the numbers to call with."""
    kinds: list[object] = []
    values: list[Any] = []
    for argument in arguments:
        _flatten(argument, kinds, values)
    return tuple(kinds), values


def _flatten(value: Any, kinds: list[object], values: list[Any]) -> None:
    if type(value) is np.ndarray:
        kinds += (value.dtype, value.ndim, value.flags.num & FLAGS)
        values += (None, None, value.size, value.itemsize, _address(value), *value.shape, *value.strides)
    elif isinstance(value, tuple):
        kinds += (type(value), len(value))
        for member in value:
            _flatten(member, kinds, values)
    else:
        kinds.append(type(value))
        values.append(value.item() if isinstance(value, np.generic) else value)
        if type(value) is int and not -(1 << 63) <= value < 1 << 63:
            raise OverflowError(f"{value} has more than 64 bits")


def _address(array: NDArray[Any]) -> int:
    """Where an array is; by its buffer, where it can be written to, that takes a third of the time."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):
        return array.ctypes.data


def described(arguments: Sequence[object]) -> Described:
    """What arguments are, in words that another process understands."""
    return [_described(argument) for argument in arguments]


def _described(value: Any) -> Any:
    if type(value) is np.ndarray and value.flags.aligned and value.dtype.isnative and value.dtype.kind in "buif":
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return [value.dtype.str, value.ndim, layout, bool(value.flags.writeable)]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [f"{type(value).__module__}:{type(value).__qualname__}", described(value)]
    if isinstance(value, np.generic) and value.dtype.kind in "buif":
        return value.dtype.str
    if type(value) in PLAIN:
        return PLAIN[type(value)]
    raise NotSupportedError(f"a {type(value).__name__} as an argument")


def flat_types(descriptions: Described) -> list[str]:
    """The types of the numbers that arguments are passed as, as LLVM calls them."""
    made: list[str] = []
    for one in descriptions:
        if isinstance(one, str):
            made.append(_number_type(one))
        elif isinstance(one[1], list):
            made += flat_types(one[1])
        else:
            made += [POINTER, POINTER, "i64", "i64", POINTER, *["i64"] * (2 * one[1])]
    return made


def _number_type(described: str) -> str:
    kind, size = described[1], int(described[2:])
    return f"i{8 * size}" if kind in "biu" else {4: "float", 8: "double"}[size]


@dataclass(frozen=True, slots=True)
class MachineCode:
    """A compiled kernel for arguments of certain types."""

    symbol: str  # the name of the function in the object file
    arguments: list[str]  # their types, flattened
    results: list[str]  # the types of what it returns; none if it returns nothing
    several: bool  # is that a tuple?
    needs: list[str]  # functions of the C library that it calls
    object_file: bytes

    def write(self, path: Path) -> None:
        """Keep it in a file, which is there whole or not at all."""
        head = {**asdict(self), "object_file": len(self.object_file)}
        content = json.dumps(head).encode() + b"\n" + self.object_file
        part = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
        part.write_bytes(hashlib.sha256(content).digest() + content)
        part.replace(path)

    @classmethod
    def read(cls, path: Path) -> MachineCode | None:
        """What a file holds; None if there is none, or it is damaged."""
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        head, _, object_file = content[32:].partition(b"\n")
        return cls(**{**json.loads(head), "object_file": object_file})

    def load(self, name: str) -> Callable[[list[Any]], Any]:
        """The function in memory, to be called with flattened arguments."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        if not all(llvm.address_of_symbol(one) for one in self.needs):
            raise NotSupportedError(f"{name} needs {self.needs}")
        target = llvm.Target.from_default_triple().create_target_machine()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)  # its own, for symbols of its own
        engine.add_object_file(llvm.ObjectFileRef.from_data(self.object_file))
        engine.finalize_object()
        types = [C_TYPES[one] for one in self.arguments]
        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types)(
            engine.get_function_address(self.symbol)
        )
        return _Loaded(name, function, engine, self.results, self.several)


class _Loaded:
    """Machine code in memory."""

    def __init__(self, name: str, function: Any, engine: Any, results: list[str], several: bool) -> None:
        self._name, self._function, self._engine, self._several = name, function, engine, several
        fields = [(f"r{i}", C_TYPES[kind]) for i, kind in enumerate(results)]
        self._made: Any = type("Result", (ctypes.Structure,), {"_fields_": fields or [("r0", ctypes.c_void_p)]})

    def __call__(self, values: list[Any]) -> Any:
        result, error = self._made(), ctypes.c_void_p()
        status = self._function(ctypes.byref(result), ctypes.byref(error), *values)
        if status:
            raise RuntimeError(f"kernel {self._name} ended with status {status}")
        if self._several:
            return tuple(getattr(result, name) for name, _ in self._made._fields_)
        return result.r0
