"""Measurements of prefixes of a ranking on held-out text.

    entropy      bits per word of the held-out text under the unigram model of the prefix: H of the paper, with the
                 held-out text in place of REPRESENTATIVE
    oov          words of the held-out text that the prefix does not have, of all tokens and of all types
    ngram        perplexity under an n-gram model of the prefix, ends of lines included, with and without unknown words

All are means over the words of the held-out text, so what a part of its lines says is a matter of adding up: `sums`.

All prefixes are taken for texts of one language with as many words as the whole has. Else a model of ten lines, which
knows fifty words, would find an unknown word as likely as one in fifty, and look better than one of a million lines.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.logarithm import log2
from ..model.sequences import Sequences
from ..options.ranking import SMOOTHING
from ..progress import Progress
from .judged import Judged, LanguageModel
from .records import MeasuredText, Point, rounded


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What a prefix says, and what it is made of."""

    point: Point
    seen: NDArray[np.int64]  # by word of the language, of the prefix
    judged: Judged


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The text that decides; words are numbers below `types`."""

    text: Sequences
    types: int
    counts: NDArray[np.int64]  # by word
    representative: NDArray[np.bool_] | None  # by word: does REPRESENTATIVE have it?

    @classmethod
    def of(cls, text: Sequences, types: int, representative: Sequences | None = None) -> HeldOut:
        """Count the words."""
        wanted = None if representative is None else representative.counts(types) > 0
        return cls(text, types, text.counts(types), wanted)

    @property
    def here(self) -> NDArray[np.bool_]:
        """By word: is it in the text?"""
        return self.counts > 0

    @property
    def number_of_types(self) -> int:
        return int(np.count_nonzero(self.counts))

    @property
    def representative_types(self) -> int:
        return 0 if self.representative is None else int(np.count_nonzero(self.representative))

    def sizes(self, name: str) -> MeasuredText:
        """As a record, under the name that the text has."""
        return MeasuredText(
            name=name,
            lines=len(self.text),
            words=self.text.words,
            types=self.number_of_types,
            mean_length=self.text.words / max(int(np.count_nonzero(self.text.lengths)), 1),
        )

    def shares_a_word(self, other: Sequences) -> bool:
        return bool((self.here & (other.counts(self.types) > 0)).any())

    def points(self, text: Sequences, cuts: Sequence[int], model: LanguageModel, progress: Progress) -> list[Point]:
        """What the first lines of a text say, for each number of lines; these must grow."""
        return [one.point for one in self.measure(text, cuts, model, progress)]

    def measure(
        self, text: Sequences, cuts: Sequence[int], model: LanguageModel, progress: Progress
    ) -> Iterator[Measured]:
        """The same one by one, as long as each is looked at before the next."""
        seen, before = np.zeros(self.types, np.int64), 0
        with progress.bar("evaluating", int(text.start[cuts[-1]]) if cuts else 0, " words") as bar:
            for lines in cuts:
                words = int(text.start[lines])
                seen += text.counts(self.types, int(text.start[before]), words)
                began = time.perf_counter()
                judged = model.judge(text, lines) if words else self._of_nothing(model.vocabulary)
                progress.seconds["language models"] = (
                    progress.seconds.get("language models", 0.0) + time.perf_counter() - began
                )
                filled = int(np.count_nonzero(text.lengths[:lines]))
                yield Measured(self._point(seen, lines, words, words / max(filled, 1), judged), seen, judged)
                bar.update(words - int(text.start[before]))
                before = lines

    def _of_nothing(self, vocabulary: int) -> Judged:
        """A model that has learnt nothing: all words are as likely."""
        return Judged(float(vocabulary), None, self.tokens * np.log2(vocabulary))

    @property
    def tokens(self) -> NDArray[np.int64]:
        """By line: words, and one more for its end; none of a line without words."""
        lengths = self.text.lengths
        return np.asarray(lengths + (lengths > 0))

    def divisors(self) -> NDArray[np.float64]:
        """(figures, lines): what sums are divided by."""
        lengths = self.text.lengths
        return np.stack([self.tokens, lengths, lengths]).astype(np.float64)

    def sums(self, measured: Measured) -> NDArray[np.float64]:
        """(figures, lines): bits under the n-gram model, unknown words, and bits under the unigram model."""
        seen, words = measured.seen, measured.point.words
        unigram = log2(np.full(1, words + self._smooth))[0] - log2((seen + SMOOTHING).astype(np.float64))
        return np.stack([measured.judged.bits, self._by_line(seen == 0), self._by_line(unigram)])

    def _by_line(self, of_word: NDArray[Any]) -> NDArray[np.float64]:
        """The sum of what the words of each line have."""
        total = np.zeros(len(self.text.ids) + 1)
        np.cumsum(of_word[self.text.ids], out=total[1:])
        return np.diff(total[self.text.start])

    @property
    def _smooth(self) -> float:
        return SMOOTHING * (self.number_of_types + 1)

    def _point(self, seen: NDArray[np.int64], lines: int, words: int, length: float, judged: Judged) -> Point:
        from .._kernels.formulas import entropy

        here = self.here
        p = self.counts[here] / max(self.text.words, 1)
        bits = float(entropy(p, seen[here], SMOOTHING, np.zeros(0), self._smooth, words, 0.0))
        new = here & (seen == 0)
        oov_types = float(new.sum() / self.number_of_types)
        covered = None if self.representative is None else float((seen[self.representative] > 0).mean())
        known = judged.perplexity_known
        return Point(
            lines=lines,
            words=words,
            entropy=rounded(bits),
            perplexity=rounded(2.0**bits),
            oov_tokens=rounded(float(self.counts[new].sum() / self.text.words)),
            oov_types=rounded(oov_types),
            ngram_perplexity=rounded(judged.perplexity),
            ngram_perplexity_known=None if known is None else rounded(known),
            mean_length=rounded(length),
            heldout_coverage=rounded(1.0 - oov_types),
            representative_coverage=None if covered is None else rounded(covered),
        )


def geometric_cuts(words: NDArray[np.int64], points: int) -> list[int]:
    """Numbers of lines: of all, and of the longest prefixes with at most 1/sqrt(2), 1/2, ... of all their words."""
    total = np.cumsum(words)
    budgets = [int(total[-1] / 2 ** (step / 2)) for step in range(points)]
    return sorted({cut for cut in _fitting(total, budgets) if cut and total[cut - 1]})


def cuts_at(words: NDArray[np.int64], budgets: Sequence[int]) -> list[int]:
    """For each number of words how many lines fit."""
    return _fitting(np.cumsum(words), budgets)


def best(points: Sequence[Point]) -> Point:
    """The lowest n-gram perplexity; of equals, the smallest text."""
    return min(points, key=lambda point: (point.ngram_perplexity, point.words))


def _fitting(total: NDArray[np.int64], budgets: Sequence[int]) -> list[int]:
    return [int(np.searchsorted(total, budget, side="right")) for budget in budgets]
