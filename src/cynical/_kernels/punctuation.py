"""Punctuation split off: a space between tokens that touch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .unicode import character

SPACE, WORD, OTHER = 0, 1, 2  # characters of one word stay together, others are each a token
MARK, FORMAT = 3, 4  # these belong to the character before them (rule WB4 of UAX #29)
NEWLINE, BLANK, JOINER = 10, 32, 0x200D


@kernel
def split_off(text: NDArray[np.uint8], end: int, kind: NDArray[np.uint8], out: NDArray[np.uint8]) -> int:
    """Write text with a space between tokens; its length, at most twice as much. `kind` is by code point.

    All white space except newlines becomes spaces. A space is missing between two characters if one is OTHER and none
    is SPACE: if the sum of their kinds is more than 2 WORD. Bytes that are not UTF-8 are OTHER, one by one. After white
    space, a MARK is a token of its own, and FORMAT is white space too. A JOINER keeps two OTHER together (WB3c).
    """
    at, i, last, joined = 0, 0, SPACE, -1
    while i < end:
        a = text[i]
        if a < 0x80:
            this = np.int64(kind[a])
            out[at] = BLANK
            at += np.int64(this + last > 2 * WORD)
            out[at] = BLANK if this == SPACE and a != NEWLINE else a
            at += 1
            i += 1
            last = this
            continue
        length, code = character(text, i, end)
        this = np.int64(kind[code]) if length > 0 else OTHER
        apart = this + last > 2 * WORD and not (joined == i and this + last == 2 * OTHER)
        if this >= MARK:
            apart = last == SPACE
            this = (OTHER if this == MARK else SPACE) if apart else last
            joined = i + length if code == JOINER else joined
        out[at] = BLANK
        at += np.int64(this == SPACE or apart)
        if this != SPACE:
            for k in range(i, i + max(length, 1)):
                out[at] = text[k]
                at += 1
        i += max(length, 1)
        last = this
    return at
