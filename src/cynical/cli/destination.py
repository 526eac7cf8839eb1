"""Where a ranking goes: what may not be written is said before anything is read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import tell
from ..jaded.files import check_paths, has_summary, output_format, side_paths, unknown_suffix
from ..jaded.jaded import Jaded
from ..jaded.summary import summary_path
from ..selection.inputs import Inputs
from ..text.atomic_file import check_not_input
from .render import closing, show


@dataclass(frozen=True)
class Destination:
    """The files of a ranking: one or, as text, one for each side; a summary goes beside the first."""

    output: str
    format: str
    files: Sequence[str | Path]
    replaces: Sequence[str]
    overwrite: bool
    unknown: Sequence[str] = ()  # what to say of a name that does not tell the format

    def write(self, jaded: Jaded, quiet: bool, began: float) -> None:
        """Write it, and say so."""
        lost = jaded.save(self.output, format=self.format, overwrite=self.overwrite)
        self.announce(jaded, lost, quiet, began)

    def announce(self, jaded: Jaded, lost: Sequence[str], quiet: bool, began: float) -> None:
        """Say what was written, and what of the texts was `lost` in the format."""
        show([*jaded.summary.notices, *self.unknown, *lost])
        if quiet:
            return
        if self.format == "tsv" and Path(self.output).suffix[1:] in self.replaces:
            show([f"{self.output} is a table with all sides; --format text gives each side a file of its own"])
        if len(self.files) > 1:
            tell(f"written: {', '.join(map(str, self.files))}")
        tell(closing(jaded.summary, self.output, self.format, time.perf_counter() - began))


def choose_destination(
    output: str, format: str | None, inputs: Inputs, read: Sequence[str], overwrite: bool
) -> Destination:
    """Where to write, once it is sure that it may be; `read` are the files that the run reads."""
    chosen = output_format(output, format)
    files: list[str | Path] = [output]
    if chosen == "text":
        files += side_paths(output, inputs.columns, inputs.replaces)
    check_not_input([*files, summary_path(output)] if has_summary(output) else files, read)
    check_paths(files, overwrite=overwrite)
    return Destination(output, chosen, files, inputs.replaces, overwrite, unknown_suffix(output, format))
