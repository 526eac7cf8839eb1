"""What the bits of a ranking are computed over: two rankings can be compared only if it is the same.

An entropy is one of single words, also where n-grams count, so rankings with and without n-grams share it. It is over
another vocabulary where words are collapsed to classes, where a text is tokenized another way, or where both sides
count; and it is of another text where REPRESENTATIVE is another one, is weighted another way or is widened.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..text.paths import without_folders
from ..text.tokenizer import fields
from .summary import Summary

WHITESPACE = "whitespace"


@dataclass(frozen=True, slots=True)
class BitsOver:
    """What bits are over; equal where they can be compared."""

    units: str  # words, or classes of words
    tokenizer: str  # how text becomes words, as options; empty for the default
    text: str  # the names of REPRESENTATIVE, and how they are widened
    decided_by: tuple[object, ...] = ()  # all else that makes a difference

    @property
    def sentence(self) -> str:
        """For the title of an axis."""
        how = f", {self.tokenizer}" if self.tokenizer else ""
        return f"{self.units} of {self.text or 'REPRESENTATIVE'}{how}"


def bits_over(summary: Summary) -> BitsOver:
    """What the bits of a ranking with this summary are over."""
    counted = sum(side.counts for side in summary.available.sides)
    collapsed = summary.settings.get("vocabulary") == "classes"
    units = "classes of words" if collapsed else "words"
    units += "" if not counted else " on both sides" if counted == 1 else f" on {counted + 1} sides"
    wanted = summary.representative
    sizes = () if wanted is None else tuple((one.words, one.types, getattr(one, "weight", None)) for one in wanted.each)
    widened = summary.widened or None
    classes = tuple(sorted((summary.classes or {}).items())) if collapsed else ()
    return BitsOver(
        units,
        _tokenizer(summary.text_signature or ""),
        ("" if wanted is None else without_folders(wanted.name)) + ("" if widened is None else ", widened"),
        (sizes, None if widened is None else tuple(widened.mass[:1]), classes),
    )


def _tokenizer(signature: str) -> str:
    """What is not the default of how text becomes words."""
    parts = fields(signature) if signature else {}
    said = [] if parts.get("tok", WHITESPACE) == WHITESPACE else [f"--tokenizer {parts['tok']}"]
    said += ["--lowercase"] if parts.get("lower") == "yes" else []
    said += [f"--normalize {parts['norm']}"] if "norm" in parts else []
    return " ".join(said)
