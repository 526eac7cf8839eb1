"""The selector for data-juicer, by itself and as the documentation shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cynical
from tests.adapters.shown import shown
from tests.against_oracle import zipfian

pytest.importorskip("data_juicer", reason="no data-juicer; pip install 'cynical[data-juicer]'")
adapter = pytest.importorskip("cynical.adapters.data_juicer", exc_type=ImportError)

TASK = [line or "w1" for line in zipfian(30, 1)]
POOL = [line or "w2" for line in zipfian(100, 2)]


@pytest.mark.slow
def test_the_example_of_the_documentation_picks_what_select_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from data_juicer.config import init_configs
    from data_juicer.core import DefaultExecutor

    monkeypatch.chdir(tmp_path)
    Path("task.txt").write_text("".join(f"{line}\n" for line in TASK))
    Path("test.txt").write_text("".join(f"{line}\n" for line in POOL[::10]))
    Path("pool.jsonl").write_text("".join(json.dumps({"id": n, "text": line}) + "\n" for n, line in enumerate(POOL)))
    Path("cynical_ops.py").write_text("from cynical.adapters.data_juicer import CynicalSelector\n")
    Path("recipe.yaml").write_text(shown("data-juicer").replace("1000000", "200").replace("13", "3"))
    DefaultExecutor(init_configs(["--config", "recipe.yaml"])).run()
    picks = [json.loads(line) for line in Path("picks.jsonl").read_text().splitlines()]
    options = {"words": 200, "exclude": POOL[::10], "exclude_ngrams": 3}
    expected = cynical.select(TASK, POOL, per="word", **options)  # type: ignore[arg-type]
    assert [(pick["id"], pick["text"]) for pick in picks] == [(line, POOL[line]) for line in expected.lines]


def test_a_selector_without_a_text_says_so() -> None:
    with pytest.raises(cynical.CynicalError, match="cynical_selector needs the language you want"):
        adapter.CynicalSelector().process([])
