"""How a kernel is compiled, and where its machine code is kept.

A kernel is compiled for the types of its arguments when it is first called, and its machine code is kept in a file.
The next process loads that without numba, which takes longer to import than a small run takes. Kernels call one another
across files, so each state of this folder's sources has a folder of its own for them, named by a digest.

What is in that folder is run, so it must be of somebody who is trusted anyway (this user, root, or who has installed
the package), nobody else may write to it, and it never depends on the current folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import stat
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .machine_code import Described, Kinds, MachineCode, NotSupportedError, described, flattened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

READY = ".ready"  # the suffix of files that say that everything a small run calls is compiled: see ahead.py
OURS = 0o755  # permissions of folders for machine code
OTHERS_WRITE = 0o022
Function = TypeVar("Function", bound=Callable[..., object])


def _is_set(name: str) -> bool:
    """Is a switch of numba on?"""
    return os.environ.get(name, "0") not in ("", "0")


IN_PYTHON = _is_set("NUMBA_DISABLE_JIT")
CHECKED = _is_set("NUMBA_BOUNDSCHECK")  # a wrong index raises, which takes numba


@cache
def numba_version() -> str:
    """By the name of the folder beside it, as installers leave one: importing numba, or `importlib.metadata`, takes
    longer."""
    numba = importlib.util.find_spec("numba")
    if numba is not None and numba.origin is not None:
        for path in Path(numba.origin).parents[1].glob("numba-*.dist-info"):
            return path.name.split("-")[1].removesuffix(".dist")
    from importlib.metadata import version

    return version("numba")


def _digest() -> str:
    """Of everything that decides what a kernel is compiled to."""
    import llvmlite.binding as llvm

    made = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        made.update(path.read_bytes())
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    host = llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    settings = [one for one in settings if one[0] != "NUMBA_CACHE_DIR"]
    made.update(repr((numba_version(), llvm.llvm_version_info, host, settings)).encode())
    return made.hexdigest()[:12]


def is_writable(folder: Path) -> bool:
    """Can machine code be kept in a folder, which is made if need be?"""
    try:
        folder.mkdir(OURS, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_trusted(folder) and os.access(folder, os.W_OK)


def is_trusted(folder: Path) -> bool:
    """Can nobody have written to a folder but those who could change the program itself?"""
    try:
        found = folder.lstat()
        if not hasattr(os, "getuid"):  # Windows has other permissions
            return True
        if found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode) and found.st_mode & OTHERS_WRITE:
            folder.chmod(found.st_mode & 0o777 & ~OTHERS_WRITE)  # as an earlier version has made it
            found = folder.lstat()
        trusted = {os.getuid(), 0, Path(__file__).stat().st_uid}
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in trusted and not found.st_mode & OTHERS_WRITE


def _places() -> list[Path]:
    """Where machine code may be kept: in the folder chosen for numba, or beside the sources, or in the user's cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    homes = [os.environ.get("XDG_CACHE_HOME") or "", os.path.expanduser("~/.cache")]  # noqa: PTH111 - nobody may have no home
    home = next((Path(one) for one in homes if Path(one).is_absolute()), None)
    places = [Path(chosen)] if chosen else [Path(__file__).parent / "__pycache__", *([home] if home else [])]
    return [place for place in places if place.is_absolute()]


def _cache_folder() -> Path | None:
    """Where machine code is kept; one that was warmed up need not be writable. None if there is no such folder."""
    for folder in (place / "cynical-kernels" / _digest() for place in _places()):
        ready = is_trusted(folder.parent) and any(folder.glob(f"*{READY}"))
        if (is_writable(folder.parent) or ready) and (not folder.exists() or is_trusted(folder)):
            return folder
    return None


FOLDER = None if IN_PYTHON else _cache_folder()


class Part:
    """A function that becomes part of the kernels that call it; Python can call it too, and runs it itself."""

    def __init__(self, function: Callable[..., Any], inline: bool) -> None:
        self.function, self.inline = function, inline
        self.dispatchers: dict[bool, Any] = {}  # numba's; see compiling.py
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


