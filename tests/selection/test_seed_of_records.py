"""Earlier rankings of records as SEED."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cynical
from tests.files import PACK, POOL, WANTED, as_json

zstandard = pytest.importorskip("zstandard")


pyarrow = pytest.importorskip("pyarrow")


parquet = pytest.importorskip("pyarrow.parquet")


def test_a_ranking_of_records_continues(tmp_path: Path) -> None:
    lines = [line.replace(" ", "\n", 1) + "\\" for line in POOL]
    (tmp_path / "pool.jsonl.zst").write_bytes(PACK[".zst"](as_json(lines)))
    whole = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=100)
    first = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=40)
    first.write(tmp_path / "first.tsv.gz")
    first.write(tmp_path / "first.tsv")
    for seed in ("first.tsv", "first.tsv.gz"):
        more = cynical.select(WANTED, tmp_path / "pool.jsonl.zst", lines=60, seed=tmp_path / seed)
        assert more.lines.tolist() == whole.lines[40:].tolist()
        assert more.summary["seed"]["rankings"][0]["by"] == "number"


def test_a_ranking_as_seed_is_one_whatever_the_key(tmp_path: Path) -> None:
    body = b"".join(json.dumps({"body": line}).encode() + b"\n" for line in POOL)
    (tmp_path / "pool.jsonl").write_bytes(body)
    whole = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=30, text_key="body")
    first = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=10, text_key="body")
    for name in ("first.tsv", "first.tsv.gz"):
        first.write(tmp_path / name)
        more = cynical.select(WANTED, tmp_path / "pool.jsonl", lines=20, text_key="body", seed=tmp_path / name)
        assert more.lines.tolist() == whole.lines[10:].tolist()


@pytest.mark.parametrize("summary", [True, False])
def test_the_texts_of_a_ranking_are_excluded_with_their_escapes_undone(tmp_path: Path, summary: bool) -> None:
    texts = ["a cat\nran home", "the dog \\ sat", "plain cat 3"]
    (tmp_path / "pool.jsonl").write_bytes(as_json(texts))
    first = cynical.select(["a cat ran home"], tmp_path / "pool.jsonl", lines=3)
    first.write(tmp_path / "first.tsv")
    if not summary:
        (tmp_path / "first.tsv.json").unlink()
    with pytest.raises(cynical.CynicalError, match="no eligible line is left: 3 excluded"):
        cynical.select(["a cat ran home"], tmp_path / "pool.jsonl", lines=3, exclude=tmp_path / "first.tsv")
    assert cynical.read(tmp_path / "first.tsv").texts == first.texts


def test_backslashes_of_plain_lines_stay_without_a_summary_too(tmp_path: Path) -> None:
    lines = ["a \\begin cat", "ran \\\\ home", "C:\\new\\table"]
    first = cynical.select(["a cat ran home"], lines, lines=3)
    first.write(tmp_path / "first.tsv")
    (tmp_path / "first.tsv.json").unlink()
    assert cynical.read(tmp_path / "first.tsv").texts == first.texts
