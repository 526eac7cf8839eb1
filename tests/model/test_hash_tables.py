"""Tables of words that grow."""

from __future__ import annotations

import numpy as np
import pytest

import cynical
from cynical.model.counts import Counts
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


PRINTABLE = [bytes([byte]) for byte in range(0x21, 0x7F)]
SHAPES = {
    "bytes 7 and 8 differ": [b"common" + a + b for a in PRINTABLE for b in PRINTABLE],
    "bytes 1 and 8 differ": [a + b"common" + b for a in PRINTABLE for b in PRINTABLE],
    "bytes 1 and 2 differ": [a + b + b"common" for a in PRINTABLE for b in PRINTABLE],
    "bytes 15 and 16 differ": [b"seven and seven"[:14] + a + b for a in PRINTABLE for b in PRINTABLE],
    "numbers": [b"%d" % number for number in range(8000)],
    "numbers of eight digits": [b"%08d" % (number * 1000) for number in range(8000)],
    "one pair four times": [4 * (a + b) for a in PRINTABLE for b in PRINTABLE],
    "two Chinese characters": [(chr(0x4E00 + i) + chr(0x4E00 + j)).encode() for i in range(90) for j in range(90)],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_simple_shape_of_words_shares_slots(shape: str) -> None:
    """A table that is at most half full and hashes at random takes 1.5 looks for a word."""
    from cynical._kernels.vocabulary import first_slot

    words = [word.replace(b" ", b"_") for word in SHAPES[shape]]
    table = Counts.from_pairs([(word, 1) for word in words], "any").vocabulary
    slots = len(table.slot)
    taken = np.flatnonzero(table.slot[:, 1])
    assert len(taken) == len(words)
    looks = 0
    for at, (key, held) in zip(taken.tolist(), table.slot[taken], strict=True):
        looks += 1 + (at - first_slot(key, int(held) & 0xFFFFFFFF, slots)) % slots
    assert looks < 2 * len(words)


@pytest.mark.parametrize("step", [1, 1 << 12, 1 << 20])
@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_no_simple_shape_of_pairs_shares_slots(side: str, step: int) -> None:
    from cynical._kernels.mix import slot_of

    part = np.arange(2000, dtype=np.uint64) * np.uint64(step) & np.uint64(0xFFFFFFFF)
    if step > 1:
        part = np.unique(part)
    other = np.full(len(part), 7, np.uint64)
    left, right = (part if side != "right" else other), (part if side != "left" else other)
    slots = 1 << (2 * len(part)).bit_length()
    homes = np.array([slot_of(key, slots) for key in left << np.uint64(32) | right])
    most = int(np.bincount(homes, minlength=slots).max())
    assert most <= 8, "random slots would have at most about six"
