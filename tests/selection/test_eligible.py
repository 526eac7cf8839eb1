"""What may be chosen, what it costs, and going on where an earlier run ended."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical.jaded.cut import cut
from cynical.jaded.files import side_path
from cynical.options import Budget
from cynical.selection.inputs import side_name
from tests import oracle
from tests.against_oracle import compare, encoded, shares_a_word, zipfian
from tests.conftest import Run

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)


def skipped(jaded: cynical.Jaded) -> dict[str, int]:
    return {reason: number for reason, number in jaded.summary["skipped"].items() if number}


few_lines = st.lists(st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join), min_size=1, max_size=14)


@given(
    representative=few_lines,
    available=few_lines,
    exclude=st.one_of(st.none(), few_lines),
    max_copies=st.sampled_from([None, 1, 2]),
    min_length=st.sampled_from([None, 1, 2]),
    max_length=st.sampled_from([None, 2, 3]),
)
@settings(max_examples=150)
def test_what_is_left_out_is_left_out_for_the_first_reason_that_fits(
    representative: list[str],
    available: list[str],
    exclude: list[str] | None,
    max_copies: int | None,
    min_length: int | None,
    max_length: int | None,
) -> None:
    assume(shares_a_word(representative, available))
    problem = oracle.Problem([[encoded(representative)]], [encoded(available)])
    excluded = None if exclude is None else encoded(exclude)
    reasons = oracle.left_out(encoded(available), excluded, min_length, max_length, max_copies)
    problem.leave_only(lambda line: line not in reasons)
    options: dict[str, Any] = {"max_copies": max_copies, "min_length": min_length, "max_length": max_length}
    compare(problem, "exact", representative, available, exclude=exclude, **options)
    if len(reasons) < len(available):
        jaded = cynical.select(representative, available, all=True, exclude=exclude, **options)
        assert skipped(jaded) == Counter(reasons.values())


def test_excluded_lines_are_compared_after_tokenizing() -> None:
    pool = ["The cat  sat", "the\tcat sat", "the cat", "cat the sat", "the cat sat on"]
    jaded = cynical.select(["the cat sat on a mat"], pool, all=True, exclude=[" THE cat sat "], lowercase=True)
    assert sorted(jaded.lines.tolist()) == [2, 3, 4]
    assert skipped(jaded) == {"excluded": 2}
    cased = cynical.select(["the cat sat on a mat"], pool, all=True, exclude=["the cat sat"])
    assert sorted(cased.lines.tolist()) == [0, 2, 3, 4]


def test_a_test_set_in_a_file_is_kept_out(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "task.txt").write_text("a cat sat\n")
    (tmp_path / "pool.txt").write_text("a cat\na cat sat\na dog\n\na cat\n")
    (tmp_path / "test.txt").write_text("a  cat\n\n")
    command = ("select", "-r", "task.txt", "-a", "pool.txt", "--exclude", "test.txt", "--all", "-o", "out.tsv")
    done = cynical(*command)
    assert done.returncode == 0, done.stderr
    assert [row.split("\t")[1] for row in (tmp_path / "out.tsv").read_text().splitlines()[1:]] == ["2", "3"]
    assert "2  excluded" in done.stderr
    assert "1  blank" in done.stderr


def test_where_everything_is_left_out_the_reasons_are_said() -> None:
    with pytest.raises(cynical.CynicalError, match="no line is left to choose from: 1 excluded, 2 too short"):
        cynical.select(["a b c"], ["a b c", "a", "b"], exclude=["a b c"], min_length=2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_copies": 0}, "max_copies must be a whole number from 1 on, found 0"),
        ({"min_length": 5, "max_length": 3}, "leave no length"),
        ({"money": 5}, "give price P too"),
        ({"money": 5, "price": 0}, "price must be a number more than 0"),
        ({"money": 5, "price": 1, "words": 3}, "words and money contradict"),
        ({"ngrams": 4}, "ngrams must be 1, 2 or 3"),
        ({"per": "letter"}, "per letter: unknown value; choose from line, word"),
        ({"weights": [1, 2]}, "not as many as targets"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.select([["a b"]] if "weights" in options else ["a b"], ["a", "b"], **options)


def test_money_buys_whole_words_and_ranks_per_word() -> None:
    bought = cynical.select(WANTED, POOL, price=0.12, money=5)  # 41.67 words
    words = cynical.select(WANTED, POOL, per="word", words=41)
    assert bought.lines.tolist() == words.lines.tolist()
    assert bought.summary["settings"]["per"] == "word"
    assert any("per word" in notice for notice in bought.summary["notices"])
    money = bought.summary["money"]
    assert money["spent"] == pytest.approx(0.12 * bought.words.sum())
    bits = bought.entropy_before - bought.entropy[-1]
    assert money["bits_per_unit"] == pytest.approx(bits / money["spent"])
    assert cynical.select(["a b"], ["a b", "b"], price=0.1, money=0.3).words.sum() == 3  # not 0.3 / 0.1 in doubles
    by_line = cynical.select(WANTED, POOL, price=0.12, money=5, per="line")
    assert by_line.lines.tolist() == cynical.select(WANTED, POOL, words=41).lines.tolist()
    priced = cynical.select(WANTED, POOL, lines=10, price=2)
    assert priced.summary["money"]["spent"] == 2 * priced.words.sum()


def write(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return str(folder / name)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"per": "word", "ngrams": 2},
        {"max_copies": 1, "min_length": 3},
        {"strategy": "word"},
        {"vocabulary": "classes", "ngrams": 3},
    ],
)
@pytest.mark.parametrize("how", ["number", "words", "object", "moved"])
def test_some_and_then_some_more_are_what_all_at_once_would_have_been(
    tmp_path: Path, options: dict[str, Any], how: str
) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    whole = cynical.select(task, pool, lines=400, **options)
    first = cynical.select(task, pool, lines=150, **options)
    first.write(tmp_path / "first.tsv")
    if how == "words":
        (tmp_path / "first.tsv.json").unlink()
    if how == "moved":
        pool = str(Path(pool).rename(tmp_path / "moved.txt"))
    seed: Any = first if how == "object" else tmp_path / "first.tsv"
    second = cynical.select(task, pool, lines=100, seed=seed, **options)
    assert second.lines.tolist() == whole.lines[150:250].tolist()
    assert second.delta.tolist() == whole.delta[150:250].tolist()
    assert second.entropy == pytest.approx(whole.entropy[150:250], abs=1e-9)
    by = "words" if how in ("words", "moved") else "number"
    assert [one["by"] for one in second.summary["seed"]["rankings"]] == [by]
    assert second.summary["skipped"]["in_seed"] == 150
    second.write(tmp_path / "second.tsv")
    third = (
        cynical.select(task, pool, lines=150, seed=[tmp_path / "first.tsv", tmp_path / "second.tsv"], **options)
        if how != "object"
        else None
    )
    if third is not None:
        assert third.lines.tolist() == whole.lines[250:].tolist()


def test_a_pool_that_has_changed_is_not_gone_by_number(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    cynical.select(task, pool, lines=50).write(tmp_path / "first.tsv")
    write(tmp_path, "pool.txt", POOL[::-1])  # the same size
    more = cynical.select(task, pool, lines=50, seed=tmp_path / "first.tsv")
    assert [one.to_dict() for one in more.summary["seed"]["rankings"]] == [
        {"name": str(tmp_path / "first.tsv"), "lines": 50, "by": "words", "found": 50}
    ]
    assert any("by their words" in notice for notice in more.summary["notices"])
    left, first = Counter(POOL), (tmp_path / "first.tsv").read_text().splitlines()[1:]
    left.subtract(row.split("\t")[8] for row in first)
    assert all(left[text] > 0 for text in more.texts)


def test_a_seed_of_text_and_a_ranking_together_is_both(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    first = cynical.select(task, pool, lines=50)
    first.write(tmp_path / "first.tsv")
    have = Path(write(tmp_path, "have.txt", zipfian(20, 9)))
    both = cynical.select(task, pool, lines=1, seed=[have, tmp_path / "first.tsv"])
    alone = cynical.select(task, pool, lines=1, seed=[*zipfian(20, 9), *first.texts])
    assert both.entropy_before == alone.entropy_before
    assert both.summary["skipped"]["in_seed"] == 50


def test_going_on_from_the_command_line(cynical: Run, tmp_path: Path) -> None:
    write(tmp_path, "task.txt", WANTED)
    write(tmp_path, "pool.txt", POOL)
    select = ("select", "-r", "task.txt", "-a", "pool.txt", "--ngrams", "2", "--per", "word")
    assert cynical(*select, "--lines", "100", "-o", "1.tsv").returncode == 0
    done = cynical(*select, "--lines", "100", "-s", "1.tsv", "-o", "2.tsv")
    assert done.returncode == 0
    assert "1.tsv: 100 lines left out by number" in done.stderr
    assert cynical(*select, "--lines", "200", "-o", "12.tsv").returncode == 0
    picks = [
        [row.split("\t")[1:] for row in (tmp_path / name).read_text().splitlines()[1:]]
        for name in ("1.tsv", "2.tsv", "12.tsv")
    ]
    assert [row[0] for row in picks[0] + picks[1]] == [row[0] for row in picks[2]]
    assert [row[-1] for row in picks[0] + picks[1]] == [row[-1] for row in picks[2]]


EN, DE = POOL[:200], [f"d{number} {line.upper()}" for number, line in enumerate(POOL[:200])]


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    write(tmp_path, "task.en", WANTED)
    write(tmp_path, "task.de", [line.upper() for line in WANTED])
    write(tmp_path, "pool.en", EN)
    write(tmp_path, "pool.de", DE)
    return tmp_path


CARRY = ("select", "-r", "task.en", "-a", "pool.en", "--with", "pool.de", "--lines", "50")


def test_the_other_side_goes_along(cynical: Run, parallel: Path) -> None:
    assert cynical(*CARRY, "-o", "out.tsv").returncode == 0
    assert cynical(*CARRY, "--format", "text", "-o", "out.en").returncode == 0
    rows = [row.split("\t") for row in (parallel / "out.tsv").read_text().splitlines()]
    assert rows[0][-3:] == ["word", "de", "text"]
    for row in rows[1:]:
        assert (row[-1], row[-2]) == (EN[int(row[1]) - 1], DE[int(row[1]) - 1])
    assert (parallel / "out.en").read_text().splitlines() == [row[-1] for row in rows[1:]]
    assert (parallel / "out.de").read_text().splitlines() == [row[-2] for row in rows[1:]]
    assert cynical("cut", "out.tsv", "--lines", "7", "-o", "cut.en", "--format", "text").returncode == 0
    assert (parallel / "cut.en").read_text().splitlines() == [row[-1] for row in rows[1:8]]
    assert (parallel / "cut.de").read_text().splitlines() == [row[-2] for row in rows[1:8]]


def test_tabs_and_backslashes_of_the_other_side_are_escaped_and_come_back(parallel: Path) -> None:
    other = [line + "\t\\t\\" for line in DE]
    jaded = cynical.select(WANTED, EN, with_={"de": other}, all=True)
    assert jaded.sides["de"] == [other[line] for line in jaded.lines]
    jaded.write(parallel / "out.tsv")
    fields = (parallel / "out.tsv").read_text().splitlines()[1].split("\t")
    assert fields[8] == other[jaded.lines[0]].replace("\\", "\\\\").replace("\t", "\\t")
    assert jaded.to_pandas().columns.tolist()[-2:] == ["de", "text"]
    jaded.write(parallel / "best.txt")
    assert (parallel / "best.txt.de").read_text().split("\n")[:-1] == jaded.sides["de"]


def test_sides_of_different_length_are_an_error_that_names_both_counts(cynical: Run, parallel: Path) -> None:
    write(parallel, "pool.de", DE[:-1])
    for more in ((), ("--representative-with", "task.de")):
        done = cynical(*CARRY, *more, "-o", "out.tsv")
        assert done.returncode == 2
        assert "pool.en has 200 lines, but pool.de has 199" in done.stderr
    assert not (parallel / "out.tsv").exists()


def test_an_output_of_the_other_side_that_exists_is_kept(cynical: Run, parallel: Path) -> None:
    (parallel / "out.de").write_text("precious")
    done = cynical(*CARRY, "--format", "text", "-o", "out.en")
    assert done.returncode == 2
    assert "out.de: exists already" in done.stderr
    assert (parallel / "out.de").read_text() == "precious"
    assert not (parallel / "out.en").exists()
    done = cynical(*CARRY, "--format", "text", "-o", "pool.en", "--overwrite")
    assert done.returncode == 2
    assert (parallel / "pool.de").read_text().splitlines() == DE


def test_both_sides_of_a_ranking_go_on(parallel: Path) -> None:
    def both(lines: int, seed: Path | None = None) -> cynical.Jaded:
        texts = (parallel / "task.en", parallel / "pool.en")
        others = {"with_": parallel / "pool.de", "representative_with": parallel / "task.de"}
        return cynical.select(*texts, **others, lines=lines, seed=seed, ngrams=2)  # type: ignore[arg-type]

    whole, first = both(60), both(20)
    first.write(parallel / "first.tsv")
    more = both(40, parallel / "first.tsv")
    assert more.lines.tolist() == whole.lines[20:].tolist()
    assert more.delta.tolist() == whole.delta[20:].tolist()
    (parallel / "first.tsv.json").unlink()
    assert both(40, parallel / "first.tsv").lines.tolist() == whole.lines[20:].tolist()
    with pytest.raises(cynical.CynicalError, match="give seed_with"):
        both(5, parallel / "pool.en")


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


def test_the_file_of_an_n_gram_ranking_has_the_entropy_of_features_before_the_text(tmp_path: Path) -> None:
    jaded = cynical.select(WANTED, POOL, ngrams=2, all=True)
    jaded.write(tmp_path / "out.tsv")
    rows = [row.split("\t") for row in (tmp_path / "out.tsv").read_text().splitlines()]
    assert rows[0][-3:] == ["word", "feature_entropy", "text"]
    assert jaded.feature_entropy is not None
    assert [row[-2] for row in rows[1:]] == [f"{number:.9g}" for number in jaded.feature_entropy]
    deltas = np.diff(jaded.feature_entropy, prepend=jaded.summary["feature_entropy"]["before"])
    assert deltas == pytest.approx(jaded.delta, abs=1e-12)
    words = cynical.select(WANTED, ["w1"], seed=jaded.texts, lines=1)
    assert jaded.entropy[-1] == pytest.approx(words.entropy_before, abs=1e-9)
    summary = json.loads((tmp_path / "out.tsv.json").read_text())
    assert summary["signature"] == "tok:whitespace|lower:no|ngrams:2"


def test_sides_are_known_by_their_names(parallel: Path, cynical: Run) -> None:
    write(parallel, "task.fr", WANTED)
    write(parallel, "pool.fr", EN)
    assert cynical(*CARRY, "-o", "first.tsv").returncode == 0
    scored = ("select", "-r", "task.en", "-a", "pool.en", "--lines", "5", "-o", "out.tsv")
    done = cynical(*scored, "--representative-with", "task.fr", "--with", "pool.fr", "-s", "first.tsv")
    assert done.returncode == 2
    assert "first.tsv: side 'fr' counts, but this ranking has de" in done.stderr
    swapped = ("--representative-with", "task.de", "--with", "pool.fr", "--with", "pool.de")
    done = cynical(*scored, *swapped)
    assert done.returncode == 2
    assert "give both in the same order" in done.stderr


def test_no_output_replaces_an_input_or_another_output(parallel: Path, cynical: Run) -> None:
    (parallel / "pool.json").write_text((parallel / "pool.de").read_text())
    carry = ("select", "-r", "task.en", "-a", "pool.en", "--with", "pool.json", "--lines", "5", "--format", "text")
    done = cynical(*carry, "-o", "out")
    assert (done.returncode, "two outputs would go here" in done.stderr) == (2, True)
    done = cynical(*CARRY, "-o", "pool.de", "--overwrite")
    assert (done.returncode, "one of the inputs" in done.stderr) == (2, True)
    (parallel / "in.json").write_text("a cat\nw1 w2\n")
    done = cynical("select", "-r", "task.en", "-a", "in.json", "--lines", "1", "-o", "in", "--overwrite")
    assert (done.returncode, "one of the inputs" in done.stderr) == (2, True)
    done = cynical("select", "-r", "task.en", "-a", "poo*.en", "--lines", "1", "-o", "pool.en", "--overwrite")
    assert (done.returncode, "one of the inputs" in done.stderr) == (2, True)
    assert cynical(*CARRY, "--format", "tsv", "-o", "o.txt.de").returncode == 0
    done = cynical("cut", "o.txt.de", "--lines", "2", "-o", "o.txt", "--overwrite")
    assert (done.returncode, "one of the inputs" in done.stderr) == (2, True)
    assert (parallel / "pool.de").read_text().splitlines() == DE


def test_going_on_from_nothing_is_a_beginning(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    empty = cynical.select(task, pool, words=1, min_length=4)
    empty.write(tmp_path / "empty.tsv")
    assert len(empty) == 0
    plain = cynical.select(task, pool, lines=20)
    for seed in (tmp_path / "empty.tsv", empty, [empty, empty]):
        assert cynical.select(task, pool, lines=20, seed=seed).lines.tolist() == plain.lines.tolist()


def test_rankings_go_on_with_counts_and_with_texts_of_both_sides(parallel: Path) -> None:
    have = [zipfian(20, 9), [line.upper() for line in zipfian(20, 9)]]
    counts = cynical.count(have[0])
    whole = cynical.select(WANTED, EN, lines=40, seed=counts)
    first = cynical.select(WANTED, EN, lines=15, seed=counts)
    second = cynical.select(WANTED, EN, lines=10, seed=[counts, first])
    third = cynical.select(WANTED, EN, lines=15, seed=[counts, first, second])
    assert second.lines.tolist() + third.lines.tolist() == whole.lines[15:].tolist()
    texts = [Path(write(parallel, f"have.{side}", lines)) for side, lines in zip(("en", "de"), have, strict=True)]
    both: dict[str, Any] = {"with_": {"de": DE}, "representative_with": {"de": [line.upper() for line in WANTED]}}
    whole = cynical.select(WANTED, EN, lines=40, seed=texts[0], seed_with=texts[1], **both)
    first = cynical.select(WANTED, EN, lines=15, seed=texts[0], seed_with=texts[1], **both)
    first.write(parallel / "first.tsv")
    more = cynical.select(WANTED, EN, lines=25, seed=[texts[0], parallel / "first.tsv"], seed_with=texts[1], **both)
    assert more.lines.tolist() == whole.lines[15:].tolist()


def test_a_ranking_with_a_byte_order_mark_or_without_scores_is_known(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    first = cynical.select(task, pool, lines=50)
    first.write(tmp_path / "first.tsv")
    marked = tmp_path / "marked.tsv"
    marked.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "first.tsv").read_bytes())
    assert cynical.select(task, pool, lines=5, seed=marked).summary["skipped"]["in_seed"] == 50
    first.write(tmp_path / "first.txt")
    notices = cynical.select(task, pool, lines=5, seed=tmp_path / "first.txt").summary["notices"]
    assert any("first.txt: the lines of a ranking alone" in notice for notice in notices)
    cynical.select(task, pool, lines=5, seed=tmp_path / "first.tsv").write(tmp_path / "second.tsv")
    notices = cynical.select(task, pool, lines=5, seed=tmp_path / "second.tsv").summary["notices"]
    assert any("second.tsv went on from" in notice for notice in notices)


def test_a_damaged_ranking_as_seed_is_a_sentence(tmp_path: Path) -> None:
    task, pool = write(tmp_path, "task.txt", WANTED), write(tmp_path, "pool.txt", POOL)
    cynical.select(task, pool, lines=5).write(tmp_path / "first.tsv")
    rows = (tmp_path / "first.tsv").read_text().splitlines()
    for number in ("9" * 19, "9" * 40, "0", "x"):
        damaged = "\t".join([*rows[1].split("\t")[:1], number, *rows[1].split("\t")[2:]])
        (tmp_path / "damaged.tsv").write_text("\n".join([rows[0], damaged, *rows[2:], ""]))
        with pytest.raises(cynical.CynicalError, match=r"damaged.tsv line 2: .* damaged, make it again"):
            cynical.select(task, pool, lines=5, seed=tmp_path / "damaged.tsv")


def test_a_cut_knows_what_it_costs(tmp_path: Path) -> None:
    jaded = cynical.select(WANTED, POOL, ngrams=2, price=0.5, money=100)
    jaded.write(tmp_path / "whole.tsv")
    cut(tmp_path / "whole.tsv", tmp_path / "one.tsv", Budget(lines=1), False, None, False)
    summary = json.loads((tmp_path / "one.tsv.json").read_text())
    assert summary["money"]["spent"] == jaded.words[0] / 2
    bits = jaded.entropy_before - jaded.entropy[0]
    assert summary["money"]["bits_per_unit"] == pytest.approx(2 * bits / jaded.words[0], rel=1e-6)
    assert jaded.feature_entropy is not None
    assert summary["feature_entropy"]["after"] == pytest.approx(jaded.feature_entropy[0], abs=1e-7)


def test_sides_in_several_files_are_compared_file_by_file(parallel: Path, cynical: Run) -> None:
    for side, cuts in (("en", (120, 200)), ("de", (100, 200))):
        lines = EN if side == "en" else DE
        write(parallel, f"part1.{side}", lines[: cuts[0]])
        write(parallel, f"part2.{side}", lines[cuts[0] :])
    done = cynical("select", "-r", "task.en", "-a", "part*.en", "--with", "part*.de", "--lines", "5", "-o", "out.tsv")
    assert done.returncode == 2
    assert "part1.en has 120 lines, but part1.de has 100" in done.stderr
    write(parallel, "part1.de", DE[:120])
    write(parallel, "part2.de", DE[120:])
    done = cynical("select", "-r", "task.en", "-a", "part*.en", "--with", "part*.de", "--lines", "5", "-o", "out.tsv")
    assert done.returncode == 0, done.stderr
    row = (parallel / "out.tsv").read_text().splitlines()[1].split("\t")
    assert row[-2] == DE[int(row[1]) - 1]


def test_names_of_sides() -> None:
    assert side_name("pool.en", "pool.de", 2) == ("de", "en")
    assert side_name("pool.en.tok", "pool.de.tok", 2) == ("de", "en")
    assert side_name("news.en", "other.de", 2) == ("de", "en")
    assert side_name("en/pool.txt", "de/pool.txt", 2) == ("de", "en")
    assert side_name("src", "tgt", 2) == ("tgt", "src")
    assert side_name("pool", "pool.de", 3) == ("side3", "")
    assert side_name("pool.en", "pool.text", 2) == ("side2", "")  # a column of its own
    assert side_path("out/best.en.tok", "de", "en") == Path("out/best.de.tok")
    assert side_path("best.txt", "de", "en") == Path("best.txt.de")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ngrams": 2.0}, "ngrams must be 1, 2 or 3"),
        ({"max_copies": "1"}, "max_copies must be a whole number"),
        ({"max_length": True}, "max_length must be a whole number"),
        ({"weights": "0.5,0.5"}, "weights .*: not as many as targets"),
        ({"weights": [None, 1]}, "weights must be a number more than 0"),
        ({"weights": [1e308, 1e308]}, "too large to be added"),
        ({"with_": {"a/b": ["x", "y"]}}, "a side cannot be called 'a/b'"),
        ({"with_": {1: ["x", "y"]}}, "a side cannot be called '1'"),
        ({"with_": {"text": ["x", "y"]}}, "a side cannot be called 'text'"),
        ({"with_": ["x"]}, "has 2 lines, but .* has 1"),
        ({"price": "cheap"}, "price must be a number more than 0"),
        ({"representative_with": ["x"]}, "give with_ FILE"),
        ({"with_": {"de": ["x", "y"]}, "representative_with": {"fr": ["x"]}}, "sides called fr count"),
    ],
)
def test_what_python_gives_wrongly_is_a_sentence_too(options: dict[str, Any], sentence: str) -> None:
    target: Any = [["a b"], ["b"]] if "weights" in options else ["a b"]
    with pytest.raises(cynical.CynicalError, match=sentence):
        cynical.select(target, ["a", "b"], **options)


def test_prices_may_be_any_kind_of_number() -> None:
    bought = cynical.select(["a b"], ["a", "b"], price=Decimal("0.1"), money=np.float32(0.1))  # type: ignore[arg-type]
    assert bought.words.sum() == 1
