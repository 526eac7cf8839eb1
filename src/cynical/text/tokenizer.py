"""A line's words. Each tokenizer has a signature, so that counts of different tokenizers are never mixed.

    whitespace   a word is a run of bytes between white space; broken UTF-8 and NUL bytes are parts of words like others
    words        as Python's \\w+|[^\\w\\s] finds them: letters and digits together, all else character by character
    characters   every character that is not white space
    spm:MODEL, hf:FILE, python:MODULE:FUNCTION   see pieces.py

White space is bytes 9 to 13 and 32, and U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and
U+3000. Every tokenizer but the first rewrites the text with spaces between its tokens, and then goes on as the first
does. A line of nothing but white space has no tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from . import external as pieces
from . import unicode as letters
from .corpus import Chunk

GROUP = 64  # bytes whose white space is one number

IN_KERNELS = ("whitespace", "words", "characters")
TOKENIZERS = (*IN_KERNELS, *pieces.KINDS.values())
LONGEST = 3  # n-grams


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """How a line becomes what is counted: its words and, from 2 on, its n-grams up to that length.

    First comes the normal form, then lower case, then the tokenizer.
    """

    name: str = "whitespace"
    lowercase: bool = False
    ngrams: int = 1
    normalize: str | None = None
    splitter: pieces.Splitter | None = field(default=None, repr=False, compare=False)  # what the name stands for

    def __post_init__(self) -> None:
        if isinstance(self.ngrams, (bool, float)) or self.ngrams not in range(1, LONGEST + 1):
            raise CynicalError(f"--ngrams must be 1, 2 or 3, found {self.ngrams}")
        if self.normalize is not None and self.normalize not in letters.NORMAL_FORMS:
            forms = " or ".join(letters.NORMAL_FORMS)
            raise CynicalError(f"--normalize {self.normalize}: no such normal form; choose {forms}")
        if self.name in IN_KERNELS or self.splitter is not None:
            return
        if not isinstance(self.name, str) or self.name.partition(":")[0] not in pieces.KINDS:
            raise CynicalError(f"--tokenizer {self.name}: no such tokenizer; choose from {', '.join(TOKENIZERS)}")
        object.__setattr__(self, "splitter", pieces.open_splitter(self.name))

    @property
    def signature(self) -> str:
        name = self.name if self.splitter is None else self.splitter.signature
        form = f"|norm:{self.normalize}" if self.normalize else ""
        longer = f"|ngrams:{self.ngrams}" if self.ngrams > 1 else ""
        return f"tok:{name}|lower:{'yes' if self.lowercase else 'no'}{form}{longer}"

    @property
    def files(self) -> list[str]:
        """What it reads."""
        return [self.name.partition(":")[2]] if self.name.startswith(("spm:", "hf:")) else []

    @property
    def growth(self) -> int:
        """How much longer the spaces between tokens make a text, mostly."""
        return 1 if self.name == "whitespace" else 2


@dataclass(frozen=True, slots=True)
class Words:
    """A chunk of text whose words can be walked over, padded with spaces to whole groups and one group more."""

    text: NDArray[np.uint8]
    eight: NDArray[np.uint64]  # the same bytes
    blank: NDArray[np.uint64]  # a bit for each byte of white space
    size: int  # bytes before the padding
    line_end: NDArray[np.int64]
    line_start: NDArray[np.uint32]  # in the text as it was before it was rewritten
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
        self._apart = np.zeros(0, np.uint8)

    def read(self, chunk: Chunk) -> Words:
        from .._kernels import unicode

        text = self._room_for(chunk.end - chunk.begin)
        chunk.copy_to(text)
        words, high = self._separate(len(text))
        line_start, last_end = _line_starts(words.line_end), int(words.line_end[-1])
        broken, first_broken = (0, -1)
        if high:
            broken, first_broken = unicode.broken_lines(words.text, words.eight, len(text), words.line_end)
        rewritten = self._rewritten(text, high)
        if rewritten is not text:
            self._room_for(len(rewritten))[:] = rewritten
            words, _ = self._separate(len(rewritten))
        return replace(words, line_start=line_start, last_end=last_end, broken=broken, first_broken=first_broken)

    def _rewritten(self, text: NDArray[np.uint8], high: bool) -> NDArray[np.uint8]:
        """The text with its tokens apart; the same memory if nothing is to be done."""
        tokenizer = self._tokenizer
        if tokenizer.normalize and high:
            text = letters.normalized(text, tokenizer.normalize)
        if tokenizer.lowercase:
            text = letters.lower(text, high)
        if tokenizer.splitter is not None:
            return _in_pieces(text, tokenizer.splitter)
        return text if tokenizer.name == "whitespace" else self._set_apart(text)

    def _set_apart(self, text: NDArray[np.uint8]) -> NDArray[np.uint8]:
        from .._kernels.apart import set_apart

        if len(self._apart) < 2 * len(text) + 1:
            self._apart = np.empty(2 * len(text) + 1, np.uint8)
        return self._apart[: set_apart(text, len(text), letters.kinds(self._tokenizer.name), self._apart)]

    def _room_for(self, size: int) -> NDArray[np.uint8]:
        groups = -(-size // GROUP) + 1
        if len(self._blank) < groups:
            self._bytes = np.zeros(groups * GROUP // 8, np.uint64)
            self._blank = np.zeros(groups, np.uint64)
            self._line_end = np.empty(groups * GROUP, np.int64)  # of which only what is used takes memory
        return self._bytes.view(np.uint8)[:size]

    def _separate(self, size: int) -> tuple[Words, bool]:
        """Find the white space and the line ends in the first bytes of the room."""
        from .._kernels import words

        groups = -(-size // GROUP) + 1
        eight, blank = self._bytes[: groups * GROUP // 8], self._blank[:groups]
        text = eight.view(np.uint8)
        text[size:] = 32
        lines, high = words.separate(text, eight, blank, self._line_end)
        if size and text[size - 1] != 10:
            self._line_end[lines] = size
            lines += 1
        line_end = self._line_end[:lines].copy()
        return Words(text, eight, blank, size, line_end, np.zeros(0, np.uint32), 0, 0, -1), bool(high)


def _line_starts(line_end: NDArray[np.int64]) -> NDArray[np.uint32]:
    start = np.zeros(len(line_end), np.uint32)
    start[1:] = line_end[:-1] + 1
    return start


def _in_pieces(text: NDArray[np.uint8], splitter: pieces.Splitter) -> NDArray[np.uint8]:
    """The text with the pieces of each line apart; a line ends before its carriage return."""
    lines = letters.decoded(text).split("\n")
    found = [place for place, line in enumerate(lines) if not pieces.blank.fullmatch(line)]
    made = [""] * len(lines)
    split = splitter.split([lines[place].removesuffix("\r") for place in found])
    for place, tokens in zip(found, split, strict=True):
        made[place] = " ".join(tokens)
    if lines[-1] and not made[-1]:
        made[-1] = " "  # without an end of its own, an empty line would be none
    return letters.encoded("\n".join(made))
