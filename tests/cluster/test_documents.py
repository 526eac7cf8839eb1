"""At most a share of a document, on a cluster: the picks of one machine, whoever holds the documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from tests.against_oracle import WORDS, shares_a_word, some_words, zipfian
from tests.cluster.test_cluster import compare, selected, written

some_lines = st.lists(st.lists(st.sampled_from(WORDS[:5]), max_size=4).map(" ".join), min_size=1, max_size=6)
FEW_ROWS: dict[str, Any] = {"LEAST": 1, "LEAST_EACH": 1, "MOST": 2}


def documents(folder: Path, texts: list[list[str]], files: int) -> list[Path]:
    """Records with texts of some lines, in this many files."""
    pool = [folder / f"pool-{number}.jsonl" for number in range(files)]
    for number, path in enumerate(pool):
        records = [json.dumps({"text": "\n".join(lines)}) for lines in texts[number::files]]
        path.write_text("".join(f"{one}\n" for one in records))
    return pool


@settings(max_examples=12, deadline=None)
@given(
    representative=some_words,
    texts=st.lists(some_lines, min_size=3, max_size=9),
    workers=st.integers(1, 4),
    share=st.sampled_from([0.29, 0.34, 0.5, 0.7, 1.0]),
    per=st.sampled_from(["line", "word"]),
    lives=st.lists(st.integers(1, 12), max_size=2),
    kept=st.sampled_from([1, 40, 1 << 22]),
)
def test_shards_pick_what_one_machine_picks_from_documents(
    tmp_path_factory: pytest.TempPathFactory,
    representative: list[str],
    texts: list[list[str]],
    workers: int,
    share: float,
    per: str,
    lives: list[int],
    kept: int,
) -> None:
    assume(shares_a_word(representative, [line for lines in texts for line in lines]))
    folder = tmp_path_factory.mktemp("documents")
    wanted, pool = written(folder, "wanted", representative), documents(folder, texts, 3)
    with mock.patch.multiple("cynical.cluster.driver", **FEW_ROWS, KEPT=kept):
        compare(wanted, pool, workers, lives, all=True, unit="line", max_share_of_document=share, per=per)


@pytest.mark.parametrize(("workers", "lives"), [(1, []), (2, [9]), (4, [6, 11, 8, 30])])
def test_documents_of_text_give_their_share_on_a_cluster(tmp_path: Path, workers: int, lives: list[int]) -> None:
    """With a checkpoint that is resumed, a model that says where to stop, and the reasons of all other lines."""
    lines, wanted = [line or "w1" for line in zipfian(400, 2)], written(tmp_path, "wanted", zipfian(60, 1))
    pool = documents(tmp_path, [lines[at : at + 8] for at in range(0, 400, 8)], 5)
    told: dict[str, Any] = {"unit": "line", "max_share_of_document": 0.4}
    with mock.patch.multiple("cynical.cluster.driver", LEAST=16, LEAST_EACH=4, MOST=64, KEPT=2000):
        compare(wanted, pool, workers, lives, **told, all=True)
        with mock.patch.multiple("cynical.selection.model_stop", FIRST=40, LEAST=1):
            compare(wanted, pool, workers, lives, **told, stop="model", ngrams=2, per="word")
        kept: dict[str, Any] = {"checkpoint": tmp_path / "c", "checkpoint_every": 0.0}
        local = cynical.select(wanted, pool, all=True, **told)
        with selected(wanted, pool, workers, all=True, **told, **kept):
            picks = (tmp_path / "c" / "picks").read_bytes()
        (tmp_path / "c" / "picks").write_bytes(picks[: len(picks) // 48 * 16])
        (tmp_path / "c" / "done").unlink()
        with selected(wanted, pool, workers, lives, all=True, **told, **kept) as made:
            far = made.with_texts()
            far.write(tmp_path / "distant.tsv", rejected=tmp_path / "distant.rest.tsv")
            local.write(tmp_path / "near.tsv", rejected=tmp_path / "near.rest.tsv")
    for name in ("tsv", "rest.tsv"):
        assert (tmp_path / f"distant.{name}").read_bytes() == (tmp_path / f"near.{name}").read_bytes(), name
    assert "share_of_document" in (tmp_path / "distant.rest.tsv").read_text()


def test_a_round_brings_many_picks_where_most_documents_are_full(tmp_path: Path) -> None:
    """Shards know which lines do not fit any more, and do not offer them."""
    lines, wanted = [line or "w1" for line in zipfian(3000, 2)], written(tmp_path, "wanted", zipfian(200, 1))
    pool = documents(tmp_path, [lines[at : at + 100] for at in range(0, 3000, 100)], 3)
    few = mock.patch.multiple("cynical.cluster.driver", LEAST=24, LEAST_EACH=8, MOST=32)
    with few, selected(wanted, pool, 3, unit="line", max_share_of_document=0.05, all=True) as made:
        assert made.jaded.summary.search.ended_by == "lines"
        facts = made.jaded.summary["engine"]
    assert facts["rounds"] < 60 and facts["candidates"] < 1500, (len(made.jaded), facts)
