"""Files that change while a run uses them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.text.checksum import of
from cynical.text.many_files import LazyFile

CHANGED = "changed during the run; run again when no other program writes to it"
TEXTS = [f"a cat ran {'far ' * 400}home", "the dog sat", "plain cat 3"]


def make(path: Path) -> Path:
    """A pool in the format that the suffix stands for."""
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table({"text": TEXTS}), path)
    else:
        lines = [f'{{"text": "{text}"}}' if path.suffix == ".jsonl" else text for text in TEXTS]
        path.write_text("".join(f"{line}\n" for line in lines))
    return path


def rewrite(path: Path) -> None:
    """Other texts of the same size, in place."""
    changed = path.read_bytes().replace(b"cat", b"dog")
    with path.open("r+b") as file:
        file.write(changed)


def shorten(path: Path) -> None:
    os.truncate(path, 8)


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"text": "more of it"}\n')


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".parquet"])
@pytest.mark.parametrize("change", [rewrite, shorten])
def test_texts_that_were_not_scored_are_never_returned(
    tmp_path: Path, suffix: str, change: Callable[[Path], None]
) -> None:
    pool = make(tmp_path / f"pool{suffix}")
    jaded = cynical.select(["a cat ran home"], pool, all=True)
    change(pool)
    for name in ("out.tsv", "out.txt", "out.jsonl") if suffix == ".txt" else ("out.jsonl", "out.csv"):
        with pytest.raises(cynical.CynicalError, match=r"changed during|damaged") as raised:
            jaded.write(tmp_path / name)
        assert CHANGED in str(raised.value) or (suffix, change) == (".parquet", shorten)
    assert sorted(path.name for path in tmp_path.iterdir()) == [pool.name]


@pytest.mark.parametrize("suffix", [".txt", ".jsonl"])
@pytest.mark.parametrize("change", [grow, Path.touch])
def test_a_file_that_grows_or_is_touched_still_has_its_texts(
    tmp_path: Path, suffix: str, change: Callable[[Path], None]
) -> None:
    pool = make(tmp_path / f"pool{suffix}")
    jaded = cynical.select(["a cat ran home"], pool, all=True)
    before = b"".join(jaded.to_bytes("jsonl"))
    change(pool)
    assert b"".join(jaded.to_bytes("jsonl")) == before
    assert sorted(jaded.texts) == sorted(TEXTS)


def test_no_signal_ends_a_run_whose_input_becomes_shorter(tmp_path: Path) -> None:
    import subprocess

    make(tmp_path / "pool.txt")
    program = (
        "import cynical, os\n"
        "jaded = cynical.select(['a cat ran home'], 'pool.txt', all=True)\n"
        "os.truncate('pool.txt', 0)\n"
        "jaded.texts\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1 and CHANGED in done.stderr.decode()


def test_what_was_read_while_it_was_written_raises_an_error(tmp_path: Path) -> None:
    """The checksum is of what was scored, whenever the file changed."""
    path = make(tmp_path / "pool.txt")
    file = LazyFile.at(str(path), "pool.txt")
    file.check(of(path.read_bytes()))
    rewrite(path)
    with pytest.raises(Exception, match="changed during the run"):
        file.check(of(path.read_bytes().replace(b"dog", b"cat")))
    file.check(of(path.read_bytes()))


@given(st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 300)), max_size=30))
def test_spans_are_what_the_file_has_there(spans: list[tuple[int, int]]) -> None:
    import tempfile

    content = np.random.default_rng(1).integers(0, 256, 20_300, np.uint8)
    with tempfile.NamedTemporaryFile() as named:
        named.write(content.tobytes())
        named.flush()
        first = np.array([begin for begin, _ in spans], np.int64)
        last = np.array([begin + size for begin, size in spans], np.int64)
        held, begin, end = LazyFile.at(named.name, "x").spans(first, last)
    for place, (a, size) in enumerate(spans):
        assert (held[begin[place] : end[place]] == content[a : a + size]).all()


def test_a_ranking_that_is_shortened_while_it_is_used_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "jaded.tsv"
    pool = [f"a cat {number} {'far ' * 50}" for number in range(2000)]
    cynical.select(["a cat ran home"], pool, all=True).write(file)
    ranking = cynical.read(file)
    assert len(ranking.texts) == 2000
    os.truncate(file, 5000)
    with pytest.raises(cynical.CynicalError, match="changed during the run"):
        print(ranking.texts)
