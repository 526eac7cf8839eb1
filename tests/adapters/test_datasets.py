"""Rows of Hugging Face datasets, beside the lines that `select` picks."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cynical
from tests.against_oracle import zipfian

datasets = pytest.importorskip("datasets", reason="no datasets; pip install 'cynical[datasets]'")
adapter = pytest.importorskip("cynical.adapters.datasets", exc_type=ImportError)

TASK = [line or "w1" for line in zipfian(30, 1)]
POOL = [line or "w2" for line in zipfian(200, 2)]
ROWS = [{"n": place, "text": line, "meta": {"url": f"u{place}", "tags": [place]}} for place, line in enumerate(POOL)]
OPTIONS: dict[str, Any] = {"lines": 40, "exclude": POOL[:20], "exclude_ngrams": 3}
ADDED = ["cynical_rank", "cynical_delta", "cynical_penalty", "cynical_gain", "cynical_entropy", "cynical_words"]


def expected() -> list[dict[str, Any]]:
    return [ROWS[line] for line in cynical.select(TASK, POOL, **OPTIONS).lines]


def without_ranking(picks: Any) -> list[dict[str, Any]]:
    return [{name: row[name] for name in ROWS[0]} for row in picks]


class Counted:
    """Rows that say how often they were read."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self) -> Iterator[dict[str, Any]]:
        for row in ROWS:
            self.read += 1
            yield row


def test_rows_of_a_dataset_come_back_whole_in_the_order_of_their_rank() -> None:
    web = datasets.Dataset.from_list(ROWS)
    picks = adapter.select(TASK, web, **OPTIONS)
    assert isinstance(picks, datasets.Dataset) and without_ranking(picks) == expected()
    assert picks["cynical_rank"][:] == list(range(1, 41)) and picks.column_names == [*ROWS[0], *ADDED, "cynical_word"]
    plain = adapter.select(datasets.Dataset.from_dict({"text": TASK}), web, ranking=False, **OPTIONS)
    assert plain.features == web.features and without_ranking(plain) == expected()


@pytest.mark.parametrize("known", [True, False])
def test_a_stream_is_read_once_and_gives_the_same_rows(known: bool, tmp_path: Path) -> None:
    source = Counted()
    features = datasets.Dataset.from_list(ROWS[:1]).features if known else None
    stream = datasets.IterableDataset.from_generator(source, features=features)
    assert (stream.features is not None) == known
    picks = adapter.select(TASK, stream, scratch=tmp_path, **OPTIONS)
    assert isinstance(picks, datasets.Dataset) and without_ranking(picks) == expected()
    assert source.read == len(ROWS) and list(tmp_path.iterdir()) == []
    assert pickle.loads(pickle.dumps(picks))[0]["cynical_rank"] == 1


@pytest.mark.parametrize("streaming", [True, False])
def test_splits_are_one_pool_and_get_their_own_picks_back(streaming: bool) -> None:
    whole = datasets.Dataset.from_list(ROWS)
    parts = {"a": whole.select(range(70)), "b": whole.select(range(70, 75)), "c": whole.select(range(75, 200))}
    given = datasets.DatasetDict(parts)
    if streaming:
        given = datasets.IterableDatasetDict({name: part.to_iterable_dataset() for name, part in parts.items()})
    picks = adapter.select(TASK, given, **OPTIONS)
    assert isinstance(picks, datasets.DatasetDict) and list(picks) == ["a", "b", "c"]
    for name, part in picks.items():
        assert {row["n"] for row in part} <= {row["n"] for row in parts[name]}
        assert part["cynical_rank"][:] == sorted(part["cynical_rank"][:])
    ranked = sorted((row for part in picks.values() for row in part), key=lambda row: row["cynical_rank"])
    assert without_ranking(ranked) == expected()


def test_rows_are_scored_and_kept_by_a_scorer() -> None:
    scorer = cynical.Scorer(TASK, per="word")
    scores = scorer.score(POOL)
    below = float(np.median(scores.score))
    web = datasets.Dataset.from_list(ROWS)
    for given in (web, web.to_iterable_dataset(), datasets.DatasetDict({"train": web})):
        scored, kept = adapter.score(given, scorer, batch_size=7), adapter.keep(given, scorer, below, batch_size=7)
        if isinstance(given, datasets.DatasetDict):
            scored, kept = scored["train"], kept["train"]
        assert [row["cynical_delta"] for row in scored] == scores.delta.tolist()
        assert list(kept) == [row for row, one in zip(ROWS, scores.score, strict=True) if one < below]


def test_what_cannot_be_is_said() -> None:
    web = datasets.Dataset.from_list(ROWS)
    with pytest.raises(cynical.CynicalError, match="REPRESENTATIVE has splits: train; give one of them"):
        adapter.select(datasets.DatasetDict({"train": web}), web)
    with pytest.raises(cynical.CynicalError, match=r"expected a Dataset, .* found list"):
        adapter.select(TASK, POOL)
    with pytest.raises(cynical.CynicalError, match="splits rows into several units, but whole rows are returned"):
        adapter.select(TASK, web, unit="line")
    with pytest.raises(cynical.CynicalError, match="the stream has no rows"):
        adapter.select(TASK, datasets.IterableDataset.from_generator(lambda: iter(())))
    mixed = [*({"text": "w1 w2", "n": 1} for _ in range(1500)), {"text": "w1", "n": "one"}]
    with pytest.raises(cynical.CynicalError, match="the rows of the stream from row 1001 do not fit into one table"):
        adapter.select(TASK, datasets.IterableDataset.from_generator(lambda: iter(mixed)))
