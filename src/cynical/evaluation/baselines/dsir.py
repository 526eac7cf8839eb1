"""DSIR: data selection by importance resampling (Xie, Santurkar, Ma and Liang 2023, arXiv:2302.03169).

A line's features are its words and its word pairs, each in one of some thousand hash buckets (_kernels/buckets.py). A
bucket has a probability in REPRESENTATIVE and one in AVAILABLE; the weight of a line is how much more likely the former
makes its features, in bits:

    weight = sum over features of  log2(p_repr(bucket) + 1e-8) - log2(p_avail(bucket) + 1e-8)

With a lot from the Gumbel distribution added to each weight, the k highest are a sample of k lines without
replacement, each drawn by its weight, for every k: so one order serves all budgets. The authors' own program, the
package data-selection, does the same with natural logarithms, another tokenizer and another hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...errors import CynicalError
from ...model.count import counts_in
from ...model.counts import Counts
from ...model.hashed_lines import Featurizer, HowToHash, basis_of, weigh
from ...model.logarithm import LN2, log2
from ...model.random_numbers import draw
from ...options import Method
from ...selection.available import Available, LocalAvailable
from ...selection.index import HowToOpen, HowToTokenize
from ...selection.prepare import Prepared
from ...selection.shards import Each
from ...text.corpus import Chunk, Corpus
from ...text.reader import Words, read_all
from ..divergence import LEAST, shares


def score(prepared: Prepared[Available], method: Method) -> None:
    """By line, its weight and its lot."""
    buckets, available = method.number_of_buckets, prepared.available
    wanted = np.zeros(buckets)
    for weight, sides, counted in zip(
        prepared.target.weights, prepared.texts.targets, prepared.counted.wanted, strict=True
    ):
        wanted += weight * shares(_count_target(prepared, sides, counted, buckets))
    have = shares(np.sum(available.ask(_count, buckets), axis=0))
    ratio = log2(wanted + LEAST) - log2(have + LEAST)
    available.tell(_score, ratio, method.seed, Each(available.first))


def _score(shard: LocalAvailable, ratio: NDArray[np.float64], seed: int, before: int) -> None:
    how = HowToHash(shard.how.tokenizer, len(ratio), shard.how.jobs, shard.how.progress)
    weights, _ = weigh(shard.counted_sides, ratio, how, "AVAILABLE")
    shard.score = weights + gumbel(seed, shard.index.lines, before)


def gumbel(seed: int, lines: int, before: int = 0) -> NDArray[np.float64]:
    """A lot for each line, in bits: -log2(-ln u) where u is anywhere between 0 and 1."""
    return -log2(-log2(draw(seed, lines, before)) * LN2)


def _count_target(
    prepared: Prepared[Available], sides: Sequence[Corpus | Counts], counted: Sequence[Counts], buckets: int
) -> NDArray[np.int64]:
    """How many features each bucket has in one target, whose sides may be counts in place of text."""
    total = np.zeros(buckets, np.int64)
    for number, (side, counts) in enumerate(zip(sides, counted, strict=True)):
        if isinstance(side, Counts) or counts_in(side) is not None:
            total += _count_counts(counts, number, buckets)
        else:
            how = HowToOpen(prepared.tokenizer, prepared.jobs, prepared.progress)
            total += _count_side(how, side, number, buckets, "REPRESENTATIVE")
    return total


def _count(shard: LocalAvailable, buckets: int) -> NDArray[np.int64]:
    sides = enumerate(shard.counted_sides)
    return np.asarray(
        np.sum([_count_side(shard.how, side, number, buckets, "AVAILABLE") for number, side in sides], axis=0)
    )


def _count_side(how: HowToTokenize, corpus: Corpus, side: int, buckets: int, role: str) -> NDArray[np.int64]:
    takers = read_all(corpus, how.tokenizer, how.jobs, how.progress, partial(_Counter, side, buckets), role)
    return np.asarray(np.sum([taker.counts for taker in takers], axis=0))


def _count_counts(counts: Counts, side: int, buckets: int) -> NDArray[np.int64]:
    """The same of a .counts file; what was folded is in no bucket."""
    from ..._kernels.buckets import bucket_names

    if counts.grams is None:
        raise CynicalError(
            f"{counts.name or 'REPRESENTATIVE'}: dsir compares words and word pairs, but the .counts file has only "
            "words; count again with --ngrams 2 and give --ngrams 2 here too, or give the text"
        )
    first, last = counts.grams.bounds[0]
    names, number = list(counts.words), counts.count.tolist()
    for feature in range(len(counts) + first, len(counts) + last):
        left, right = counts.parts_of(feature)
        if left and right:  # the end of a line is an empty word
            names.append(left + b" " + right)
            number.append(int(counts.of_features[feature]))
    start = np.zeros(len(names) + 1, np.int64)
    np.cumsum([len(name) for name in names], out=start[1:])
    bucket = np.empty(len(names), np.int64)
    bucket_names(np.frombuffer(b"".join(names), np.uint8), start, basis_of(side), buckets, bucket)
    total = np.zeros(buckets, np.int64)
    np.add.at(total, bucket, np.array(number, np.int64))
    return total


class _Counter(Featurizer):
    """One thread's share of the counting."""

    def __init__(self, side: int, buckets: int) -> None:
        super().__init__(side, buckets)
        self.counts = np.zeros(buckets, np.int64)

    def take(self, chunk: Chunk, words: Words) -> None:
        from ..._kernels.buckets import count_buckets

        count_buckets(self.features(words)[0], self.counts)
