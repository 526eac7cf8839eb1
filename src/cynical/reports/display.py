"""Texts of a corpus for a page or a plot: not too long, and with control characters made visible."""

from __future__ import annotations

import re

LONGEST = 100  # characters of a word or a label
HIDDEN = re.compile(  # as in page/numbers.js, and what no XML may hold
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)


def shortened(text: str) -> str:
    """A word or a label, of which the rest is left out where it is very long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\u2026"


def visible(text: str) -> str:
    """Control characters, and marks that turn the direction of text, as their numbers."""
    return HIDDEN.sub(lambda found: f"\u27e8U+{ord(found[0]):04X}\u27e9", text)
