"""Evaluations and comparisons as records: their files, their schemas, and how a notebook has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import cynical
from cynical.evaluation.records import COMPARED, FIGURES, Comparison, Evaluation, GivenPoint, Point
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_compare import POOL, TASK, TEST, compared
from tests.evaluation.test_evaluate import quietly, write


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return quietly(cynical.select(TASK, POOL, all=True), TEST, order=2)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compared(TASK, POOL, TEST, shares=[0.1, 0.2], methods=["cynical", "random"], order=2)


def validates(made: object, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(made)


@pytest.mark.slow
def test_what_the_commands_write_validates_and_is_read_back(cynical: Run, tmp_path: Path) -> None:
    for name, lines in (("task.txt", TASK), ("pool.txt", POOL), ("test.txt", TEST)):
        write(tmp_path / name, lines)
    texts = ("-r", "task.txt", "-a", "pool.txt")
    for command in (
        ("select", *texts, "--all", "-o", "jaded.tsv"),
        ("evaluate", "jaded.tsv", "-t", "test.txt", "--json", "evaluation.json"),
        ("evaluate", "pool.txt", "-t", "test.txt", "--json", "text.json"),
        ("compare", *texts, "-t", "test.txt", "--exclude", "test.txt", "--json", "comparison.json"),
        ("compare", *texts, "--methods", "random", "--list", "pool.txt", "--json", "list.json"),
    ):
        done = cynical(*command)
        assert done.returncode == 0, done.stderr
    for name, record in (
        ("evaluation", Evaluation),
        ("text", Evaluation),
        ("comparison", Comparison),
        ("list", Comparison),
    ):
        raw = (tmp_path / f"{name}.json").read_bytes()
        validates(json.loads(raw), record.schema())
        assert record.from_dict(json.loads(raw)).to_json() == raw


@pytest.mark.parametrize("damage", ["points", "heldout", "order"])
def test_a_file_without_one_of_its_parts_does_not_validate(evaluation: Evaluation, damage: str) -> None:
    made = evaluation.to_dict()
    del made[damage]
    with pytest.raises(jsonschema.ValidationError, match=f"'{damage}' is a required property"):
        validates(made, Evaluation.schema())


def test_the_points_of_a_file_have_the_figures_of_a_point() -> None:
    assert GivenPoint.__struct_fields__ == Point.__struct_fields__ == ("share", *FIGURES)


def test_a_file_says_which_format_and_which_version_wrote_it(evaluation: Evaluation, comparison: Comparison) -> None:
    for made, version in ((evaluation.to_dict(), 1), (comparison.to_dict(), 2)):
        assert made["schema"] == version and made["cynical"] == cynical.__version__


def test_parts_are_there_by_name_and_by_key(evaluation: Evaluation, comparison: Comparison) -> None:
    assert evaluation.held_out.words == evaluation["heldout"]["words"] == len(" ".join(TEST).split())
    share, point = comparison.methods[0].points[1]
    assert share == 0.2 and point == comparison.methods[0]["points"][1].point
    assert "share" not in point and comparison.methods[0]["points"][1]["share"] == 0.2


def test_a_data_frame_has_a_row_for_each_prefix(evaluation: Evaluation) -> None:
    frame = evaluation.to_pandas()
    assert list(frame.columns) == [*FIGURES, "best", "stop", "lowest_entropy"]
    assert frame["words"].tolist() == [point.words for point in evaluation.points]
    assert frame[frame["best"]]["lines"].tolist() == [evaluation.best.lines]
    assert evaluation.stop is not None and frame[frame["stop"]]["lines"].tolist() == [evaluation.stop.lines]


def test_a_data_frame_has_a_row_for_each_method_and_budget(comparison: Comparison) -> None:
    frame = comparison.to_pandas()
    assert list(frame.columns) == list(COMPARED)
    assert (frame["ngram_perplexity_low"] < frame["ngram_perplexity"]).all()
    assert (frame["ngram_perplexity"] < frame["ngram_perplexity_high"]).all()
    assert frame["ngram_perplexity_leads"].tolist()[:2] == [True, True]
    assert frame["method"].tolist() == ["cynical", "cynical", "random", "random"]
    assert frame["share"].tolist() == [0.1, 0.2, 0.1, 0.2]
    expected = [point.ngram_perplexity for method in comparison.methods for _, point in method.points]
    assert frame["ngram_perplexity"].tolist() == expected


def test_a_notebook_shows_a_table_and_no_markup_of_others(evaluation: Evaluation, comparison: Comparison) -> None:
    shown = evaluation._repr_html_()
    assert shown.count("<tr>") == 1 + len(evaluation.points) and shown.count("\u2713") == 2
    assert f"best cut {evaluation.best.lines:,} lines" in shown
    hostile = evaluation.replaced(held_out=evaluation.held_out.replaced(name="<script>"))
    assert "<script>" not in hostile._repr_html_() and "&lt;script&gt;" in hostile._repr_html_()
    shown = comparison._repr_html_()
    assert shown.count("<tr>") == 1 + 4 and "<th>interval</th>" in shown and " \u2013 " in shown
    nothing = compared(["a b"], ["a b c d e f"], ["a c"], shares=[0.1], methods=["in-order"])
    assert nothing._repr_html_().count("<tr>") == 2


def test_what_they_are_is_said_on_one_line(evaluation: Evaluation, comparison: Comparison) -> None:
    lines = len(zipfian(40, 13, words=70))
    assert repr(evaluation).startswith(f"<Evaluation of the ranking on {lines} strings: ")
    assert repr(comparison) == f"<Comparison of cynical, random on {lines} strings>"
    assert "UNSET" not in repr(evaluation.best)
