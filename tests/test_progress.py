"""Bars on a terminal and in a notebook; elsewhere a line per minute."""

from __future__ import annotations

import sys
import threading
import time
import types

import pytest

from cynical import progress as waiting
from cynical.progress import Progress


def test_bars_are_for_terminals_and_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert not Progress(True).shown
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert Progress(True).shown and not Progress(False).shown


def test_in_a_notebook_the_bar_is_the_notebook_s(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Bar:
        def __init__(self, **options: object) -> None:
            made.append(str(options["desc"]))

        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *error: object) -> None:
            made.append("closed")

    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = Bar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    progress = Progress(True)
    assert progress.shown
    with progress.bar("reading", 3, " lines"):
        pass
    assert made == ["reading", "closed"]


def test_in_a_log_a_long_run_says_every_minute_what_it_is_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "HEARTBEAT", 0.02)
    before = threading.active_count()
    for wanted in (False, True):
        progress = Progress(wanted)
        with progress.stage("read"):
            with progress.part("to find the stop, ").bar("reading AVAILABLE", 4_000_000, "B") as bar:
                bar.update(1_000_000)
                time.sleep(0.07)
            time.sleep(0.07)
        with progress.bar("selecting", None, " lines") as bar:
            bar.update(1_234)
            time.sleep(0.07)
        told = capsys.readouterr().err.splitlines()
        assert bool(told) == wanted
    said = list(dict.fromkeys(told))
    assert said == [
        "running for 0 min: to find the stop, reading AVAILABLE, 1 of 4 MB (25 %)",
        "running for 0 min: stage 'read'",
        "running for 0 min: selecting, 1,234 lines",
    ]
    assert threading.active_count() == before


def test_a_short_run_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(True).bar("reading", 3, " lines") as bar:
        bar.update(3)
    assert capsys.readouterr().err == ""
