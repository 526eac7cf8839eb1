"""Texts counted over the n-grams of REPRESENTATIVE; of all other n-grams, only the total is kept.

A text has many more n-grams than words, most of them its own. Where only those of REPRESENTATIVE matter, they are
counted in an array, and no table of all has to be kept: `--ngrams 3` of a large UNADAPTED would take gigabytes.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..progress import Progress
from ..text.corpus import Chunk
from ..text.reader import Words, number_of_jobs, read_all
from ..text.sources import Source, open_corpus
from ..text.tokenizer import Tokenizer
from .count import WordCounter, count_words, counts_in, put_together
from .counts import Counts
from .ngrams import Grams, renamed

if TYPE_CHECKING:
    from .._kernels.index import Known, Scratch

ENTRIES = {1: Fraction(1, 2), 2: Fraction(3, 2), 3: Fraction(2)}  # per byte of text, at most, by longest n-gram


def count_over(
    known: Counts,
    source: Source | Counts,
    tokenizer: Tokenizer,
    jobs: int | None,
    progress: Progress,
    role: str,
    *,
    may_be_empty: bool = False,
) -> Counts:
    """Count all words of a text, and of its n-grams those that are known; counts are taken as they are."""
    corpus = source if isinstance(source, Counts) else open_corpus(source, role)
    if known.grams is None or isinstance(corpus, Counts) or counts_in(corpus) is not None:
        return count_words(corpus, tokenizer, jobs, progress, role, may_be_empty=may_be_empty)
    looked_for, features = kernel_known(known, np.array([0, len(known), len(known)], np.int64)), sum(known.sizes)
    takers = read_all(
        corpus, tokenizer, number_of_jobs(jobs), progress, lambda: _KnownCounter(looked_for, features), role
    )
    words = put_together(takers, replace(tokenizer, ngrams=1).signature)
    count = np.sum([taker.of_features for taker in takers], axis=0)
    with_words = sum(taker.lines_with_words for taker in takers)
    totals = (words.total + with_words, words.total)[: known.ngrams - 1]
    grams = _those_seen(known, known.grams, words, count[len(known) :], totals)
    counted = replace(words, grams=grams, signature=tokenizer.signature, name=corpus.name)
    return counted if counted.total or may_be_empty else count_words(corpus, tokenizer, jobs, progress, role)


def _those_seen(known: Counts, grams: Grams, words: Counts, count: NDArray[np.int64], totals: tuple[int, ...]) -> Grams:
    """The known n-grams that were seen, over the words that were."""
    seen = count > 0
    sizes = tuple(int(seen[a:b].sum()) for a, b in grams.bounds)
    other = tuple(total - int(count[a:b].sum()) for total, (a, b) in zip(totals, grams.bounds, strict=True))
    number, place = words.find(known), np.cumsum(seen) - 1
    left, right = renamed(grams.left[seen], number, place), renamed(grams.right[seen], number, place)
    return Grams(left, right, count[seen], sizes, other)


class _KnownCounter(WordCounter):
    """One thread's share: all words, and known n-grams."""

    def __init__(self, known: Known, features: int) -> None:
        super().__init__(1)
        self._known, self._scratch = known, scratch_for(features)
        self._entry = np.zeros(0, np.uint32)
        self.of_features = np.zeros(features, np.int64)
        self.lines_with_words = 0

    def take(self, chunk: Chunk, words: Words) -> None:
        from .._kernels.index import Found, read_rows

        super().take(chunk, words)
        room = int(words.size * ENTRIES[3]) + 2
        if len(self._entry) < room:
            self._entry = np.empty(room, np.uint32)
        lines = len(words.line_end)
        by_line = np.zeros(lines, np.uint32), np.zeros(lines, np.uint32), np.zeros(0, np.uint64)
        read_rows(self._known, words.chunk, self._scratch, Found(self._entry, *by_line, self.of_features))
        self.lines_with_words += int(np.count_nonzero(by_line[1]))


def kernel_known(counts: Counts, shifts: NDArray[np.int64]) -> Known:
    """What a kernel looks for in a text; `shifts` make ids of words, pairs and triples features."""
    from .._kernels.index import Known

    return Known(counts.vocabulary, counts.gram_slots, np.array([counts.ngrams], np.int64), shifts)


def scratch_for(features: int) -> Scratch:
    """Room for the features of a line; of it, only what is used takes memory."""
    from .._kernels.index import Scratch

    return Scratch(np.zeros(features, np.int32), np.empty(features, np.uint32), np.empty(features, np.uint32))
