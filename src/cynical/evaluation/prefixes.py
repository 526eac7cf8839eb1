"""What growing prefixes of a ranking say of held-out text.

    entropy      bits a word of the held-out text costs under the unigram model of the prefix: H of the paper, with the
                 held-out text in place of REPRESENTATIVE
    oov          words of the held-out text that the prefix does not have, of all tokens and of all types
    ngram        perplexity under an n-gram model of the prefix, ends of lines included, with and without unknown words

All prefixes are taken for texts of one language with as many words as the whole has. Else a model of ten lines, which
knows fifty words, would find an unknown word as likely as one in fifty, and look better than one of a million lines.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.sequences import Sequences
from ..options.ranking import SMOOTHING
from ..progress import Progress
from .language_models import LanguageModel
from .records import MeasuredText, Point, rounded


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
        seen, points, before = np.zeros(self.types, np.int64), [], 0
        with progress.bar("evaluating", int(text.start[cuts[-1]]) if cuts else 0, " words") as bar:
            for lines in cuts:
                words = int(text.start[lines])
                seen += text.counts(self.types, int(text.start[before]), words)
                began = time.perf_counter()
                perplexities = model.perplexities(text, lines) if words else (float(model.vocabulary), None)
                progress.seconds["language models"] = (
                    progress.seconds.get("language models", 0.0) + time.perf_counter() - began
                )
                filled = int(np.count_nonzero(text.lengths[:lines]))
                points.append(self._point(seen, lines, words, words / max(filled, 1), perplexities))
                bar.update(words - int(text.start[before]))
                before = lines
        return points

    def _point(
        self, seen: NDArray[np.int64], lines: int, words: int, length: float, perplexities: tuple[float, float | None]
    ) -> Point:
        from .._kernels.formulas import entropy

        here = self.here
        smooth = SMOOTHING * (self.number_of_types + 1)
        p = self.counts[here] / max(self.text.words, 1)
        bits = float(entropy(p, seen[here], SMOOTHING, smooth, words, 0.0))
        new = here & (seen == 0)
        oov_types = float(new.sum() / self.number_of_types)
        covered = None if self.representative is None else float((seen[self.representative] > 0).mean())
        perplexity, known = perplexities
        return Point(
            lines=lines,
            words=words,
            entropy=rounded(bits),
            perplexity=rounded(2.0**bits),
            oov_tokens=rounded(float(self.counts[new].sum() / self.text.words)),
            oov_types=rounded(oov_types),
            ngram_perplexity=rounded(perplexity),
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
