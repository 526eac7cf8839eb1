"""cynical warm-up."""

from __future__ import annotations

import time

from ..errors import tell
from ..options import Execution, Writing
from .generate import command


@command("Compile everything now, not when it is first used.")
def warm_up(execution: Execution, writing: Writing) -> None:
    """Compile everything now, not when it is first used: for an image, or for a machine on which many runs start.

    The machine code is in the folder that NUMBA_CACHE_DIR names, else beside the installed package, else in the user's
    cache. It is for this version of cynical and of numba, and for this kind of processor.

    \b
    Example, the last step of an image:
      NUMBA_CACHE_DIR=/opt/cynical cynical warm-up
    """
    began = time.perf_counter()
    from ..progress import Progress
    from ..small_runs import compile_all

    folder = compile_all(execution.jobs, Progress(not writing.quiet))
    if not writing.quiet:
        took = time.perf_counter() - began
        tell(f"{len(list(folder.glob('*.o')))} kernels are compiled ({took:.1f} s); their machine code is in {folder}")
