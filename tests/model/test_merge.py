"""Counts of parts, added, are the counts of the whole, byte for byte."""

from __future__ import annotations

import gzip
import io
import json
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.cli.main import cli
from cynical.text import streams
from tests.against_oracle import WORDS, lines_of, zipfian

POOL = zipfian(200, 3)


def count(*words: str) -> str:
    with redirect_stderr(io.StringIO()) as said, cli.make_context("cynical", ["count", *words]) as context:
        cli.invoke(context)
    return said.getvalue()


@pytest.mark.parametrize("name", ["pool.txt", "pool.jsonl", "pool.txt.gz"])
@pytest.mark.parametrize(("parts", "ngrams"), [(1, 1), (3, 3), (16, 2)])
def test_parts_are_added_to_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, parts: int, ngrams: int
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(streams, "BLOCK", 500)
    lines = [json.dumps({"text": line}) if "jsonl" in name else line for line in POOL]
    raw = "".join(line + "\n" for line in lines).encode()
    Path(name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    Path("more.txt" if "txt" in name else "more.jsonl").write_bytes(raw[: raw.index(b"\n", 500) + 1])
    files = sorted(str(path) for path in Path().iterdir())
    how = ["--ngrams", str(ngrams)]
    count(*files, *how, "-o", "whole.counts")
    for part in range(1, parts + 1):
        count(*files, *how, "--part", f"{part}/{parts}", "-o", f"{part}.counts")
    assert cynical.count([Path(file) for file in files], ngrams=ngrams, part=f"1/{parts}").lines > 0
    count("--merge", *(f"{part}.counts" for part in range(1, parts + 1)), "-o", "merged.counts")
    assert Path("merged.counts").read_bytes() == Path("whole.counts").read_bytes()
    count("--merge", "[0-9]*.counts", "--fold-below", "3", "-o", "folded.counts")
    count(*files, *how, "--fold-below", "3", "-o", "folded-whole.counts")
    assert Path("folded.counts").read_bytes() == Path("folded-whole.counts").read_bytes()


@settings(max_examples=20)
@given(texts=st.lists(lines_of(WORDS, 4), min_size=1, max_size=3), ngrams=st.sampled_from([1, 2, 3]))
def test_counts_are_added_in_python(texts: list[list[str]], ngrams: int) -> None:
    texts = [[*lines, "a b"] for lines in texts]
    merged = cynical.count([cynical.count(lines, ngrams=ngrams) for lines in texts], merge=True)
    whole = cynical.count([line for lines in texts for line in lines], ngrams=ngrams)
    assert merged.to_bytes() == whole.to_bytes()


def test_what_cannot_be_added_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("a b a\n")
    cynical.count(["a b"]).write("words.counts")
    cynical.count(["a b"], ngrams=2).write("pairs.counts")
    cynical.count(["a b a"]).folded(2).write("folded.counts")
    with pytest.raises(cynical.CynicalError, match=r"pairs.counts: made with .*ngrams:2, but words.counts with"):
        count("--merge", "words.counts", "pairs.counts", "-o", "out.counts")
    with pytest.raises(cynical.CynicalError, match=r"a.txt: merge adds up .counts files, but this is not one"):
        count("--merge", "a.txt", "-o", "out.counts")
    with pytest.raises(cynical.CynicalError, match="merge and part cannot be combined"):
        count("--merge", "words.counts", "--part", "1/2", "-o", "out.counts")
    said = count("--merge", "words.counts", "folded.counts", "-o", "out.counts")
    assert "folded.counts: rare words were folded in each part separately" in said
