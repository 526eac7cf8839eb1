"""Where a ranking is written: outputs are checked before anything is read, and listed at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import tell
from ..jaded.destination import Destination, choose_destination
from ..jaded.jaded import Jaded
from ..options import Layout
from ..selection.inputs import Inputs
from .render import closing, show


@dataclass(frozen=True)
class Announced:
    """Where a ranking goes; writing says so."""

    to: Destination
    files: Sequence[str]  # one or, as text, one for each side
    replaces: Sequence[str]

    def write(self, jaded: Jaded, quiet: bool, began: float) -> None:
        self.announce(jaded, self.to.write(jaded), quiet, began)

    def announce(self, jaded: Jaded, lost: Sequence[str], quiet: bool, began: float) -> None:
        """Say what was written, and what of the texts was `lost` in the format."""
        output, format = self.to.output, self.to.format
        show([*jaded.summary.notices, *lost])
        if quiet:
            return
        if format == "tsv" and Path(output).suffix[1:] in self.replaces:
            show([f"{output} is a table of all sides; --format text writes each side to a separate file"])
        if len(self.files) > 1:
            tell(f"written: {', '.join(self.files)}")
        tell(closing(jaded.summary, output, format, time.perf_counter() - began))


def choose(
    output: str, format: str | None, layout: Layout, inputs: Inputs, read: Sequence[str], overwrite: bool
) -> Announced:
    """Where to write, once it is sure that it may be; `read` are the files that the run reads."""
    to = choose_destination(output, format, layout, overwrite)
    return Announced(to, to.check(inputs.columns, inputs.replaces, read), inputs.replaces)
