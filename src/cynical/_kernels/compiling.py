"""From a kernel to machine code, by numba.

numba optimises every function that it compiles, gives it two more functions by which Python and C could call it, and
loads it. Most functions here are called by kernels alone and become part of them, so nothing of that is done for them:
only a kernel, with everything it calls, is optimised and made machine code, which is half of the time and more.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit as numba_njit
from numba import types
from numba.core import config as numba_config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import typeof_impl
from numba.np.numpy_support import from_dtype

from . import instructions
from .jit import FOLDER, Kernel, Part
from .machine_code import POINTER, Described, MachineCode, NotSupportedError, flat_types

njit: Any = numba_njit
config: Any = numba_config

# No kernel makes an array, so none needs to count references; that is left to the caller, who holds them all.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
if hasattr(CPUTargetOptions, "_nrt"):
    OPTIONS["_nrt"] = False
ALONE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
PRIVATE = ("numba_", "NRT_", "_ZN5numba", "Py", "_Py")  # functions that are there only where numba is


class _Linked(JITCodeLibrary):
    """The code of a function and of everything it calls, which numba neither optimises nor loads."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _Linked:
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Nothing here looks at Python objects."""

    def object_file(self, symbol: str) -> bytes:
        """Machine code in which one function can be found by its name."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.name != symbol:
                function.linkage = "internal"
        self._optimize_final_module()
        made: bytes = self._codegen._tm.emit_object(self._final_module)
        return made

    def outside(self) -> list[str]:
        """The functions that are called and are not here."""
        declared = [function.name for function in self._final_module.functions if function.is_declaration]
        return [name for name in declared if not name.startswith("llvm.")]


@register_pass(mutates_CFG=False, analysis_only=False)
class _LinkOnly(FunctionPass):
    _name = "cynical_link_only"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = _Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class _Compiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_LinkOnly, NopythonTypeInference)
        passes.finalize()
        return [passes]


instructions.register(OPTIONS)
linked = True  # are functions only linked? False if this numba cannot do that


def _dispatcher(function: Part | Kernel) -> Any:
    """A function as numba knows it."""
    if linked not in function.dispatchers:
        inline = isinstance(function, Part) and function.inline
        more: dict[str, Any] = {"pipeline_class": _Compiler} if linked else {}
        made = njit(**OPTIONS, **ALONE, **more, forceinline=inline)(function.function)
        function.dispatchers[linked] = made
    return function.dispatchers[linked]


@typeof_impl.register(Part)
@typeof_impl.register(Kernel)
def _type_of_part(part: Part | Kernel, _: object) -> Any:
    return types.Dispatcher(_dispatcher(part))


def compile_kernel(kernel: Kernel, arguments: Described) -> MachineCode:
    """Compile a kernel for arguments of these types."""
    global linked
    given = tuple(_type(one) for one in arguments)
    try:
        dispatcher = _dispatcher(kernel)
        dispatcher.compile(given)
        made = dispatcher.overloads[given]
        symbol = made.fndesc.llvm_func_name
        object_file, needs = made.library.object_file(symbol), made.library.outside()
    except Exception as error:  # whatever another version of numba does otherwise
        linked = False
        raise NotSupportedError(f"{kernel} cannot be compiled separately") from error
    context, returned = cpu_target.target_context, made.signature.return_type
    taken = [_name(one) for one in context.call_conv.get_function_type(returned, given).args]
    expected = flat_types(arguments)
    if taken != [POINTER, POINTER, *expected]:
        raise NotSupportedError(f"{kernel} takes {taken}, not {expected}")
    if any(name.startswith(PRIVATE) for name in needs):
        raise NotSupportedError(f"{kernel} calls {needs}")
    several = isinstance(returned, types.BaseTuple)
    results = [] if returned == types.none else list(returned) if several else [returned]
    return MachineCode(symbol, expected, [_result(one) for one in results], several, needs, object_file)


def compile_by_numba(kernel: Kernel) -> Callable[..., Any]:
    """A kernel in numba's own way, which takes longer to compile and to load; an index out of range can raise."""
    saved = config.CACHE_DIR
    config.CACHE_DIR = str(FOLDER or saved)
    try:
        compiled: Callable[..., Any] = njit(**OPTIONS, cache=FOLDER is not None)(kernel.function)
    finally:
        config.CACHE_DIR = saved
    return compiled


def _type(described: Any) -> Any:
    """A description as a type of numba."""
    if isinstance(described, str):
        return from_dtype(np.dtype(described))
    if isinstance(described[1], list):
        module, _, name = described[0].partition(":")
        members = [_type(member) for member in described[1]]
        return types.BaseTuple.from_types(members, getattr(importlib.import_module(module), name))
    dtype, dimensions, layout, writable = described
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, layout, readonly=not writable)


def _name(given: Any) -> str:
    return POINTER if isinstance(given, ir.PointerType) else str(given)


def _result(given: Any) -> str:
    """The type of a result."""
    name = "bool" if given == types.boolean else _name(cpu_target.target_context.get_value_type(given))
    if name not in ("bool", "i64", "double"):
        raise NotSupportedError(f"a result of type {given}")
    return name
