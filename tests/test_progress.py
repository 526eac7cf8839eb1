"""Bars: on a terminal and in a notebook, nowhere else."""

from __future__ import annotations

import sys
import types

import pytest

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
