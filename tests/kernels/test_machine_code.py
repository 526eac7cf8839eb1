"""Machine code is called as numba would call it, for every kernel; and where that cannot be, numba does it."""

from __future__ import annotations

import importlib
import math
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from cynical import _kernels, small_runs
from cynical._kernels import ahead, jit, machine_code
from cynical._kernels.ahead import record
from cynical._kernels.jit import Kernel, inlined, kernel
from cynical._kernels.machine_code import MachineCode, NotSupportedError, described, flat_types, flattened
from cynical.progress import Progress

if jit.IN_PYTHON or jit.CHECKED:
    pytest.skip("kernels are not machine code here", allow_module_level=True)


class Pair(NamedTuple):
    left: NDArray[np.int64]
    right: NDArray[np.float64]


@inlined
def twice(x: int) -> int:
    return 2 * x


@kernel
def mixed(pair: Pair, number: int, share: float, flag: bool, table: NDArray[np.uint8]) -> tuple[int, float, bool]:
    total = twice(number)
    for i in range(pair.left.size):
        total += pair.left[i]
        pair.right[i] += share
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            total += table[i, j]
    return total, share * 2, not flag


@kernel
def add(pair: tuple[int, int]) -> int:
    return pair[0] + pair[1]


@kernel
def mantissa(x: float) -> float:
    return math.frexp(x)[0]


@kernel
def fail(x: int) -> int:
    if x > 2:
        raise ValueError("too large")
    return x


def arguments() -> tuple[Any, ...]:
    table = np.arange(24, dtype=np.uint8).reshape(4, 6)[::2, ::3]
    return Pair(np.array([1, 2, 3]), np.zeros(3)), 5, 0.5, True, table


def kernels() -> set[str]:
    modules = [
        importlib.import_module(f"{_kernels.__name__}.{one.name}") for one in pkgutil.iter_modules(_kernels.__path__)
    ]
    return {repr(one) for module in modules for one in vars(module).values() if isinstance(one, Kernel)}


def copied(value: Any, memory: dict[int, NDArray[Any]]) -> Any:
    """The same arguments in memory of their own; arrays that share some do so again."""
    if isinstance(value, tuple):
        members = [copied(member, memory) for member in value]
        return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
    if not isinstance(value, np.ndarray):
        return value
    whole = value
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    copy = memory.setdefault(id(whole), whole.copy())
    offset = value.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    made = np.ndarray(value.shape, value.dtype, copy, offset, value.strides)
    made.flags.writeable = value.flags.writeable
    return made


