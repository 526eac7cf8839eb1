"""A line's words. Each tokenizer has a signature, so that counts of different tokenizers are never mixed.

    whitespace   a word is a run of bytes between white space; broken UTF-8 and NUL bytes are parts of words like others
    words        letters and digits together, as Python's \\w has them, all else character by character; what UAX #29
                 adds to a character stays with it: combining marks, joiners, variation selectors, format characters.
                 A zero width space is white space
    characters   every character that is not white space
    spm:MODEL, hf:FILE, python:MODULE:FUNCTION   see external.py

White space is bytes 9 to 13 and 32, and U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and
U+3000. Every tokenizer but the first rewrites the text with spaces between its tokens, and then continues like the
first. A line of nothing but white space has no tokens.

A signature says what counts were made with, in a form that can be compared:

    tok:words|lower:yes|norm:nfc|ngrams:2

The tokenizer and lower case are always there, a normal form and n-grams only if there are any.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from ..options import TextOptions
from ..options.ranking import check_ngrams
from ..options.reading import BUILT_IN, Normalize
from . import external


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """How a line becomes what is counted: its words and, from 2 on, its n-grams up to that length.

    First comes the normal form, then lower case, then the tokenizer.
    """

    name: str = "whitespace"
    lowercase: bool = False
    ngrams: int = 1
    normalize: Normalize | None = None
    splitter: external.Splitter | None = field(default=None, repr=False, compare=False)  # what the name stands for

    def __post_init__(self) -> None:
        check_ngrams("--ngrams", self.ngrams)
        TextOptions(self.name, self.normalize)  # which checks them
        if self.name not in BUILT_IN and self.splitter is None:
            object.__setattr__(self, "splitter", external.open_splitter(self.name))

    @classmethod
    def of(cls, text: TextOptions, ngrams: int = 1) -> Tokenizer:
        """What the options say; a model is opened now."""
        return cls(text.tokenizer, text.lowercase, ngrams, text.normalize)

    @property
    def options(self) -> TextOptions:
        """What makes this tokenizer, besides n-grams."""
        return TextOptions(self.name, self.normalize, self.lowercase)

    @property
    def signature(self) -> str:
        name = self.name if self.splitter is None else self.splitter.signature
        form = f"|norm:{self.normalize}" if self.normalize else ""
        longer = f"|ngrams:{self.ngrams}" if self.ngrams > 1 else ""
        return f"tok:{name}|lower:{'yes' if self.lowercase else 'no'}{form}{longer}"

    @property
    def growth(self) -> int:
        """How much longer the spaces between tokens make a text, mostly."""
        return 1 if self.name == "whitespace" else 2


def fields(signature: str) -> dict[str, str]:
    """What a signature says, by the name of each part."""
    return {name: value for name, _, value in (part.partition(":") for part in signature.split("|"))}


def remedies(made: str, read: str) -> list[str]:
    """The options that would read a text as the counts were made; none if their signature is of another kind."""
    theirs, ours = fields(made), fields(read)
    if "tok" not in theirs:
        return []
    return [option(theirs.get(name)) for name, option in OPTIONS.items() if theirs.get(name) != ours.get(name)]


def options_to_read(made: str, tokenizer: str) -> list[str]:
    """The options that read a text as counts with this signature were made, for a shell; `tokenizer` is the one in use,
    which has the name of a model's file."""
    theirs = fields(made)
    kind, colon, _ = theirs.get("tok", "whitespace").partition(":")
    models = "python:MODULE:FUNCTION" if kind == "python" else f"{kind}:FILE"  # whose name merged counts do not have
    name = tokenizer if tokenizer.startswith(f"{kind}:") else models if colon else kind
    return [
        *([f"--tokenizer {shlex.quote(name)}"] if kind != "whitespace" else []),
        *(["--lowercase"] if theirs.get("lower") == "yes" else []),
        *([f"--normalize {theirs['norm']}"] if "norm" in theirs else []),
        *([f"--ngrams {theirs['ngrams']}"] if "ngrams" in theirs else []),
    ]


def _tokenizer(name: str | None) -> str:
    kind, _, rest = (name or "").partition(":")
    if kind in ("spm", "hf"):
        return f"give --tokenizer {kind}:FILE with the file whose SHA-256 starts with {rest}"
    return f"give --tokenizer {name}"


OPTIONS: dict[str, Callable[[str | None], str]] = {
    "tok": _tokenizer,
    "lower": lambda value: "give --lowercase" if value == "yes" else "omit --lowercase",
    "norm": lambda value: f"give --normalize {value}" if value else "omit --normalize",
    "ngrams": lambda value: f"give --ngrams {value or 1}",
}
