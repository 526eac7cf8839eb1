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


def test_a_ranking_of_records_goes_on(tmp_path: Path) -> None:
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
