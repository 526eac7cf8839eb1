"""Several targets, with weights."""

from __future__ import annotations

from pathlib import Path

import pytest

import cynical
from tests.against_oracle import zipfian
from tests.conftest import Run

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)


def write(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return str(folder / name)


@pytest.mark.slow
def test_counts_mix_as_texts_do(tmp_path: Path, cynical: Run) -> None:
    write(tmp_path, "a.txt", zipfian(40, 5))
    write(tmp_path, "b.txt", zipfian(40, 6, words=80))
    write(tmp_path, "pool.txt", POOL)
    tables = []
    for suffix in ("txt", "counts"):
        if suffix == "counts":
            for name in ("a", "b"):
                assert cynical("count", f"{name}.txt", "--ngrams", "2", "-o", f"{name}.counts").returncode == 0
        command = ("select", "-r", f"a.{suffix}", "-r", f"b.{suffix}", "--weights", "0.7,0.3", "-a", "pool.txt")
        done = cynical(*command, "--ngrams", "2", "--all", "-o", "-")
        assert done.returncode == 0, done.stderr
        tables.append([row.split("\t")[:7] for row in done.stdout.splitlines()])
    assert tables[0] == tables[1]
    done = cynical("select", "-r", "a.counts", "-a", "pool.txt", "--all", "-o", "-")
    assert done.returncode == 2
    assert "give --ngrams 2" in done.stderr


def test_equal_weights_are_the_default() -> None:
    targets = [zipfian(40, 5), zipfian(40, 6, words=80)]
    whole = cynical.select(targets, POOL, all=True, weights=[2, 2])
    assert cynical.select(targets, POOL, all=True).lines.tolist() == whole.lines.tolist()
    assert cynical.select(targets, POOL, all=True, weights=[5, 1]).lines.tolist() != whole.lines.tolist()
    summary = whole.summary["representative"]
    assert [target["weight"] for target in summary["targets"]] == [0.5, 0.5]
    assert summary["words"] == sum(target["words"] for target in summary["targets"])
