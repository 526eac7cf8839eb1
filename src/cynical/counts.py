"""Counts: a distribution over words, and the .counts file that can be shared instead of a text.

    # cynical counts 1
    # signature: tok:whitespace|lower:no
    # lines: 2
    # words: 7
    # types: 3
    # other: 1
    # escapes: \\\\ is a backslash, \\xHH a byte that is a control character or not UTF-8
    the<TAB>3
    of<TAB>2
    cancer<TAB>1

Header lines begin with # and hold no tab. Then comes a word and how often it was seen, most frequent first, equal
counts in byte order. `words` is the sum of all counts and of `other`, the words that were folded.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .corpus import Chunk, Corpus, Source
from .errors import CynicalError, os_error
from .output import Output
from .progress import Progress
from .reading import number_of_jobs, read_all
from .tokens import Tokenizer, Words

if TYPE_CHECKING:
    from ._kernels.words import Vocabulary

MAGIC = "# cynical counts 1"
ESCAPES = r"\\ is a backslash, \xHH a byte that is a control character or not UTF-8"
MOST = 2**62  # no count is as large


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each word was seen, in the order in which the words first appear."""

    blob: NDArray[np.uint8]  # the words, one behind another
    start: NDArray[np.int64]
    count: NDArray[np.int64]
    signature: str
    lines: int
    other: int = 0  # words known only by their number
    broken: int = field(default=0, compare=False)  # lines that are not UTF-8
    name: str = field(default="", compare=False)  # where they come from

    @property
    def total(self) -> int:
        """W: all words."""
        return int(self.count.sum()) + self.other

    @property
    def p(self) -> NDArray[np.float64]:
        return self.count / max(self.total, 1)

    def __len__(self) -> int:
        return len(self.count)

    def __repr__(self) -> str:
        return f"<Counts: {self.total:,} words, {len(self):,} types, {self.signature}>"

    @cached_property
    def words(self) -> list[bytes]:
        raw, start = self.blob.tobytes(), self.start.tolist()
        return [raw[a:b] for a, b in itertools.pairwise(start)]

    def __getitem__(self, word: str | bytes) -> int:
        """How often a word was seen."""
        found = self.find(Counts.from_pairs([(word.encode() if isinstance(word, str) else word, 1)], self.signature))
        return int(self.count[found[0]]) if found[0] >= 0 else 0

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """A hash table of the words; a word's id is its place."""
        table = _Table(len(self), len(self.blob))
        table.add(self.blob, self.start, self.count, np.arange(len(self), dtype=np.int64))
        return table.vocabulary

    def find(self, other: Counts) -> NDArray[np.int64]:
        """For each word of another distribution its id here, or -1."""
        from ._kernels import words

        found = np.empty(len(other), np.int64)
        words.look_up(self.vocabulary, _aligned(other.blob)[1], other.start, found)
        return found

    def aligned(self, other: Counts) -> NDArray[np.int64]:
        """How often the words of this distribution were seen in the other."""
        out = np.zeros(len(self), np.int64)
        found = self.find(other)
        out[found[found >= 0]] = other.count[found >= 0]
        return out

    def folded(self, below: int) -> Counts:
        """The same with words seen less than `below` times known only by their number."""
        keep = self.count >= below
        words = [word for word, kept in zip(self.words, keep.tolist(), strict=True) if kept]
        folded = Counts.from_pairs(list(zip(words, self.count[keep].tolist(), strict=True)), self.signature)
        other = self.other + int(self.count[~keep].sum())
        return Counts(folded.blob, folded.start, folded.count, self.signature, self.lines, other, self.broken)

    @classmethod
    def from_pairs(cls, pairs: list[tuple[bytes, int]], signature: str, lines: int = 0, other: int = 0) -> Counts:
        start = np.zeros(len(pairs) + 1, np.int64)
        np.cumsum([len(word) for word, _ in pairs], out=start[1:])
        blob = np.frombuffer(b"".join(word for word, _ in pairs), np.uint8)
        return cls(blob, start, np.array([count for _, count in pairs], np.int64), signature, lines, other)

    @classmethod
    def read(cls, path: str | Path) -> Counts:
        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise os_error(path, error) from error
        return _parse(raw, str(path))

    def write(self, path: str | Path, *, overwrite: bool = False) -> None:
        with Output(path, overwrite=overwrite) as output:
            output.write(self.to_bytes())

    def to_bytes(self) -> bytes:
        header = [
            MAGIC,
            f"# signature: {self.signature}",
            f"# lines: {self.lines}",
            f"# words: {self.total}",
            f"# types: {len(self)}",
            f"# other: {self.other}",
            f"# escapes: {ESCAPES}",
        ]
        by_bytes = np.array(sorted(range(len(self)), key=self.words.__getitem__), np.int64)
        order = by_bytes[np.argsort(-self.count[by_bytes], kind="stable")]
        written = escape_all(self.words)
        body = b"".join(
            [b"%s\t%d\n" % (written[i], n) for i, n in zip(order.tolist(), self.count[order].tolist(), strict=True)]
        )
        return "\n".join(header).encode() + b"\n" + body


