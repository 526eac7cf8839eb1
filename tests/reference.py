"""The oracle: slow, obvious code straight from the formulas. What it says is right.

It tries every line at every step. Words are bytes, logarithms are correctly rounded by decimal arithmetic.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache

WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
BETWEEN_WORDS = re.compile(f"[{re.escape(WHITE)}]+")
UNIT = 2.0**-56


def words_of(line: bytes, lowercase: bool = False) -> list[bytes]:
    text = line.decode("utf-8", "surrogateescape")
    if lowercase:
        text = text.lower()
    return [word.encode("utf-8", "surrogateescape") for word in BETWEEN_WORDS.split(text) if word]


@cache
def log2(x: float) -> float:
    with localcontext() as context:
        context.prec = 50
        return float(Decimal(x).ln() / Decimal(2).ln())


@dataclass(frozen=True)
class Pick:
    line: int  # from 0
    delta: float
    penalty: float
    gain: float
    entropy: float
    words: int
    word: bytes


def entropy(p: dict[bytes, float], counts: Counter[bytes], total: int, s: float) -> float:
    size = s * (len(p) + 1)
    return math.fsum(-p[v] * log2((counts[v] + s) / (total + size)) for v in p)


def gain_of_word(p: float, had: int, c: int, s: float) -> int:
    """In units of 2^-56 bit."""
    return round(p * log2((had + s) / (had + c + s)) * 2.0**56)


def class_of(r: int, u: int, a: int, total_r: int, total_u: int, min_count: int = 3, threshold: float = math.e) -> str:
    ratio = math.inf if u == 0 else (r / total_r) / (u / total_u)
    if r == 0:
        return "useless"
    if a == 0:
        return "impossible"
    if r < min_count and u < min_count:
        return "dubious"
    if ratio < 1 / threshold:
        return "bad"
    return "meh" if ratio <= threshold else "useful"


def select(
    representative: Sequence[bytes],
    available: Sequence[bytes],
    seed: Sequence[bytes] = (),
    unadapted: Sequence[bytes] | None = None,
    vocabulary: str = "full",
    smoothing: float = 0.01,
    max_length: int | None = None,
    lowercase: bool = False,
) -> tuple[float, list[Pick]]:
    """The entropy before, and every line in order."""
    split = [words_of(line, lowercase) for line in available]
    wanted = Counter(word for line in representative for word in words_of(line, lowercase))
    known = Counter(word for line in seed for word in words_of(line, lowercase))
    can = Counter(word for line in split for word in line)
    have = can if unadapted is None else Counter(word for line in unadapted for word in words_of(line, lowercase))

    def token(word: bytes) -> bytes:
        if vocabulary == "full":
            return word
        r, u, a = wanted[word], have[word], can[word]
        name = class_of(r, u, a, wanted.total(), have.total())
        return word if name == "useful" else f"<{name}>".encode()

    total_known = known.total()
    p: dict[bytes, float] = {}
    for word, count in wanted.items():
        p[token(word)] = p.get(token(word), 0) + count
    p = {word: count / wanted.total() for word, count in p.items()}
    counts: Counter[bytes] = Counter()
    for word, count in known.items():
        counts[token(word)] += count
    lines = {
        i: (Counter(token(word) for word in line), len(line))
        for i, line in enumerate(split)
        if line and (max_length is None or len(line) <= max_length)
    }
    size = smoothing * (len(p) + 1)
    before = h = entropy(p, counts, total_known, smoothing)
    selected, picks = total_known, []
    while lines:
        best: tuple[float, int] | None = None
        for i, (line_words, length) in lines.items():
            penalty = log2((selected + length + size) / (selected + size))
            gain = sum(gain_of_word(p[v], counts[v], c, smoothing) for v, c in line_words.items() if v in p)
            if best is None or (penalty + gain * UNIT, i) < best:
                best = (penalty + gain * UNIT, i)
        assert best is not None
        i = best[1]
        line_words, length = lines.pop(i)
        gains = {v: gain_of_word(p[v], counts[v], c, smoothing) for v, c in line_words.items() if v in p}
        penalty = log2((selected + length + size) / (selected + size))
        h += best[0]
        word = min(gains, key=gains.__getitem__) if gains else b""
        picks.append(Pick(i, best[0], penalty, sum(gains.values()) * UNIT, h, length, word))
        counts.update(line_words)
        selected += length
    return before, picks


def stopping_point(before: float, entropies: Sequence[float]) -> int:
    """The number of picks with the lowest entropy, the fewest of equals."""
    path = [before, *entropies]
    return path.index(min(path))
