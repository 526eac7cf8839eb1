"""Bytes to words, against the oracle's splitting by Python."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
from cynical._kernels import log2
from cynical.text import corpus as corpora
from cynical.text.corpus import Corpus
from cynical.text.kinds import BYTE_ORDER_MARK
from cynical.text.reader import Reader
from cynical.text.tokenizer import Tokenizer
from cynical.text.unicode import LAST_WITH_CASE
from tests import oracle

PIECES = [
    *(char.encode() for char in oracle.WHITE if char != "\n"),
    b"a", b"the", b"antidisestablishmentarianism", b"\xc3\x9cber", b"STRASSE", b"\xe1\xba\x9e", b"\xc4\xb0",
    b"\xe2\x80\x8b", b"\xce\xa3", b"\xce\x9f\xce\xa3", b"\xff", b"\xc2", b"\xe2\x80", b"\xe2", b"\xf0\x9f\x98\x80",
    b"\xf0\x90\x90\x80", b"\x00", b"\x00\x00", b"\x1c", b"\x1f", b"\x7f", b"\xed\xa0\x80", b"\xc0\x80", b"\n",
    b"\r\n", b"12345678", b"123456789", b"e\xcc\x81", b"\xcc\x81", b"don't", b"_", b"a_1", b"...", b"\xe2\x80\x99",
    b"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", b"\xd9\xa3\xd9\xa4", b"\xe0\xa5\xa7", b"\xe6\x97\xa5\xe6\x9c\xac",
    b"\xe0\xb9\x84\xe0\xb8\x97\xe0\xb8\xa2", b"\xef\xac\x81", b"\xef\xb7\xba", b"\xc2\xa8", b"\xef\xbc\xa1",
    b"\xe2\x84\xab", b"\xc2\xbd", b"\xc2\xb2", b"\xf0\x9d\x84\x9e", b"\xed\x95\x9c",
    b"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)), max_size=60).map(b"".join)


def lines_of(text: bytes) -> list[bytes]:
    lines = text.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


@given(
    texts,
    st.sampled_from(["whitespace", "words", "characters"]),
    st.sampled_from([None, "nfc", "nfkc"]),
    st.booleans(),
    st.sampled_from([1, 3]),
    st.sampled_from([4, 64, 1 << 20]),
)
@settings(max_examples=600)
def test_words_are_what_the_oracle_splits(
    text: bytes, tokenizer: str, normalize: str | None, lowercase: bool, jobs: int, chunk: int
) -> None:
    how: dict[str, Any] = {"tokenizer": tokenizer, "normalize": normalize, "lowercase": lowercase}
    expected = Counter(word for line in lines_of(text) for word in oracle.words_of(line, **how))
    assume(expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpora, "CHUNK", chunk)
        part = corpora.Part("text", text, 3 if text.startswith(BYTE_ORDER_MARK) else 0, len(text))
        counts = cynical.count(Corpus("text", [part]), jobs=jobs, **how)
    assert list(zip(counts.words, counts.count.tolist(), strict=True)) == list(expected.items())
    assert counts.lines == len(lines_of(text))
    broken = sum(1 for line in lines_of(text) if not is_utf8(line))
    assert counts.broken == broken


def is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_lower_case_is_what_python_says_for_every_character() -> None:
    """All but the one whose lower case depends on its place, which the test above has."""
    apart = {*range(0xD800, 0xE000), 10, 0x3A3}
    characters = [chr(code) for code in range(sys.maxunicode + 1) if code not in apart]
    assert all(char.lower() == char for char in characters if ord(char) >= LAST_WITH_CASE)
    corpus, reader = (
        Corpus("c", [corpora.Part.in_memory("c", "\n".join(characters).encode())]),
        Reader(Tokenizer(lowercase=True)),
    )
    lowered = b"".join(
        words.text[: words.line_end[-1] + 1].tobytes() for words in (reader.read(chunk) for chunk in corpus.chunks())
    )
    assert lowered.decode().rstrip() == "\n".join(characters).lower()


def test_two_long_words_with_one_hash_are_two_words() -> None:
    """The second half of a word is made so that the hash of both words is the same."""
    mask, mix = 2**64 - 1, int(np.uint64(0xD6E8FEB86659FD93))

    def first_half(eight: bytes) -> int:
        h = int.from_bytes(eight, "little") * mix & mask
        return h ^ h >> 32

    one = b"abcdefgh" + b"ijklmnop"
    for i in range(10**6):
        front = b"q%07d" % i
        back = (first_half(one[:8]) ^ first_half(front) ^ int.from_bytes(one[8:], "little")).to_bytes(8, "little")
        if not set(back) & set(b"\t\n\v\f\r \x85\xa0\x80\x81\x9a\x9f"):
            break
    other = front + back
    counts = cynical.count([f"{one.decode()} x", "y"])
    found = counts.find(cynical.Counts.from_pairs([(one, 1), (other, 1)], "any"))
    assert found.tolist() == [0, -1]
    both = Corpus("both", [corpora.Part.in_memory("both", one + b" " + other + b" " + one)])
    assert dict(zip((c := cynical.count(both)).words, c.count.tolist(), strict=True)) == {one: 2, other: 1}
    from cynical._kernels.vocabulary import key_of

    padded = np.zeros(48, np.uint8)
    padded[:32] = np.frombuffer(one + other, np.uint8)
    eight = padded.view(np.uint64)
    assert key_of(eight, 0, 16) == key_of(eight, 16, 16), "the words were meant to collide"


def test_many_words_make_the_table_grow_and_keep_their_ids_apart() -> None:
    lines = [
        " ".join(f"word{i}{'x' * (i % 30)}" for i in range(start, start + 1000)) for start in range(0, 50_000, 1000)
    ]
    counts = cynical.count([*lines, *lines[:7]], jobs=3)
    assert len(counts) == 50_000
    assert counts.count.tolist() == [2] * 7000 + [1] * 43_000
    assert counts["word6999" + "x" * 9] == 2
    assert counts["nothing"] == 0


def test_the_logarithm_is_correctly_rounded() -> None:
    rng = np.random.default_rng(0)
    near_one, any_size = (
        1 + rng.normal(size=3000) * 2.0 ** -rng.integers(6, 50, 3000),
        np.exp(rng.normal(size=3000) * 20),
    )
    x = np.concatenate([near_one, any_size, rng.random(3000), [1.0, 2.0, 0.5, 2.0**-80]])
    found = np.empty_like(x)
    log2.log2_of(x, found)
    assert found.tolist() == [oracle.log2(float(value)) for value in x]


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


def rows_of(jaded: cynical.Jaded) -> list[bytes]:
    return b"".join(jaded.to_bytes()).split(b"\n")[1:-1]
