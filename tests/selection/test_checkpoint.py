"""Resuming after a stop."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.selection.checkpoint import RECORD, Checkpoint, RunIdentity, WhatWasRead, _difference, open_checkpoint
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_evaluate import write

TASK, POOL = zipfian(60, 21, words=80), zipfian(2000, 22)
RUN = RunIdentity("1", {"share": 0.1}, WhatWasRead(1000, 9, 1000, "0", "cynical"))


def select(folder: Path | None, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.select(TASK, POOL, checkpoint=folder, checkpoint_every=0, **options)


def same(one: cynical.Jaded, other: cynical.Jaded) -> bool:
    return b"".join(one.to_bytes()) == b"".join(other.to_bytes()) and one.stop == other.stop


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"all": True},
        {"share": 0.3, "per": "word"},
        {"all": True, "ngrams": 2, "per": "word"},
        {"all": True, "ngrams": 2, "ngram_smoothing": 500.0},
        {"words": 5000, "vocabulary": "classes"},
        {"all": True, "strategy": "word"},
        {"share": 0.5, "strategy": "word", "per": "word"},
        {"lines": 700, "seed": ["w1 w2 w3"]},
        {"max_copies": 1, "all": True},
        {},
    ],
    ids=str,
)
def test_a_run_that_resumes_ends_with_the_same_bytes(tmp_path: Path, options: dict[str, Any]) -> None:
    whole = select(None, **options)
    assert same(select(tmp_path / "c", **options), whole)
    picks = tmp_path / "c" / "picks"
    written = picks.read_bytes()
    assert same(select(tmp_path / "c", **options), whole)  # nothing is left to do
    (tmp_path / "c" / "done").unlink()
    for kept in (0, 1, len(written) // RECORD.itemsize // 3, len(written) // RECORD.itemsize):
        picks.write_bytes(written[: kept * RECORD.itemsize + (5 if kept else 0)])  # and a record cut off
        assert same(select(tmp_path / "c", **options), whole)
        assert picks.read_bytes() == written


@pytest.mark.parametrize("options", [{"all": True}, {"share": 0.4, "per": "word"}, {"words": 3000}], ids=str)
def test_batches_resume_where_one_ended(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after every checkpoint in turn: the picks, and the last known gains that go with them, are all it has."""
    from cynical.selection import batch

    monkeypatch.setattr(batch, "PICKS", 64)
    whole = select(None, strategy="batch", **options)
    write_all, stops = Checkpoint.write, 0

    def write_and_stop(self: Checkpoint, gains: Any) -> None:
        nonlocal stops
        write_all(self, gains)
        stops += 1
        if stops < 40:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "write", write_and_stop)
    for _ in range(60):
        try:
            made = select(tmp_path / "c", strategy="batch", **options)
            break
        except KeyboardInterrupt:
            continue
    assert stops > 3
    assert same(made, whole)


@pytest.mark.parametrize("options", [{"words": 3000}, {"share": 0.35}, {}, {"lines": 500}], ids=str)
def test_batches_that_a_budget_cut_short_are_not_resumed(tmp_path: Path, options: dict[str, Any]) -> None:
    """Neither when the run is over, nor when it was stopped just before it could say so."""
    whole = select(tmp_path / "c", strategy="batch", **options)
    assert same(select(tmp_path / "c", strategy="batch", **options), whole)
    (tmp_path / "c" / "done").unlink()
    assert same(select(tmp_path / "c", strategy="batch", **options), whole)
    (tmp_path / "c" / "done").unlink()
    (tmp_path / "c" / "gains").unlink(missing_ok=True)
    assert same(select(tmp_path / "c", strategy="batch", **options), whole)


@given(st.lists(st.integers(0, 50), max_size=12), st.integers(0, 15))
@settings(max_examples=30)
def test_what_is_written_is_read_back_and_a_torn_record_is_dropped(sizes: list[int], torn: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        added: list[int] = []
        one = open_checkpoint(folder, RUN, 0)
        for size in sizes:
            lines = np.arange(len(added), len(added) + size)
            one.add(lines, lines + 1, None)
            added += lines.tolist()
        one.write(None)
        one.close()
        with (Path(folder) / "picks").open("ab") as file:
            file.write(b"x" * torn)
        other = open_checkpoint(folder, RUN)
        assert other.lines.tolist() == added and other.words.tolist() == [line + 1 for line in added]
        other.add(np.array([999]), np.array([-1]), None)
        other.write(None)
        other.close()
        last = open_checkpoint(folder, RUN)
        assert last.lines.tolist() == [*added, 999]
        last.close()


def test_the_checkpoint_of_another_run_raises_an_error(tmp_path: Path) -> None:
    select(tmp_path / "c", lines=10)
    with pytest.raises(cynical.CynicalError, match=r"another run \(with lines=10\)"):
        select(tmp_path / "c", lines=20)
    with (
        pytest.raises(cynical.CynicalError, match=r"another run \(of other corpora\)"),
        warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning),
    ):
        cynical.select(TASK, [*POOL[1:], POOL[0]], lines=10, checkpoint=tmp_path / "c")
    with pytest.raises(cynical.CynicalError, match=r"another run \(without min_length\)"):
        select(tmp_path / "c", lines=10, min_length=1)


