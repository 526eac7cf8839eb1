"""Tables of words that grow."""

from __future__ import annotations

import numpy as np

import cynical
from cynical.text import corpus as corpora
from cynical.text.corpus import Corpus


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
