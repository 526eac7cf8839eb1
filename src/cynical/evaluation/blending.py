"""One point out of several: of the sides of a text, or of a method with several seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .prefixes import HeldOut
from .records import FIGURES, Point, rounded

SIZES = ("lines", "words", "mean_length")
LOGARITHMIC = ("perplexity", "ngram_perplexity", "ngram_perplexity_known")  # whose bits have a mean
Weights = Mapping[str, Sequence[float]]  # by figure; all the same where there are none


def of_seeds(points: Sequence[Point]) -> Point:
    """The mean; of perplexities, that of their bits."""
    if len(points) == 1:
        return points[0]
    lines, words, length = (float(np.mean([getattr(point, name) for point in points])) for name in SIZES)
    return _blended(points, {}, lines=round(lines), words=round(words), mean_length=rounded(length))


def of_sides(points: Sequence[Point], judges: Sequence[HeldOut]) -> Point:
    """What would be measured if both sides were one text, but that each has a model of its own."""
    if len(points) == 1:
        return points[0]
    words = [judge.text.words for judge in judges]
    tokens = [int(judge.tokens.sum()) for judge in judges]
    unknown = [point.oov_tokens * number for point, number in zip(points, words, strict=True)]
    types = [judge.number_of_types for judge in judges]
    weights: dict[str, Sequence[float]] = dict.fromkeys(("entropy", "perplexity", "oov_tokens"), words)
    weights |= dict.fromkeys(("oov_types", "heldout_coverage"), types)
    weights["ngram_perplexity"] = tokens
    weights["ngram_perplexity_known"] = [a - b for a, b in zip(tokens, unknown, strict=True)]
    weights["representative_coverage"] = [judge.representative_types for judge in judges]
    return _blended(
        points,
        weights,
        lines=points[0].lines,
        words=sum(point.words for point in points),
        mean_length=rounded(sum(point.mean_length for point in points)),
    )


def _blended(points: Sequence[Point], weights: Weights, **sizes: float) -> Point:
    names = [name for name in FIGURES if name not in SIZES]
    return Point(**sizes, **{name: _mean(points, name, weights.get(name)) for name in names})  # type: ignore[arg-type]


def _mean(points: Sequence[Point], name: str, weights: Sequence[float] | None) -> float | None:
    values = [getattr(point, name) for point in points]
    if None in values:
        return None
    mean = np.average(np.log2(values) if name in LOGARITHMIC else values, weights=weights)
    return rounded(float(2.0**mean if name in LOGARITHMIC else mean))
