"""An n-gram language model: interpolated modified Kneser-Ney, as KenLM's lmplz has it, over word numbers.

It grows: lines are added, and at any time it can be asked what a text costs. Unknown words share what the model keeps
for words that it has never seen, as if there were `vocabulary` words in all, the end of a line and "unknown" included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from .sequences import Sequences

FALLBACK = (0.0, 0.5, 1.0, 1.5)  # where a text is too small, or too odd, to tell how much to discount
BESIDES = 2  # what a model knows beside words: the end of a line, and "unknown"
MOST = 2**32 - 1  # n-grams that can be numbered


class Cost(NamedTuple):
    """What lines cost, each with its end."""

    bits: NDArray[np.float64]  # of known words
    unknown_bits: NDArray[np.float64]
    tokens: NDArray[np.int64]  # words, and one more for the end; none of a line without words
    unknown: NDArray[np.int64]

    @property
    def all_bits(self) -> NDArray[np.float64]:
        return np.asarray(self.bits + self.unknown_bits)

    @property
    def perplexity(self) -> float:
        return float(2.0 ** (self.all_bits.sum() / self.tokens.sum()))

    @property
    def perplexity_known(self) -> float | None:
        """Leaving unknown words aside; None if there are no others."""
        known = int(self.tokens.sum() - self.unknown.sum())
        return float(2.0 ** (self.bits.sum() / known)) if known else None


class NGramModel:
    """What n-grams up to an order say of the next word."""

    def __init__(self, order: int, types: int) -> None:
        """`types` words can be numbered, seen or not."""
        from .._kernels.kneser_ney import FIRST, Counted

        self.order, self._types = order, FIRST + types
        grams, slots = 2 * (FIRST + types) + 1024, 1 << 12
        self._counted = Counted(
            np.zeros((slots, 2), np.uint64),
            np.zeros((grams, 5), np.uint32),
            np.zeros((order + 1, 5), np.int64),
            np.array([FIRST + types, 0]),
            _chain(order),
            np.zeros(2, np.int64),
        )

    @property
    def known(self) -> int:
        """Words that were seen, the end of a line and "unknown" among them."""
        from .._kernels.kneser_ney import COUNT, END

        return int(np.count_nonzero(self._counted.gram[END : self._types, COUNT])) + 1

    @property
    def discounts(self) -> NDArray[np.float64]:
        """By order and count (3 is 3 and more): Chen and Goodman's equation 26.

        A discount of 0 would leave nothing for what was never seen.
        """
        out = np.zeros((self.order + 1, 4))
        for order in range(1, self.order + 1):
            n = self._counted.seen[order].astype(float)
            out[order] = FALLBACK
            if n[1:4].all():
                y = n[1] / (n[1] + 2 * n[2])
                found = [r - (r + 1) * y * n[r + 1] / n[r] for r in (1, 2, 3)]
                if all(0 < discount <= r for r, discount in enumerate(found, 1)):
                    out[order, 1:] = found
        return out

    def add(self, text: Sequences, lines: NDArray[np.int64] | None = None) -> None:
        """Learn from some lines, or all."""
        from .._kernels.kneser_ney import count_lines

        lines = text.all if lines is None else lines
        while not count_lines(self._counted, text.ids, text.start, lines):
            self._grow()

    def cost(self, text: Sequences, vocabulary: int, lines: NDArray[np.int64] | None = None) -> Cost:
        """What some lines, or all, cost in bits; several threads may ask at once."""
        from .._kernels.kneser_ney import score_lines

        lines = text.all if lines is None else lines
        bits, unknown = np.zeros((len(lines), 2)), np.zeros(len(lines), np.int64)
        counted = self._counted._replace(chain=_chain(self.order))
        score_lines(counted, self.discounts, 1.0 / vocabulary, text.ids, text.start, lines, bits, unknown)
        length = text.start[lines + 1] - text.start[lines]
        return Cost(bits[:, 0], bits[:, 1], length + (length > 0), unknown)

    def distribution(self, history: Sequence[int], vocabulary: int) -> NDArray[np.float64]:
        """The probability of each word after the first words of a line; the last two are its end and any unknown
        word."""
        from .._kernels.kneser_ney import BEGIN, END, FIRST, probability

        discounts, uniform = self.discounts, 1.0 / vocabulary
        counted = self._counted._replace(chain=_chain(self.order))
        counted.chain[0, 1], depth = BEGIN, min(1, self.order - 1)
        for word in history:
            _, depth = probability(counted, discounts, uniform, FIRST + word, depth)
        words = [*range(FIRST, self._types), END, -1]
        ask = [counted._replace(chain=counted.chain.copy()) for _ in words]
        return np.array([probability(one, discounts, uniform, w, depth)[0] for one, w in zip(ask, words, strict=True)])

    def _grow(self) -> None:
        from .._kernels.ngrams import rehash_grams

        held = self._counted
        slot, gram = held.slot, held.gram
        if 3 * (held.size[1] + self.order) > 2 * len(slot):
            slot = np.zeros((2 * len(slot), 2), np.uint64)
            rehash_grams(held.slot, slot)
        if held.size[0] + self.order > len(gram):
            if len(gram) >= MOST:
                raise CynicalError(f"more than {MOST:,} different n-grams; give a smaller text, or a lower --order")
            gram = np.zeros((min(2 * len(gram), MOST), 5), np.uint32)
            gram[: len(held.gram)] = held.gram
        self._counted = held._replace(slot=slot, gram=gram)


def _chain(order: int) -> NDArray[np.int64]:
    return np.zeros((2, order + 1), np.int64)
