"""Where lines come from, and how one is fetched back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cynical
from cynical.progress import Progress
from cynical.text import corpus as corpora
from cynical.text import sources
from cynical.text.corpus import Corpus
from cynical.text.kinds import BYTE_ORDER_MARK
from cynical.text.places import find_lines
from cynical.text.sources import open_corpus


def test_files_a_glob_and_a_list_are_one_corpus(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_bytes(BYTE_ORDER_MARK + b"a b\r\nc")
    (tmp_path / "2.txt").write_bytes(b"")
    (tmp_path / "3.txt").write_bytes(b"d\n\nb\n")
    for source in (str(tmp_path / "*.txt"), sorted(tmp_path.glob("*.txt"))):
        counts = cynical.count(source)
        assert counts.words == [b"a", b"b", b"c", b"d"]
        assert (counts.lines, counts.count.tolist()) == (5, [1, 2, 1, 1])


def test_a_line_is_fetched_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "CHUNK", 8)
    (tmp_path / "1.txt").write_bytes(BYTE_ORDER_MARK + b"a\tb  \r\n\r\n c\xff\x00\nlast line")
    (tmp_path / "2.txt").write_bytes(b"more\r\n a b\r")
    jaded = cynical.select(["a b c more line"], str(tmp_path / "*.txt"), all=True)
    texts = dict(zip(jaded.lines.tolist(), (row.split(b"\t", 10)[10] for row in rows_of(jaded)), strict=True))
    assert texts == {0: b"a\tb  ", 2: b" c\xff\x00", 3: b"last line", 4: b"more", 5: b" a b"}
    assert {reason: n for reason, n in jaded.summary["skipped"].items() if n} == {"blank": 1}
    assert jaded.summary["available"]["not_utf8"] == 1
    assert f"{tmp_path / '1.txt'} line 3" in jaded.summary["notices"][0]


def test_many_small_files_are_read_together_as_each_would_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [b"a b\n", b"c", b"", b"\n", b"a\r\n\r\nb", BYTE_ORDER_MARK + b"d\ne\n", b"f\xff\n a\n\n", b"\n\nb\r"]
    for number in range(40):
        (tmp_path / f"{number:02}.txt").write_bytes(texts[number * 5 % 8] + texts[number % 3])
    pattern = str(tmp_path / "*.txt")

    def read() -> tuple[Corpus, tuple[object, ...]]:
        corpus = open_corpus(pattern, "AVAILABLE")
        places = find_lines(corpus, 2, Progress(), "AVAILABLE")
        lines = np.arange(len(places))
        where = [numbers.tolist() for numbers in places.file_lines(lines)]
        return corpus, (places.texts(lines), where, places.lines_by_file(), corpus.checksums, corpus.files)

    alone, one_by_one = read()
    jaded = cynical.select(["a b c d"], pattern, all=True)
    monkeypatch.setattr(sources, "MANY", 10)
    for size in (40, 1 << 20):
        monkeypatch.setattr(corpora, "CHUNK", size)
        together, at_once = read()
        assert at_once == one_by_one
        assert len(list(together.chunks())) < len(list(alone.chunks()))
        assert b"".join(cynical.select(["a b c d"], pattern, all=True).to_bytes()) == b"".join(jaded.to_bytes())


def rows_of(jaded: cynical.Jaded) -> list[bytes]:
    return b"".join(jaded.to_bytes()).split(b"\n")[1:-1]
