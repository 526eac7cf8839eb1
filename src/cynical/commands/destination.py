"""Where a ranking goes: what may not be written is said before anything is read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ..closing import closing, show
from ..errors import tell
from ..inputs import Inputs
from ..jaded import Jaded, check_paths, has_summary, output_format, side_paths, summary_path
from ..output import check_not_input


class Destination:
    """The files of a ranking: one or, as text, one for each side, and a summary beside the first."""

    def __init__(self, output: str, format: str | None, inputs: Inputs, read: Sequence[str], overwrite: bool) -> None:
        """`read` are the files that the run reads."""
        self._output, self._overwrite, self._replaces = output, overwrite, inputs.replaces
        self._format = output_format(output, format)
        self._files: list[str | Path] = [output]
        if self._format == "text":
            self._files += side_paths(output, inputs.columns, inputs.replaces)
        check_not_input([*self._files, summary_path(output)] if has_summary(output) else self._files, read)
        check_paths(self._files, overwrite=overwrite)

    def write(self, jaded: Jaded, quiet: bool, began: float) -> None:
        """Write it, and say so."""
        jaded.write(self._output, format=self._format, overwrite=self._overwrite)
        show(jaded.summary["notices"])
        if quiet:
            return
        if self._format == "tsv" and Path(self._output).suffix[1:] in self._replaces:
            show([f"{self._output} is a table with all sides; --format text gives each side a file of its own"])
        if len(self._files) > 1:
            tell(f"written: {', '.join(map(str, self._files))}")
        tell(closing(jaded.summary, self._output, self._format, time.perf_counter() - began))
