"""Where a ranking goes whose parts are written by shards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..cluster.parts import check_folder, check_format, is_folder, write_folder, write_merged
from ..cluster.run import FarRun, Rank, check_supported
from ..errors import CynicalError
from ..jaded.destination import Destination
from ..jaded.formats import ON_ONE_LINE
from ..options import Cluster, Layout, Settings, options_of
from ..progress import Progress
from ..selection.inputs import Inputs
from ..text.paths import is_remote
from .destination import Announced, choose


@dataclass(frozen=True)
class FarDestination:
    """One file, or a folder that keeps the parts."""

    destination: Announced
    keeps_parts: bool

    def rank(
        self,
        inputs: Inputs,
        settings: Settings,
        progress: Progress,
        cluster: Cluster,
        rank: Rank,
        quiet: bool,
        began: float,
    ) -> None:
        """Rank lines on a cluster, and write the ranking."""
        from ..cluster.actors import run_on_ray

        with run_on_ray(inputs, settings, progress, cluster, rank=rank) as made:
            self.write(made, quiet, began)

    def write(self, made: FarRun, quiet: bool, began: float) -> None:
        """Have the shards write them, put them together unless they are to be kept, and say so."""
        write, to = write_folder if self.keeps_parts else write_merged, self.destination.to
        write(made, to.output, to.format, overwrite=to.overwrite)
        folded = any(part.folded for part in made.available.corpus.parts)
        lost = [f"texts of AVAILABLE have several lines; {ON_ONE_LINE}"] if folded and to.format == "text" else []
        self.destination.announce(made.jaded, lost, quiet, began)


def choose_far_destination(
    output: str,
    format: str | None,
    layout: Layout,
    inputs: Inputs,
    settings: Settings,
    read: Sequence[str],
    overwrite: bool,
) -> FarDestination:
    """Where to write, once it is sure that it may be and that a cluster can do what is asked."""
    check_supported(inputs, settings)
    check_layout(layout, output)
    if not is_folder(output):
        destination = choose(output, format, layout, inputs, read, overwrite)
        check_format(destination.to.format)
        return FarDestination(destination, keeps_parts=False)
    folder, chosen = str(Path(output)), format or "tsv"
    check_format(chosen)
    check_folder(folder, overwrite=overwrite)
    to = Destination(folder, chosen, layout, overwrite)
    return FarDestination(Announced(to, [folder], inputs.replaces), keeps_parts=True)


def check_layout(layout: Layout, output: str) -> None:
    """Refuse what only a run on one machine can do."""
    for one in options_of(Layout):
        if getattr(layout, one.name) != one.default:
            raise CynicalError(
                f"{one.flag} is not available with --engine ray; leave it out, and cynical cut the ranking"
            )
    if is_remote(output):
        raise CynicalError(f"{output}: --engine ray writes to a folder that all machines share; give -o there")
