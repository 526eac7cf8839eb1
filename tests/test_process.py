"""A library call leaves the process as it was: its umask, limits, folder, environment, search path and streams."""

from __future__ import annotations

import csv
import gc
import locale
import os
import resource
import signal
import stat
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import cynical
from cynical.cluster.actors import ENVIRONMENT, connected
from cynical.errors import CynicalError
from cynical.options import Cluster
from cynical.text import sources, tables
from cynical.text.atomic_file import Output
from cynical.text.paths import MANY, OpenFiles

from .cluster.test_cluster import selected


def state() -> dict[str, object]:
    """What belongs to the process, not to us."""
    return {
        "folder": Path.cwd(),
        "environment": dict(os.environ),
        "search path": list(sys.path),
        "csv": csv.field_size_limit(),
        "open files": resource.getrlimit(resource.RLIMIT_NOFILE),
        "file size": resource.getrlimit(resource.RLIMIT_FSIZE),
        "memory": resource.getrlimit(resource.RLIMIT_AS),
        "streams": [os.fstat(number).st_ino for number in (1, 2)],
        "signals": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)],
        "locale": locale.setlocale(locale.LC_ALL),
        "warnings": list(warnings.filters),
        "floats": np.geterr(),
        "recursion": sys.getrecursionlimit(),
    }


@contextmanager
def unchanged() -> Iterator[None]:
    before = state()
    yield
    gc.collect()
    assert state() == before


def test_a_temporary_file_has_the_permissions_of_any_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the umask is not touched, not even for a moment: another thread may create a file in it."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    (tmp_path / "other").touch()
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
    with unchanged(), Output(tmp_path / "out") as output:
        output.write(b"text")
    assert (tmp_path / "out").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other", "out"]


def test_large_cells_of_a_csv_file_are_read_and_the_limit_of_csv_is_put_back(tmp_path: Path) -> None:
    document = "a cat sat " * 50_000
    (tmp_path / "pool.csv").write_text(f"id,text\n1,a dog\n2,{document}\n")
    with unchanged():
        jaded = cynical.select(["a cat sat"], tmp_path / "pool.csv", all=True, text_key="text")
    assert sorted(map(len, jaded.texts)) == [len("a dog"), len(document)]


def test_the_limit_of_csv_is_put_back_by_the_last_of_several_readers() -> None:
    before = csv.field_size_limit()
    with tables.large_cells():
        with tables.large_cells():
            assert csv.field_size_limit() > before
        assert csv.field_size_limit() > before
    assert csv.field_size_limit() == before


def test_a_bad_csv_file_leaves_the_limit_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text('text\n"a "cat\n')
    with unchanged(), pytest.raises(CynicalError, match="not valid CSV"):
        cynical.count(tmp_path / "pool.csv", text_key="text")


def test_a_function_that_imports_when_it_is_called_finds_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "process_helping.py").write_text("def halves(word): return [word[:2], word[2:]]\n")
    (tmp_path / "process_mine.py").write_text(
        "def cut(line):\n"
        "    from process_helping import halves\n"
        "    return [half for word in line.split() for half in halves(word)]\n"
    )
    monkeypatch.chdir(tmp_path)
    with unchanged():
        counts = cynical.count(["abcd ab"], tokenizer="python:process_mine:cut")
    assert dict(zip(counts.words, counts.count.tolist(), strict=True)) == {b"ab": 2, b"cd": 1}


def test_a_module_that_cannot_be_imported_leaves_the_search_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "process_broken.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with unchanged(), pytest.raises(CynicalError, match="cannot import process_broken"):
        cynical.count(["a"], tokenizer="python:process_broken:cut")


