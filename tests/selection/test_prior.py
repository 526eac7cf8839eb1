"""What is known of lines beforehand: priors, beside the oracle, and the best lines by something."""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from tests import oracle
from tests.against_oracle import WORDS, compare, encoded, lines_of, shares_a_word, some_words, zipfian
from tests.conftest import Run

WANTED = ["a cat sat on the mat", "the cat ran home", "a dog sat on the cat"] * 5
POOL = ["the cat sat", "a dog ran home", "the bird flew", "the cat sat on a mat", "rain fell on the roof"]


@given(
    representative=some_words,
    available=lines_of(WORDS, 14, 12),
    prior=st.lists(st.sampled_from([-3.0, -0.5, 0.0, 1e-3, 0.5, 2.0]), min_size=14, max_size=14),
    ngrams=st.integers(1, 2),
    per=st.sampled_from(["line", "word"]),
    weight=st.sampled_from([0.1, -0.02, 1e-7]),
)
def test_the_search_is_exact_whatever_lines_are_worth(
    representative: list[str], available: list[str], prior: list[float], ngrams: int, per: str, weight: float
) -> None:
    assume(shares_a_word(representative, available))
    prior = prior[: len(available)]
    problem = oracle.Problem(
        [[encoded(representative)]],
        [encoded(available)],
        ngrams=ngrams,
        per=per,
        prior=[weight * number for number in prior],
    )
    compare(problem, "exact", representative, available, ngrams=ngrams, per=per, prior=prior, prior_weight=weight)


def test_a_large_prior_decides_and_the_bits_are_those_of_the_words() -> None:
    prior = [0.0, 0.0, 2.0, 0.0, 1.0]
    made = cynical.select(WANTED, POOL, all=True, prior=prior)
    assert made.lines.tolist()[:2] == [2, 4]
    follow = cynical.select(WANTED, POOL, all=True)
    assert made.entropy[-1] == pytest.approx(follow.entropy[-1], abs=1e-12), "all lines come to the same"
    assert made.delta == pytest.approx(np.diff(np.append(made.entropy_before, made.entropy)), abs=1e-12)
    known = made.summary["prior"]
    assert (known.name, known.weight, known.least, known.most) == ("5 numbers", 1.0, 0.0, 2.0)
    assert f"|p:{known.crc32:08x}|" in (made.summary.signature or "")
    assert cynical.select(WANTED, POOL, all=True, prior=prior, prior_weight=0.0).lines.tolist() == follow.lines.tolist()


def test_the_prior_of_a_field_of_a_file_and_of_numbers_is_the_same(cynical: Run, tmp_path: Path) -> None:
    numbers = [0.0, 0.01, 1.0, 0.0, -1e-2]
    (tmp_path / "r.txt").write_text("\n".join(WANTED) + "\n")
    records = [{"text": text, "meta": {"q": number}} for text, number in zip(POOL, numbers, strict=True)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "a.txt").write_text("\n".join(POOL) + "\n")
    (tmp_path / "q.txt").write_text("".join(f"{number}\n" for number in numbers))
    common = ["select", "-r", "r.txt", "--all", "--overwrite", "--format", "ids", "-o", "out", "--prior-weight", "2"]
    found = []
    for source in (["-a", "a.jsonl", "--prior", "meta.q"], ["-a", "a.txt", "--prior", "q.txt"]):
        done = cynical(*common, *source)
        assert done.returncode == 0, done.stderr
        found.append((tmp_path / "out").read_text())
    assert found[0] == found[1] and found[0].split()[0] == "3"
    for options, message in (
        (["-a", "a.txt", "--prior", "quality"], "--prior quality: no such file, and AVAILABLE is plain text"),
        (["-a", "a.jsonl", "--prior", "quality"], "a.jsonl line 1: neither a field nor a file of this name exists"),
        (["-a", "a.jsonl", "--prior", "text"], "a.jsonl line 1: expected a number, found 'the cat sat'"),
        (["-a", "a.txt", "--prior", "r.txt"], "r.txt line 1: expected a number, found 'a cat sat on the mat'"),
        (["-a", "r.txt", "--prior", "q.txt"], "q.txt: 5 numbers for 15 lines of AVAILABLE; give one number per line"),
        (["-a", "a.txt", "--prior", "q.txt", "--prior-weight", "1000"], "give a lower --prior-weight"),
        (["-a", "a.txt", "--prior", "q.txt", "--strategy", "batch"], "--prior needs --strategy exact"),
    ):
        done = cynical(*common, *options)
        assert done.returncode == 2 and message in done.stderr, done.stderr
    done = cynical(*common, "-a", "a.txt")
    assert "--prior-weight has no effect without --prior" in done.stderr


def test_only_the_best_by_something_are_picked() -> None:
    best = [0.0, 5.0, 1.0, 4.0, 3.0]  # 4 words, 6 and 5 more, of 21
    made = cynical.select(WANTED, POOL, all=True, among=0.5, by=best)
    assert sorted(made.lines.tolist()) == [1, 3]
    assert (made.summary["among"].by, made.summary["among"].share, made.summary["among"].lines) == ("5 numbers", 0.5, 2)
    assert made.summary["skipped"]["not_among_best"] == 3
    by_method = cynical.select(WANTED, POOL, all=True, among=0.5, by="longest")
    assert sorted(by_method.lines.tolist()) == [3], "the longest line, and the next does not fit"
    with pytest.raises(cynical.CynicalError, match="no eligible line is left: 5 not among best"):
        cynical.select(WANTED, POOL, among=0.01)
    with pytest.warns(cynical.CynicalWarning, match="by has no effect without among"):
        cynical.select(WANTED, POOL, by="longest", all=True)


