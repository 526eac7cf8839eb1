"""KL reduction: how much nearer to REPRESENTATIVE the words and word pairs of the picks are than those of AVAILABLE.

The figure that DSIR's authors judge selections by (Xie et al. 2023, section 4). With the features of `rank --method
dsir`, words and word pairs in hash buckets, and their distributions in REPRESENTATIVE, AVAILABLE and the picks,

    KL reduction = KL(REPRESENTATIVE || AVAILABLE) - KL(REPRESENTATIVE || picks)
                 = sum over buckets of  p_repr ln((p_picks + 1e-8) / (p_avail + 1e-8))

in nats, as they give it; of several targets, the mean. The entropy of REPRESENTATIVE cancels out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.hash_tables import WordTable
from ..model.hashed_lines import basis_of
from ..model.logarithm import LN2, log2
from ..model.sequences import Sequences
from ..options.method import BUCKETS

LEAST = 1e-8  # added to probabilities, as DSIR's authors do


def shares(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(counts / counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Divergence:
    """What picks are compared with."""

    words: WordTable  # in whose numbers all texts are
    target: NDArray[np.float64]  # by bucket: its share in REPRESENTATIVE
    available: NDArray[np.float64]  # and the log2 of its share in AVAILABLE

    @classmethod
    def of(cls, words: WordTable, targets: Sequence[Sequences], available: Sequences) -> Divergence:
        """Count the features of REPRESENTATIVE, target by target, and of AVAILABLE."""
        wanted = np.mean([shares(_counts(words, text)) for text in targets if text.words], axis=0)
        return cls(words, wanted, log2(shares(_counts(words, available)) + LEAST))

    def reductions(self, text: Sequences, cuts: Sequence[int]) -> list[float | None]:
        """KL reduction of the first lines of a text, for each number of lines; these must grow."""
        counts, found, before = np.zeros(BUCKETS, np.int64), [], 0
        for lines in cuts:
            counts += _counts(self.words, text, before, lines)
            before = lines
            nearer = log2(shares(counts) + LEAST) - self.available if counts.any() else None
            found.append(None if nearer is None else LN2 * float((self.target * nearer).sum()))
        return found


def _counts(words: WordTable, text: Sequences, begin: int = 0, end: int | None = None) -> NDArray[np.int64]:
    """How many features each bucket has in some lines of a text."""
    from .._kernels.buckets import count_features

    start = text.start[begin : len(text) + 1 if end is None else end + 1]
    blob, word, _, _ = words.contents()
    counts = np.zeros(BUCKETS, np.int64)
    count_features(text.ids[int(start[0]) : int(start[-1])], start, blob, word, basis_of(0), counts)
    return counts
