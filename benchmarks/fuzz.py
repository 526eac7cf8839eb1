"""Inputs and problems that nobody would think of: no traceback, no hang, no difference from the oracle.

    python benchmarks/fuzz.py [--inputs 1000000] [--problems 100000] [--seed N] [--only NAME] [--jobs N]
    python benchmarks/fuzz.py --only NAME --case N [--seed N]

Corpora of every format, rankings and their summaries, counts, checkpoints, texts for the tokenizers, options and values
are changed at random and given to the code that reads them, in this process: each is used, or raises an error with a
message. And small problems are solved, with random options, and compared with tests/oracle.py: the same picks, deltas
and entropies. Every case can be made again from its name, its number and the seed, which the second form does.

Prints, for each kind, how many cases there were, how many were used rather than refused, and cases per second; then
every fault with its command. The exit code is 1 if there is any. The tests run a thousandth of it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests is no installed package

from tests.fuzz_inputs import INPUTS, try_input
from tests.fuzz_problems import try_budget, try_problem

PROBLEMS: dict[str, Callable[[int, int], bool]] = {"problem": try_problem, "budget": try_budget}
INPUT_SHARES = {"corpus": 0.15, "stream": 0.05, "ranking": 0.04, "counts": 0.1, "checkpoint": 0.05, "words": 0.05}
INPUT_SHARES |= {"options": 0.06}
PROBLEM_SHARES = {"problem": 0.9, "budget": 0.1}
AT_ONCE = 200  # cases of a kind that a process tries before it says so
HANG = 30.0  # seconds of the processor that no case may take, compilation included
MOST_SHOWN = 20


def one(name: str, seed: int, case: int, folder: Path) -> bool:
    """Was it used, not refused?"""
    return PROBLEMS[name](seed, case) if name in PROBLEMS else try_input(name, seed, case, folder)


def some(name: str, seed: int, first: int, last: int) -> tuple[str, int, int, list[str]]:
    """Try some cases: how many, how many were used, and what was wrong with others."""
    used, faults = 0, []
    with tempfile.TemporaryDirectory(prefix="cynical-fuzz-") as home:
        here = os.getcwd()  # noqa: PTH109
        os.chdir(home)
        for case in range(first, last):
            began = time.process_time()
            try:
                used += one(name, seed, case, Path(home))
            except Exception:
                faults.append(f"--only {name} --seed {seed} --case {case}\n{traceback.format_exc(limit=-3)}")
            if (seconds := time.process_time() - began) > HANG:
                faults.append(f"--only {name} --seed {seed} --case {case}\ntook {seconds:.0f} s")
        os.chdir(here)
    return name, last - first, used, faults


def cases(inputs: int, problems: int, only: str | None) -> dict[str, int]:
    """How many cases of each kind."""
    rest = 1 - sum(INPUT_SHARES.values())
    made = {name: round(inputs * INPUT_SHARES.get(name, rest)) for name in INPUTS}
    made |= {name: round(problems * share) for name, share in PROBLEM_SHARES.items()}
    return {name: number for name, number in made.items() if number and only in (None, name)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[*INPUTS, *PROBLEMS])
    parser.add_argument("--case", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    told = parser.parse_args()
    if told.case is not None:
        with tempfile.TemporaryDirectory(prefix="cynical-fuzz-") as home:
            os.chdir(home)
            print("used" if one(told.only, told.seed, told.case, Path(home)) else "refused")
        return
    wanted = cases(told.inputs, told.problems, told.only)
    tried, used, faults = dict.fromkeys(wanted, 0), dict.fromkeys(wanted, 0), []
    began = time.perf_counter()
    with ProcessPoolExecutor(told.jobs) as pool:
        asked = [
            pool.submit(some, name, told.seed, first, min(first + AT_ONCE, number))
            for name, number in wanted.items()
            for first in range(0, number, AT_ONCE)
        ]
        for future in asked:
            name, number, good, wrong = future.result()
            tried[name] += number
            used[name] += good
            faults += wrong
    seconds = time.perf_counter() - began
    for name, number in tried.items():
        print(f"{name:12} {number:9,} cases  {used[name]:9,} used")
    total = sum(tried.values())
    print(f"{'all':12} {total:9,} cases  {total / seconds:,.0f} per second, {len(faults)} faults")
    for fault in faults[:MOST_SHOWN]:
        print(f"\npython benchmarks/fuzz.py {fault}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
