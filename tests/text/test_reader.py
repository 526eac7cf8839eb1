"""Bytes to words, against the oracle's splitting by Python."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cynical
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


@pytest.mark.slow
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


@pytest.mark.slow
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