def contents(value: Any) -> Any:
    """What can be compared, to the last bit."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    return [contents(member) for member in value] if isinstance(value, tuple) else value


def test_arguments_of_all_kinds() -> None:
    given = arguments()
    assert mixed(*given) == (10 + 6 + int(given[4].sum()), 1.0, False)
    assert given[0].right.tolist() == [0.5] * 3
    of_numpy: list[Any] = [given[0], np.int64(5), np.float64(0.5), np.bool_(False), given[4]]
    assert mixed(*of_numpy)[2] is True


def test_what_is_passed_is_what_numba_takes() -> None:
    numba = pytest.importorskip("numba")
    from cynical._kernels.compiling import _type

    given = (*arguments(), np.uint32(3), np.frombuffer(b"abc", np.uint8), np.asfortranarray(np.zeros((2, 3))))
    assert [_type(one) for one in described(given)] == [numba.typeof(one) for one in given]
    assert len(flat_types(described(given))) == len(flattened(given)[1])


@pytest.mark.slow
def test_some_small_run_calls_every_kernel() -> None:
    found = record(lambda: small_runs.run_all(small_runs.RUNS))
    assert {repr(one) for one, _ in found} == kernels()


def compare(other: Callable[[Kernel], Callable[..., Any]], monkeypatch: pytest.MonkeyPatch, *runs: str) -> set[str]:
    """Do small runs in which every kernel is also called in another way, with the same result; which were called."""
    called, call = set(), Kernel.__call__

    def both(self: Kernel, *given: Any) -> Any:
        called.add(repr(self))
        again = copied(given, {})
        expected = other(self)(*again)
        found = call(self, *given)
        assert contents(found) == contents(expected), self
        assert contents(given) == contents(again), self
        return found

    monkeypatch.setattr(Kernel, "__call__", both)
    small_runs.run_all(runs)
    return called


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_machine_code_does_what_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(compare(lambda one: one.function, monkeypatch, "exact")) > 12


HELPERS = {"grouped_exact.help_to_find_best", "paged_exact.help_with_pages"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_kernel_does_what_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [run for run in small_runs.RUNS if run != "team"]  # kernels that wait for each other cannot be called twice
    assert compare(lambda one: one.function, monkeypatch, *alone) == kernels() - HELPERS


@pytest.mark.slow
def test_kernels_do_what_numba_does_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from cynical._kernels.compiling import compile_by_numba

    made: dict[Kernel, Callable[..., Any]] = {}

    def by_numba(one: Kernel) -> Callable[..., Any]:
        if one not in made:
            made[one] = compile_by_numba(one)
        return made[one]

    assert len(compare(by_numba, monkeypatch, "exact", "count")) > 15  # of all, it would take a minute


def test_what_cannot_be_kept_is_left_to_numba() -> None:
    assert add((2, 3)) == 5  # not a NamedTuple
    assert mantissa(6.0) == 0.75  # calls a function of numba
    for left_to_numba in (add, mantissa):
        assert vars(left_to_numba)["_by_numba"] is not None
    with pytest.raises(NotSupportedError):
        described([(2, 3)])


def test_a_numba_that_cannot_only_link_compiles_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from cynical._kernels import compiling

    def broken(self: object) -> None:
        raise AttributeError("changed in another version")

    monkeypatch.setattr(compiling, "linked", True)
    monkeypatch.setattr(compiling._Linked, "finalize", broken)
    one, part = Kernel(mixed.function), twice  # type: ignore[attr-defined]
    monkeypatch.setattr(jit, "FOLDER", None)
    monkeypatch.setattr(part, "dispatchers", {})
    given = arguments()
    assert one(*given) == (16 + int(given[4].sum()), 1.0, False)
    assert not compiling.linked and one._by_numba is not None


def test_an_error_in_a_kernel_is_not_lost() -> None:
    assert fail(2) == 2
    with pytest.raises(RuntimeError, match=r"test_machine_code.fail ended with status [1-9]"):
        fail(3)
    with pytest.raises(OverflowError, match="has more than 64 bits"):
        fail(1 << 63)


def test_machine_code_is_kept_and_a_damaged_file_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "FOLDER", tmp_path / "kernels")
    one = Kernel(mixed.function)  # type: ignore[attr-defined]
    expected = one(*arguments())
    (path,) = (tmp_path / "kernels").iterdir()
    whole = path.read_bytes()
    code = MachineCode.read(path)
    assert code is not None and code.arguments == flat_types(described(arguments()))
    assert MachineCode.read(tmp_path / "absent") is None
    for damaged in (b"", whole[:-1], whole[:40] + b"x" + whole[41:]):
        path.write_bytes(damaged)
        assert MachineCode.read(path) is None
        assert Kernel(mixed.function)(*arguments()) == expected  # type: ignore[attr-defined]
        assert MachineCode.read(path) is not None


def test_machine_code_that_needs_what_is_not_there_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "FOLDER", tmp_path)
    code = Kernel(mixed.function).code(described(arguments()))  # type: ignore[attr-defined]
    missing = MachineCode(
        code.symbol, code.arguments, code.results, code.several, ["no_such_function"], code.object_file
    )
    with pytest.raises(NotSupportedError):
        missing.load("mixed")


def test_a_run_whose_kernels_are_compiled_does_not_import_numba(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a cat sat\na dog ran\n")
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "cynical",
        "select",
        "-r",
        "a.txt",
        "-a",
        "a.txt",
        "-o",
        "b.tsv",
    ]
    here = {**os.environ, "PYTHONPATH": str(Path(small_runs.__file__).parents[1])}
    for more in ([], ["--overwrite"]):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=True, cwd=tmp_path, env=here)
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "llvmlite" in imported and "numba" not in imported


def test_compiling_is_announced_and_a_folder_that_cannot_be_written_too(tmp_path: Path) -> None:
    said: list[str] = []
    progress = Progress()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "notice", said.append)
        patch.setattr(ahead, "_in_processes", lambda *_: True)
        patch.setattr(jit, "FOLDER", tmp_path)
        assert ahead.compile_ahead(["exact"], progress) and (tmp_path / "exact.ready").exists()
        assert ahead.compile_ahead(["exact"], progress)
        assert len(said) == 1 and "once for each kind of run (5 to 20 s); `cynical warm-up`" in said[0]
        patch.setattr(jit, "FOLDER", None)
        assert not ahead.compile_ahead(["exact"], progress)
        assert "NUMBA_CACHE_DIR" in said[1]


def test_a_folder_that_cannot_be_written_will_do_if_it_was_warmed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "is_writable", lambda _: False)
    assert jit._cache_folder() is None
    folder = tmp_path / "cynical-kernels" / jit._digest()
    folder.mkdir(parents=True)
    assert jit._cache_folder() is None
    (folder / f"exact{jit.READY}").touch()
    assert jit._cache_folder() == folder
    monkeypatch.setattr(jit, "FOLDER", folder)
    said: list[str] = []
    progress = Progress()
    monkeypatch.setattr(progress, "notice", said.append)
    assert ahead.compile_ahead(["exact"], progress) and not said
    assert not ahead.compile_ahead(["word"], progress) and "NUMBA_CACHE_DIR" in said[0]


@pytest.mark.slow
def test_warm_up_compiles_in_processes_of_its_own(tmp_path: Path) -> None:
    """With two of the runs alone: all take a minute, and `make test` begins with them."""
    here = {**os.environ, "PYTHONPATH": str(Path(small_runs.__file__).parents[1]), "NUMBA_CACHE_DIR": str(tmp_path)}
    few = (
        "import sys; from cynical import small_runs; from cynical.__main__ import run; sys.argv[1:] = ['warm-up']; "
        "small_runs.RUNS = {name: small_runs.RUNS[name] for name in ('exact', 'count')}; run()"
    )
    done = subprocess.run([sys.executable, "-c", few], capture_output=True, text=True, check=True, env=here)
    (folder,) = (tmp_path / "cynical-kernels").iterdir()
    made = {path.name.partition("-")[0] for path in folder.glob("*.o")}
    assert {"exact.pick_lowest", "index.read_rows"} < made < kernels()
    assert {path.stem for path in folder.glob("*.ready")} == {"exact", "count"}
    assert f"machine code is stored in {folder}" in done.stderr and "compiling, once for each" in done.stderr
    assert machine_code.MachineCode.read(next(folder.glob("*.o"))) is not None


def test_machine_code_is_never_looked_for_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there is run. A user without a home has `~/.cache`, which is no path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    for name, value in (("NUMBA_CACHE_DIR", ""), ("XDG_CACHE_HOME", ""), ("XDG_CACHE_HOME", "."), ("HOME", ".")):
        monkeypatch.setenv(name, value)
        assert jit._places() == [Path(jit.__file__).parent / "__pycache__"]
    monkeypatch.setenv("NUMBA_CACHE_DIR", "here")
    assert jit._cache_folder() is None
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="only root can give files away")
def test_machine_code_of_others_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = jit._cache_folder()
    assert folder is not None
    folder.mkdir()
    (folder / f"x{jit.READY}").touch()
    assert jit._cache_folder() == folder
    for one in (folder, folder.parent):
        os.chown(one, 12345, 12345)
        assert jit._cache_folder() is None
        os.chown(one, 0, 0)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert jit._cache_folder() is None


def test_others_may_not_write_to_the_folder_of_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    before = os.umask(0)
    try:
        folder = jit._cache_folder()
    finally:
        os.umask(before)
    assert folder is not None and folder.parent.stat().st_mode & 0o777 == 0o755
    folder.parent.chmod(0o777)
    assert jit._cache_folder() == folder and folder.parent.stat().st_mode & 0o777 == 0o755