def test_more_files_may_be_open_only_as_long_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "SMALL", 0)  # files as small as these would be copied
    for number in range(MANY + 20):
        (tmp_path / f"{number:03}.txt").write_text(f"a cat number {number}\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = len(os.listdir("/dev/fd")) + MANY if Path("/proc/self/fd").exists() else MANY  # noqa: PTH208
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    try:
        with unchanged():
            jaded = cynical.select(["a cat"], str(tmp_path), all=True)
            again = cynical.select(["a dog"], str(tmp_path), all=True)
            assert len(jaded) == len(again) == MANY + 20
            del jaded
            gc.collect()
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > low  # the other still has its files
            assert again.texts[0].startswith("a cat")
            del again
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("suffix", ["txt", "jsonl"])
def test_more_files_are_read_than_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.setattr(sources, "SMALL", 0)  # files as small as these would be copied
    monkeypatch.setattr(OpenFiles, "_raised", staticmethod(lambda: (0, 0)))  # a system that does not allow more
    number = MANY + 20
    for one in range(number):
        text = f"a cat number {one}"
        (tmp_path / f"{one:03}.{suffix}").write_text(f'{{"text": "{text}"}}\n' if suffix == "jsonl" else f"{text}\n")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    folder = Path("/dev/fd")
    opened = len(list(folder.iterdir())) if folder.exists() else 0
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 40, limits[1]))
    try:
        with unchanged():
            jaded = cynical.select(["a cat"], str(tmp_path), all=True)
            assert len(jaded) == number
            assert sorted(jaded.texts) == sorted(f"a cat number {one}" for one in range(number))
            assert len(b"".join(jaded.to_bytes("jsonl")).splitlines()) == number
            if folder.exists():
                del jaded
                gc.collect()
                assert len(list(folder.iterdir())) <= opened + 2
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_file_of_many_that_changes_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "SMALL", 0)
    monkeypatch.setattr(sources, "MANY", 1)
    monkeypatch.setattr("cynical.text.many_files._most", lambda: 1)
    for one in "abc":
        (tmp_path / f"{one}.txt").write_text(f"{one} cat\n")
    jaded = cynical.select(["a cat"], str(tmp_path), all=True)
    (tmp_path / "a.txt").write_text("b dog\n")
    with pytest.raises(CynicalError, match=r"a\.txt: the file changed during the run"):
        assert jaded.texts


def test_a_notice_that_nobody_can_hear_leaves_standard_error_as_it_is() -> None:
    program = (
        "import os, sys\n"
        "from cynical.errors import tell\n"
        "before = os.fstat(2)\n"
        "tell('a notice')\n"
        "assert os.fstat(2) == before\n"
        "print('went on', flush=True)\n"
        "os._exit(0)\n"
    )
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=writing, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"went on\n")


@pytest.mark.slow
def test_the_command_line_succeeds_though_nobody_reads_its_notices(tmp_path: Path) -> None:
    (tmp_path / "pool.txt").write_text("a cat\n")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "cynical", "count", "pool.txt", "-o", "out.counts"]
    try:
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=writing, check=False)
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert (tmp_path / "out.counts").exists()


def test_shards_in_this_process_leave_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of a cluster is a process of its own: only that goes to the folder of the driver."""
    (tmp_path / "wanted.txt").write_text("a cat\n")
    (tmp_path / "pool.txt").write_text("a dog\na cat\n" * 10)
    monkeypatch.setattr(os, "chdir", lambda folder: pytest.fail("the folder was changed"))
    with unchanged(), selected(tmp_path / "wanted.txt", str(tmp_path / "pool.txt"), 2, all=True) as made:
        assert len(made.jaded) == 20


@pytest.mark.ray
def test_a_cluster_of_our_own_leaves_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    monkeypatch.delenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", raising=False)
    before = {name: os.environ.get(name) for name in ENVIRONMENT}  # Ray sets others, which are its own
    with connected(Cluster("ray")):
        assert {name: os.environ.get(name) for name in ENVIRONMENT} == before
    assert {name: os.environ.get(name) for name in ENVIRONMENT} == before


def test_ctrl_c_while_modules_are_imported_shows_no_traceback() -> None:
    program = """
import os, runpy, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "cynical.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
sys.argv = ["cynical", "--version"]
runpy.run_module("cynical", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"cynical: interrupted\n")
