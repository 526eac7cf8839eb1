"""The plan of a run, from a sample."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cynical
from cynical.jaded.jaded import Jaded
from cynical.options import Settings
from cynical.progress import Progress
from cynical.selection import plan as planning
from cynical.selection import rehearsal as rehearsing
from cynical.selection.inputs import gather
from cynical.selection.plan import Beside, Plan, sampled, sampled_together
from cynical.selection.rehearsal import Rehearsal, rehearse
from cynical.selection.run import run
from cynical.text import compression, sources
from cynical.text.sources import open_corpus
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_evaluate import write

TASK, POOL = zipfian(60, 31, words=80), zipfian(3000, 32)


def test_a_sample_is_whole_lines_from_all_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SAMPLE", 40_000)
    lines = [f"{number} {'x' * (number % 40)}" for number in range(40_000)]
    files = [write(tmp_path / f"{part}.txt", lines[part::3]) for part in range(3)]
    corpus = open_corpus(files, "AVAILABLE")
    sample = sampled(corpus)
    found = [line for part in sample.parts for line in bytes(part.content).decode().splitlines()]
    assert set(found) <= set(lines) and len(set(found)) == len(found)
    assert 30_000 < sample.size < 60_000
    numbers = np.array([int(line.split()[0]) for line in found])
    assert np.histogram(numbers, 4, (0, 40_000))[0].min() > 0


def test_a_plan_from_a_sample_is_near_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cynical: Run) -> None:
    write(tmp_path / "task.txt", TASK)
    pool = write(tmp_path / "pool.txt", zipfian(30_000, 35))
    done = cynical("select", "-r", "task.txt", "-a", "pool.txt", "--share", "0.1", "--dry-run", "--memory", "4G")
    assert done.returncode == 0, done.stderr
    assert "30,000 lines" in done.stdout and "all of it was read" in done.stdout and "fits into memory" in done.stdout
    assert not (tmp_path / "jaded.tsv").exists()
    monkeypatch.setattr(rehearsing, "SAMPLE", pool.stat().st_size // 8)
    made = rehearse(gather([str(tmp_path / "task.txt")], str(pool)), Settings.of(lines=900), Progress())
    assert made.plan.lines == pytest.approx(30_000, rel=0.1)
    assert made.plan.ratio == pytest.approx(8, rel=0.2)
    assert made.total > 0


def test_the_plan_counts_bytes_as_they_come() -> None:
    for strategy, entry, line in (("exact", 8, 84), ("batch", 16, 80)):
        beside = Beside(10**8, 1000, 2, strategy, hashed=True, longer=False)
        small, large = (Plan(lines, 26 * lines, 17 * lines, 0, 1.0, beside) for lines in (10**6, 10**7))
        assert large.memory - small.memory == 9 * 10**6 * (entry * 17 + line + 8)
        assert small.least_memory <= small.memory
        assert large.least_memory < large.memory
    assert beside.base > 10**8


def rehearsed(task: Path, pool: Path, **options: object) -> Rehearsal:
    seed = options.pop("seed", None)
    return rehearse(gather([str(task)], str(pool), seed=seed), Settings.of(**options), Progress())


@pytest.mark.parametrize("packed", ["txt.gz", "jsonl.gz", "txt.xz"])
def test_a_rehearsal_samples_compressed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: str) -> None:
    task, lines = write(tmp_path / "task.txt", TASK), zipfian(30_000, 36)
    whole = "".join(json.dumps({"text": line}) + "\n" if "json" in packed else line + "\n" for line in lines).encode()
    pool = tmp_path / f"pool.{packed}"
    pool.write_bytes(gzip.compress(whole) if packed.endswith("gz") else lzma.compress(whole))
    monkeypatch.setattr(rehearsing, "SAMPLE", len(whole) // 8)
    monkeypatch.setattr(sources, "SMALL", 1000)
    monkeypatch.setattr(compression, "BLOCK", 1 << 12)
    corpus = sources.open_corpus(pool, "AVAILABLE", most=len(whole) // 8)
    assert corpus.size < len(whole) / 4
    made = rehearsed(task, pool, lines=900)
    assert made.plan.lines == pytest.approx(30_000, rel=0.15)
    assert sources.open_corpus(pool, "AVAILABLE").whole == 0, "a run reads all of it"


def test_a_rehearsal_knows_that_an_earlier_ranking_needs_hashes(tmp_path: Path) -> None:
    task, pool = write(tmp_path / "task.txt", TASK), write(tmp_path / "pool.txt", POOL)
    cynical.select(task, pool, lines=50).write(tmp_path / "jaded.tsv")
    assert not rehearsed(task, pool, lines=900).plan.beside.hashed
    made = rehearsed(task, pool, lines=900, seed=str(tmp_path / "jaded.tsv"))
    assert made.plan.beside.hashed
    assert made.plan.beside.resident > 10**7


def test_a_rehearsal_ends_after_so_much_work_and_says_what_all_of_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, pool = write(tmp_path / "task.txt", TASK), write(tmp_path / "pool.txt", POOL)
    ranked: list[int] = []

    def watched(*given: Any, **options: Any) -> Jaded:
        jaded = run(*given, **options)
        ranked.append(jaded.summary.search.ranked)
        return jaded

    monkeypatch.setattr(rehearsing, "run", watched)
    whole = rehearsed(task, pool, all=True)
    every = ranked[-1]
    monkeypatch.setattr(rehearsing, "WORK", 100)
    some = rehearsed(task, pool, all=True)
    assert ranked[-1] < every
    assert some.plan.lines == whole.plan.lines
    assert some.total > 0


@pytest.mark.parametrize(("picks", "lines", "work"), [(1, 1, 1), (1, 0.1, 1), (0.5, 0.5, 0.75), (0.5, 0.01, 0.5)])
def test_the_first_picks_take_longer_than_the_last(picks: float, lines: float, work: float) -> None:
    assert rehearsing.work_of(picks, lines) == pytest.approx(work, rel=0.01)


def test_the_sides_of_a_sample_have_the_same_lines(tmp_path: Path) -> None:
    long, short = [f"{number} {'x' * (number % 90)}" for number in range(5000)], [f"{n}" for n in range(5000)]
    files = [
        write(tmp_path / f"{name}.{part}", lines[part::2])
        for name, lines in (("a", long), ("b", short))
        for part in (0, 1)
    ]
    sides = [open_corpus(files[:2], "A"), open_corpus(files[2:], "B")]
    samples = sampled_together(sides, 20_000)
    texts = [[line for part in side.parts for line in bytes(part.content).decode().splitlines()] for side in samples]
    assert [line.split()[0] for line in texts[0]] == texts[1]
    assert 100 < len(texts[0]) < 5000
    assert all(side.size <= 20_000 for side in samples)
    assert sampled_together(sides, 10**6) == sides
