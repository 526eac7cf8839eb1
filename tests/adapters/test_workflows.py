"""The examples for NeMo Curator, DVC and Snakemake, run as the documentation shows them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

import cynical
from tests.adapters.shown import shown
from tests.against_oracle import zipfian

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the examples name; `cynical` is that of this Python."""
    pool = [line or "w1" for line in zipfian(400, 2)]
    for name, lines in (("task.txt", zipfian(60, 1)), ("test.txt", pool[::40]), ("pool.txt", pool)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "crawl").mkdir()
    for shard in (1, 2):
        records = "".join(json.dumps({"id": f"{shard}-{n}", "text": line}) + "\n" for n, line in enumerate(pool))
        (tmp_path / "crawl" / f"{shard}.jsonl.zst").write_bytes(zstandard.compress(records.encode()))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cynical").write_text(f'#!/bin/sh\nexec {sys.executable} -m cynical "$@"\n')
    (tools / "cynical").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}; pip install {command[0]}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.ray
def test_a_stage_of_nemo_curator_scores_documents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nemo_curator", reason="no nemo-curator; pip install nemo-curator")
    monkeypatch.setenv("RAY_ADDRESS", "local")
    documents = [{"id": n, "text": line or "w1"} for n, line in enumerate(zipfian(100, 2))]
    (folder / "documents").mkdir()
    (folder / "documents" / "1.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    (folder / "example.py").write_text(shown("NeMo Curator", "python"))
    run(sys.executable, "example.py")
    kept = [json.loads(line) for file in (folder / "better").iterdir() for line in file.read_text().splitlines()]
    scores = cynical.Scorer(folder / "task.txt", per="word").score([str(one["text"]) for one in documents]).score
    below = [number for number, score in enumerate(scores) if score < 0.2]
    assert [one["id"] for one in kept] == below
    assert [one["cynical_score"] for one in kept] == pytest.approx(scores[below].tolist())


def test_dvc_runs_the_stages_and_runs_none_again(folder: Path) -> None:
    run("dvc", "init", "--no-scm", "--quiet")
    (folder / "dvc.yaml").write_text(shown("DVC"))
    run("dvc", "repro")
    assert (folder / "picks.tsv").exists() and json.loads((folder / "evaluation.json").read_text())["points"]
    assert "didn't change, skipping" in run("dvc", "repro")


def test_snakemake_scores_shards_and_ranks_what_is_left(folder: Path) -> None:
    (folder / "Snakefile").write_text(shown("Snakemake", "snakemake"))
    run("snakemake", "--cores", "2")
    picks = zstandard.ZstdDecompressor().decompressobj().decompress((folder / "picks.jsonl.zst").read_bytes())
    records = [json.loads(line) for line in picks.splitlines()]
    assert records and [record["cynical_rank"] for record in records] == list(range(1, len(records) + 1))
    assert {record["id"].split("-")[0] for record in records} == {"1", "2"}
