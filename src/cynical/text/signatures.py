"""Signatures: what counts were made with, in a form that can be compared.

    tok:words|lower:yes|norm:nfc|ngrams:2

The tokenizer and lower case always stand there, a normal form and n-grams only if there are any.
"""

from __future__ import annotations

from collections.abc import Callable


def fields(signature: str) -> dict[str, str]:
    """What a signature says, by the name of each part."""
    return {name: value for name, _, value in (part.partition(":") for part in signature.split("|"))}


def remedies(made: str, read: str) -> list[str]:
    """The options that would read a text as the counts were made; none if their signature is of another kind."""
    theirs, ours = fields(made), fields(read)
    if "tok" not in theirs:
        return []
    return [option(theirs.get(name)) for name, option in OPTIONS.items() if theirs.get(name) != ours.get(name)]


def _tokenizer(name: str | None) -> str:
    kind, _, rest = (name or "").partition(":")
    if kind in ("spm", "hf"):
        return f"give --tokenizer {kind}:FILE with the file whose SHA-256 begins with {rest}"
    return f"give --tokenizer {name}"


OPTIONS: dict[str, Callable[[str | None], str]] = {
    "tok": _tokenizer,
    "lower": lambda value: "give --lowercase" if value == "yes" else "leave --lowercase out",
    "norm": lambda value: f"give --normalize {value}" if value else "leave --normalize out",
    "ngrams": lambda value: f"give --ngrams {value or 1}",
}
