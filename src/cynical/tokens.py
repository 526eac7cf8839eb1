"""A line's words. Each tokenizer has a signature, so that counts of different tokenizers are never mixed.

A word is a run of bytes between white space. White space is bytes 9 to 13 and 32, and U+0085, U+00A0, U+1680, U+2000
to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000. Broken UTF-8 and NUL bytes are parts of words like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .corpus import Chunk
from .errors import CynicalError

GROUP = 64  # bytes whose white space is one number
LAST_WITH_CASE = 0x20000  # no letter from here on has a lower case

TOKENIZERS = ("whitespace",)
LONGEST = 3  # n-grams


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """How a line becomes what is counted: its words and, from 2 on, its n-grams up to that length."""

    name: str = "whitespace"
    lowercase: bool = False
    ngrams: int = 1

    def __post_init__(self) -> None:
        if self.name not in TOKENIZERS:
            raise CynicalError(f"--tokenizer {self.name}: no such tokenizer; choose from {', '.join(TOKENIZERS)}")
        if isinstance(self.ngrams, (bool, float)) or self.ngrams not in range(1, LONGEST + 1):
            raise CynicalError(f"--ngrams must be 1, 2 or 3, found {self.ngrams}")

    @property
    def signature(self) -> str:
        longer = f"|ngrams:{self.ngrams}" if self.ngrams > 1 else ""
        return f"tok:{self.name}|lower:{'yes' if self.lowercase else 'no'}{longer}"


@dataclass(frozen=True, slots=True)
class Words:
    """A chunk of text whose words can be walked over, padded with spaces to whole groups and one group more."""

    text: NDArray[np.uint8]
    eight: NDArray[np.uint64]  # the same bytes
    blank: NDArray[np.uint64]  # a bit for each byte of white space
    line_end: NDArray[np.int64]
    line_start: NDArray[np.uint32]  # in the text as it was before lower case
    last_end: int  # where the last line ends there
    broken: int  # lines that are not UTF-8
    first_broken: int  # the first of them, or -1


class Reader:
    """Turns chunks into words, over and over in the same memory; each thread has one."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._bytes = np.zeros(0, np.uint64)
        self._blank = np.zeros(0, np.uint64)
        self._line_end = np.zeros(0, np.int64)

    def read(self, chunk: Chunk) -> Words:
        from ._kernels import unicode

        text = self._room_for(chunk.end - chunk.begin)
        chunk.copy_to(text)
        words, high = self._separate(len(text))
        line_start, last_end = _line_starts(words.line_end), int(words.line_end[-1])
        broken, first_broken = (0, -1)
        if high:
            broken, first_broken = unicode.broken_lines(words.text, words.eight, len(text), words.line_end)
        if self._tokenizer.lowercase:
            lowered = _lower(text, high)
            self._room_for(len(lowered))[:] = lowered
            words, _ = self._separate(len(lowered))
        return replace(words, line_start=line_start, last_end=last_end, broken=broken, first_broken=first_broken)

    def _room_for(self, size: int) -> NDArray[np.uint8]:
        groups = -(-size // GROUP) + 1
        if len(self._blank) < groups:
            self._bytes = np.zeros(groups * GROUP // 8, np.uint64)
            self._blank = np.zeros(groups, np.uint64)
            self._line_end = np.empty(groups * GROUP, np.int64)  # of which only what is used takes memory
        return self._bytes.view(np.uint8)[:size]

    def _separate(self, size: int) -> tuple[Words, bool]:
        """Find the white space and the line ends in the first bytes of the room."""
        from ._kernels import words

        groups = -(-size // GROUP) + 1
        eight, blank = self._bytes[: groups * GROUP // 8], self._blank[:groups]
        text = eight.view(np.uint8)
        text[size:] = 32
        lines, high = words.separate(text, eight, blank, self._line_end)
        if size and text[size - 1] != 10:
            self._line_end[lines] = size
            lines += 1
        return Words(text, eight, blank, self._line_end[:lines].copy(), np.zeros(0, np.uint32), 0, 0, -1), bool(high)


def _line_starts(line_end: NDArray[np.int64]) -> NDArray[np.uint32]:
    start = np.zeros(len(line_end), np.uint32)
    start[1:] = line_end[:-1] + 1
    return start


def _lower(raw: NDArray[np.uint8], high: bool) -> NDArray[np.uint8]:
    """What str.lower makes of the text; broken UTF-8 stays as it is."""
    if not high:
        return np.frombuffer(raw.tobytes().lower(), np.uint8)
    from ._kernels import unicode

    out = np.empty(len(raw) + len(raw) // 2 + 8, np.uint8)
    size = unicode.lower(raw, len(raw), *_lower_table(), out)
    if size >= 0:
        return out[:size]
    lowered = raw.tobytes().decode("utf-8", "surrogateescape").lower()
    return np.frombuffer(lowered.encode("utf-8", "surrogateescape"), np.uint8)


@cache
def _lower_table() -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]:
    """By code point, the number of its lower case or -1; where these begin; their bytes."""
    entry = np.full(LAST_WITH_CASE, -1, np.int32)
    lowered: list[bytes] = []
    for code in range(0x80, LAST_WITH_CASE):
        if 0xD800 <= code <= 0xDFFF:
            continue
        low = chr(code).lower()
        if low != chr(code):
            entry[code] = len(lowered)
            lowered.append(low.encode())
    start = np.zeros(len(lowered) + 1, np.int64)
    np.cumsum([len(low) for low in lowered], out=start[1:])
    return entry, start, np.frombuffer(b"".join(lowered), np.uint8)