def count(
    source: Source | Counts,
    *,
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    jobs: int | None = None,
    progress: bool = False,
) -> Counts:
    """Count the words of a corpus, given as for `select`.

    >>> import cynical
    >>> counts = cynical.count(["a rose is a rose"])
    >>> counts["rose"], counts.total
    (2, 5)
    """
    return count_words(source, Tokenizer(tokenizer, lowercase), jobs, Progress(progress), "corpus")


def count_words(
    source: Source | Counts, tokenizer: Tokenizer, jobs: int | None, progress: Progress, role: str
) -> Counts:
    """Count the words of a text; counts, and a .counts file, are taken as they are."""
    if isinstance(source, Counts):
        return _checked(source, tokenizer, role)
    corpus = Corpus.of(source, role)
    held = counts_in(corpus)
    if held is not None:
        return _checked(replace(held, name=corpus.name), tokenizer, corpus.name)
    takers = read_all(corpus, tokenizer, number_of_jobs(jobs), progress, _Counter, role)
    counted = replace(_put_together(takers, tokenizer.signature), name=corpus.name)
    if counted.total == 0:
        raise CynicalError(f"{corpus.name}: no word in the {role} text ({counted.lines} lines); give a text with words")
    return counted


def counts_in(corpus: Corpus) -> Counts | None:
    """The counts that a corpus holds in place of text, known by their name or their first line; None if it is text."""
    held = [p for p in corpus.parts if p.name.endswith(".counts") or p.raw[: len(MAGIC)] == MAGIC.encode()]
    if held and len(corpus.parts) > 1:
        raise CynicalError(f"{held[0].name}: counts cannot be joined with other files; count all the texts together")
    return _parse(bytes(held[0].raw), held[0].name) if held else None


def _checked(counts: Counts, tokenizer: Tokenizer, name: str) -> Counts:
    if counts.signature == tokenizer.signature:
        return counts
    raise CynicalError(
        f"{name}: these counts were made with {counts.signature}, but the text is read with {tokenizer.signature}; "
        "use the same --tokenizer and --lowercase for both, or count again"
    )


class _Table:
    """A vocabulary that grows."""

    def __init__(self, types: int = 1 << 14, size: int = 1 << 17) -> None:
        from ._kernels.words import Vocabulary

        slots = 1 << max(int(2 * types).bit_length(), 4)
        self.vocabulary = Vocabulary(
            np.zeros((slots, 2), np.uint64),
            *_bytes(size),
            np.zeros(types + 2, np.int64),
            np.zeros(types + 1, np.int64),
            np.zeros(types + 1, np.int64),
            np.zeros(2, np.int64),
        )

    def grow(self, length: int) -> None:
        """Make room for twice as many words, one of them of this length."""
        from ._kernels import words

        old = self.vocabulary
        types, used = 2 * len(old.counts), int(old.size[1])
        slot = np.zeros((2 * len(old.slot), 2), np.uint64)
        words.rehash(old, slot)
        arena, eight = _bytes(max(2 * len(old.arena), used + 2 * length))
        arena[:used] = old.arena[:used]
        self.vocabulary = words.Vocabulary(
            slot,
            arena,
            eight,
            _longer(old.start, types + 1),
            _longer(old.counts, types),
            _longer(old.first, types),
            old.size,
        )

    def add(
        self, blob: NDArray[np.uint8], start: NDArray[np.int64], count: NDArray[np.int64], first: NDArray[np.int64]
    ) -> None:
        from ._kernels import words

        text, eight = _aligned(blob)
        begin = 0
        while (begin := words.merge(self.vocabulary, text, eight, start, count, first, begin)) >= 0:
            self.grow(int(start[begin + 1] - start[begin]))


class _Counter:
    """One thread's share of the counting."""

    def __init__(self) -> None:
        self.table = _Table()
        self.lines = 0
        self.broken = 0

    def take(self, chunk: Chunk, words: Words) -> None:
        from ._kernels import words as kernels

        base = chunk.number << 32  # where a word is first seen: the chunk, then the place within it
        begin = 0
        while True:
            begin = kernels.count_words(self.table.vocabulary, words.text, words.eight, words.blank, begin, base)
            if begin < 0:
                break
            self.table.grow(len(words.text) - begin if len(words.text) > 1 << 22 else 1 << 16)
        self.lines += len(words.line_end)
        self.broken += words.broken


