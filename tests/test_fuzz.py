"""A thousandth of what benchmarks/fuzz.py tries: no traceback, no difference from the oracle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz_inputs import INPUTS, try_input
from tests.fuzz_problems import try_budget, try_problem

CASES = {"corpus": 200, "stream": 150, "ranking": 40, "counts": 100, "checkpoint": 50, "words": 50, "options": 60}
CASES |= {"values": 500}


@pytest.mark.parametrize("name", INPUTS)
def test_whatever_comes_in_is_used_or_an_error_message(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    used = sum(try_input(name, 0, case, tmp_path) for case in range(CASES[name]))
    assert used > 0 or name == "options"  # none of whose files is there


def test_random_problems_have_the_answers_of_the_oracle() -> None:
    assert sum(try_problem(0, case) for case in range(90)) > 45
    assert sum(try_budget(0, case) for case in range(10)) > 2
