"""UTF-8: which lines are broken, and lower case."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .chunk import TOP, ZERO
from .jit import inlined, kernel

SIGMA = 0x3A3  # the one letter whose lower case depends on what follows it


@inlined
def follows(byte: int) -> bool:
    return 0x80 <= byte <= 0xBF


@inlined
def character(text: NDArray[np.uint8], i: int, end: int) -> tuple[int, int]:
    """The length and the code point of the character beyond ASCII that begins at i; 0 and 0 if it is broken."""
    a = np.int64(text[i])
    left = end - i
    if 0xC2 <= a <= 0xDF and left > 1 and follows(text[i + 1]):
        return 2, (a & 0x1F) << 6 | np.int64(text[i + 1]) & 0x3F
    if 0xE0 <= a <= 0xEF and left > 2 and follows(text[i + 1]) and follows(text[i + 2]):
        code = (a & 0x0F) << 12 | (np.int64(text[i + 1]) & 0x3F) << 6 | np.int64(text[i + 2]) & 0x3F
        if code >= 0x800 and not 0xD800 <= code <= 0xDFFF:
            return 3, code
    if 0xF0 <= a <= 0xF4 and left > 3 and follows(text[i + 1]) and follows(text[i + 2]) and follows(text[i + 3]):
        code = (a & 0x07) << 18 | (np.int64(text[i + 1]) & 0x3F) << 12
        code |= (np.int64(text[i + 2]) & 0x3F) << 6 | np.int64(text[i + 3]) & 0x3F
        if 0x10000 <= code <= 0x10FFFF:
            return 4, code
    return 0, 0


@kernel
def broken_lines(
    text: NDArray[np.uint8], eight: NDArray[np.uint64], end: int, line_end: NDArray[np.int64]
) -> tuple[int, int]:
    """How many lines hold bytes that are not UTF-8, and the first of them (-1 if there is none)."""
    broken, first, last, line, i = 0, -1, -1, 0, 0
    while i < end:
        if i & 7 == 0 and eight[i >> 3] & TOP == ZERO:
            i += 8
            continue
        if text[i] < 0x80:
            i += 1
            continue
        length, _ = character(text, i, end)
        if length == 0:
            while line < line_end.size - 1 and line_end[line] < i:
                line += 1
            if line != last:
                broken += 1
                last = line
                if first < 0:
                    first = line
            length = 1
        i += length
    return broken, first


@kernel
def lower(
    text: NDArray[np.uint8],
    end: int,
    entry: NDArray[np.int32],
    start: NDArray[np.int64],
    blob: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> int:
    """Write text in lower case; its length, or -1 if it holds a letter whose lower case depends on its place.

    `entry` is by code point: -1 or the number of its lower case in `blob`. What is broken stays as it is.
    """
    at, i = 0, 0
    while i < end:
        a = text[i]
        if a < 0x80:
            out[at] = a + 32 if 65 <= a <= 90 else a
            at += 1
            i += 1
            continue
        length, code = character(text, i, end)
        if code == SIGMA:
            return -1
        which = entry[code] if length > 0 and code < entry.size else -1
        if which >= 0:
            for k in range(start[which], start[which + 1]):
                out[at] = blob[k]
                at += 1
        else:
            for k in range(i, i + max(length, 1)):
                out[at] = text[k]
                at += 1
        i += max(length, 1)
    return at
