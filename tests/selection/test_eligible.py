"""What may be chosen, what it costs, and continuing where an earlier run ended."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
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
    ngrams=st.sampled_from([None, 1, 2, 3]),
)
@settings(max_examples=150)
def test_what_is_left_out_is_left_out_for_the_first_reason_that_fits(
    representative: list[str],
    available: list[str],
    exclude: list[str] | None,
    max_copies: int | None,
    min_length: int | None,
    max_length: int | None,
    ngrams: int | None,
) -> None:
    assume(shares_a_word(representative, available))
    problem = oracle.Problem([[encoded(representative)]], [encoded(available)])
    excluded, ngrams = (None, None) if exclude is None else (encoded(exclude), ngrams)
    options: dict[str, Any] = {"max_copies": max_copies, "min_length": min_length, "max_length": max_length}
    options["exclude_ngrams"] = ngrams
    reasons = oracle.left_out(encoded(available), excluded, **options)
    problem.leave_only(lambda line: line not in reasons)
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
    with pytest.raises(cynical.CynicalError, match="no eligible line is left: 1 excluded, 2 too short"):
        cynical.select(["a b c"], ["a b c", "a", "b"], exclude=["a b c"], min_length=2)


def write(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return str(folder / name)
