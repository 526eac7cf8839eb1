"""Cut a ranking into a file, as the command line does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cynical import Jaded
from cynical.jaded.cut import Cut
from cynical.jaded.cut import cut as cut_to
from cynical.jaded.destination import choose_destination
from cynical.options import Budget, Layout
from cynical.selection.rescore import with_bits


def cut(
    path: str | Path,
    out: str | Path,
    budget: Budget,
    stop: bool,
    format: str | None,
    overwrite: bool,
    complete: Callable[[Jaded], Jaded] = with_bits,
) -> Cut:
    return cut_to(path, choose_destination(str(out), format, Layout(), overwrite), budget, stop, complete)
