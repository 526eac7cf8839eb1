"""How a kernel is compiled and where its machine code is kept.

Numba looks only at the file a kernel stands in to see whether its cached machine code is stale. Kernels here call
one another across files, so each state of this folder's sources gets a cache folder of its own, named by a digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.cpu import CPUTargetOptions

njit: Any = numba.njit
config: Any = numba.config  # its attributes come from the environment
Function = TypeVar("Function", bound=Callable[..., object])
UNCOUNTED = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}


def _digest() -> str:
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        sources.update(path.read_bytes())
    sources.update(f"{numba.__version__} {sys.version} {config.BOUNDSCHECK}".encode())
    return sources.hexdigest()[:12]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _cache_folder() -> Path | None:
    """A folder that may be written: the one chosen for numba, beside the sources, or the user's cache; else None."""
    chosen = getattr(config, "CACHE_DIR", "")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - nobody may have no home
    places = [Path(chosen)] if chosen else [Path(__file__).parent / "__pycache__", Path(home)]
    for place in places:
        if _writable(place / "cynical-kernels"):
            return place / "cynical-kernels" / _digest()
    return None


FOLDER = None if config.DISABLE_JIT else _cache_folder()


def must_compile(kernels: Iterable[str]) -> bool:
    """True until these kernels, as the sources stand now, have been compiled once on this machine."""
    if config.DISABLE_JIT:
        return False
    if FOLDER is None:
        return True
    _forget_older(FOLDER)
    return not all(any(FOLDER.glob(f"*/*.{name}-*.nbi")) for name in kernels)


def _forget_older(folder: Path) -> None:
    """Remove the machine code of earlier states of the sources, a month after it was made."""
    if folder.exists():
        return
    with contextlib.suppress(OSError):  # another process may be at it too
        for older in folder.parent.iterdir():
            if older.stat().st_mtime < time.time() - 30 * 86400:
                shutil.rmtree(older, ignore_errors=True)


def kernel(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, and keep the machine code for the next process."""
    saved = config.CACHE_DIR
    if FOLDER is not None:
        config.CACHE_DIR = str(FOLDER)
    try:
        compiled = _njit(function, cache=FOLDER is not None)
    finally:
        config.CACHE_DIR = saved
    _load_quickly(compiled)
    return compiled


def _load_quickly(dispatcher: Any) -> None:
    """Load machine code from the cache without setting up the compiler, which takes a quarter of a second.

    `Cache.load_overload` of numba sets it up, then does what is done here. A numba that does otherwise keeps its way.
    """
    cache: Any = getattr(dispatcher, "_cache", None)
    if hasattr(cache, "_load_overload") and hasattr(cache, "_guard_against_spurious_io_errors"):

        def load_overload(signature: Any, target: Any) -> Any:
            with cache._guard_against_spurious_io_errors():
                return cache._load_overload(signature, target)

        cache.load_overload = load_overload


def called(function: Function) -> Function:
    """A function that kernels call where it is rarely needed and would only be in the way of what is."""
    return _njit(function)


def inlined(function: Function) -> Function:
    """A function that becomes part of the kernels that call it."""
    return _njit(function, forceinline=True)


def _njit(function: Function, **options: bool) -> Function:
    """No kernel makes an array, so none needs to count references; that is left to the caller, who holds them all."""
    return cast(Function, njit(nogil=True, error_model="numpy", **UNCOUNTED, **options)(function))


if config.DISABLE_JIT:

    def prefetch(array: object, index: int) -> None:
        """Nothing to bring into a cache where Python runs the kernel."""

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic as numba_intrinsic

    intrinsic: Any = numba_intrinsic

    @intrinsic
    def prefetch(typing_context, array, index):  # type: ignore[no-untyped-def]
        """Ask for array[index] to be brought into the cache, without waiting for it."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
            flag = ir.IntType(32)
            declared = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), flag, flag, flag])
            function = builder.module.declare_intrinsic("llvm.prefetch", [ir.IntType(8).as_pointer()], declared)
            builder.call(function, [address, flag(0), flag(3), flag(1)])  # to read, into every level, data
            return context.get_dummy_value()

        return types.void(array, index), generate
