"""The filter for OpusFilter, by itself and as the documentation shows it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cynical
from tests.adapters.shown import shown
from tests.against_oracle import zipfian

pytest.importorskip("opusfilter", reason="no opusfilter; pip install 'cynical[opusfilter]'")
adapter = pytest.importorskip("cynical.adapters.opusfilter", exc_type=ImportError)

TASK = [line or "w1" for line in zipfian(30, 1)]
POOL = [line or "w2" for line in zipfian(100, 2)]
PAIRS = [(line, f"{line} x") for line in POOL]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in (("task", TASK), ("pool", POOL)):
        (tmp_path / f"{name}.en").write_text("".join(f"{line}\n" for line in lines))
        (tmp_path / f"{name}.de").write_text("".join(f"{line} x\n" for line in lines))
    return tmp_path


def test_pairs_are_scored_by_one_side_or_by_both(folder: Path) -> None:
    one = adapter.ScoreFilter("task.de", side=1, per="word", workdir=str(folder))
    scores = cynical.Scorer([f"{line} x" for line in TASK], per="word").score([b for _, b in PAIRS]).score
    assert list(one.score(PAIRS)) == scores.tolist()
    one.threshold = float(np.median(scores))
    kept = [pair for pair, score in zip(PAIRS, scores, strict=True) if score < one.threshold]
    assert 0 < len(kept) < len(PAIRS)
    assert list(one.filter(PAIRS)) == kept and list(one.decisions(PAIRS)) == [pair in kept for pair in PAIRS]
    assert list(one.filterfalse(PAIRS)) == [pair for pair in PAIRS if pair not in kept]
    both = adapter.ScoreFilter(["task.en", "task.de"], seed=["task.en", "task.de"], workdir=str(folder))
    seeded = cynical.Scorer(
        TASK, representative_with=[f"{line} x" for line in TASK], seed=TASK, seed_with=[f"{line} x" for line in TASK]
    )
    assert list(both.score(PAIRS)) == seeded.score(POOL, with_=[b for _, b in PAIRS]).score.tolist()
    with pytest.raises(cynical.CynicalError, match="representative has 2 sides, but segments have 1"):
        list(both.score([("a",)]))
    with pytest.raises(cynical.CynicalError, match="side 1 was requested, but segments have 1"):
        list(one.score([("a",)]))


def test_the_example_of_the_documentation_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from opusfilter.opusfilter import OpusFilter
    from opusfilter.util import yaml

    monkeypatch.chdir(folder)
    OpusFilter(yaml.load(shown("OpusFilter"))).execute_steps()
    scores = [json.loads(line)["ScoreFilter"] for line in Path("scores.jsonl").read_text().splitlines()]
    both = cynical.Scorer(TASK, representative_with=[f"{line} x" for line in TASK], per="word")
    assert scores == both.score(POOL, with_=[b for _, b in PAIRS]).score.tolist()
    kept = [Path(f"kept.{side}").read_text().splitlines() for side in ("en", "de")]
    assert list(zip(*kept, strict=True)) == [
        pair
        for pair, score in zip(PAIRS, cynical.Scorer(TASK, per="word").score(POOL).score, strict=True)
        if score < 0.1
    ]
