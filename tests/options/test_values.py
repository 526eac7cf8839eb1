"""What single values mean, and which raise an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cynical
from cynical.options import Budget, Settings
from cynical.options.commands import Comparing
from cynical.options.values import real_number, share, size, typed_share, whole_number
from tests.conftest import Run


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("10000", 10_000),
        ("10_000", 10_000),
        ("10,000", 10_000),
        ("1,000,000", 10**6),
        ("100k", 10**5),
        ("10M", 10**7),
        ("2.5m", 2_500_000),
        ("1B", 10**9),
        ("1e7", 10**7),
        ("1.1e3k", 1_100_000),
        (" 7 ", 7),
        ("-3", -3),
    ],
)
def test_whole_numbers_are_read_as_people_type_them(typed: str, number: int) -> None:
    assert whole_number(typed) == number
    assert real_number(typed) == number


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "k",
        "1.5",
        "0.0001k",
        "10,5",
        "1,00",
        "1e400",
        "1e-99999999",
        "1e999999999999999999",
        "inf",
        "nan",
        "1 0",
        "1e",
        "0x10",
    ],
)
def test_what_is_no_whole_number_raises_an_error(typed: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        whole_number(typed)


@pytest.mark.parametrize(
    ("typed", "number"), [("5%", 0.05), ("0.12", 0.12), ("12.5 %", 0.125), (".1", 0.1), ("1e-3", 1e-3)]
)
def test_shares_and_prices_are_read_as_people_type_them(typed: str, number: float) -> None:
    assert share("--share", real_number(typed)) == share("--share", typed) == number
    assert Budget(share=typed).share == number  # type: ignore[arg-type]
    with pytest.raises(cynical.CynicalError, match="found '110%'"):
        share("--share", "110%")


@pytest.mark.parametrize(("typed", "slips"), [("1", 1), ("1.0", 0), ("100%", 0), ("1%", 0), ("0.5", 0)])
def test_a_share_of_a_bare_1_may_be_meant_as_a_percentage(typed: str, slips: int) -> None:
    budget = Budget(share=typed_share(typed))
    assert len(budget.notices) == slips
    assert Settings(budget=budget).recorded()["share"] == pytest.approx(real_number(typed))
    assert isinstance(Settings(budget=budget).recorded()["share"], float)


def test_budgets_of_a_comparison_may_be_percentages() -> None:
    assert Comparing(shares="1%,5%,0.5").shares == (0.01, 0.05, 0.5)  # type: ignore[arg-type]
    with pytest.raises(cynical.CynicalError, match=r"shares.*expected fractions"):
        Comparing(shares="1%,a")  # type: ignore[arg-type]


def test_a_share_of_1_is_explained_by_every_command_that_has_it(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "a.txt").write_text("a b\nc d\n")
    for command in (
        ("select", "-r", "a.txt", "-a", "a.txt", "-o", "a.tsv"),
        ("rank", "--method", "random", "-r", "a.txt", "-a", "a.txt", "-o", "b.tsv"),
        ("cut", "a.tsv", "-o", "c.txt"),
    ):
        done = cynical(*command, "--share", "1")
        said = "notice: --share 1 is the whole of AVAILABLE; give 1% or 0.01 for a hundredth"
        assert (done.returncode, done.stderr.count(said)) == (0, 1), done.stderr


def test_in_python_a_whole_number_may_be_a_float() -> None:
    assert Budget(words=1e7).words == 10**7  # type: ignore[arg-type]
    with pytest.raises(cynical.CynicalError, match="words must be a whole number of at least 1"):
        Budget(words=1.5)  # type: ignore[arg-type]


def test_the_command_line_reads_them_and_tokens_are_words(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "a.txt").write_text("a b\nc d\n" * 1000)
    command = ("select", "-r", "a.txt", "-a", "a.txt", "-q", "--overwrite", "--format", "ids", "-o", "out.ids")
    for options, picks in ((["--tokens", "1k"], 500), (["--words", "1e3"], 500), (["--share", "5%"], 100)):
        assert cynical(*command, *options).returncode == 0
        assert len((tmp_path / "out.ids").read_text().splitlines()) == picks, options
    done = cynical(*command, "--lines", "many")
    assert done.returncode == 2
    assert "'--lines': 'many' is not a whole number, such as 10000, 10k, 2.5M or 1e7" in done.stderr


@pytest.mark.parametrize(
    ("given", "number"),
    [("8G", 8 * 10**9), ("500M", 5 * 10**8), ("1.5g", 15 * 10**8), ("2GiB", 2**31), ("64KiB", 65536), ("7", 7), (9, 9)],
)
def test_sizes_are_read_as_people_write_them(given: str | int, number: int) -> None:
    assert size("--memory", given) == number


@pytest.mark.parametrize(
    "given",
    ["much", "", "G", "-1G", "0", "1X", "inf", "1e400", "1e30", "1e999999", "1e99999999GiB", "1e999999999999999999"],
)
def test_other_sizes_raise_an_error(given: str) -> None:
    with pytest.raises(cynical.CynicalError, match="expected a size such as 8G or 500M"):
        size("--memory", given)


@pytest.mark.parametrize("option", ["lines", "words", "min_count", "max_length", "max_copies"])
def test_a_whole_number_beyond_64_bits_is_as_large_as_numbers_are(tmp_path: Path, option: str) -> None:
    options: dict[str, Any] = {option: 10**25}
    jaded = cynical.select(["a b"], ["a b", "c d"], vocabulary="classes", **options)
    jaded.write(tmp_path / "out.tsv")
    assert jaded.summary["settings"][option] == 2**62


def test_a_share_is_a_number_that_json_can_hold() -> None:
    made = share("--share", np.float64(0.5))
    assert made == 0.5 and type(made) is float
