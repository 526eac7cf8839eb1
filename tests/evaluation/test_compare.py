"""Methods side by side."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import pytest

import cynical
from cynical.evaluation.methods import ORDER
from tests.against_oracle import zipfian
from tests.conftest import Run
from tests.evaluation.test_evaluate import quietly, write

TASK, POOL, TEST = zipfian(80, 11, words=60), zipfian(500, 12), zipfian(40, 13, words=70)
SHARES = [0.05, 0.3]


def compared(*given: Any, **options: Any) -> cynical.Comparison:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.compare(*given, **options)


def ranked(*given: Any, **options: Any) -> cynical.Jaded:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.rank(*given, **options)


def test_a_comparison_is_each_ranking_evaluated_at_each_budget() -> None:
    made = compared(TASK, POOL, TEST, shares=SHARES, order=3)
    assert [method.name for method in made.methods] == [
        name for name in ORDER if name not in ("bilingual-moore-lewis", "cynical-per-word", "cynical-batch")
    ]
    words = sum(len(line.split()) for line in POOL)
    size = len({word for line in POOL for word in line.split()}) + 2
    alone = {
        "cynical": cynical.select(TASK, POOL, share=0.3),
        "cynical-2-grams": cynical.select(TASK, POOL, share=0.3, per="word", ngrams=2),
        "cynical-for-model": cynical.select(TASK, POOL, share=0.3, for_="model"),
        "classifier": ranked(TASK, POOL, share=0.3, method="classifier"),
        "dsir": ranked(TASK, POOL, share=0.3, method="dsir"),
        "moore-lewis": ranked(TASK, POOL, share=0.3, method="moore-lewis"),
    }
    for method in made.methods:
        assert [share for share, _ in method.points] == SHARES
        assert all(point.words <= share * words for share, point in method.points)
        if method.name in alone:
            budgets = [math.floor(share * words) for share in SHARES]
            judged = quietly(
                alone[method.name].texts, TEST, at=budgets, order=3, vocabulary_size=size, representative=TASK
            )
            assert [point for _, point in method.points] == judged.points


def test_a_tenth_is_held_out_where_no_text_is_given() -> None:
    with pytest.warns(cynical.CynicalWarning, match="every tenth line of 80 strings was held out"):
        made = cynical.compare(TASK, POOL, shares=[0.1], methods=["cynical"])
    rest = [line for number, line in enumerate(TASK, 1) if number % 10]
    assert (
        made.methods[0].points == compared(rest, POOL, TASK[9::10], shares=[0.1], methods=["cynical"]).methods[0].points
    )


def test_lists_of_other_tools_are_judged_by_the_same_measure() -> None:
    texts = ranked(TASK, POOL, method="dsir").texts
    made = compared(TASK, POOL, TEST, shares=SHARES, methods=["dsir"], lists=[texts])
    assert made.methods[1].points == made.methods[0].points


def test_a_list_may_be_a_ranking_or_line_numbers(tmp_path: Path) -> None:
    pool, jaded = write(tmp_path / "pool.txt", POOL), ranked(TASK, POOL, method="dsir")
    jaded.write(tmp_path / "dsir.tsv")
    jaded.write(tmp_path / "dsir.ids")
    lists = [tmp_path / "dsir.tsv", tmp_path / "dsir.ids"]
    made = compared(TASK, pool, TEST, shares=SHARES, methods=["dsir"], lists=lists)
    assert made.methods[0].points == made.methods[1].points == made.methods[2].points


def test_what_is_excluded_is_excluded_from_lists_too_and_nobody_says_otherwise() -> None:
    test = [*TEST, *[line for line in POOL[:30] if line]]
    with warnings.catch_warnings(record=True, action="always") as caught:
        pool = [line for line in POOL if line]
        made = cynical.compare(TASK, POOL, test, shares=[1], methods=["in-order"], lists=[pool], exclude=test)
    said = [str(one.message) for one in caught]
    assert not any("not quite held out" in one for one in said)
    assert any("lines were left out, as exclude says" in one for one in said)
    assert made.methods[0].points == made.methods[1].points
    with pytest.warns(cynical.CynicalWarning, match="500 strings word for word, so it is not quite held out"):
        cynical.compare(TASK, POOL, test, shares=[1], methods=["in-order"])


def test_the_tenth_that_is_held_out_is_never_picked() -> None:
    pool = [*POOL, *TASK]
    made = compared(TASK, pool, shares=[1], methods=["in-order"])
    held = {line for line in TASK[9::10] if line}
    words = sum(len(line.split()) for line in pool if line not in held)
    assert made.methods[0].points[0][1].words == words


def test_a_budget_without_room_for_a_line_gives_a_model_of_nothing() -> None:
    made = compared(["a b"], ["a b c d e f", "b c a a a a a"], ["a c"], shares=[0.1], methods=["in-order"])
    ((_, point),) = made.methods[0].points
    assert point.lines == 0 and point.oov_tokens == 1 and point.ngram_perplexity_known is None
    assert point.ngram_perplexity == pytest.approx(made.vocabulary)


def test_what_may_be_chosen_and_how_lots_fall_is_the_same_for_all() -> None:
    options: dict[str, Any] = {"max_length": 9, "min_length": 2, "max_copies": 1, "exclude": TEST}
    words = sum(len(line.split()) for line in POOL)
    size = len({word for line in POOL for word in line.split()}) + 2
    made = compared(TASK, POOL, TEST, shares=[0.2], methods=["random", "cynical"], random_seed=7, **options)
    alone = [ranked(TASK, POOL, method="random", random_seed=7, share=0.2, **options)]
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        alone.append(cynical.select(TASK, POOL, share=0.2, **options))
    for method, jaded in zip(made.methods, alone, strict=True):
        judged = quietly(jaded.texts, TEST, at=[words // 5], vocabulary_size=size, representative=TASK)
        assert method.points[0][1] == judged.points[-1]
    assert [method.name for method in compared(TASK, POOL, TEST, methods=["dsir", "dsir"]).methods] == ["dsir"]


def test_a_method_that_picked_nothing_wins_nothing(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path / "task.txt", ["a b c"])
    write(tmp_path / "pool.txt", ["a b c d e f g h", "b", "c a a a a a a a"])
    write(tmp_path / "test.txt", ["a b"])
    done = cynical("compare", "-r", "task.txt", "-a", "pool.txt", "-t", "test.txt", "--shares", "0.1")
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if "in-order" in line)
    assert "*" not in row and row.split()[1:] == ["0", "-", "-", "-", "-", row.split()[-1]]
    assert "10 % of 17 words has no room for the first line of some methods" in done.stderr
    assert "in-order" not in done.stdout.splitlines()[-3]


def test_both_sides_share_the_budget(tmp_path: Path) -> None:
    other, other_task = ([" ".join(f"x{word}" for word in line.split()) for line in text] for text in (POOL, TASK))
    options: dict[str, Any] = {"with_": other, "representative_with": other_task}
    made = compared(TASK, POOL, TEST, shares=[0.1], **options)
    assert [method.name for method in made.methods][3] == "bilingual-moore-lewis"
    words = sum(len(line.split()) for line in POOL)
    assert all(0.08 * words < method.points[0][1].words <= 0.1 * words for method in made.methods)


@pytest.mark.slow
def test_the_command_writes_a_table_and_json(cynical: Run, tmp_path: Path) -> None:
    for name, text in (("task.txt", TASK), ("pool.txt", POOL), ("test.txt", TEST)):
        write(tmp_path / name, text)
    command = ("compare", "-r", "task.txt", "-a", "pool.txt", "-t", "test.txt", "--shares", "0.1,0.05")
    done = cynical(*command, "--json", "c.json", "--order", "2")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "c.json").read_bytes())
    assert {"name", "seconds", "points"} <= made["methods"][0].keys()
    assert [point["share"] for point in made["methods"][0]["points"]] == [0.05, 0.1]
    lowest = min(method["points"][0]["ngram_perplexity"] for method in made["methods"])
    assert f"{lowest:,.2f}*" in done.stdout or f"{lowest:,.1f}*" in done.stdout
    again = cynical(*command, "--json", "-", "--order", "2", "-q", "-j", "1")
    assert again.stderr == ""
    points = [[method["points"] for method in one["methods"]] for one in (made, json.loads(again.stdout))]
    assert points[0] == points[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--methods", "dsir,neural"],
            "--methods neural: no such method; choose from cynical, cynical-per-word, cynical-2-grams",
        ),
        (["--shares", "0.1,much"], "--shares 0.1,much: expected fractions"),
        (["--shares", "2"], "--shares must be more than 0 and at most 1"),
        (["-t", "empty.txt"], "empty.txt: no word in the HELDOUT text"),
        (["-t", "other.txt"], "other.txt: no word in common with pool.txt"),
        (["--json", "pool.txt"], "pool.txt: this is one of the inputs"),
    ],
)
def test_bad_input_is_a_sentence(cynical: Run, tmp_path: Path, arguments: list[str], says: str) -> None:
    texts = {"task.txt": TASK, "pool.txt": POOL, "empty.txt": [], "other.txt": ["nothing alike"]}
    for name, text in texts.items():
        write(tmp_path / name, text)
    done = cynical("compare", "-r", "task.txt", "-a", "pool.txt", *arguments)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr
