"""What held-out text says of a ranking."""

from __future__ import annotations

import contextlib
import csv
import json
import warnings
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cynical
from cynical.evaluation.language_models import language_model
from cynical.evaluation.prefixes import HeldOut, best, cuts_at, geometric_cuts
from cynical.model.sequences import Numbering
from cynical.options import Measure
from cynical.progress import Progress
from cynical.text.sources import open_corpus
from cynical.text.tokenizer import Tokenizer
from tests import oracle
from tests.against_oracle import shares_a_word, zipfian
from tests.conftest import Run

WORDS = ["a", "b", "c", "d", "e"]
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=10)


def quietly(*given: Any, **options: Any) -> cynical.Evaluation:
    with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
        return cynical.evaluate(*given, **options)


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines))
    return path


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path, Path]:
    """REPRESENTATIVE, AVAILABLE, HELDOUT."""
    return (
        write(tmp_path / "task.txt", zipfian(60, 5, words=80)),
        write(tmp_path / "pool.txt", zipfian(400, 6)),
        write(tmp_path / "test.txt", zipfian(40, 7, words=90)),
    )


@given(LINES, LINES, LINES, st.integers(1, 3))
@example(
    ["a", "a", "a", "a", "a a d b a a", "a b a a a b", "a c a b b b", "a d a", "a a b a a c"], ["b a"], ["a"], 3
)  # a discount of 0 would leave nothing
def test_every_figure_is_what_the_formulas_say(
    lines: list[str], held_out: list[str], wanted: list[str], order: int
) -> None:
    if not shares_a_word(held_out, lines):
        with pytest.raises(cynical.CynicalError, match="no word in common"):
            quietly(lines, held_out, order=order)
        return
    made = quietly(lines, held_out, representative=wanted, order=order, points=12)
    assert made.points[-1].lines == len(lines)
    assert made.vocabulary == len(set(" ".join(lines).split())) + 2
    for point in made.points:
        expected = oracle.figures(lines[: point.lines], held_out, wanted, order, made.vocabulary)
        for name in fields(expected):
            assert getattr(point, name.name) == pytest.approx(getattr(expected, name.name)), name.name
        assert point.mean_length == pytest.approx(expected.words / point.lines)
        assert point.perplexity == pytest.approx(2**expected.entropy)
        assert point.heldout_coverage == pytest.approx(1 - expected.oov_types)
    assert made.best.ngram_perplexity == min(point.ngram_perplexity for point in made.points)


def test_the_sums_of_lines_come_to_the_figures_of_the_text() -> None:
    numbering = Numbering()
    text, held_out = (
        numbering.read(open_corpus(lines, "text"), Tokenizer(), 1, Progress(), "text")
        for lines in (zipfian(80, 1), [*zipfian(20, 2), "never seen", ""])
    )
    judge = HeldOut.of(held_out, len(numbering))
    with language_model(Measure(order=2), held_out, len(numbering), 500, None) as model:
        for one in judge.measure(text, [0, 20, 80], model, Progress()):
            bits, unknown, unigram = judge.sums(one).sum(axis=1) / judge.divisors().sum(axis=1)
            assert 2**bits == pytest.approx(one.point.ngram_perplexity)
            assert (unknown, unigram) == pytest.approx((one.point.oov_tokens, one.point.entropy))


@given(st.lists(st.integers(1, 30), min_size=1, max_size=60), st.integers(1, 20))
def test_prefixes_are_the_longest_that_fit_and_the_last_is_the_whole(words: list[int], points: int) -> None:
    import numpy as np

    of_lines = np.array(words)
    cuts = geometric_cuts(of_lines, points)
    assert cuts == sorted(set(cuts)) and cuts[-1] == len(words) and len(cuts) <= points
    for budget in range(1, sum(words) + 2):
        (cut,) = cuts_at(of_lines, [budget])
        assert sum(words[:cut]) <= budget
        assert cut == len(words) or sum(words[: cut + 1]) > budget


def test_a_jaded_file_its_lines_and_the_object_are_judged_alike(texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    task, pool, test = texts
    jaded = cynical.select(task, pool, all=True)
    jaded.write(tmp_path / "jaded.tsv")
    jaded.write(tmp_path / "jaded.jsonl")
    plain = write(tmp_path / "lines.txt", jaded.texts)
    jaded.write(tmp_path / "jaded.ids")
    made = [
        quietly(jaded, test),
        quietly(tmp_path / "jaded.tsv", test),
        quietly(tmp_path / "jaded.jsonl", test),
        quietly(plain, test, at=[point.words for point in quietly(jaded, test).points]),
        quietly(tmp_path / "jaded.ids", test, available=pool),
        quietly(tmp_path / "jaded.tsv", test, available=pool),
    ]
    without = [[point.ngram_perplexity for point in one.points] for one in made]
    assert all(figures == without[0] for figures in without[1:])
    assert made[0].stop is not None and made[0].stop.lines == jaded.stop
    assert made[3].stop is None


def test_text_is_read_as_the_ranking_was_made(tmp_path: Path) -> None:
    pool = write(tmp_path / "pool.txt", ["The cat.", "A dog!", "The dog, the cat."])
    cynical.select(["the cat ."], pool, tokenizer="words", lowercase=True, all=True).write(tmp_path / "jaded.tsv")
    made = quietly(tmp_path / "jaded.tsv", ["The cat."])
    assert made.signature == "tok:words|lower:yes"
    assert made.points[-1].oov_tokens == 0
    assert quietly(tmp_path / "jaded.tsv", ["The cat."], lowercase=False).signature == "tok:words|lower:no"


def test_the_representative_vocabulary_is_found_through_the_summary(
    texts: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    task, pool, test = texts
    cynical.select(task, pool, all=True).write(tmp_path / "jaded.tsv")
    found = quietly(tmp_path / "jaded.tsv", test)
    assert found.representative is not None
    assert found.points == quietly(tmp_path / "jaded.tsv", test, representative=task).points
    task.write_text(task.read_text() + "more\n")
    with pytest.warns(cynical.CynicalWarning, match="is missing or has changed, .*; give representative=REPR"):
        assert cynical.evaluate(tmp_path / "jaded.tsv", test).representative is None
    in_memory = cynical.select(zipfian(50, 41), pool, all=True)
    with pytest.warns(cynical.CynicalWarning, match="50 strings was in memory and is not stored with the ranking, so"):
        assert cynical.evaluate(in_memory, test).representative is None


def test_records_that_the_summary_names_are_read_as_they_were(tmp_path: Path) -> None:
    lines = [json.dumps({"body": line, "text": "wrong"}) for line in zipfian(50, 41)]
    task = write(tmp_path / "task.jsonl", lines)
    pool = write(tmp_path / "pool.txt", zipfian(100, 42))
    cynical.select(task, pool, all=True, text_key="body").write(tmp_path / "jaded.tsv")
    found = quietly(tmp_path / "jaded.tsv", zipfian(20, 43))
    assert found.representative is not None
    assert found.representative["words"] == sum(len(line.split()) for line in zipfian(50, 41))


def test_a_summary_cannot_make_code_run(tmp_path: Path, texts: tuple[Path, Path, Path]) -> None:
    task, pool, test = texts
    cynical.select(task, pool, lines=5).write(tmp_path / "jaded.tsv")
    summary = json.loads((tmp_path / "jaded.tsv.json").read_bytes())
    summary["settings"]["tokenizer"] = "python:subprocess:getoutput"
    (tmp_path / "jaded.tsv.json").write_text(json.dumps(summary))
    with pytest.raises(
        cynical.CynicalError, match='which runs code; if you trust it, give tokenizer="python:subprocess:getoutput"'
    ):
        quietly(tmp_path / "jaded.tsv", test)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("stop", {}),
        ("stop", {"lines": "x", "known": True}),
        ("stop", {"lines": -5, "known": True}),
        ("available", {"lines": 400, "words": 0}),
        ("available", {"lines": 400, "words": 9, "files": 3}),
        ("available", {"lines": 400, "words": 9, "sides": 3}),
        ("entropy", {"before": None}),
        ("settings", 5),
        ("representative", 5),
        ("representative", {"files": [{}]}),
    ],
)
def test_a_damaged_summary_is_said(tmp_path: Path, texts: tuple[Path, Path, Path], part: str, value: Any) -> None:
    task, pool, test = texts
    cynical.select(task, pool, lines=5).write(tmp_path / "jaded.tsv")
    summary = json.loads((tmp_path / "jaded.tsv.json").read_bytes())
    (tmp_path / "jaded.tsv.json").write_text(json.dumps({**summary, part: value}))
    with pytest.raises(cynical.CynicalError, match=r"jaded\.tsv\.json: the summary is damaged"):
        quietly(tmp_path / "jaded.tsv", test)


def test_a_stopping_point_beyond_the_lines_is_none(tmp_path: Path, texts: tuple[Path, Path, Path]) -> None:
    task, pool, test = texts
    jaded = cynical.select(task, pool, all=True)
    jaded.write(tmp_path / "jaded.tsv")
    rows = (tmp_path / "jaded.tsv").read_text().splitlines(keepends=True)
    assert jaded.stop > 3
    (tmp_path / "jaded.tsv").write_text("".join(rows[:3]))
    assert quietly(tmp_path / "jaded.tsv", test).stop is None


def test_blank_lines_at_the_front_are_no_prefix() -> None:
    made = quietly(["", " ", "", "a b c", "d e f"], ["a d"], order=2, points=20)
    assert min(point.words for point in made.points) == 3
    with pytest.raises(cynical.CynicalError, match=r"the first line of .* has more words"):
        quietly(["", "", "a b c"], ["a d"], at=[1])


def test_the_best_of_equals_is_the_smallest() -> None:
    made = quietly(["a b"], ["a b"], order=1).best
    assert best([made.replaced(words=words) for words in (9, 3, 5)]).words == 3


def test_prefixes_grow_by_the_square_root_of_2() -> None:
    import numpy as np

    assert geometric_cuts(np.ones(64, np.int64), 5) == [16, 22, 32, 45, 64]


def test_more_words_than_there_are_is_said() -> None:
    with pytest.warns(cynical.CynicalWarning, match="has only 5 words, fewer than at=9"):
        assert cynical.evaluate(["a b", "c d e"], ["a x"], at=[2, 9]).points[-1].words == 5


def test_the_side_of_another_language_can_be_judged(tmp_path: Path) -> None:
    pool, other = (
        write(tmp_path / "pool.en", ["a cat", "a dog"]),
        write(tmp_path / "pool.de", ["eine katze", "ein hund"]),
    )
    cynical.select(["a dog"], pool, with_=other, all=True).write(tmp_path / "jaded.tsv")
    assert quietly(tmp_path / "jaded.tsv", ["ein hund"], side="de").points[0].oov_tokens == 0
    with pytest.raises(cynical.CynicalError, match=r"side=.fr.: .* its sides are de"):
        quietly(tmp_path / "jaded.tsv", ["un chien"], side="fr")


def test_lines_that_are_not_held_out_are_counted() -> None:
    with pytest.warns(cynical.CynicalWarning, match=r"2 of the 3 lines .* are also in"):
        cynical.evaluate(["a b", "c d", "e f"], ["a  b", "e f", "a c"], order=2)


def test_a_vocabulary_of_any_size_makes_rankings_comparable() -> None:
    small, large = (quietly(["a b", "b c"], ["a x"], vocabulary_size=size).points[0] for size in (5, 50))
    assert small.ngram_perplexity < large.ngram_perplexity
    with pytest.raises(cynical.CynicalError, match=r"vocabulary_size=4: .* give at least"):
        quietly(["a b", "b c"], ["a x"], vocabulary_size=4)


def test_threads_change_nothing(tmp_path: Path) -> None:
    lines = write(tmp_path / "lines.txt", zipfian(60_000, 8))  # more than one chunk
    one, two = (quietly(lines, zipfian(50, 9), jobs=jobs, points=4).points for jobs in (1, 2))
    assert lines.stat().st_size > 1 << 20
    assert one == two


@pytest.mark.slow
def test_the_command_writes_a_table_json_and_csv(cynical: Run, texts: tuple[Path, Path, Path], tmp_path: Path) -> None:
    assert cynical("select", "-r", "task.txt", "-a", "pool.txt", "--all", "-o", "jaded.tsv").returncode == 0
    done = cynical("evaluate", "jaded.tsv", "-t", "test.txt", "--order", "3", "--json", "e.json", "--csv", "e.csv")
    assert done.returncode == 0
    assert "<- best cut" in done.stdout and "stopping point" in done.stdout and "3-gram ppl" in done.stdout
    made = json.loads((tmp_path / "e.json").read_bytes())
    names = ["lines", "words", "entropy", "perplexity", "oov_tokens", "oov_types"]
    names += ["ngram_perplexity", "ngram_perplexity_known"]
    assert list(made["points"][0])[: len(names)] == names
    assert made["best"] in made["points"] and made["stop"] in made["points"]
    assert made["points"][-1]["lines"] == made["ranking"]["lines"] == 400 - sum(not line for line in zipfian(400, 6))
    rows = list(csv.DictReader((tmp_path / "e.csv").open()))
    assert [float(row["ngram_perplexity"]) for row in rows] == [point["ngram_perplexity"] for point in made["points"]]
    assert [int(row["best"]) for row in rows] == [int(point == made["best"]) for point in made["points"]]
    assert [int(row["stop"]) for row in rows] == [int(point == made["stop"]) for point in made["points"]]
    assert cynical("evaluate", "jaded.tsv", "-t", "test.txt", "--json", "e.json").returncode == 2
    alone = cynical("evaluate", "jaded.tsv", "-t", "test.txt", "--json", "-", "-q")
    assert alone.stderr == "" and json.loads(alone.stdout)["order"] == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lines.txt", "-t", "empty.txt"], "empty.txt: the HELDOUT text has no words"),
        (["lines.txt", "-t", "other.txt"], "other.txt: no word in common with lines.txt"),
        (["empty.txt", "-t", "test.txt"], "empty.txt: no words in its 0 lines"),
        (["lines.txt", "-t", "none.txt"], "none.txt: no such file"),
        (["lines.txt", "-t", "test.txt", "--order", "6"], "--order must be 1 to 5, found 6"),
        (["lines.txt", "-t", "test.txt", "--points", "0"], "--points must be a whole number of at least 1, found 0"),
        (["lines.txt", "-t", "test.txt", "--at", "a,b"], "--at a,b: expected whole numbers"),
        (["lines.txt", "-t", "test.txt", "--at", "1"], "--at 1: the first line"),
        (["lines.txt", "-t", "test.txt", "--lm", "neural"], "'neural' is not one of 'own', 'kenlm'"),
        (["lines.txt", "-t", "test.txt", "-a", "pool.txt"], "lines.txt line 1: expected a line number of AVAILABLE"),
        (["far.ids", "-t", "test.txt", "-a", "pool.txt"], "far.ids: pick 2 names line 401, but pool.txt has 400 lines"),
        (["zero.ids", "-t", "test.txt", "-a", "pool.txt"], "zero.ids: pick 1 names line 0, but pool.txt has"),
        (["jaded.tsv", "-t", "test.txt"], "jaded.tsv: line 999 is ranked, but AVAILABLE had 400 lines"),
        (["lines.txt", "-t", "task.counts"], "task.counts: HELDOUT must be text to count n-grams"),
        (["task.counts", "-t", "test.txt"], "task.counts: this is a .counts file"),
        (["lines.txt", "-t", "test.txt", "--side", "de"], "lines.txt: --side names a column of a ranking"),
        (["lines.txt", "-t", "test.txt", "--json", "test.txt"], "test.txt is one of the inputs"),
        (["good.tsv", "-t", "test.txt", "--json", "good.tsv.json", "--overwrite"], "is one of the inputs"),
        (["good.tsv", "-t", "test.txt", "--csv", "task.txt", "--overwrite"], "task.txt is one of the inputs"),
        (["good.tsv", "-t", "good.tsv"], "good.tsv: this is a ranking, but HELDOUT must be text"),
        (["good.[ct]sv", "-t", "test.txt"], "one of these files is a ranking"),
        (
            ["good.tsv", "-t", "test.txt", "-a", "pool.txt", "--side", "de"],
            "--side reads the lines from the ranking, and -a reads",
        ),
        (["huge.ids", "-t", "test.txt", "-a", "pool.txt"], "huge.ids line 1: expected a line number of AVAILABLE"),
        (["lines.txt", "-t", "test.txt", "--points", "3000"], "--points must be at most 1,000"),
        (["lines.txt", "-t", "test.txt", "--vocabulary-size", "9" * 30], "--vocabulary-size must be at most"),
    ],
)
def test_bad_input_is_an_error_message(faulty: Path, cynical: Run, arguments: list[str], says: str) -> None:
    done = cynical("evaluate", *arguments, cwd=faulty)
    assert done.returncode == 2, done.stdout
    assert says in done.stderr and done.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that do not go together."""
    folder = tmp_path_factory.mktemp("faulty")
    task = write(folder / "task.txt", zipfian(60, 5, words=80))
    pool, _ = write(folder / "pool.txt", zipfian(400, 6)), write(folder / "test.txt", zipfian(40, 7, words=90))
    write(folder / "lines.txt", ["w1 w2", "w3"])
    write(folder / "other.txt", ["nothing", "alike"])
    write(folder / "empty.txt", [])
    write(folder / "far.ids", ["3", "401"])
    write(folder / "zero.ids", ["0"])
    write(folder / "huge.ids", ["9" * 19])
    cynical.count(task).write(folder / "task.counts")
    with contextlib.chdir(folder):
        cynical.select("task.txt", pool.name, lines=1).write("jaded.tsv")
        cynical.select("task.txt", pool.name, lines=9).write("good.tsv")
        cynical.select("task.txt", pool.name, lines=9).write("good.csv")
    header, row = (folder / "jaded.tsv").read_text().splitlines()
    cells = row.split("\t")
    (folder / "jaded.tsv").write_text("\n".join([header, "\t".join([cells[0], "999", *cells[2:]]), ""]))
    return folder


def test_kenlm_that_is_not_there_is_said(cynical: Run, texts: tuple[Path, Path, Path]) -> None:
    done = cynical("evaluate", "pool.txt", "-t", "test.txt", "--lm", "kenlm", env={"PATH": ""})
    assert done.returncode == 2 and "needs lmplz and query on the PATH" in done.stderr


def test_the_end_of_a_budget_is_no_stopping_point() -> None:
    task, pool = zipfian(80, 11, words=60), zipfian(500, 12)
    whole = cynical.select(task, pool)
    short = cynical.select(task, pool, lines=whole.stop - 1)
    assert short.stop > 0 and not short.summary.stop.known and whole.summary.stop.known
    stop = quietly(whole, task).stop
    assert stop is not None and stop.lines == whole.stop
    assert quietly(short.cut(lines=short.stop), task).stop is None


def test_a_test_that_was_ranked_for_has_a_notice() -> None:
    task, pool = zipfian(80, 11, words=60), zipfian(500, 12)
    for test, is_said in ((task, True), (zipfian(40, 13, words=70), False)):
        assert (
            any("are in REPRESENTATIVE" in one for one in quietly(pool, test, representative=task).notices) == is_said
        )
