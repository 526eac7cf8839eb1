"""How a ranking is laid out in files: for `select`, `rank` and `cut` alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ..errors import whole
from . import values
from .declare import OUTPUT, Group, option

Order = Literal["rank", "pool", "random"]


@dataclass(frozen=True, slots=True)
class Layout(Group):
    """In which order the lines are written, to how many files, and what becomes of those that were not picked."""

    title: ClassVar[str] = OUTPUT

    output_order: Order = option(
        "Order of the lines in OUT. rank: best first. pool: the original order of AVAILABLE. random: shuffled.",
        flags=("--order", "--output-order"),
        default="rank",
        python=False,
    )
    order_seed: int = option(
        "Seed of the random number generator for --order random.",
        metavar="N",
        default=0,
        check=values.random_seed,
        python=False,
    )
    shard_size: int | None = option(
        "Write several files of N lines each; OUT holds their number, for example picks-{:05d}.jsonl.zst.",
        metavar="N",
        check=whole,
        python=False,
    )
    rejected: str | None = option(
        "Also write the lines that were not picked to this file, each with the reason.",
        metavar="FILE",
        path=True,
        python=False,
    )
