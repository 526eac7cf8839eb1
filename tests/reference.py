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


class Problem:
    """The four corpora as words, and the model as it grows."""

    def __init__(
        self,
        representative: Sequence[bytes],
        available: Sequence[bytes],
        seed: Sequence[bytes] = (),
        unadapted: Sequence[bytes] | None = None,
        vocabulary: str = "full",
        smoothing: float = 0.01,
        max_length: int | None = None,
        lowercase: bool = False,
    ) -> None:
        self.split = [words_of(line, lowercase) for line in available]
        wanted = Counter(word for line in representative for word in words_of(line, lowercase))
        known = Counter(word for line in seed for word in words_of(line, lowercase))
        can = Counter(word for line in self.split for word in line)
        have = can if unadapted is None else Counter(word for line in unadapted for word in words_of(line, lowercase))
        self.class_of = {
            word: class_of(wanted[word], have[word], can[word], wanted.total(), have.total())
            for word in [*wanted, *can, *known]
        }

        def token(word: bytes) -> bytes:
            if vocabulary == "full" or self.class_of[word] == "useful":
                return word
            return f"<{self.class_of[word]}>".encode()

        masses: dict[bytes, int] = {}
        for word, count in wanted.items():
            masses[token(word)] = masses.get(token(word), 0) + count
        self.p = {word: count / wanted.total() for word, count in masses.items()}
        for word in wanted:
            self.class_of[token(word)] = self.class_of[word]
        self.counts: Counter[bytes] = Counter()
        for word, count in known.items():
            self.counts[token(word)] += count
        self.lines = {
            i: (Counter(token(word) for word in line), len(line))
            for i, line in enumerate(self.split)
            if line and (max_length is None or len(line) <= max_length)
        }
        self.s, self.size = smoothing, smoothing * (len(self.p) + 1)
        self.selected = known.total()
        self.before = self.h = entropy(self.p, self.counts, self.selected, smoothing)

    def gains(self, line: int) -> dict[bytes, int]:
        words = self.lines[line][0].items()
        return {v: gain_of_word(self.p[v], self.counts[v], c, self.s) for v, c in words if v in self.p}

    def penalty(self, line: int) -> float:
        return log2((self.selected + self.lines[line][1] + self.size) / (self.selected + self.size))

    def delta(self, line: int) -> float:
        return self.penalty(line) + sum(self.gains(line).values()) * UNIT

    def pick(self, line: int, word: bytes | None = None) -> Pick:
        gains, penalty, delta = self.gains(line), self.penalty(line), self.delta(line)
        if word is None:
            word = min(gains, key=gains.__getitem__) if gains else b""
        words, length = self.lines.pop(line)
        self.h += delta
        self.counts.update(words)
        self.selected += length
        return Pick(line, delta, penalty, sum(gains.values()) * UNIT, self.h, length, word)

    def best_word(self) -> bytes | None:
        """The word that leads: useful if any has lines left, else meh, dubious, bad; the first of the best."""
        left = {word for words, _ in self.lines.values() for word in words}
        for name in ("useful", "meh", "dubious", "bad"):
            words = [word for word in self.p if self.class_of[word] == name and word in left]
            if words:
                return min(words, key=lambda word: gain_of_word(self.p[word], self.counts[word], 1, self.s))
        return None

    def shortest_first(self) -> list[int]:
        return sorted(self.lines, key=lambda line: (self.lines[line][1], line))


def exact(problem: Problem) -> list[Pick]:
    """Try every line at every step."""
    picks = []
    while problem.lines:
        picks.append(problem.pick(min(problem.lines, key=lambda line: (problem.delta(line), line))))
    return picks


def word_first(problem: Problem) -> list[Pick]:
    """Try every line of the best word at every step."""
    picks = []
    while (word := problem.best_word()) is not None:
        lines = [line for line, (words, _) in problem.lines.items() if word in words]
        picks.append(problem.pick(min(lines, key=lambda line: (problem.delta(line), line)), word))
    return picks + [problem.pick(line, b"") for line in problem.shortest_first()]


def batches(problem: Problem) -> list[Pick]:
    """Of the A lines of the best word, score sqrt(A) and pick half as many, each of its words only once."""
    last_known = {line: sum(problem.gains(line).values()) for line in problem.lines}
    picks = []
    while (word := problem.best_word()) is not None:
        lines = [line for line, (words, _) in problem.lines.items() if word in words]
        root = math.sqrt(len(lines))
        lowest = sorted(lines, key=lambda line: (last_known[line], line))[: math.ceil(root)]
        last_known.update({line: sum(problem.gains(line).values()) for line in lowest})
        batch: list[list[bytes]] = []
        for line in sorted(lowest, key=lambda line: (problem.delta(line), line)):
            if len(batch) < max(1, math.floor(root / 2)) and problem.split[line] not in batch:
                batch.append(problem.split[line])
                picks.append(problem.pick(line, word))
    return picks + [problem.pick(line, b"") for line in problem.shortest_first()]


STRATEGIES = {"exact": exact, "word": word_first, "batch": batches}


def stopping_point(before: float, entropies: Sequence[float]) -> int:
    """The number of picks with the lowest entropy, the fewest of equals."""
    path = [before, *entropies]
    return path.index(min(path))
