"""Orders that need no model: what a selection should beat."""

from __future__ import annotations

from ...model.random_numbers import draw
from ...options import Method
from ...selection.available import Available, LocalAvailable
from ...selection.prepare import Prepared
from ...selection.shards import Each


def random(prepared: Prepared[Available], method: Method) -> None:
    available = prepared.available
    available.tell(_draw, method.seed, Each(available.first))


def longest(prepared: Prepared[Available], method: Method) -> None:
    prepared.available.tell(_by_length)


def _draw(shard: LocalAvailable, seed: int, before: int) -> None:
    shard.score = draw(seed, shard.index.lines, before)


def _by_length(shard: LocalAvailable) -> None:
    shard.score = shard.index.words.astype(float)
