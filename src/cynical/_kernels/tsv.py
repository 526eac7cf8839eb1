"""The rows of a Jaded file as bytes: numbers with nine significant digits, words and lines unchanged."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import inlined, kernel

TEN = np.array([float(f"1e{k}") for k in range(-300, 301)])
TAB, NEWLINE, RETURN, ZERO, DOT, MINUS, PLUS, E = 9, 10, 13, 48, 46, 45, 43, 101
BACKSLASH, LETTER_T, LETTER_N, LETTER_R = 92, 116, 110, 114
DIGITS = 9
NUMBER = 24  # no number takes more bytes


class Texts(NamedTuple):
    """Strings of bytes, one after another: string i is blob[start[i]:start[i + 1]]."""

    blob: NDArray[np.uint8]
    start: NDArray[np.int64]


class Columns(NamedTuple):
    """What a Jaded file says of each pick; `word` is -1 where there is none."""

    rank: NDArray[np.int64]
    line: NDArray[np.int64]
    number: NDArray[np.float64]  # (picks, 4): delta, penalty, gain, entropy
    words: NDArray[np.int64]
    word: NDArray[np.int64]
    more: NDArray[np.float64]  # (picks, 0 to 2): feature entropy, score


@inlined
def write_integer(out: NDArray[np.uint8], at: int, value: int) -> int:
    """Write a number that is not negative; the end."""
    size, rest = 1, value // 10
    while rest > 0:
        size += 1
        rest //= 10
    for k in range(at + size - 1, at - 1, -1):
        out[k] = ZERO + value % 10
        value //= 10
    return at + size


@inlined
def write_digits(out: NDArray[np.uint8], at: int, mantissa: int, digits: int, point: int) -> int:
    """Write the first digits of a nine-digit number with a point after `point` of them; the end."""
    for k in range(digits):
        if k == point:
            out[at] = DOT
            at += 1
        out[at] = ZERO + mantissa // np.int64(TEN[300 + DIGITS - 1 - k]) % 10
        at += 1
    return at


@inlined
def write_number(out: NDArray[np.uint8], at: int, value: float) -> int:
    """Write a number as C's %.9g does, and what is nearer to 0 than 1e-280 as 0; the end."""
    if -1e-280 < value < 1e-280:
        out[at] = ZERO
        return at + 1
    if value < 0.0:
        out[at] = MINUS
        at += 1
        value = -value
    exponent = np.int64(np.floor(np.log10(value)))
    mantissa = np.int64(np.rint(value * TEN[300 + DIGITS - 1 - exponent]))
    if mantissa < 100000000:  # the logarithm was rounded up
        exponent -= 1
        mantissa = np.int64(np.rint(value * TEN[300 + DIGITS - 1 - exponent]))
    if mantissa >= 1000000000:
        exponent += 1
        mantissa = (mantissa + 5) // 10
    digits, rest = DIGITS, mantissa
    while rest % 10 == 0:
        digits -= 1
        rest //= 10
    if -5 < exponent < 0:
        out[at], out[at + 1] = ZERO, DOT
        at += 2
        for _ in range(-exponent - 1):
            out[at] = ZERO
            at += 1
        return write_digits(out, at, mantissa, digits, -1)
    if 0 <= exponent < DIGITS:
        return write_digits(out, at, mantissa, max(digits, exponent + 1), exponent + 1)
    at = write_digits(out, at, mantissa, digits, 1)
    out[at] = E
    out[at + 1] = MINUS if exponent < 0 else PLUS
    at += 2
    exponent = abs(exponent)
    if exponent < 10:
        out[at] = ZERO
        at += 1
    return write_integer(out, at, exponent)


@inlined
def copy(out: NDArray[np.uint8], at: int, texts: Texts, i: int) -> int:
    for k in range(texts.start[i], texts.start[i + 1]):
        out[at] = texts.blob[k]
        at += 1
    return at


@inlined
def copy_escaped(out: NDArray[np.uint8], at: int, texts: Texts, i: int) -> int:
    """As `copy`, where a tab would end the column."""
    for k in range(texts.start[i], texts.start[i + 1]):
        byte = texts.blob[k]
        if byte == TAB or byte == NEWLINE or byte == RETURN or byte == BACKSLASH:
            out[at] = BACKSLASH
            at += 1
            byte = LETTER_T if byte == TAB else LETTER_N if byte == NEWLINE else LETTER_R if byte == RETURN else byte
        out[at] = byte
        at += 1
    return at


@inlined
def write_byte(out: NDArray[np.uint8], at: int, byte: int) -> int:
    out[at] = byte
    return at + 1


@kernel
def write_rows(out: NDArray[np.uint8], columns: Columns, names: Texts, lines: Texts) -> int:
    """Write a row for each pick, of which `lines` has all sides, the text itself last; the end."""
    at, sides = 0, (lines.start.size - 1) // max(columns.rank.size, 1)
    for i in range(columns.rank.size):
        at = write_byte(out, write_integer(out, at, columns.rank[i]), TAB)
        at = write_byte(out, write_integer(out, at, columns.line[i]), TAB)
        for k in range(columns.number.shape[1]):
            at = write_byte(out, write_number(out, at, columns.number[i, k]), TAB)
        at = write_byte(out, write_integer(out, at, columns.words[i]), TAB)
        if columns.word[i] >= 0:
            at = copy(out, at, names, columns.word[i])
        at = write_byte(out, at, TAB)
        for k in range(columns.more.shape[1]):
            at = write_byte(out, write_number(out, at, columns.more[i, k]), TAB)
        for side in range(sides - 1):
            at = write_byte(out, copy_escaped(out, at, lines, i * sides + side), TAB)
        at = write_byte(out, copy(out, at, lines, (i + 1) * sides - 1), NEWLINE)
    return at


@kernel
def write_numbers(out: NDArray[np.uint8], number: NDArray[np.float64], cells: Texts) -> int:
    """Write rows of numbers, each followed by its cells, unchanged; the end."""
    at, rows, columns = 0, number.shape[0], number.shape[1]
    width = (cells.start.size - 1) // max(rows, 1)
    for i in range(rows):
        for k in range(columns):
            at = write_number(out, at, number[i, k])
            at = write_byte(out, at, TAB if k + 1 < columns or width else NEWLINE)
        for k in range(width):
            at = copy(out, at, cells, i * width + k)
            at = write_byte(out, at, TAB if k + 1 < width else NEWLINE)
    return at


@kernel
def write_lines(out: NDArray[np.uint8], lines: Texts) -> int:
    """Write the lines alone; the end."""
    at = 0
    for i in range(lines.start.size - 1):
        at = write_byte(out, copy(out, at, lines, i), NEWLINE)
    return at


@kernel
def gather(
    text: NDArray[np.uint8], begin: NDArray[np.int64], end: NDArray[np.int64], which: NDArray[np.int64], lines: Texts
) -> None:
    """Copy the slices of one text to the places of the lines named by `which`."""
    for i in which:
        at = lines.start[i]
        for k in range(begin[i], end[i]):
            lines.blob[at] = text[k]
            at += 1
