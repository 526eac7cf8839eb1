"""Texts of several lines, folded to one line each, so that everything that follows reads lines; and unfolded again,
exactly.

A record, or a string of a Python program, may hold any character. In its folded form, four of them are written as white
space other than a newline, which separates words just as they do:

    newline            vertical tab
    vertical tab       form feed, vertical tab
    form feed          form feed, form feed
    carriage return    form feed, tab              at the end of a line it would be taken for a part of the line's end
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

BATCH = 1 << 13  # texts that are folded together
NEWLINE, VERTICAL_TAB, FORM_FEED, RETURN, TAB = "\n", "\x0b", "\x0c", "\r", "\t"
FOLDED = {
    FORM_FEED: FORM_FEED + FORM_FEED,  # first, since the others write form feeds
    VERTICAL_TAB: FORM_FEED + VERTICAL_TAB,
    NEWLINE: VERTICAL_TAB,
    RETURN: FORM_FEED + TAB,
}
_MEANING = {folded: plain for plain, folded in FOLDED.items()}
_MEANING_OF_BYTES = {folded.encode(): plain.encode() for folded, plain in _MEANING.items()}
_FOLDED_BYTES = {plain.encode(): folded.encode() for plain, folded in FOLDED.items()}
_CODE = re.compile("\x0c[\x0b\x0c\t]|\x0b")
_CODE_OF_BYTES = re.compile(rb"\x0c[\x0b\x0c\t]|\x0b")


def fold(text: str) -> str:
    """A text on one line."""
    for plain, folded in FOLDED.items():
        text = text.replace(plain, folded)
    return text


def unfold(line: str) -> str:
    """The text that a line was."""
    if VERTICAL_TAB not in line and FORM_FEED not in line:
        return line
    return _CODE.sub(lambda found: _MEANING[found[0]], line)


def unfold_bytes(line: bytes) -> bytes:
    """The same in UTF-8."""
    if b"\x0b" not in line and b"\x0c" not in line:
        return line
    return _CODE_OF_BYTES.sub(lambda found: _MEANING_OF_BYTES[found[0]], line)


def fold_all(texts: Sequence[str]) -> tuple[bytes, bool]:
    """Texts as lines, each with its end, and is any of them folded? TypeError if one is no string."""
    joined = NEWLINE.join((*texts, ""))
    folded = joined.count(NEWLINE) > len(texts) or any(one in joined for one in FOLDED if one != NEWLINE)
    if folded:
        joined = NEWLINE.join([*map(fold, texts), ""])
    return joined.encode("utf-8", "surrogateescape"), folded


def fold_bytes(texts: Iterable[bytes]) -> tuple[bytes, bool]:
    """The same of texts in UTF-8, of which there may be many."""
    out, folded, left = bytearray(), False, iter(texts)
    while batch := list(islice(left, BATCH)):
        joined = b"\n".join((*batch, b""))
        if joined.count(b"\n") > len(batch) or any(one in joined for one in _FOLDED_BYTES if one != b"\n"):
            folded = True
            joined = b"\n".join([*map(_fold_one, batch), b""])
        out += joined
    return bytes(out), folded


def _fold_one(text: bytes) -> bytes:
    for plain, folded in _FOLDED_BYTES.items():
        text = text.replace(plain, folded)
    return text
