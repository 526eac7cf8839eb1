"""Compressed input: whatever it stands for, it is decompressed in bounded steps."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.text import corpus, records, sources
from cynical.text.compression import Peeked, blocks

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}
KINDS = pytest.mark.parametrize("kind", PACK)


@KINDS
def test_a_bomb_takes_little_memory(kind: str) -> None:
    size = 80_000_000
    packed = PACK[kind](bytes(size))
    assert len(packed) < 100_000
    tracemalloc.start()
    try:
        assert sum(map(len, blocks(io.BytesIO(packed), "bomb"))) == size
        assert len(Peeked(io.BytesIO(packed), 10).begin) < 40_000_000
        assert tracemalloc.get_traced_memory()[1] < 45_000_000
    finally:
        tracemalloc.stop()


@KINDS
@given(st.lists(st.binary(max_size=3000), min_size=1, max_size=4), st.integers(1, 700), st.booleans())
@settings(max_examples=25)
def test_concatenated_pieces_are_read_whole(kind: str, pieces: list[bytes], size: int, zeros: bool) -> None:
    class Slow(io.BytesIO):
        def read1(self, wanted: int | None = -1) -> bytes:
            return super().read1(min(size, wanted or size))

    packed = b"".join(map(PACK[kind], pieces))
    assert b"".join(blocks(Slow(packed + bytes(9 if zeros else 0)), "x")) == b"".join(pieces)
    with pytest.raises(cynical.CynicalError, match=f"the {kind} file is (truncated|damaged)"):
        list(blocks(Slow(packed[:-3]), "x"))


@KINDS
def test_large_texts_come_back_whole(kind: str) -> None:
    text = random.Random(1).randbytes(1_500_000) + b"a" * 3_000_000
    assert b"".join(blocks(io.BytesIO(PACK[kind](text)), "x")) == text


def test_what_became_much_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LARGE", 1 << 16)
    (tmp_path / "pool.bz2").write_bytes(bz2.compress(b"a cat ran home\n" * 100_000))
    with pytest.warns(cynical.CynicalWarning, match=r"pool\.bz2: 0 kB of compressed text grew to 1\.5 MB in"):
        cynical.select(["a cat"], tmp_path / "pool.bz2", lines=1)


@pytest.mark.parametrize("name", ["pool.txt", "pool.txt.gz", "pool.jsonl"])
def test_a_line_that_is_no_text_raises_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(records, "MOST_LINE", 1 << 20)
    content = b'{"text": "a cat"}\n' + b"a" * (3 << 20)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    with pytest.raises(cynical.CynicalError, match=rf"{name}.*: a line is longer than 1 MiB; check that this is text"):
        cynical.select(["a cat"], tmp_path / name)
    assert corpus.CHUNK == 1 << 20