def _put_together(takers: list[_Counter], signature: str) -> Counts:
    whole = takers[0].table
    for taker in takers[1:]:
        part, types = taker.table.vocabulary, int(taker.table.vocabulary.size[0])
        used = int(part.size[1])
        whole.add(part.arena[:used], part.start[: types + 1], part.counts[:types], part.first[:types])
    words, types = whole.vocabulary, int(whole.vocabulary.size[0])
    order = np.argsort(words.first[:types], kind="stable")
    length = np.diff(words.start[: types + 1])[order]
    start = np.zeros(types + 1, np.int64)
    np.cumsum(length, out=start[1:])
    inside = np.arange(start[-1]) - np.repeat(start[:-1], length)
    blob = words.arena[np.repeat(words.start[:types][order], length) + inside]
    lines, broken = sum(taker.lines for taker in takers), sum(taker.broken for taker in takers)
    return Counts(blob, start, words.counts[:types][order], signature, lines, 0, broken)


def _bytes(size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Memory as bytes and as numbers of eight bytes, with room to look behind the last."""
    from ._kernels.words import PADDING

    eight = np.zeros((size + PADDING + 7) // 8, np.uint64)
    return eight.view(np.uint8), eight


def _aligned(blob: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    text, eight = _bytes(len(blob))
    text[: len(blob)] = blob
    return text, eight


def _longer(array: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    out = np.zeros(size, np.int64)
    out[: len(array)] = array
    return out


def escape(word: bytes) -> bytes:
    """A word as it is written where tabs and newlines mean something."""
    try:
        plain = word.decode()
    except UnicodeDecodeError:
        plain = word.decode("utf-8", "surrogateescape")
        plain = plain.replace("\\", "\\\\")
        plain = re.sub("[\udc80-\udcff]", lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", plain)
    else:
        plain = plain.replace("\\", "\\\\") if "\\" in plain else plain
    if not plain.isprintable():
        plain = re.sub("[\x00-\x1f\x7f]", lambda found: f"\\x{ord(found[0]):02x}", plain)
    return plain.encode()


def escape_all(words: list[bytes]) -> list[bytes]:
    """Most texts need no escape at all, and that is quickly seen."""
    together = b"\n".join(words)
    try:
        together.decode()
    except UnicodeDecodeError:
        return [escape(word) for word in words]
    if together.count(b"\n") < len(words) and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f\\]", together):
        return words
    return [escape(word) for word in words]


def unescape(word: bytes) -> bytes:
    def plain(found: re.Match[bytes]) -> bytes:
        return b"\\" if found[0] == b"\\\\" else bytes([int(found[1], 16)])

    if b"\\" not in word:
        return word
    if re.search(rb"\\(?!\\|x[0-9a-f]{2})", re.sub(rb"\\\\", b"", word)):
        raise ValueError
    return re.sub(rb"\\\\|\\x([0-9a-f]{2})", plain, word)


def _parse(raw: bytes, path: str) -> Counts:
    def damaged(line: int, what: str) -> CynicalError:
        return CynicalError(
            f"{path} line {line}: {what}; this is not a whole .counts file, make it anew: cynical count"
        )

    rows = raw.split(b"\n")
    if rows[0].rstrip(b"\r") != MAGIC.encode():
        raise damaged(1, f"expected {MAGIC!r}, found {rows[0][:40].decode(errors='replace')!r}")
    if rows.pop() != b"":
        raise damaged(len(rows) + 1, "the last line has no end")
    header: dict[str, str] = {}
    number = 1
    while number < len(rows) and rows[number].startswith(b"#") and b"\t" not in rows[number]:
        name, _, value = rows[number][1:].decode(errors="replace").partition(":")
        header[name.strip()] = value.strip()
        number += 1
    missing = [name for name in ("signature", "lines", "words", "types", "other") if name not in header]
    if missing:
        raise damaged(number + 1, f"the header lacks '{missing[0]}'")
    try:
        totals = {name: int(header[name]) for name in ("lines", "words", "types", "other")}
        if not all(0 <= total < MOST for total in totals.values()):
            raise ValueError
    except ValueError:
        raise damaged(2, "a total in the header is not a number that can be") from None
    pairs: list[tuple[bytes, int]] = []
    for line, row in enumerate(rows[number:], number + 1):
        word, tab, digits = row.rstrip(b"\r").partition(b"\t")
        if not tab or not word or not digits.isdigit() or len(digits) > 19 or not 1 <= int(digits) < MOST:
            raise damaged(line, f"expected a word, a tab and its count, found {row[:40].decode(errors='replace')!r}")
        try:
            pairs.append((unescape(word), int(digits)))
        except ValueError:
            raise damaged(line, f"an unknown escape in {word[:40].decode(errors='replace')!r}") from None
    counts = Counts.from_pairs(pairs, header["signature"], totals["lines"], totals["other"])
    if len(pairs) != totals["types"] or counts.total != totals["words"]:
        raise damaged(
            len(rows),
            f"{len(pairs)} words of {counts.total} tokens, but the header says {totals['types']} of {totals['words']}",
        )
    if len({word for word, _ in pairs}) != len(pairs):
        raise damaged(len(rows), "a word stands twice")
    if counts.total == 0:
        raise damaged(len(rows), "no word at all")
    return counts


__all__ = ["Counts", "count", "count_words", "counts_in", "escape", "escape_all", "unescape"]
