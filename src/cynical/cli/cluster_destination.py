"""Where a ranking is written if its lines are on workers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from ..cluster.parts import check_folder, is_folder, write_folder
from ..cluster.run import ClusterRun, Rank, check_supported
from ..errors import CynicalError
from ..jaded.destination import Destination, rejected_format, write_rejected
from ..jaded.formats import ON_ONE_LINE
from ..jaded.summary_file import summary_path
from ..options import Cluster, Layout, Settings, options_of
from ..progress import Progress
from ..selection.inputs import Inputs
from ..text.atomic_file import check_different, check_not_input, check_output
from .destination import Announced, choose


@dataclass(frozen=True)
class ClusterDestination:
    """Files as one machine writes them, or a folder with one part per worker."""

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

    def write(self, made: ClusterRun, quiet: bool, began: float) -> None:
        """Write the ranking, or have the shards write their parts, and say so."""
        to = self.destination.to
        if not self.keeps_parts:
            self.destination.write(made.with_texts(), quiet, began)
            return
        with ExitStack() as stack:
            if to.layout.rejected is not None:
                write_rejected(stack, made.with_texts(), to.layout.rejected, overwrite=to.overwrite)
            write_folder(made, to.output, to.format, overwrite=to.overwrite)
        folded = any(part.folded for part in made.available.corpus.parts)
        lost = [f"texts of AVAILABLE have several lines; {ON_ONE_LINE}"] if folded and to.format == "text" else []
        self.destination.announce(made.jaded, lost, quiet, began)


def choose_cluster_destination(
    output: str,
    format: str | None,
    layout: Layout,
    inputs: Inputs,
    settings: Settings,
    read: Sequence[str],
    overwrite: bool,
) -> ClusterDestination:
    """Where to write, after checking that it may be written and that a cluster supports the options."""
    check_supported(inputs, settings)
    keeps_parts = is_folder(output)
    for one in options_of(Layout):
        if keeps_parts and one.name != "rejected" and getattr(layout, one.name) != one.default:
            raise CynicalError(
                f"{output}: a folder holds one part per worker, which {one.flag} does not support; give -o the name "
                "of a file"
            )
    if not keeps_parts:
        return ClusterDestination(choose(output, format, layout, inputs, read, overwrite), keeps_parts=False)
    folder, chosen = output.rstrip("/"), format or "tsv"
    check_folder(folder, chosen, overwrite=overwrite)
    to = Destination(folder, chosen, layout, overwrite)
    if layout.rejected is not None:
        rejected_format(layout.rejected)
        check_not_input([layout.rejected], read)
        check_output(layout.rejected, overwrite=overwrite)
        check_different([layout.rejected, summary_path(folder)])
    return ClusterDestination(Announced(to, [folder], inputs.replaces), keeps_parts=True)
