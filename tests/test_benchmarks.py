"""Parts of the benchmarks that can be tested without corpora: which lines a neural judge ranks for, and its tables."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import cynical

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
PLAIN, FOR_MODEL = "cynical-2-grams", "cynical-for-model"


@pytest.fixture
def neural(monkeypatch: pytest.MonkeyPatch) -> Any:
    return module("neural", monkeypatch)


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> Any:
    return module("texts", monkeypatch)


def module(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module(name)


def lines_of(words: str, number: int) -> list[str]:
    return [" ".join(words[(place * step) % len(words)] for step in (1, 2, 5, 7)) for place in range(1, number + 1)]


def test_a_part_of_representative_is_the_one_that_compare_ranks_for(texts: Any) -> None:
    representative, available = lines_of("abcdefghijklm", 20), lines_of("defghijklmnopqrstuvwxyz", 60)
    part = texts.part_of(representative, 0.6, 5)
    assert len(part) == 12
    jaded = cynical.select(part, available, share=0.3)
    how: dict[str, Any] = {"subsample": 0.6, "seeds": 1, "random_seed": 5, "shares": [0.3], "methods": ["cynical"]}
    made = cynical.compare(representative, available, lines_of("abcdefgxyz", 9), lists=[jaded.texts], **how)
    drawn, given = (method.measured[0].ngram_perplexity for method in made.methods)
    assert drawn == given
    whole = cynical.select(representative, available, share=0.3)
    assert whole.texts != jaded.texts


def test_without_a_subsample_all_seeds_pick_for_all_of_representative(neural: Any, texts: Any) -> None:
    lines = lines_of("abcdef", 10)
    assert texts.part_of(lines, 1.0, 3) == lines
    folder = Path("picks")
    assert neural.picks(folder, "law", "dsir", 1.0, 3) == neural.picks(folder, "law", "dsir", 1.0, 4)
    assert neural.picks(folder, "law", "dsir", 0.9, 3) != neural.picks(folder, "law", "dsir", 0.9, 4)


def results(path: Path, figures: dict[tuple[str, str], list[float]], subsample: float) -> Path:
    """Rows as `train` writes them, at 1 % of the words; the figures of a method are of the seeds 0, 1, 2, ..."""
    rows = [
        {"task": task, "share": 0.01, "method": method, "seed": seed, "subsample": subsample, "perplexity": perplexity}
        for (task, method), own in figures.items()
        for seed, perplexity in enumerate(own)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def table(neural: Any, capsys: pytest.CaptureFixture[str], *paths: Path) -> list[str]:
    neural.show(paths, None, neural.LARGE)
    return capsys.readouterr().out.splitlines()


def test_draws_are_compared_in_pairs(neural: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = {
        ("law", FOR_MODEL): [100.0, 140.0, 90.0, 120.0],  # plain word pairs are 1 % above each
        ("law", PLAIN): [101.0, 141.4, 91.0, 121.2],
        ("law", "dsir"): [90.0, 141.0, 115.0, 114.0],
        ("novel", FOR_MODEL): [110.0, 110.0, 121.0, 121.0],
        ("novel", PLAIN): [110.0, 121.0, 110.0, 110.0],
    }
    made = table(neural, capsys, results(tmp_path / "results", figures, 0.9))
    assert made[:4] == [
        f"| text wanted | budget | {PLAIN} | {FOR_MODEL} | dsir |",
        "|---|---|---|---|---|",
        "| law | 1 % | 112.0, +1.0 ± 0.0 % | **110.9** | **113.6**, +2.4 ± 7.9 % |",
        "| novel | 1 % | **112.7** | **115.4**, +2.4 ± 4.7 % |  |",
    ]
    assert made[-4:-1] == [
        f"- Of 2 cases, perplexity lowest or within the interval of the lowest: {FOR_MODEL} 2, {PLAIN} 1, dsir 1.",
        f"- {FOR_MODEL} is within the interval of the lowest in 2.",
        f"- Beside {PLAIN}, its perplexity is -1.0 to +2.4 %, +0.7 ± 2.3 % on average; lower in 1, significantly in 1, "
        "and higher in 1, significantly in 0.",
    ]


def test_of_two_draws_little_is_known(neural: Any) -> None:
    """By Student's t: an interval of 12.7 standard errors for two draws, of 3.18 for four."""
    two = neural.Difference.of({0: 110.0, 1: 115.0}, {0: 100.0, 1: 100.0})
    four = neural.Difference.of({0: 110.0, 1: 115.0, 2: 110.0, 3: 115.0}, dict.fromkeys(range(5), 100.0))
    assert two.mean == pytest.approx(four.mean)
    assert (two.significant, four.significant) == (False, True)
    with pytest.raises(SystemExit, match="two seeds"):
        neural.Difference.of({0: 110.0, 1: 120.0}, {1: 100.0, 2: 100.0})


def test_without_a_subsample_the_noise_is_that_of_two_seeds(
    neural: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = {("law", FOR_MODEL): [100.0, 104.0], ("law", PLAIN): [103.0, 106.0], ("law", "random"): [150.0]}
    path = results(tmp_path / "results", figures, 1)
    made = table(neural, capsys, path)
    assert made[2] == "| law | 1 % | **104.5** | **102.0** | 150.0 |"
    assert made[-2] == "Bold: within 4.0 % of the lowest, the median difference between two seeds."
    path.write_text(path.read_text().replace(', "subsample": 1', ""))
    assert table(neural, capsys, path) == made
    with pytest.raises(SystemExit, match="several --subsample"):
        table(neural, capsys, path, results(tmp_path / "others", figures, 0.9))