@pytest.mark.parametrize("method", ["random", "in-order", "dsir", "classifier", "moore-lewis"])
def test_a_method_ranks_as_it_does_by_itself(method: str) -> None:
    pool = [line for place in range(20) for line in (f"{POOL[place % 5]} {place}", f"{WANTED[place % 3]} {place % 7}")]
    alone = cynical.rank(WANTED, pool, method=method, share=0.3)  # type: ignore[arg-type]
    made = cynical.select(WANTED, pool, all=True, among=0.3, by=method)
    assert sorted(made.lines.tolist()) == sorted(alone.lines.tolist())


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6), st.sampled_from(["among", "prior"]))
@settings(max_examples=10, deadline=None)
def test_of_bits_the_lowest_are_the_best(numbers: list[int], option: str) -> None:
    """In a file of scores, in fields that `cynical score` adds, and wherever it is said."""
    lines = ["a cat sat", "the dog", "a dog ran far", "cat cat", "on a mat", "dogs"]
    told: dict[str, Any] = {"among": 0.5} if option == "among" else {"prior_weight": 1e-3}
    by = "by" if option == "among" else "prior"

    def picked(numbered: Any, pool: Any = lines) -> tuple[list[int], list[str]]:
        with warnings.catch_warnings(action="ignore", category=cynical.CynicalWarning):
            jaded = cynical.select(["a cat", "the cat sat on a mat"], pool, all=True, **told, **{by: numbered})
        return jaded.lines.tolist(), [one for one in jaded.summary.notices if "numbers are the best" in one]

    with tempfile.TemporaryDirectory() as folder:
        file, other = Path(folder, "pool.scores"), Path(folder, "pool.txt")
        for path in (file, other):
            path.write_text("".join(f"{number}\n" for number in numbers))
        lowest, highest = picked([-number for number in numbers]), picked(numbers)
        assert all("the highest numbers are the best; negate them" in one for one in (lowest[1] + highest[1]))
        for named, pool, wanted in (
            (file, lines, lowest),
            (f"lowest:{other}", lines, lowest),
            (other, lines, highest),
            (f"highest:{file}", lines, highest),
            *(
                (field, [{"text": line, name: one} for line, one in zip(lines, numbers, strict=True)], wanted)
                for field, name, wanted in (
                    ("cynical_delta", "cynical_delta", lowest),
                    ("bits_per_word", "bits_per_word", lowest),
                    ("quality", "quality", highest),
                    ("lowest:quality", "quality", lowest),
                )
            ),
        ):
            made = picked(named, pool)
            assert made[0] == wanted[0], named
            said = "lowest" if wanted is lowest else "highest"
            assert len(made[1]) == (":" not in str(named)), named
            assert all(f"the {said} numbers are the best" in one for one in made[1])


def test_the_scores_of_a_ranking_say_themselves_which_are_the_best(tmp_path: Path) -> None:
    """Those of another method are the higher the better, those of a selection are bits."""
    pool = [line or "w1" for line in zipfian(40, 2)]
    (tmp_path / "pool.txt").write_text("".join(f"{line}\n" for line in pool))
    cynical.rank(["w1 w2 w3"], tmp_path / "pool.txt", method="longest").write(tmp_path / "an a.scores", format="scores")
    cynical.select(["w1 w2 w3"], tmp_path / "pool.txt", all=True).write(tmp_path / "b.scores", format="scores")
    for name, said in (("an a", "highest"), ("b", "lowest")):
        with pytest.warns(cynical.CynicalWarning, match=f'by=".*{name}.scores": the {said} numbers are the best'):
            cynical.select(["w1 w2"], tmp_path / "pool.txt", by=tmp_path / f"{name}.scores", among=0.5, lines=1)


def test_the_summary_has_the_numbers_as_they_were_given(tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("1\n2\n0.5\n")
    made = cynical.select(["a b"], ["a", "b", "a b"], prior=f"lowest:{tmp_path}/numbers", prior_weight=1e-6, lines=1)
    assert (made.summary["prior"].least, made.summary["prior"].most) == (0.5, 2.0)


def test_a_sequence_says_which_of_its_numbers_are_the_best() -> None:
    with pytest.warns(cynical.CynicalWarning, match="by: the highest numbers are the best; negate them"):
        made = cynical.select(["a b"], ["a", "b", "a b"], among=0.4, by=[3, 2, 1], lines=1)
    assert made.texts == ["a"]


def test_a_method_has_its_own_direction() -> None:
    with pytest.raises(cynical.CynicalError, match=r'by="lowest:classifier": a method knows .* give by="classifier"'):
        cynical.select(["a b"], ["a", "b", "a b"], among=0.4, by="lowest:classifier", lines=1)


def test_no_output_replaces_numbers_that_have_a_direction(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "task.txt").write_text("a b\n")
    (tmp_path / "pool.txt").write_text("a\nb\na b\n")
    (tmp_path / "numbers.tsv").write_text("1\n2\n3\n")
    options = ("--among", "0.5", "--by", "lowest:numbers.tsv", "-o", "numbers.tsv", "--overwrite")
    done = cynical("select", "-r", "task.txt", "-a", "pool.txt", *options)
    assert done.returncode != 0 and "numbers.tsv" in done.stderr
    assert (tmp_path / "numbers.tsv").read_text() == "1\n2\n3\n"