def test_a_tokenizer_that_has_changed_is_not_another_corpus() -> None:
    read = asdict(RUN.read) | {"signature": "tok:python:mine:split|r:1|a:2"}
    run = asdict(RUN) | {"read": read}
    for changed, said in (
        ({"signature": "tok:python:mine:other|r:1|a:2"}, "the tokenizer has changed since"),
        ({"digest": ""}, "of other corpora, or the tokenizer has changed since"),
    ):
        assert _difference(run | {"read": read | changed}, run) == f" ({said})"


@pytest.mark.parametrize(("task", "pool"), [("a a b", ["b", "a"]), ("b b a", ["a", "b"])])
def test_a_corpus_with_lines_of_the_same_lengths_is_another_one(tmp_path: Path, task: str, pool: list[str]) -> None:
    """Also where counts, and how many representative words each line has, are the same."""
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        cynical.select(["a a b"], ["a", "b"], lines=1, checkpoint=tmp_path / "c")
        with pytest.raises(cynical.CynicalError, match="of other corpora"):
            cynical.select([task], pool, lines=1, checkpoint=tmp_path / "c")


@pytest.mark.parametrize("name", ["picks", "done", "gains", "run.json", "notes.txt"])
def test_a_folder_with_other_files_raises_an_error_and_is_left_as_it_was(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("my own")
    with pytest.raises(
        cynical.CynicalError, match=rf"the folder has other files \({name}\); give checkpoint an empty folder"
    ):
        open_checkpoint(tmp_path, RUN)
    assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "my own"


def test_a_run_that_was_stopped_before_it_wrote_anything_can_begin_again(tmp_path: Path) -> None:
    (tmp_path / "picks").touch()
    (tmp_path / "run.json.new").write_bytes(b"{")
    open_checkpoint(tmp_path, RUN).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["picks", "run.json"]


@pytest.mark.parametrize("strategy", ["exact", "batch"])
def test_whatever_is_damaged_the_same_lines_are_picked(tmp_path: Path, strategy: str) -> None:
    rng = random.Random(strategy)
    options: dict[str, Any] = {"strategy": strategy, "lines": 60}
    whole = select(tmp_path / "c", **options)
    names = [path.name for path in (tmp_path / "c").iterdir() if path.name != "run.json"]
    kept = {name: (tmp_path / "c" / name).read_bytes() for name in names}
    assert {"picks", "done"} <= set(names)
    for _ in range(15):
        for name, content in kept.items():
            damaged = bytearray(content)
            for _ in range(rng.choice([0, 1, 9])):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            if rng.random() < 0.3:
                damaged = damaged[: rng.randrange(len(damaged))]
            if rng.random() < 0.3 and name == "picks":
                damaged += damaged[:160]
            (tmp_path / "c" / name).write_bytes(damaged)
        if rng.random() < 0.5:
            (tmp_path / "c" / "done").unlink()
        assert same(select(tmp_path / "c", **options), whole)


def test_picks_that_no_run_could_have_made_are_dropped(tmp_path: Path) -> None:
    """Even if their checks are right."""
    for lines, words, sound in (([3, 5, 3], [0, 0, 0], 2), ([3, 1000], [0, 0], 1), ([-1], [0], 0), ([3], [-2], 0)):
        one = open_checkpoint(tmp_path, RUN)
        one.add(np.array(lines), np.array(words), None)
        one.write(None)
        one.close()
        other = open_checkpoint(tmp_path, RUN)
        assert other.lines.tolist() == lines[:sound] and other.damaged
        other.file.truncate(0)
        other.close()


def test_two_runs_cannot_write_one_checkpoint(tmp_path: Path) -> None:
    one = open_checkpoint(tmp_path, RUN)
    with pytest.raises(cynical.CynicalError, match="another run is writing this checkpoint"):
        open_checkpoint(tmp_path, RUN)
    one.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_leaves_the_checkpoint_as_it_was(tmp_path: Path) -> None:
    one = open_checkpoint(tmp_path, RUN)
    one.add(np.arange(10), np.arange(10), None)
    one.write(None)
    one.add(np.arange(5), np.arange(5), None)
    real = one.file
    with Path("/dev/full").open("r+b", buffering=0) as full:

        class Full:
            """A file on a disk that has no room."""

            def __getattr__(self, name: str) -> Any:
                return getattr(full if name == "write" else real, name)

        one.file = Full()  # type: ignore[assignment]
        with pytest.raises(cynical.CynicalError, match="no space left on device; free some space"):
            one.write(None)
    real.close()
    other = open_checkpoint(tmp_path, RUN)
    assert other.lines.tolist() == list(range(10))
    other.close()


@pytest.mark.slow
def test_killed_at_random_moments_it_ends_with_the_same_bytes(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path / "task.txt", zipfian(200, 23, words=2000))
    write(tmp_path / "pool.txt", zipfian(20_000, 24, words=3000))
    command = ["select", "-r", "task.txt", "-a", "pool.txt", "--all", "-q"]
    assert cynical(*command, "-o", "whole.tsv").returncode == 0
    command += ["--checkpoint", "c", "--checkpoint-every", "0", "-o", "out.tsv"]
    rng = random.Random(1)
    for _ in range(6):
        process = subprocess.Popen([sys.executable, "-m", "cynical", *command], cwd=tmp_path, env=os.environ)
        time.sleep(0.3 + rng.random())
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        if process.wait() == 0 or (tmp_path / "out.tsv").exists():
            break
    else:
        assert cynical(*command).returncode == 0
    assert (tmp_path / "out.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert json.loads((tmp_path / "c" / "run.json").read_bytes())["settings"]["all"]