class Kernel:
    """A function that is compiled when it is first called with arguments of such types."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.dispatchers: dict[bool, Any] = {}  # numba's; see compiling.py
        self._ready: dict[Kinds, Callable[[list[Any]], Any]] = {}
        self._by_numba: Callable[..., Any] | None = None  # what is called where machine code cannot be kept
        self.__doc__ = function.__doc__

    def __repr__(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    def __call__(self, *arguments: Any) -> Any:
        if recorded is not None:
            recorded.append((self, described(arguments)))
            return self.function(*arguments)
        if self._by_numba is None:
            kinds, values = flattened(arguments)
            ready = self._ready.get(kinds) or self._prepare(kinds, arguments)
            if ready is not None:
                return ready(values)
        return cast(Callable[..., Any], self._by_numba)(*arguments)

    def _prepare(self, kinds: Kinds, arguments: tuple[object, ...]) -> Callable[[list[Any]], Any] | None:
        """Load machine code, or compile it; None if that is left to numba."""
        with lock:
            if kinds in self._ready:
                return self._ready[kinds]
            try:
                if CHECKED:
                    raise NotSupportedError("numba says where an index is wrong")
                self._ready[kinds] = self.code(described(arguments)).load(repr(self))
            except NotSupportedError:
                from .compiling import compile_by_numba

                self._by_numba = compile_by_numba(self)
        return self._ready.get(kinds)

    def code(self, arguments: Described) -> MachineCode:
        """The machine code for arguments of these types, from the cache if it is there."""
        path = self.file(arguments)
        code = None if path is None else MachineCode.read(path)
        if code is None:
            from .compiling import compile_kernel

            code = compile_kernel(self, arguments)
            if path is not None:
                with contextlib.suppress(OSError):  # a full disk
                    path.parent.mkdir(OURS, exist_ok=True)
                    code.write(path)
        return code

    def file(self, arguments: Described) -> Path | None:
        """Where its machine code is kept."""
        if FOLDER is None:
            return None
        return FOLDER / f"{self!r}-{hashlib.sha256(json.dumps(arguments).encode()).hexdigest()[:12]}.o"


lock = threading.RLock()
recorded: list[tuple[Kernel, Described]] | None = None  # if set, kernels run in Python and say here what they take


def kernel(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, and keep the machine code for the next process."""
    return function if IN_PYTHON else cast(Function, Kernel(function))


def called(function: Function) -> Function:
    """A function that kernels call where it is rarely needed and would only be in the way of what is."""
    return function if IN_PYTHON else cast(Function, Part(function, inline=False))


def inlined(function: Function) -> Function:
    """A function that becomes part of the kernels that call it."""
    return function if IN_PYTHON else cast(Function, Part(function, inline=True))


LANES = 128  # numbers that raise_lanes raises together
CACHE_LINE = 64  # bytes
KINDS = 64  # numbers in a table of look_up, and codes that are looked up together


def prefetch(array: object, index: int) -> None:
    """Ask for array[index] to be brought into the cache, without waiting for it; see instructions.py."""


def multiply_add(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once where the processor can do that and twice elsewhere: for bounds alone."""
    return a * b + c


def raise_lanes(
    bound: NDArray[np.int32],
    count: NDArray[np.uint8],
    begin: int,
    column: NDArray[np.int64],
    change: NDArray[np.int32],
    number: int,
) -> int:
    """Raise LANES bounds by what some columns of counts add, each its change times the count; the lowest then.

    Columns have LANES counts each, one after another, and are numbered from `begin` on. No change is negative, and no
    bound is raised by 2^16 or more: sums have 16 bits and stay in registers, which loops over the same arrays would not
    do; see instructions.py."""
    counts = count.reshape(-1, LANES)
    for j in range(number):
        bound += counts[begin + column[j]].astype("int32") * change[j]
    return int(bound.min())


def look_up(
    code: NDArray[np.uint8],
    at: int,
    number: int,
    table: NDArray[np.uint8],
    begin: int,
    total: NDArray[np.uint8],
    beside: NDArray[np.uint8],
    limit: int,
) -> np.uint64:
    """Look up KINDS codes, those from code[at] on, in the table from table[begin] on, the next ones in the next table,
    and so on for as many as `number` says; add what is found up in `total`. Which sums are at most `limit`, if `beside`
    is added to them: a bit for each.

    No code is KINDS or more, and no sum grows beyond 255. Many processors have an instruction for this; see
    instructions.py."""
    import numpy as np

    sums = total.astype(np.int64)
    for q in range(number):
        sums += table[begin + q * KINDS :][code[at + q * KINDS : at + (q + 1) * KINDS]]
    total[:] = np.minimum(sums, 255)
    low = np.flatnonzero(np.minimum(sums + beside, 255) <= limit)
    return np.uint64(sum(1 << int(lane) for lane in low))


def trailing_zeros(bits: np.uint64) -> int:
    """Which is the lowest bit that is set, if one is."""
    return (int(bits) & -int(bits)).bit_length() - 1


def atomic_load(array: NDArray[np.int64], index: int) -> int:
    """array[index], and everything that another thread wrote before it stored that; see instructions.py."""
    return int(array[index])


def atomic_store(array: NDArray[np.int64], index: int, value: int) -> None:
    """array[index] = value, after everything that this thread has written."""
    array[index] = value


def atomic_add(array: NDArray[np.int64], index: int, value: int) -> int:
    """array[index] += value, while no other thread does so; what it was before."""
    with lock:
        before = int(array[index])
        array[index] = before + value
        return before


def compare_and_swap(array: NDArray[np.int64], index: int, expected: int, value: int) -> bool:
    """If array[index] is as expected, it becomes another value, while no other thread changes it; has it become so?"""
    with lock:
        if array[index] != expected:
            return False
        array[index] = value
        return True


def yield_core() -> None:
    """Let another thread run that waits for a core, if there is one."""
    time.sleep(0)


def forget_older(folder: Path) -> None:
    """Remove the machine code of earlier states of the sources, a month after it was made."""
    if folder.exists():
        return
    with contextlib.suppress(OSError):  # another process may be at it too
        for older in folder.parent.iterdir():
            if older.stat().st_mtime < time.time() - 30 * 86400:
                shutil.rmtree(older, ignore_errors=True)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
