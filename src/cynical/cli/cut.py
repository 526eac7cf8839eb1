"""cynical cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..errors import number_of, tell
from ..options import Budget, Layout, Writing
from ..options.commands import Cutting
from .generate import command
from .render import money_spent, show

if TYPE_CHECKING:
    from ..jaded.jaded import Jaded


@command("Cut a ranking to a budget without ranking again.")
def cut(ranking: str, cutting: Cutting, layout: Layout, budget: Budget, writing: Writing) -> None:
    """Cut RANKING to a budget, without ranking again.

    \b
    The text of the lines up to the best cut:
      cynical cut jaded.tsv --stop -o best.txt
    The lines that 500 euros buy, at 0.12 per source word:
      cynical cut jaded.tsv --money 500 --price 0.12 --currency EUR -o buy.txt
    """
    from ..jaded.cut import cut as cut_ranking
    from ..jaded.destination import choose_destination
    from ..reports.figures import columns

    def complete(jaded: Jaded) -> Jaded:  # few rankings need what it imports
        if jaded.columns.has_bits:
            return jaded
        from ..selection.rescore import with_bits

        return with_bits(jaded)

    to = choose_destination(cutting.output, cutting.format, layout, writing.overwrite)
    made = cut_ranking(ranking, to, budget, cutting.stop, complete)
    show(made.notices)
    if not writing.quiet:
        kept = number_of(made.lines, "line")
        rows = [
            ("kept", kept, f"{number_of(made.words, 'word')}, of {number_of(made.ranked, 'line')}"),
            *money_spent(made.money),
            ("entropy, bits", _bits(made.entropy_before), f"-> {_bits(made.entropy)}"),
        ]
        tell(columns(rows))


def _bits(entropy: float) -> str:
    return "unknown" if math.isnan(entropy) else f"{entropy:.4f}"
