"""Batches of lines that several workers hold are those of one machine, whatever is lost on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.selection.checkpoint import Checkpoint
from tests.against_oracle import WORDS, lines_of, shares_a_word, some_words, zipfian
from tests.cluster.test_cluster import compare, selected, written


def small(words: int, lines: int) -> Any:
    """Few words and few lines in a round, so that there are many."""
    return mock.patch.multiple("cynical.cluster.batches", LEAST=1, MOST=words, LINES=lines, AHEAD=1, SPARE=1, JOINED=2)


@settings(max_examples=15, deadline=None)
@given(
    representative=some_words,
    available=lines_of(WORDS, most=40),
    unadapted=lines_of(WORDS, most=5),
    workers=st.integers(1, 4),
    per=st.sampled_from(["line", "word"]),
    ngrams=st.integers(1, 2),
    budget=st.sampled_from([{"all": True}, {"lines": 5}, {"words": 12}, {"share": 0.4}, {}]),
    lives=st.lists(st.integers(1, 12), max_size=3),
    words=st.sampled_from([1, 3, 1000]),
    lines=st.sampled_from([1, 20, 1 << 15]),
)
def test_batches_of_shards_are_those_of_one_machine(
    tmp_path_factory: pytest.TempPathFactory,
    representative: list[str],
    available: list[str],
    unadapted: list[str],
    workers: int,
    per: str,
    ngrams: int,
    budget: dict[str, Any],
    lives: list[int],
    words: int,
    lines: int,
) -> None:
    assume(shares_a_word(representative, available) and any(line.split() for line in unadapted))
    folder, half = tmp_path_factory.mktemp("batches"), len(available) // 2
    wanted, other = written(folder, "wanted", representative), written(folder, "other", unadapted)
    pool = [written(folder, "a", available[:half]), written(folder, "b", available[half:])]
    with small(words, lines):
        compare(
            wanted,
            pool,
            workers,
            lives,
            strategy="batch",
            unadapted=other,
            per=per,
            ngrams=ngrams,
            min_count=1,
            **budget,
        )


@pytest.mark.parametrize(("workers", "lives"), [(1, []), (2, [9]), (4, [6, 11, 8, 30])])
def test_batches_of_many_lines_are_those_of_one_machine(tmp_path: Path, workers: int, lives: list[int]) -> None:
    """With copies, and lines of unknown words."""
    few, unknown = zipfian(60, 3), [f"x{n % 7} x{n}" for n in range(40)]
    lines = [*zipfian(500, 2), *few, *unknown, *few, *zipfian(300, 4), *few]
    wanted, pool = written(tmp_path, "wanted", zipfian(60, 1)), written(tmp_path, "pool", lines)
    with small(8, 200):
        compare(wanted, pool, workers, lives, strategy="batch", all=True)
        compare(wanted, pool, workers, lives, strategy="batch", share=0.5, max_copies=2, per="word", ngrams=2)


@pytest.mark.parametrize("lives", [[], [17, 5, 12]])
def test_batches_of_shards_resume_where_one_ended(
    tmp_path: Path, lives: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after every checkpoint in turn, with other shards than before, some of which are lost."""
    wanted, pool = written(tmp_path, "wanted", zipfian(60, 1)), written(tmp_path, "pool", zipfian(600, 2))
    local = cynical.select(wanted, pool, strategy="batch", all=True)
    monkeypatch.setattr("cynical.cluster.batches.PICKS", 64)
    write_all, stops = Checkpoint.write, 0

    def write_and_stop(self: Checkpoint, gains: Any) -> None:
        nonlocal stops
        write_all(self, gains)
        stops += 1
        if stops < 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "write", write_and_stop)
    kept: dict[str, Any] = {"checkpoint": tmp_path / "c", "checkpoint_every": 0.0}
    for workers in range(1, 12):
        try:
            with (
                small(8, 200),
                selected(wanted, pool, 1 + workers % 4, lives, strategy="batch", all=True, **kept) as made,
            ):
                assert stops > 3 and b"".join(made.learn_places().to_bytes()) == b"".join(local.to_bytes())
                break
        except KeyboardInterrupt:
            continue
    assert stops >= 6


def test_a_round_brings_many_batches(tmp_path: Path) -> None:
    wanted, pool = written(tmp_path, "wanted", zipfian(300, 1)), written(tmp_path, "pool", zipfian(4000, 2))
    with selected(wanted, pool, 2, strategy="batch", all=True) as made:
        facts, picks = made.jaded.summary["engine"], len(made.jaded)
    assert facts["rounds"] < picks / 20, facts
