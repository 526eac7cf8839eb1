"""The .counts file: counts that can be shared instead of a text.

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

With n-grams the signature ends with |ngrams:N, and header lines such as `# 2-grams: 9 6 0` say for each order how many
there are, of how many types, and how many of them were folded. An n-gram is listed among the words, as its words with a
space between two; the boundary of a line is an empty word, so ` the` begins a line.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import CynicalError
from ..text.escapes import escape_all, unescape
from ..text.kinds import COUNTS_HEADER
from .counts import Counts, ngrams_of
from .ngrams import BOUNDARY, GRAM, Grams

ESCAPES = r"\\ is a backslash, \xHH a byte that is a control character or not UTF-8"
MOST = 2**53  # no count is as large; a thousand of them still fit 64 bits


def written(counts: Counts) -> bytes:
    """Counts as a .counts file holds them."""
    longer = list(enumerate(zip(counts.totals, counts.sizes, counts.others, strict=True), 1))[1:]
    header = [
        COUNTS_HEADER.decode(),
        f"# signature: {counts.signature}",
        f"# lines: {counts.lines}",
        f"# words: {counts.total}",
        f"# types: {len(counts)}",
        f"# other: {counts.other}",
        *(f"# {order}-grams: {total} {types} {other}" for order, (total, types, other) in longer),
        f"# escapes: {ESCAPES}",
    ]
    names, count = counts.words, counts.of_features
    if counts.grams is not None:
        names = names + [b" ".join(counts.parts_of(i)) for i in range(len(counts), len(count))]
    by_bytes = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    order = by_bytes[np.argsort(-count[by_bytes], kind="stable")]
    written = escape_all(names)
    body = b"".join([b"%s\t%d\n" % (written[i], n) for i, n in zip(order.tolist(), count[order].tolist(), strict=True)])
    return "\n".join(header).encode() + b"\n" + body


def parse(raw: bytes, path: str, *, may_be_empty: bool = False) -> Counts:
    """What a .counts file says; those of a part of a text may be of no word."""

    def damaged(line: int, what: str) -> CynicalError:
        return CynicalError(
            f"{path} line {line}: {what}; the .counts file is damaged; create it again with `cynical count`"
        )

    rows = raw.split(b"\n")
    if rows[0].rstrip(b"\r") != COUNTS_HEADER:
        raise damaged(1, f"expected {COUNTS_HEADER.decode()!r}, found {rows[0][:40].decode(errors='replace')!r}")
    if rows.pop() != b"":
        raise damaged(len(rows) + 1, "the last line is incomplete")
    header: dict[str, str] = {}
    number = 1
    while number < len(rows) and rows[number].startswith(b"#") and b"\t" not in rows[number]:
        name, _, value = rows[number][1:].decode(errors="replace").partition(":")
        header[name.strip()] = value.strip()
        number += 1
    try:
        says = _Header(header)
    except KeyError as missing:
        raise damaged(number + 1, f"the header lacks {missing}") from None
    except ValueError:
        raise damaged(2, "a total in the header is not a valid number") from None
    pairs: list[tuple[bytes, int]] = []
    for line, row in enumerate(rows[number:], number + 1):
        word, tab, digits = row.rstrip(b"\r").partition(b"\t")
        if not tab or not word or not digits.isdigit() or len(digits) > 19 or not 1 <= int(digits) < MOST:
            raise damaged(line, f"expected a word, a tab and its count, found {row[:40].decode(errors='replace')!r}")
        try:
            pairs.append((unescape(word), int(digits)))
        except ValueError:
            raise damaged(line, f"an unknown escape in {word[:40].decode(errors='replace')!r}") from None
    if len({word for word, _ in pairs}) != len(pairs):
        raise damaged(len(rows), "a word is listed twice")
    try:
        counts = says.counts(pairs)
    except KeyError as missing:
        raise damaged(len(rows), f"an n-gram contains {missing.args[0]!r}, which has no count of its own") from None
    except ValueError as error:
        raise damaged(len(rows), str(error)) from None
    for order, found in enumerate(zip(counts.sizes, counts.totals, strict=True)):
        types, total = says.types[order], says.totals[order]
        if found != (types, total):
            what = "words" if order == 0 else f"{order + 1}-grams"
            raise damaged(len(rows), f"{found[0]} {what} of {found[1]} tokens, but the header says {types} of {total}")
    if not (all(counts.totals) or may_be_empty):
        raise damaged(len(rows), "the file has no words" if counts.total == 0 else "the file has words but no n-grams")
    return counts


class _Header:
    """The header of a .counts file."""

    def __init__(self, header: dict[str, str]) -> None:
        self.signature = header["signature"]
        self.ngrams = ngrams_of(self.signature)
        self.lines = _total(header["lines"])
        columns = [[_total(header[name]) for name in ("words", "types", "other")]]
        for order in range(2, self.ngrams + 1):
            columns.append([_total(part) for part in header[f"{order}-grams"].split()])
        self.totals, self.types, self.other = zip(*columns, strict=True)

    def counts(self, pairs: list[tuple[bytes, int]]) -> Counts:
        """Words and n-grams with their counts, most frequent first."""
        if self.ngrams == 1:
            return Counts.from_pairs(pairs, self.signature, self.lines, self.other[0])
        words = Counts.from_pairs(
            [pair for pair in pairs if b" " not in pair[0]], self.signature, self.lines, self.other[0]
        )
        word = {b"": BOUNDARY, **{name: i for i, name in enumerate(words.words)}}
        left: list[int] = []
        right: list[int] = []
        pair_number: dict[bytes, int] = {}
        long = sorted((pair for pair in pairs if b" " in pair[0]), key=lambda pair: pair[0].count(b" "))
        for number, (name, _) in enumerate(long):
            before, _, last = name.rpartition(b" ")
            if b" " in before:
                left.append(GRAM | _known(pair_number, before))
            else:
                left.append(_known(word, before))
                pair_number[name] = number
            right.append(_known(word, last))
        sizes = np.bincount([name.count(b" ") for name, _ in long], minlength=self.ngrams)[1:]
        count = np.array([n for _, n in long], np.int64)
        if len(sizes) != self.ngrams - 1:
            raise ValueError(f"an n-gram of {len(sizes) + 1} words, longer than the signature says")
        grams = Grams(
            np.array(left, np.uint32), np.array(right, np.uint32), count, tuple(sizes.tolist()), tuple(self.other[1:])
        )
        return replace(words, grams=grams)


def _known(numbers: dict[bytes, int], name: bytes) -> int:
    if name not in numbers:
        raise KeyError(name.decode(errors="replace"))
    return numbers[name]


def _total(digits: str) -> int:
    if not 0 <= int(digits) < MOST:
        raise ValueError
    return int(digits)
