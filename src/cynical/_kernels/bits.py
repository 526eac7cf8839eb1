"""The formulas of the method in numbers that every machine agrees on.

A mathematical library's log2 differs in its last bit from one to the next, and a last bit decides ties. Here log2 is
built from additions and multiplications alone, about 2^-76 relative from the truth before its one rounding, so it is
the correctly rounded value but for one argument in some millions, and that one is the same everywhere too.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import called, inlined, kernel

UNITS = 2.0**56  # gains are integers: multiples of 2^-56 bit
UNIT = 2.0**-56
SPLITTER = 134217729.0  # 2^27 + 1: cuts a double into two halves whose products are exact
SQRT_HALF = math.sqrt(0.5)
NEAR = 2.0**-11
STEPS = 128  # log2 is tabulated at every 1/128
REPEATS = 8  # the gains of a word seen once, twice, ... eight times in a line are kept ready


def _two(value: Decimal) -> tuple[float, float]:
    high = float(value)
    return high, float(value - Decimal(high))


def _log2_table() -> tuple[NDArray[np.float64], float, float]:
    """For j/128 near 1: a short c close to its inverse, and -log2(c) in two doubles; then 1/ln 2 in two."""
    with localcontext() as context:
        context.prec = 60
        ln2 = Decimal(2).ln()
        table = np.zeros((STEPS * 3 // 2, 3))
        for j in range(STEPS // 2, len(table)):
            c = round(512 * STEPS / j) / 512
            table[j] = (c, *_two(-Decimal(c).ln() / ln2))
        return table, *_two(1 / ln2)


TABLE, LOG2E, LOG2E_LOW = _log2_table()
THIRD, THIRD_LOW = 1 / 3, 2.0**-54 / 3  # their sum is 1/3 to 2^-108


class Model(NamedTuple):
    """The unigram model of what has been selected, as seen from the representative words (and n-grams, likewise)."""

    p: NDArray[np.float64]  # the probability of each in the representative corpus
    counts: NDArray[np.int64]  # C_n: how often each has been selected
    gain: NDArray[np.int64]  # the gain of each, seen once, then of each seen twice, and so on
    logs: NDArray[np.float64]  # log2((C + s) / (C + c + s)) by C and c - 1, for small ones; 0 where not known yet
    smoothing: NDArray[np.float64]  # s, s * V, s * V of single words, and 1 if there are n-grams beside these, else 0
    single: NDArray[np.float64]  # of each word among single words: the first features; p itself if there are no others


@inlined
def two_sum(a: float, b: float) -> tuple[float, float]:
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inlined
def two_product(a: float, b: float) -> tuple[float, float]:
    t = SPLITTER * a
    ah = t - (t - a)
    al = a - ah
    t = SPLITTER * b
    bh = t - (t - b)
    bl = b - bh
    p = a * b
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


@inlined
def product(a: float, al: float, b: float, bl: float) -> tuple[float, float]:
    p, e = two_product(a, b)
    return two_sum(p, e + (a * bl + al * b))


@inlined
def log2_near_1(y: float) -> float:
    """log2(1 + y) for small y: what most gains are made of once counts are large."""
    q, ql = two_product(y, y)
    u, ul = two_sum(-0.5 * q, y * q * (1 / 3 - y * (1 / 4 - y * (1 / 5 - y * (1 / 6)))))
    s, sl = two_sum(y, u)
    p, pl = product(s, sl + (ul - 0.5 * ql), LOG2E, LOG2E_LOW)
    return p + pl


@inlined
def log2(x: float) -> float:
    if abs(x - 1.0) < NEAR:
        return log2_near_1(x - 1.0)
    m, exponent = math.frexp(x)
    if m < SQRT_HALF:
        m += m
        exponent -= 1
    j = int(m * STEPS + 0.5)
    c = TABLE[j, 0]
    t = SPLITTER * m
    mh = t - (t - m)
    r, rl = two_sum(mh * c - 1.0, (m - mh) * c)  # 1 + r = m * c, exactly
    q, ql = product(r, rl, r, rl)  # ln(1 + r) = r - r^2/2 + r^3/3 - r^4 * (1/4 - r/5 + ...)
    k, kl = product(q, ql, r, rl)
    k, kl = product(k, kl, THIRD, THIRD_LOW)
    tail = 1 / 9 - r * (1 / 10 - r * (1 / 11 - r * (1 / 12)))
    tail = 1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7 - r * (1 / 8 - r * tail))))
    s, sl = two_sum(k, -q * q * tail)
    u, ul = two_sum(-0.5 * q, s)
    y, yl = two_sum(r, u)
    y, yl = product(y, yl + (ul + (rl + (sl + (kl - 0.5 * ql)))), LOG2E, LOG2E_LOW)
    z, zl = two_sum(exponent + 0.0, TABLE[j, 1])
    w, wl = two_sum(z, y)
    return w + (wl + (zl + (TABLE[j, 2] + yl)))


@kernel
def log2_of(x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    for i in range(x.size):
        out[i] = log2(x[i])


@inlined
def penalty(words: int, length: int, model: Model) -> float:
    """What the length of a line costs when `words` have been selected."""
    base = model.smoothing[1]
    return log2((words + length + base) / (words + base))


@inlined
def penalty_of_words(words: int, length: int, model: Model) -> float:
    """The same in the entropy of single words."""
    base = model.smoothing[2]
    return log2((words + length + base) / (words + base))


@inlined
def gain_of_word(model: Model, p: float, v: int, c: int) -> int:
    """What c more of word v, of probability p, bring, as an integer: p log2((C + s) / (C + c + s))."""
    had, s = model.counts[v], model.smoothing[0]
    known = had < model.logs.shape[0] and c <= model.logs.shape[1]
    ratio_bits = model.logs[had, c - 1] if known else 0.0
    if ratio_bits == 0.0:
        ratio_bits = log2((had + s) / (had + c + s))
        if known:
            model.logs[had, c - 1] = ratio_bits
    return np.int64(np.rint(p * ratio_bits * UNITS))


@inlined
def refresh_word(model: Model, v: int) -> None:
    for c in range(1, REPEATS + 1):
        model.gain[(c - 1) * model.p.size + v] = gain_of_word(model, model.p[v], v, c)


@called
def gain_of_rest(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """As `gain_of_row`, from the first word on that a line repeats too often to have a gain ready."""
    total, ready, k = 0, model.gain.size, begin
    while k < end:
        e = np.int64(entry[k])
        if e < ready:
            total += model.gain[e]
        else:
            k += 1
            total += gain_of_word(model, model.p[e - ready], e - ready, np.int64(entry[k]))
        k += 1
    return total


@inlined
def gain_of_row(model: Model, entry: NDArray[np.uint32], begin: int, end: int) -> int:
    """What a line brings: the sum over its words (see rows.py for how entries are written)."""
    total, ready, k = 0, model.gain.size, begin
    while k < end:
        e = np.int64(entry[k])
        if e >= ready:
            break
        total += model.gain[e]
        k += 1
    if k < end:
        total += gain_of_rest(model, entry, k, end)
    return total


@kernel
def refresh_words(model: Model) -> None:
    for v in range(model.p.size):
        refresh_word(model, v)


@kernel
def entropy(
    p: NDArray[np.float64], counts: NDArray[np.int64], s: float, base: float, words: int, other: float
) -> float:
    """H: bits a representative word costs under the model; `other` is the mass of words known only as a total."""
    h, low = two_sum(0.0, -other * log2(s / (words + base))) if other > 0 else (0.0, 0.0)
    for v in range(p.size):
        h, e = two_sum(h, -p[v] * log2((counts[v] + s) / (words + base)))
        low += e
    return h + low
