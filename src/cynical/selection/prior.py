"""What is known of lines beforehand: a prior, which counts beside the bits, and which lines are the best by something.

A prior is a number of bits per word that a line is worth besides. It makes what decides

    delta(line) - weight * prior(line) * words(line)

or, per word, that divided by the words. A line's prior does not change, so gains that only shrink, and all bounds on
them, stay what they were: the search is exact. Priors of lines are rounded to multiples of 2^-28 bit.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import CynicalError
from ..jaded.summary import Among, Prior
from ..model.budget import share_of
from ..options.method import METHODS
from .eligible import check_left
from .fixed_order import best_first
from .index import add_prior
from .line_numbers import numbers_of
from .prepare import LocallyPrepared

Rate = Callable[[LocallyPrepared, str], NDArray[np.float64]]  # the scores that a method gives lines, the highest best

UNIT = 2.0**-28  # bits
MOST = 7.0  # bits of a line
BY = "classifier"


def no_rate(prepared: LocallyPrepared, name: str) -> NDArray[np.float64]:
    raise CynicalError(f"--by {name}: methods are not available here; give a field or a file")


def with_prior(prepared: LocallyPrepared) -> LocallyPrepared:
    """The same with a prior in every row."""
    from .._kernels.entries import ZERO_PRIOR

    inputs, settings, available = prepared.inputs, prepared.settings, prepared.available
    if settings.ranking.strategy != "exact":
        raise CynicalError(f"--prior needs --strategy exact: with {settings.ranking.strategy}, words choose lines")
    index, places = available.index, available.places[0]
    number = numbers_of(inputs.prior, places, "--prior", inputs.reading)
    bits = -settings.ranking.prior_weight * number * index.words
    largest = int(np.argmax(np.abs(bits))) if len(bits) else 0
    if len(bits) and not abs(bits[largest]) <= MOST:
        raise CynicalError(
            f"--prior: line {largest + 1} has {number[largest]:g} bits per word and {index.words[largest]} words, more "
            f"than {MOST:g} bits in all, where a line takes off less than one; give a lower --prior-weight, say 1e-5"
        )
    level = (np.rint(bits / UNIT).astype(np.int64) + ZERO_PRIOR).astype(np.uint32)
    add_prior(index, len(prepared.target.turn), level, prepared.storage)
    weight = settings.ranking.prior_weight
    known = Prior(
        name=_name(inputs.prior),
        weight=weight,
        least=float(number.min()),
        most=float(number.max()),
        crc32=zlib.crc32(number.tobytes()),
    )
    return replace(prepared, has_prior=True, facts=replace(prepared.facts, prior=known))


def among_best(prepared: LocallyPrepared, rate: Rate) -> LocallyPrepared:
    """The same with no lines to choose from but the best by something."""
    inputs, available = prepared.inputs, prepared.available
    share, by = prepared.settings.eligibility.among, BY if inputs.by is None else inputs.by
    assert share is not None
    with prepared.progress.stage("score"):
        if isinstance(by, str) and by in METHODS:
            score = rate(prepared, by)
        else:
            score = numbers_of(by, available.places[0], "--by", inputs.reading)
    order = best_first(available.allowed, score)
    words = np.cumsum(available.index.words[order], dtype=np.int64)
    kept = order[: int(np.searchsorted(words, share_of(share, available.contents.words), side="right"))]
    allowed = np.zeros(len(available.allowed), np.bool_)
    allowed[kept] = True
    skipped = {**available.skipped, "not_among_best": len(order) - len(kept)}
    check_left(skipped, available.contents.lines, available.contents.shortest, available.contents.longest)
    known = Among(by=_name(by), share=share, lines=len(kept), crc32=zlib.crc32(score.tobytes()))
    return replace(
        prepared,
        available=replace(available, allowed=allowed, skipped=skipped),
        facts=replace(prepared.facts, skipped=skipped, among=known),
    )


def _name(given: Any) -> str:
    return str(given) if isinstance(given, (str, Path)) else f"{len(given):,} numbers"
