"""Where a ranking goes: what may not be written is said before anything is read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ..cluster.parts import check_folder, check_format, is_folder, write_folder, write_merged
from ..cluster.run import FarRun, check_supported
from ..errors import tell
from ..jaded.files import check_paths, has_summary, output_format, side_paths
from ..jaded.jaded import Jaded
from ..jaded.summary import summary_path
from ..options import Settings
from ..selection.inputs import Inputs
from ..text.atomic_file import check_not_input
from .render import closing, show


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
        self._say(jaded, quiet, began)

    def _say(self, jaded: Jaded, quiet: bool, began: float) -> None:
        show(jaded.summary.notices)
        if quiet:
            return
        if self._format == "tsv" and Path(self._output).suffix[1:] in self._replaces:
            show([f"{self._output} is a table with all sides; --format text gives each side a file of its own"])
        if len(self._files) > 1:
            tell(f"written: {', '.join(map(str, self._files))}")
        tell(closing(jaded.summary, self._output, self._format, time.perf_counter() - began))


class FarDestination(Destination):
    """The same for a ranking whose parts are written by shards: one file, or a folder that keeps the parts."""

    def __init__(
        self, output: str, format: str | None, inputs: Inputs, settings: Settings, read: Sequence[str], overwrite: bool
    ) -> None:
        check_supported(inputs, settings)
        self._keeps_parts = is_folder(output)
        if not self._keeps_parts:
            super().__init__(output, format, inputs, read, overwrite)
            check_format(self._format)
            return
        output = str(Path(output))
        check_format(format or "tsv")
        check_folder(output, overwrite=overwrite)
        self._output, self._overwrite, self._replaces = output, overwrite, inputs.replaces
        self._format, self._files = format or "tsv", [output]

    def write_parts(self, made: FarRun, quiet: bool, began: float) -> None:
        """Have the shards write them, put them together unless they are to be kept, and say so."""
        write = write_folder if self._keeps_parts else write_merged
        write(made, self._output, self._format, overwrite=self._overwrite)
        self._say(made.jaded, quiet, began)
