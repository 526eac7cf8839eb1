"""What does --engine ray cost beside the same run in one process, on one machine?

    python benchmarks/cluster.py [--scratch DIR] [--repeat N] [--task TASK] [--workers N]

A cluster is started once. Each run is a process of its own; its seconds are those that its summary has, from the first
byte read to the last pick, so neither the start of Python nor that of Ray, whose seconds stand beside them: wall time
of the whole process less those. Prints, a budget a row: both times and their ratio, rounds, picks a round, rows that
shards gave away for each pick, the peak memory of the driver and of a worker, and whether both outputs are equal.
"""

from __future__ import annotations

import filecmp
import json
import os
import sys
from pathlib import Path
from typing import Any

from corpora import MB, Scratch, arguments, note, run, scratch, select, table, warm

HEADER = (
    "budget",
    "local",
    "ray",
    "ratio",
    "start",
    "rounds",
    "picks a round",
    "rows a pick",
    "driver MB",
    "worker MB",
)
BUDGETS = (("--all",), ("--share", "0.1"))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="shards (2)")
    options = parser.parse_args()
    try:
        from ray.cluster_utils import Cluster
    except ImportError:
        sys.exit("Ray is not installed; pip install 'cynical[ray]'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with scratch(options.scratch) as here:
        warm(here.pool)
        size = {"num_cpus": options.workers, "include_dashboard": False}
        cluster: Any = Cluster(initialize_head=True, head_node_args=size)  # its own processes, and it ends no others
        try:
            engine = ("--engine", "ray", "--address", cluster.address, "--workers", str(options.workers))
            rows = [compared(here, here.train(options.task), budget, engine, options.repeat) for budget in BUDGETS]
        finally:
            cluster.shutdown()
    print(table((*HEADER, "equal"), rows))


def compared(
    here: Scratch, task: Path, budget: tuple[str, ...], engine: tuple[str, ...], repeat: int
) -> tuple[str, ...]:
    local, far = here.folder / "local.tsv", here.folder / "far.tsv"
    best: dict[Path, dict[str, Any]] = {}
    start = 0.0
    for time in range(repeat + 1):  # the first time compiles
        for out, where in ((local, ()), (far, engine)):
            note(f"{' '.join(budget)} {' '.join(where[:2])} ...")
            done = run(select(task, here.pool, out, *budget, *where))
            summary = json.loads(Path(f"{out}.json").read_text())
            seconds = summary["seconds"]["total"]
            if time and (out not in best or seconds < best[out]["seconds"]["total"]):
                best[out] = summary
                start = done.seconds - seconds
    ours, theirs = best[far], best[local]
    engine_of, picks = ours["engine"], ours["search"]["ranked"]
    times = (theirs["seconds"]["total"], ours["seconds"]["total"])
    return (
        " ".join(budget),
        f"{times[0]:.2f}",
        f"{times[1]:.2f}",
        f"{times[1] / times[0]:.2f}",
        f"{start:.1f}",
        str(engine_of["rounds"]),
        f"{picks / engine_of['rounds']:.0f}",
        f"{engine_of['candidates'] / picks:.2f}",
        f"{ours['memory']['peak'] / MB:.0f}",
        f"{engine_of['peak_of_a_worker'] / MB:.0f}",
        "yes" if filecmp.cmp(local, far, shallow=False) else "NO",
    )


if __name__ == "__main__":
    main()
