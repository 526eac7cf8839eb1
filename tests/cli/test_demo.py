"""The demonstration."""

from __future__ import annotations

from pathlib import Path

import pytest

from cynical.cli import demo
from tests.conftest import Run


@pytest.mark.slow
def test_the_demo_writes_the_files_that_it_names(cynical: Run, tmp_path: Path) -> None:
    done = cynical("demo", "--lines", "50")
    assert done.returncode == 0, done.stderr
    for name in demo.NAMES:
        assert f"cynical-demo/{name}" in done.stdout
        assert (tmp_path / "cynical-demo" / name).stat().st_size > 0
    assert len((tmp_path / "cynical-demo" / "jaded.tsv").read_text().splitlines()) == 51
    assert len((tmp_path / "cynical-demo" / "available.txt").read_text().splitlines()) > 10_000
    again = cynical("demo", "--lines", "50")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr


def test_sentences_are_split_into_words_and_punctuation() -> None:
    text = "Open a socket. It may fail!\n\n>>> code(1)\n\nTwo words. The Server-side reads (all) data"
    assert list(demo.split_sentences(text)) == [
        "open a socket .",
        "it may fail !",
        "the server - side reads ( all ) data",
    ]
