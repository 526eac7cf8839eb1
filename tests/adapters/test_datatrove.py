"""Steps of datatrove on documents in memory."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import cynical
from tests.against_oracle import zipfian

data = pytest.importorskip("datatrove.data", reason="no datatrove; pip install 'cynical[datatrove]'")
adapter = pytest.importorskip("cynical.adapters.datatrove", exc_type=ImportError)

TASK = [line or "w1" for line in zipfian(30, 1)]
POOL = [line or "w2" for line in zipfian(100, 2)]


def documents() -> list[object]:
    return [data.Document(text=text, id=f"d{place}", metadata={"n": place}) for place, text in enumerate(POOL)]


def test_documents_are_scored_and_those_below_the_threshold_kept() -> None:
    scorer = cynical.Scorer(TASK, per="word")
    scores = scorer.score(POOL)
    below = float(np.median(scores.score))
    step = pickle.loads(pickle.dumps(adapter.ScoreFilter(scorer, below, batch_size=7)))
    kept = list(step.run(iter(documents())))
    assert [doc.metadata["n"] for doc in kept] == np.flatnonzero(scores.score < below).tolist()
    assert [doc.metadata["cynical_delta"] for doc in kept] == scores.delta[scores.score < below].tolist()
    assert len(list(adapter.ScoreFilter(scorer).run(iter(documents())))) == len(POOL)


def test_documents_of_a_ranking_are_kept_however_it_is_given(tmp_path: Path) -> None:
    records = [{"id": f"d{place}", "text": text} for place, text in enumerate(POOL)]
    jaded = cynical.select(TASK, records, text_key="text", id_key="id", lines=10)
    for name in ("picks.ids", "picks.tsv", "picks.jsonl.gz"):
        jaded.write(tmp_path / name)
    expected = {f"d{line}": rank for rank, line in enumerate(jaded.lines, 1)}
    files = [tmp_path / "picks.ids", str(tmp_path / "picks.tsv"), tmp_path / "picks.jsonl.gz"]
    for ranking in (jaded, list(expected), *files):
        kept = list(adapter.KeepRanked(ranking).run(iter(documents())))
        assert {doc.id: doc.metadata["cynical_rank"] for doc in kept} == expected
    with pytest.raises(cynical.CynicalError, match="has no document ids; make it with"):
        adapter.KeepRanked(cynical.select(TASK, POOL, lines=3))
