"""Both sides of a parallel corpus: they stay aligned, and are known by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

import cynical
from cynical.jaded.files import side_path
from cynical.selection.inputs import side_name
from tests.against_oracle import zipfian
from tests.conftest import Run

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)


def write(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(line + "\n" for line in lines))
    return str(folder / name)


EN, DE = POOL[:200], [f"d{number} {line.upper()}" for number, line in enumerate(POOL[:200])]


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    write(tmp_path, "task.en", WANTED)
    write(tmp_path, "task.de", [line.upper() for line in WANTED])
    write(tmp_path, "pool.en", EN)
    write(tmp_path, "pool.de", DE)
    return tmp_path


CARRY = ("select", "-r", "task.en", "-a", "pool.en", "--with", "pool.de", "--lines", "50")


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert "out.de already exists" in done.stderr
    assert (parallel / "out.de").read_text() == "precious"
    assert not (parallel / "out.en").exists()
    done = cynical(*CARRY, "--format", "text", "-o", "pool.en", "--overwrite")
    assert done.returncode == 2
    assert (parallel / "pool.de").read_text().splitlines() == DE


@pytest.mark.slow
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


@pytest.mark.slow
def test_no_output_replaces_an_input_or_another_output(parallel: Path, cynical: Run) -> None:
    (parallel / "pool.json").write_text((parallel / "pool.de").read_text())
    carry = ("select", "-r", "task.en", "-a", "pool.en", "--with", "pool.json", "--lines", "5", "--format", "text")
    done = cynical(*carry, "-o", "out")
    assert (done.returncode, "two outputs would be written to this file" in done.stderr) == (2, True)
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


@pytest.mark.slow
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
    assert side_path("out/best.en.tok", "de", "en") == "out/best.de.tok"
    assert side_path("best.txt", "de", "en") == "best.txt.de"


def test_lengths_are_those_of_both_sides_together_or_of_each() -> None:
    pairs = [(line, " ".join(["x"] * (number % 9))) for number, line in enumerate(POOL[:120])]
    pool, other = [list(side) for side in zip(*pairs, strict=True)]
    sizes = [(len(a.split()), len(b.split())) for a, b in pairs]
    fits = {"line": [4 <= a + b <= 6 for a, b in sizes], "side": [min(one) >= 4 and max(one) <= 6 for one in sizes]}
    for per in ("line", "side"):
        told = {"min_length": 4, "max_length": 6, "length_per": per}
        both = cynical.select(WANTED, pool, with_=other, representative_with=["x x", *WANTED[1:]], all=True, **told)  # type: ignore[arg-type]
        assert sorted(both.lines.tolist()) == [line for line, fit in enumerate(fits[per]) if fit]
        assert len(both) > 3
    with pytest.warns(cynical.CynicalWarning, match='length_per="side" has no effect, because only one side counts'):
        cynical.select(WANTED, pool, with_=other, all=True, min_length=2, length_per="side")
    with pytest.warns(cynical.CynicalWarning, match="length_per has no effect without min_length and max_length"):
        cynical.select(WANTED, pool, all=True, length_per="side")
