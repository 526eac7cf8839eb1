"""A filter for OpusFilter, which scores segments, or pairs of segments, by how much they change the entropy of a text.

filters:
  - ScoreFilter: {representative: task.en, threshold: 0.5}
    module: cynical.adapters.opusfilter
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import CynicalError
from ..scoring.scorer import Scorer
from .extras import BATCH, in_batches, missing

try:
    from opusfilter import CLEAN_LOW, FilterABC
except ImportError as error:
    raise missing(__name__, "opusfilter", error) from None

Pair = Sequence[str]


class ScoreFilter(FilterABC):
    """The bits by which a pair of segments changes the entropy of a text; lower is better.

    Parameters
    ----------
    representative : path or list of paths
        The language you want. Several paths are several sides, all of which count; with one path, the side `side`
        counts. Paths are relative to OpusFilter's working folder.
    threshold : float, default 0
        Pairs with a lower score are accepted.
    side : int, default 0
        The segment of a pair that counts, if only one does.
    seed : path or list of paths, optional
        Lines that were selected before, by side.
    **options
        Options of `cynical.Scorer`, such as ``per: word``, ``ngrams: 2`` or ``lowercase: true``.
    """

    score_direction = CLEAN_LOW
    accept_threshold = -(10**9)
    reject_threshold = 10**9

    def __init__(
        self,
        representative: Any,
        threshold: float = 0.0,
        side: int = 0,
        seed: Any = None,
        name: str | None = None,
        workdir: str = "",
        **options: Any,
    ) -> None:
        super().__init__(name=name, workdir=workdir)
        self.threshold, self.side = threshold, side
        first, *others = self._paths(representative)
        if seed is not None:
            options["seed"], *known = self._paths(seed)
            options["seed_with"] = tuple(known) or None
        self.scorer = Scorer(first, representative_with=tuple(others) or None, **options)

    def _paths(self, given: Any) -> list[str]:
        return [str(Path(self.workdir, path)) for path in (given if isinstance(given, (list, tuple)) else [given])]

    def score(self, pairs: Iterable[Pair]) -> Iterator[float]:
        """For each pair its score."""
        for batch in in_batches(pairs, 10 * BATCH):
            yield from self._scored(batch)

    def accept(self, score: float) -> bool:
        return bool(score < self.threshold)

    def filter(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs that are accepted; many are scored together."""
        return self._filtered(pairs, True)

    def filterfalse(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs that are not accepted."""
        return self._filtered(pairs, False)

    def _filtered(self, pairs: Iterable[Pair], accepted: bool) -> Iterator[Pair]:
        for batch in in_batches(pairs, 10 * BATCH):
            for pair, score in zip(batch, self._scored(batch), strict=True):
                if self.accept(score) == accepted:
                    yield pair

    def _scored(self, pairs: Sequence[Pair]) -> list[float]:
        sides, number = list(zip(*pairs, strict=True)), self.scorer.sides
        if number > 1 and len(sides) != number:
            raise CynicalError(
                f"representative has {number} sides, but segments have {len(sides)}; give the same number of sides"
            )
        if number == 1 and not 0 <= self.side < len(sides):
            raise CynicalError(f"side {self.side} was requested, but segments have {len(sides)} sides, numbered from 0")
        first, others = (sides[0], sides[1:]) if number > 1 else (sides[self.side], ())
        scores: list[float] = self.scorer.score(first, with_=tuple(others) or None).score.tolist()
        return scores
