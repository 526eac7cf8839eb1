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
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..model.entropy import SMOOTHING
from ..model.kneser_ney import NGramModel
from ..model.sequences import Sequences
from ..progress import Progress


@dataclass(frozen=True, slots=True)
class Point:
    """A prefix; shares of unknown words are fractions."""

    lines: int
    words: int
    entropy: float
    perplexity: float
    oov_tokens: float
    oov_types: float
    ngram_perplexity: float
    ngram_perplexity_known: float | None  # None if every word is unknown
    mean_length: float  # of lines that have words
    heldout_coverage: float  # of its types
    representative_coverage: float | None  # the same of REPRESENTATIVE, if it is known

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class LanguageModel(Protocol):
    """What learns from a text that grows, and says what the held-out text costs."""

    vocabulary: int

    def perplexities(self, text: Sequences, lines: int) -> tuple[float, float | None]:
        """With and without unknown words, when the first lines of a text have been learnt."""
        ...


class OwnModel:
    """Our own n-gram model, which only ever learns what is new."""

    def __init__(self, held_out: Sequences, types: int, order: int, vocabulary: int) -> None:
        self._model, self._held_out, self.vocabulary = NGramModel(order, types), held_out, vocabulary
        self._learnt = 0

    def perplexities(self, text: Sequences, lines: int) -> tuple[float, float | None]:
        self._model.add(text, np.arange(self._learnt, lines))
        self._learnt = lines
        cost = self._model.cost(self._held_out, self.vocabulary)
        return cost.perplexity, cost.perplexity_known


class HeldOut:
    """The text that decides."""

    def __init__(self, text: Sequences, types: int, representative: Sequences | None = None) -> None:
        self.text, self.types = text, types
        self._counts = text.counts(types)
        self._p = self._counts / max(text.words, 1)
        self._here = self._counts > 0
        self._wanted = None if representative is None else representative.counts(types) > 0

    @property
    def number_of_types(self) -> int:
        return int(self._here.sum())

    @property
    def mean_length(self) -> float:
        return self.text.words / max(int(np.count_nonzero(self.text.lengths)), 1)

    def shares_a_word(self, other: Sequences) -> bool:
        return bool((self._here & (other.counts(self.types) > 0)).any())

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
        from .._kernels.bits import entropy

        smooth = SMOOTHING * (self.number_of_types + 1)
        bits = float(entropy(self._p[self._here], seen[self._here], SMOOTHING, smooth, words, 0.0))
        new = self._here & (seen == 0)
        oov_types = float(new.sum() / self.number_of_types)
        covered = None if self._wanted is None else float((seen[self._wanted] > 0).mean())
        return Point(
            lines,
            words,
            bits,
            2.0**bits,
            float(self._counts[new].sum() / self.text.words),
            oov_types,
            *perplexities,
            length,
            1.0 - oov_types,
            covered,
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


def rounded(point: Point) -> Point:
    """Without the digits that only a machine sees."""
    figures = {name: value for name, value in asdict(point).items() if isinstance(value, float)}
    return replace(point, **{name: float(f"{value:.9g}") for name, value in figures.items()})  # type: ignore[arg-type]


def _fitting(total: NDArray[np.int64], budgets: Sequence[int]) -> list[int]:
    return [int(np.searchsorted(total, budget, side="right")) for budget in budgets]
