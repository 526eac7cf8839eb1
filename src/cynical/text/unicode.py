"""What Unicode says of characters: lower case, normal forms, and which of them words are made of.

Text is UTF-8; what is broken in it stays as it is, byte for byte.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

LAST_WITH_CASE = 0x20000  # no letter from here on has a lower case
SPACE, WORD, OTHER, MARK, FORMAT = range(5)  # kinds of characters, as _kernels/punctuation.py knows them
MARKED = (range(0x80, 0x20000), range(0xE0000, 0xE0200))  # where all characters are that belong to those before them
ZERO_WIDTH_SPACE, ZERO_WIDTH_NON_JOINER = 0x200B, 0x200C
SKIN_TONES = slice(0x1F3FB, 0x1F400)
WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # within [ and ]: see tokens.py


def decoded(text: Bytes) -> str:
    return text.tobytes().decode("utf-8", "surrogateescape")


def encoded(text: str) -> Bytes:
    return np.frombuffer(bytearray(text.encode("utf-8", "surrogateescape")), np.uint8)  # which may be written to


def normalized(text: Bytes, form: str) -> Bytes:
    """The text in one of the normal forms. No line end takes part in one, so lines stay lines."""
    name = cast(Literal["NFC", "NFKC"], form.upper())
    return encoded(unicodedata.normalize(name, decoded(text)))


def lower(text: Bytes, high: bool) -> Bytes:
    """What str.lower makes of the text; `high` says that not all of it is ASCII."""
    if not high:
        return np.frombuffer(bytearray(text.data).lower(), np.uint8)
    from .._kernels import unicode

    out = np.empty(len(text) + len(text) // 2 + 8, np.uint8)
    size = unicode.lower(text, len(text), *_lower_table(), out)
    return out[:size] if size >= 0 else encoded(decoded(text).lower())


@cache
def _lower_table() -> tuple[NDArray[np.int32], NDArray[np.int64], Bytes]:
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


@cache
def kinds(tokenizer: str) -> Bytes:
    """By code point: white space, a part of a word, or a token of its own; for `words` as Python's \\w and \\s say, and
    what UAX #29 adds to the character before: combining marks, joiners, format characters, skin tones.
    """
    kind = np.full(sys.maxunicode + 1, OTHER, np.uint8)
    every = np.arange(sys.maxunicode + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    of_words = ((r"\w+", WORD), (r"\s+", SPACE))
    for pattern, what in of_words if tokenizer == "words" else ((f"[{WHITE}]+", SPACE),):
        for found in re.finditer(pattern, every):
            kind[found.start() : found.end()] = what
    if tokenizer == "words":
        for code in (code for codes in MARKED for code in codes if kind[code] == OTHER):
            category = unicodedata.category(chr(code))
            kind[code] = MARK if category in ("Mn", "Mc", "Me") else FORMAT if category == "Cf" else OTHER
        kind[SKIN_TONES] = kind[ZERO_WIDTH_NON_JOINER] = MARK
        kind[ZERO_WIDTH_SPACE] = SPACE  # between words of scripts that have no other spaces
    return kind
