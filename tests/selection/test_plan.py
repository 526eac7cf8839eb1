"""The plan of a run, from a sample."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cynical.selection import plan as planning
from cynical.selection.plan import Plan, sampled
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
    assert "30,000 lines" in done.stdout and "all of it was read" in done.stdout and "all fits" in done.stdout
    assert not (tmp_path / "jaded.tsv").exists()
    monkeypatch.setattr(planning, "SAMPLE", pool.stat().st_size // 8)
    from cynical.options import Settings
    from cynical.progress import Progress
    from cynical.selection.inputs import gather
    from cynical.selection.rehearsal import rehearse

    made = rehearse(gather([str(tmp_path / "task.txt")], str(pool)), Settings.of(lines=900), Progress())
    assert made.plan.lines == pytest.approx(30_000, rel=0.1)
    assert made.plan.ratio == pytest.approx(8, rel=0.2)
    assert made.total > 0


def test_the_plan_counts_bytes_as_they_come() -> None:
    small, large = (Plan(lines, 26 * lines, 17 * lines, 0, 1.0, False) for lines in (10**6, 10**7))
    assert large.memory - small.memory == 9 * 10**6 * (8 * 17 + 96)
    assert small.least_memory < small.memory
