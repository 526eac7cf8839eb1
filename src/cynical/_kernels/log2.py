"""A log2 that every machine computes to the same bit.

The log2 of one mathematical library differs from that of another in the last bit, and a last bit decides ties. This one
is built from additions and multiplications alone. Its error before the one final rounding is about 2^-76 relative, so
the result is correctly rounded except for one argument in some millions, which is the same on every machine too.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .jit import inlined, kernel

SPLITTER = 134217729.0  # 2^27 + 1: cuts a double into two halves whose products are exact
SQRT_HALF = math.sqrt(0.5)
NEAR = 2.0**-11
MANTISSA, HALF = (1 << 52) - 1, 1022 << 52  # the bits of a double: its last 52, and those of 0.5
STEPS = 128  # log2 is tabulated at every 1/128


ONE = 1 << 160  # in whole numbers with 160 binary digits after the point, to make the table


def _ln(numerator: int, denominator: int) -> int:
    """The natural logarithm of a fraction: 2 artanh((n - d) / (n + d)), by its series."""
    term = (numerator - denominator) * ONE // (numerator + denominator)
    square, total, k = term * term // ONE, 0, 1
    while term not in (0, -1):
        total += term // k
        term, k = term * square // ONE, k + 2
    return 2 * total


def _two(value: int) -> tuple[float, float]:
    """Such a number as the sum of two doubles."""
    high = value / ONE
    return high, (value - int(high * 2.0**160)) / ONE


def _log2_table() -> tuple[NDArray[np.float64], float, float]:
    """For j/128 near 1: a short c close to its inverse, and -log2(c) in two doubles; then 1/ln 2 in two."""
    ln2 = _ln(2, 1)
    table = np.zeros((STEPS * 3 // 2, 3))
    for j in range(STEPS // 2, len(table)):
        c = round(512 * STEPS / j)
        table[j] = (c / 512, *_two(-_ln(c, 512) * ONE // ln2))
    return table, *_two(ONE * ONE // ln2)


TABLE, LOG2E, LOG2E_LOW = _log2_table()
THIRD, THIRD_LOW = 1 / 3, 2.0**-54 / 3  # their sum is 1/3 to 2^-108


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
def split_exponent(x: float) -> tuple[float, int]:
    """As math.frexp: m and e such that x = m * 2^e and m is from 0.5 to 1; x is positive, and not below 2^-1022."""
    bits = np.float64(x).view(np.int64)
    return np.int64((bits & MANTISSA) | HALF).view(np.float64), (bits >> 52) - 1022


@inlined
def log2(x: float) -> float:
    if abs(x - 1.0) < NEAR:
        return log2_near_1(x - 1.0)
    m, exponent = split_exponent(x)
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
