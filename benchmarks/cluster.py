"""What does a selection on many machines cost: seconds, rounds, bytes, and the memory of the driver?

    python benchmarks/cluster.py [--scratch DIR] [--task TASK] [--lines N] [--pool-lines N] [--workers 1,2,4]
        [--delays 0,1,10] [--strategy exact|batch] [--ray]

Workers are processes on this machine, each with a part of the pool; with --ray they are actors of a cluster that is
started for each run. A network is simulated: every round waits for some milliseconds more. Each run is a process of
its own. Prints, a run a row: the seconds of selecting (laying out and searching, without reading), the processor
seconds of the driver, rounds, picks per round, rows that were given away for each pick, bytes that were sent for each
pick in both directions, the peak memory of the driver and of a worker, and whether the picks are those of a run in one
process.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from corpora import MB, arguments, note, scratch, table, warm
from cynical.jaded.jaded import Jaded

OF_RUN = ("run", "delay ms", "seconds", "driver s", "rounds", "picks a round", "rows a pick", "bytes a pick")
HEADER = (*OF_RUN, "driver MB", "worker MB", "equal")


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(**json.loads(sys.argv[2]))))
        return
    parser = arguments(__doc__)
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE (medqa)")
    parser.add_argument("--lines", type=int, default=100_000, metavar="N", help="picks (100,000)")
    parser.add_argument("--pool-lines", type=int, metavar="N", help="grow the pool to N lines")
    parser.add_argument("--workers", default="1,2,4", metavar="N,...", help="numbers of workers (1,2,4)")
    parser.add_argument("--delays", default="0,1,10", metavar="MS,...", help="milliseconds of each round (0,1,10)")
    parser.add_argument("--strategy", default="exact", choices=("exact", "batch"), help="of the search (exact)")
    parser.add_argument("--ray", action="store_true", help="on Ray too")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        pool = here.grown(options.pool_lines) if options.pool_lines else here.pool
        warm(pool)
        told = {"task": str(here.train(options.task)), "pool": str(pool), "lines": options.lines}
        told |= {"strategy": options.strategy}
        local = child(told | {"kind": "local", "workers": 1, "delay": 0.0})
        rows = [row("one process", local, local)]
        for kind in ("processes", "ray") if options.ray else ("processes",):
            for workers in map(int, options.workers.split(",")):
                for delay in map(float, options.delays.split(",")):
                    note(f"{workers} {kind}, {delay:g} ms ...")
                    made = child(told | {"kind": kind, "workers": workers, "delay": delay})
                    rows.append(row(f"{workers} {'on Ray' if kind == 'ray' else kind}", made, local))
    print(table(HEADER, rows))


def child(told: dict[str, Any]) -> dict[str, Any]:
    """A run in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(told)], check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def row(name: str, made: dict[str, Any], local: dict[str, Any]) -> tuple[str, ...]:
    engine, picks, equal = made["engine"], made["picks"], made["hash"] == local["hash"]
    far, worker = ("", "", "", ""), ""
    if engine is not None:
        rounds, sent = engine["rounds"], engine["sent"] / picks
        far = str(rounds), f"{picks / rounds:.0f}", f"{engine['candidates'] / picks:.2f}", f"{sent:.0f}"
        worker = f"{engine['peak_of_a_worker'] / MB:.0f}"
    return (
        name,
        f"{made['delay']:g}",
        f"{made['seconds']:.2f}",
        f"{made['processor']:.2f}",
        *far,
        f"{made['peak'] / MB:.0f}",
        worker,
        "yes" if equal else "NO",
    )


def one(
    task: str, pool: str, lines: int, strategy: Literal["exact", "batch"], kind: str, workers: int, delay: float
) -> dict[str, Any]:
    """A run in this process, with workers in others unless it is local."""
    from cynical import select
    from cynical.options import Cluster, Reading, Settings
    from cynical.progress import Progress
    from cynical.selection.inputs import gather

    def wait(number: int, *_: object) -> None:
        time.sleep(delay / 1000)

    if kind == "local":
        return found(select(task, Path(pool), lines=lines, strategy=strategy, jobs=1), delay)
    inputs, settings = gather([task], pool, reading=Reading()), Settings.of(jobs=1, lines=lines, strategy=strategy)
    begun: AbstractContextManager[Any]
    if kind == "ray":
        from cynical.cluster.actors import run_on_ray

        begun = run_on_ray(inputs, settings, Progress(), Cluster("ray", None, workers), wait)
    else:
        from cynical.cluster.run import run
        from cynical.jaded.summary import EngineFacts

        facts = EngineFacts(name="processes", version="", processors=workers)
        begun = run(inputs, settings, Progress(), workers, lambda share, plan, _: Away(share, plan), facts, wait)
    with begun as made:
        return found(made.jaded, delay)


def found(jaded: Jaded, delay: float) -> dict[str, Any]:
    """What is printed of a run."""
    summary = jaded.summary
    engine = {name: summary["engine"][name] for name in summary["engine"]} if "engine" in summary else None
    seconds = summary["seconds"]
    return {
        "delay": delay,
        "seconds": seconds["select"] + seconds.get("lay out", 0.0),
        "processor": time.process_time(),
        "picks": len(jaded),
        "peak": summary["memory"]["peak"],
        "engine": engine,
        "hash": hashlib.sha256(jaded.lines.tobytes() + jaded.delta.tobytes()).hexdigest(),
    }


class Away:
    """A worker in a process of its own, at the other end of a pipe."""

    def __init__(self, share: Any, plan: bytes) -> None:
        here, there = get_context("spawn").Pipe()
        self._pipe = here
        self._process = get_context("spawn").Process(target=serve, args=(there, share, plan), daemon=True)
        self._process.start()

    def ask(self, method: str, *arguments: object) -> object:
        self._pipe.send((method, arguments))
        return None

    def answer(self, asked: object) -> Any:
        return self._pipe.recv()

    def dismiss(self) -> None:
        self._pipe.send(None)
        self._process.join()


def serve(pipe: Connection, share: Any, plan: bytes) -> None:
    """A shard that answers what is asked through a pipe."""
    from cynical.cluster.worker import make_shard

    shard = make_shard(share, plan)
    while (asked := pipe.recv()) is not None:
        method, arguments = asked
        answer: Callable[..., Any] = getattr(shard, method)
        pipe.send(answer(*arguments))


if __name__ == "__main__":
    main()
