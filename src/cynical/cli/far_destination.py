"""Where a ranking goes whose parts are written by shards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..cluster.parts import check_folder, check_format, is_folder, write_folder, write_merged
from ..cluster.run import FarRun, check_supported
from ..jaded.formats import ON_ONE_LINE
from ..options import Settings
from ..selection.inputs import Inputs
from .destination import Destination, choose_destination


@dataclass(frozen=True)
class FarDestination:
    """One file, or a folder that keeps the parts."""

    destination: Destination
    keeps_parts: bool

    def write(self, made: FarRun, quiet: bool, began: float) -> None:
        """Have the shards write them, put them together unless they are to be kept, and say so."""
        write, to = write_folder if self.keeps_parts else write_merged, self.destination
        write(made, to.output, to.format, overwrite=to.overwrite)
        folded = any(part.folded for part in made.available.corpus.parts)
        lost = [f"texts of AVAILABLE have several lines; {ON_ONE_LINE}"] if folded and to.format == "text" else []
        to.announce(made.jaded, lost, quiet, began)


def choose_far_destination(
    output: str, format: str | None, inputs: Inputs, settings: Settings, read: Sequence[str], overwrite: bool
) -> FarDestination:
    """Where to write, once it is sure that it may be and that a cluster can do what is asked."""
    check_supported(inputs, settings)
    if not is_folder(output):
        destination = choose_destination(output, format, inputs, read, overwrite)
        check_format(destination.format)
        return FarDestination(destination, keeps_parts=False)
    folder, chosen = str(Path(output)), format or "tsv"
    check_format(chosen)
    check_folder(folder, overwrite=overwrite)
    return FarDestination(Destination(folder, chosen, [folder], inputs.replaces, overwrite), keeps_parts=True)
