"""Memory that can be planned."""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical import memory as storing
from cynical.memory import Storage
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_evaluate import write

TASK, POOL = zipfian(60, 31, words=80), zipfian(3000, 32)


def select(available: Any = POOL, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.select(TASK, available, **options)


def spilling(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if memory were short, whatever the limit."""

    def decide(self: Storage, needed: int, at_least: int) -> None:
        self.spills = True

    monkeypatch.setattr(Storage, "decide", decide)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"per": "word", "ngrams": 2},
        {"vocabulary": "classes"},
        {"strategy": "word"},
        {"strategy": "batch"},
        {"with_": zipfian(3000, 33), "representative_with": TASK},
        {"tokenizer": "characters"},
        {"max_copies": 1},
    ],
    ids=str,
)
def test_rows_in_files_give_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: dict[str, Any]
) -> None:
    whole = select(all=True, **options)
    spilling(monkeypatch)
    for jobs in (1, 3):
        small = select(all=True, memory="1G", scratch=tmp_path, jobs=jobs, **options)
        assert small.summary["memory"]["in_scratch"] > 0
        assert b"".join(small.to_bytes()) == b"".join(whole.to_bytes())
    assert not list(tmp_path.iterdir())  # temporary files leave nothing


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_rows_are_in_files_too_on_a_system_that_lacks_what_linux_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Such as macOS. The disk still holds all the room that an array has, so a full one shows before the search."""
    pool = write(tmp_path / "pool.txt", POOL)
    whole = select(pool, lines=300)
    for name in ("posix_fallocate", "preadv", "sched_getaffinity"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(storing, "STATM", tmp_path / "none")
    monkeypatch.setattr(storing, "ZEROS", bytes(1000))
    spilling(monkeypatch)
    small = select(pool, lines=300, memory="1G", scratch=tmp_path)
    assert small.summary["memory"]["in_scratch"] > 0
    assert b"".join(small.to_bytes()) == b"".join(whole.to_bytes())
    small.write(tmp_path / "jaded.tsv")
    assert (tmp_path / "jaded.tsv").read_bytes() == b"".join(whole.to_bytes())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much of a process is resident")
def test_pages_that_are_taken_back_come_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With a limit that is always passed, the watch takes all mapped pages back all the time."""
    pool = write(tmp_path / "pool.txt", zipfian(40_000, 34))
    whole = select(pool, share=0.2)
    spilling(monkeypatch)
    monkeypatch.setattr(storing, "LOOK", 0.0001)
    drops, drop = 0, Storage.drop

    def counted(self: Storage) -> None:
        nonlocal drops
        drops += 1
        drop(self)

    monkeypatch.setattr(Storage, "drop", counted)
    small = select(pool, share=0.2, memory="1M")
    assert drops > 10
    assert b"".join(small.to_bytes()) == b"".join(whole.to_bytes())


def test_a_limit_that_cannot_be_kept_is_said_at_once() -> None:
    with pytest.raises(
        cynical.CynicalError, match=r"100 MB: this run needs at least [\d.]+ [MG]B .* give a larger limit"
    ):
        select(memory="100M", all=True)


def test_what_fits_stays_in_memory() -> None:
    assert select(memory="8G", all=True).summary["memory"]["in_scratch"] == 0


def test_a_full_scratch_disk_is_an_error_message(monkeypatch: pytest.MonkeyPatch) -> None:
    spilling(monkeypatch)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    for function in ("pwrite", "posix_fallocate"):
        with monkeypatch.context() as patch:
            patch.setattr(os, function, full, raising=False)  # macOS has only one of them
            with pytest.raises(cynical.CynicalError, match=r"\(scratch\): no space left on device; free some space"):
                select(memory="1G", all=True)


def test_without_a_place_to_write_select_says_so(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path / "task.txt", TASK)
    done = cynical("select", "-r", "task.txt", "-a", "task.txt")
    assert done.returncode == 2 and "give -o OUT" in done.stderr


def test_the_summary_tells_of_the_limit(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path / "task.txt", TASK)
    assert cynical("select", "-r", "task.txt", "-a", "task.txt", "--memory", "2G", "-o", "j.tsv").returncode == 0
    assert json.loads((tmp_path / "j.tsv.json").read_bytes())["memory"]["limit"] == 2 * 10**9
