"""How fast is the judge? Our n-gram model beside KenLM's lmplz, and `cynical compare` beside `cynical select --all`.

    python benchmarks/judging.py [--scratch DIR] [--repeat N] [--task TASK] [--order N]

Wall time from the start of a process to its end, the two in turn, the best of N each. The first row trains a model of
the pool, 6.5 million words, and asks it for the perplexity of a held-out text, by `cynical evaluate` and by lmplz and
query (left out where these are not on the PATH). The second is all methods of `cynical compare` at four budgets, the
language models' time apart, against ranking the same pool whole; its limit is 5.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

from corpora import MB, Run, Scratch, arguments, best_of, cynical, note, run, scratch, select, side_by_side, table, warm

HEADER = ("job", "seconds", "peak MB", "against", "seconds", "peak MB", "ratio", "limit")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, default=2, metavar="N", help="runs of each (2)")
    parser.add_argument("--task", default="medqa", help="REPRESENTATIVE and held-out text (medqa)")
    parser.add_argument("--order", type=int, default=4, help="of the n-grams (4)")
    options = parser.parse_args()
    rows = []
    with scratch(options.scratch) as here:
        warm(here.pool)
        if all(map(shutil.which, ("lmplz", "query"))):
            rows.append(trained(here, options.task, options.order, options.repeat))
        rows.append(compared(here, options.task, options.repeat))
    print(table(HEADER, rows))


def trained(here: Scratch, task: str, order: int, repeat: int) -> tuple[str, ...]:
    figures, model, test = here.folder / "judged.json", here.folder / "model.arpa", here.test(task)
    ours = cynical("evaluate", here.pool, "-t", test, "--order", str(order), "--points", "1", "--json", figures)
    kind = ("-o", str(order), "--discount_fallback", "--interpolate_unigrams=1", "-S", "2G")
    theirs = ("lmplz", *kind, "-T", f"{here.folder}/", "--text", here.pool, "--arpa", model)
    note("language models ...")
    run([*ours, "--overwrite"])

    def kenlm() -> Run:
        built = run(theirs)
        asked = run(["sh", "-c", f"query -v summary '{model}' < '{test}'"])
        return Run(built.seconds + asked.seconds, max(built.peak, asked.peak), "", built.processor + asked.processor)

    one, other = side_by_side(repeat, lambda: run([*ours, "--overwrite"]), kenlm)
    return shown(f"{order}-gram model of 6.5 million words", one, "KenLM", other, "")


def compared(here: Scratch, task: str, repeat: int) -> tuple[str, ...]:
    """The language models' seconds are taken off."""
    figures, jaded = here.folder / "compared.json", here.folder / "jaded.tsv"
    corpora = ("-r", here.train(task), "-a", here.pool, "-t", here.test(task))
    note("all methods ...")
    runs: list[Run] = []
    whole: list[Run] = []
    for turn in range(repeat + 1):  # the first compiles
        done = run(cynical("compare", *corpora, "--json", figures, "--overwrite", "--quiet"))
        models = json.loads(Path(figures).read_text())["seconds"]["language models"]
        ranked = run(select(here.train(task), here.pool, jaded, "--all", "--quiet"))
        if turn:
            runs.append(replace(done, seconds=done.seconds - models))
            whole.append(ranked)
    return shown(f"compare, less {models:.1f} s of models", best_of(runs), "select --all", best_of(whole), "5")


def shown(job: str, one: Run, against: str, other: Run, limit: str) -> tuple[str, ...]:
    ours, theirs = (f"{one.seconds:.2f}", f"{one.peak / MB:.0f}"), (f"{other.seconds:.2f}", f"{other.peak / MB:.0f}")
    return (job, *ours, against, *theirs, f"{one.seconds / other.seconds:.2f}", limit)


if __name__ == "__main__":
    main()
