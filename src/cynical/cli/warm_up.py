"""cynical warm-up."""

from __future__ import annotations

import time

from ..errors import tell
from ..options import Execution, Writing
from .generate import command


@command("Compile all kernels ahead of time.")
def warm_up(execution: Execution, writing: Writing) -> None:
    """Compile all kernels ahead of time, for a container image or for a machine on which many runs start.

    The machine code is stored in the folder NUMBA_CACHE_DIR, else next to the installed package, else in the user's
    cache. It is valid for this version of cynical and numba and for this type of processor.

    \b
    The last step of building an image:
      NUMBA_CACHE_DIR=/opt/cynical cynical warm-up
    """
    began = time.perf_counter()
    from ..progress import Progress
    from ..small_runs import compile_all

    folder = compile_all(execution.jobs, Progress(not writing.quiet))
    if not writing.quiet:
        took = time.perf_counter() - began
        tell(
            f"{len(list(folder.glob('*.o')))} kernels are compiled ({took:.1f} s); their machine code is stored in "
            f"{folder}"
        )
