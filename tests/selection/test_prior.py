"""What is known of lines beforehand: priors, beside the oracle, and the best lines by something."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cynical
from tests import oracle
from tests.against_oracle import WORDS, compare, encoded, lines_of, shares_a_word, some_words
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
        (["-a", "a.txt", "--prior", "quality"], "--prior quality: no such file, and AVAILABLE has no fields"),
        (["-a", "a.jsonl", "--prior", "quality"], "a.jsonl line 1: no such field, nor is there a file of that name"),
        (["-a", "a.jsonl", "--prior", "text"], "a.jsonl line 1: expected a number, found 'the cat sat'"),
        (["-a", "a.txt", "--prior", "r.txt"], "r.txt line 1: expected a number, found 'a cat sat on the mat'"),
        (["-a", "r.txt", "--prior", "q.txt"], "q.txt: 5 numbers for 15 lines of AVAILABLE; give one for each"),
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
    with pytest.raises(cynical.CynicalError, match="no line is left to choose from: 5 not among best"):
        cynical.select(WANTED, POOL, among=0.01)
    with pytest.warns(cynical.CynicalWarning, match="by has no effect without among"):
        cynical.select(WANTED, POOL, by="longest", all=True)


@pytest.mark.parametrize("method", ["random", "in-order", "dsir", "classifier", "moore-lewis"])
def test_a_method_ranks_as_it_does_by_itself(method: str) -> None:
    pool = [line for place in range(20) for line in (f"{POOL[place % 5]} {place}", f"{WANTED[place % 3]} {place % 7}")]
    alone = cynical.rank(WANTED, pool, method=method, share=0.3)  # type: ignore[arg-type]
    made = cynical.select(WANTED, pool, all=True, among=0.3, by=method)
    assert sorted(made.lines.tolist()) == sorted(alone.lines.tolist())
