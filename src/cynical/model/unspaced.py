"""Does a text have few spaces? Chinese, Japanese, Thai, Lao, Khmer and Burmese put none between words.

Of such text as people write it, what is between spaces and punctuation is a clause: ten characters of Chinese, thirty
of Thai. Of the same text in words, with spaces between them, it is two of Chinese and five of Thai.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .counts import Counts

ENOUGH = 200  # characters: of fewer nobody can tell
MANY = 0.2  # of all characters
LARGEST = 1 << 24  # bytes of words that are looked at


class Scripts(NamedTuple):
    """Scripts that are alike in this."""

    longest: float  # characters that a word of theirs has on average, at most
    codes: tuple[range, ...]


SCRIPTS = (
    Scripts(4, (range(0x3040, 0x3100), range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00))),
    Scripts(8, (range(0x0E00, 0x0F00), range(0x1000, 0x10C0), range(0x1780, 0x1800))),
)  # Han and kana; Thai, Lao, Burmese and Khmer


def _tables() -> list[NDArray[np.bool_]]:
    """By the first ten bits of a character that UTF-8 writes as three bytes: is it of these scripts?"""
    tables = []
    for scripts in SCRIPTS:
        table = np.zeros(1 << 10, np.bool_)
        for codes in scripts.codes:
            table[codes.start >> 6 : -(-codes.stop >> 6)] = True
        tables.append(table)
    return tables


TABLES = _tables()


def is_unspaced(counts: Counts) -> bool:
    """Is much of a text in one of these scripts, and in words that are too long to be words?"""
    words = int(np.searchsorted(counts.start, LARGEST, "right")) - 1 if len(counts.blob) > LARGEST else len(counts)
    start, number = counts.start[: words + 1], counts.count[:words]
    if not words or not int(start[-1]):
        return False
    blob = counts.blob[: int(start[-1])]
    first = np.flatnonzero(blob[:-2] >> 4 == 0xE)  # of three bytes
    if not len(first):
        return False
    block = (blob[first].astype(np.int64) & 15) << 6 | blob[first + 1] & 63
    word = np.searchsorted(start, first, "right") - 1
    begins = np.add.reduceat(np.append(blob >> 6 != 2, False), start[:-1], dtype=np.int64)
    every = int((np.where(np.diff(start) > 0, begins, 0) * number).sum())
    for scripts, table in zip(SCRIPTS, TABLES, strict=True):
        characters = np.bincount(word[table[block]], minlength=words)
        total, having = int((characters * number).sum()), int(number[characters > 0].sum())
        if total >= max(ENOUGH, MANY * every) and total > scripts.longest * having:
            return True
    return False


def hint(role: str, texts: Sequence[Counts]) -> list[str]:
    """What to say of texts whose words are told apart by spaces and punctuation, but have few of these."""
    of_spaces = [counts for counts in texts if counts.signature.startswith(("tok:whitespace|", "tok:words|"))]
    if not any(is_unspaced(counts) for counts in of_spaces):
        return []
    return [
        f"{role} has few spaces, like text in Chinese, Japanese, Thai, Khmer, Lao or Burmese, so whole clauses are "
        "counted as words; use --tokenizer characters, or your own segmenter with --tokenizer python:MODULE:FUNCTION"
    ]
