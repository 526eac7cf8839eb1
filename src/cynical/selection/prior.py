"""What is known of lines beforehand: a prior, which is added to the bits, and the lines that a score ranks best.

A prior is a number of bits per word that a line is worth besides. It makes what decides

    delta(line) - weight * prior(line) * words(line)

or, per word, that divided by the words. A line's prior does not change, so gains that only shrink, and all bounds on
them, stay what they were: the search is exact. Priors of lines are rounded to multiples of 2^-28 bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.summary import Among, Prior
from ..model.budget import share_of
from ..options.corpora import direction_of
from ..options.method import METHODS
from ..text.checksum import Checksum, joined, of
from .available import Available, LocalAvailable
from .eligible import NOT_AMONG_BEST, check_left
from .given_scores import score_by_numbers
from .index import add_prior
from .order import keep_best, sort_lines
from .prepare import A, Prepared

Rate = Callable[[Prepared[Available], str], None]  # has lines scored by a method, the highest best

UNIT = 2.0**-28  # bits
MOST = 7.0  # bits of a line
BY = "classifier"


def no_rate(prepared: Prepared[Available], name: str) -> None:
    raise CynicalError(f"--by {name}: methods are not supported here; give a field or a file")


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What is known of the numbers of a shard's lines."""

    least: float
    most: float
    checksum: Checksum
    bits: float  # the most of a line, as a prior,
    line: int  # which that is
    number: float
    words: int


def with_prior(prepared: Prepared[A]) -> Prepared[A]:
    """The same with a prior in every row."""
    inputs, settings, available = prepared.inputs, prepared.settings, prepared.available
    if settings.ranking.strategy != "exact":
        raise CynicalError(
            f"--prior needs --strategy exact; it is not available with --strategy {settings.ranking.strategy}"
        )
    weight = settings.ranking.prior_weight
    sign, notices = score_by_numbers(inputs.prior, available, "--prior", inputs.reading)
    described = available.ask(_describe, weight, sign)
    shards = [(first, one) for first, one in zip(available.first, described, strict=True) if one is not None]
    first, largest = shards[int(np.argmax([one.bits for _, one in shards]))]
    if not largest.bits <= MOST:
        raise CynicalError(
            f"--prior: line {first + largest.line + 1} has {largest.number:g} bits per word and {largest.words} "
            f"words, more than {MOST:g} bits in total, but a line changes the entropy by less than one bit; give a "
            "lower --prior-weight, for example 1e-5"
        )
    available.tell(_add_prior, len(prepared.target.turn), weight)
    known = Prior(
        name=_name(inputs.prior),
        weight=weight,
        least=min(one.least for _, one in shards),
        most=max(one.most for _, one in shards),
        crc32=joined(one.checksum for _, one in shards).crc,
    )
    facts = replace(prepared.facts, prior=known, notices=[*prepared.facts.notices, *notices])
    return replace(prepared, has_prior=True, facts=facts)


def _describe(shard: LocalAvailable, weight: float, sign: int) -> _Numbers | None:
    number, bits = _bits(shard, weight)
    if not len(bits):
        return None
    number = sign * number  # as they were given
    largest = int(np.argmax(np.abs(bits)))
    return _Numbers(
        float(number.min()),
        float(number.max()),
        of(number.tobytes()),
        abs(float(bits[largest])),
        largest,
        float(number[largest]),
        int(shard.index.words[largest]),
    )


def _add_prior(shard: LocalAvailable, features: int, weight: float) -> None:
    from .._kernels.entries import ZERO_PRIOR

    level = (np.rint(_bits(shard, weight)[1] / UNIT).astype(np.int64) + ZERO_PRIOR).astype(np.uint32)
    add_prior(shard.index, features, level, shard.how.storage)
    shard.score = None


def _bits(shard: LocalAvailable, weight: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The numbers of lines, and their priors, of which less is better."""
    assert shard.score is not None
    return shard.score, -weight * shard.score * shard.index.words


def among_best(prepared: Prepared[A], rate: Rate) -> Prepared[A]:
    """The same with no lines to choose from but the best by something."""
    inputs, available = prepared.inputs, prepared.available
    share, by = prepared.settings.eligibility.among, BY if inputs.by is None else inputs.by
    assert share is not None
    notices: list[str] = []
    name, said = direction_of(by) if isinstance(by, str) else ("", "")
    if said and name in METHODS:
        raise CynicalError(f"--by {by}: a method knows which of its scores are the best; give --by {name}")
    with prepared.progress.stage("score"):
        if name in METHODS:
            rate(prepared, name)
        else:
            notices = score_by_numbers(by, available, "--by", inputs.reading).notices
    checksum = joined(available.ask(_checksum))
    sort_lines(available)
    kept, left = keep_best(available, share_of(share, available.contents.words)), prepared.left
    available.skipped = skipped = {**available.skipped, NOT_AMONG_BEST: left - kept}
    check_left(skipped, available.contents.lines, available.contents.shortest, available.contents.longest)
    known = Among(by=_name(by), share=share, lines=kept, crc32=checksum.crc)
    facts = replace(prepared.facts, skipped=skipped, among=known, notices=[*prepared.facts.notices, *notices])
    return replace(prepared, facts=facts)


def _checksum(shard: LocalAvailable) -> Checksum:
    assert shard.score is not None
    return of(shard.score.tobytes())


def _name(given: Any) -> str:
    return str(given) if isinstance(given, (str, Path)) else f"{len(given):,} numbers"
