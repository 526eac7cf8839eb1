"""Does cynical selection beat Moore-Lewis and DSIR? `cynical compare` on six corpora at four budgets.

    python benchmarks/comparison.py [--scratch DIR] [--lm own|kenlm] [--json FILE] [--docs FOLDER] [TASK ...]

REPRESENTATIVE is a corpus' train part, the held-out text its test part, AVAILABLE the pool without the lines of that
test part (--exclude), the budgets are 0.3, 1, 3 and 10 % of the pool's words. Lots fall by --random-seed 0.

Prints, in Markdown, a task and a budget a row: perplexity of the held-out text under a 4-gram model of what was picked,
and the words of it that were never seen; the lowest of each row in bold. Below it, who is lowest how often, and every
row where none of ours is. With --docs, FOLDER/comparison.md gets this between its two marks, and FOLDER/comparison.svg
the picture (which needs matplotlib).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora import Scratch, arguments, cynical, note, run, scratch

METHODS = ("cynical", "cynical-per-word", "cynical-2-grams", "moore-lewis", "dsir", "random")
OURS = tuple(name for name in METHODS if name.startswith("cynical"))
SHARES = "0.003,0.01,0.03,0.1"
BEGIN, END = "<!-- from benchmarks/comparison.py -->\n", "<!-- to here -->"
NAMES = {
    "elife-plant": "plant biology",
    "law": "law",
    "mathword": "word problems",
    "medqa": "medical questions",
    "novel": "novels",
    "shakespeare": "plays",
}
STYLES = {
    "cynical": ("#0b6e4f", "-", "o"),
    "cynical-per-word": ("#3aa17e", "--", "o"),
    "cynical-2-grams": ("#c2410c", "-", "s"),
    "moore-lewis": ("#1d4ed8", "-", "^"),
    "dsir": ("#7c3aed", "-", "v"),
    "random": ("#6b7280", ":", "."),
}
Point = Mapping[str, float]
Task = dict[str, dict[float, Point]]  # by method and share


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--lm", default="own", help="the judge: own, or kenlm where lmplz is on the PATH (own)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="write comparison.md and comparison.svg here")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="such as medqa (all)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        made = {task: compared(here, task, options.lm) for task in options.tasks or here.tasks()}
    text = table(made) + "\n\n" + "\n".join(f"- {sentence}" for sentence in verdict(made)) + "\n"
    print(text)
    if options.json:
        options.json.write_text(json.dumps(made, indent=1) + "\n")
    if options.docs:
        insert(options.docs / "comparison.md", text)
        draw(made, options.docs / "comparison.svg")


def compared(here: Scratch, task: str, lm: str) -> Task:
    note(f"{task} ...")
    figures, test = here.folder / "compared.json", here.test(task)
    corpora = ("-r", here.train(task), "-a", here.pool, "-t", test, "--exclude", test)
    how = ("--shares", SHARES, "--methods", ",".join(METHODS), "--lm", lm)
    run(cynical("compare", *corpora, *how, "--json", figures, "--overwrite", "--quiet"))
    methods: list[dict[str, Any]] = json.loads(figures.read_text())["methods"]
    return {method["name"]: {point["share"]: point for point in method["points"]} for method in methods}


def perplexity(point: Point) -> float:
    return point["ngram_perplexity"]


def unknown(point: Point) -> float:
    return point["oov_tokens"]


def bits(point: Point) -> float:
    return point["entropy"]


def table(made: Mapping[str, Task]) -> str:
    rows = ["| text wanted | budget | " + " | ".join(METHODS) + " |", "|---|---|" + "---|" * len(METHODS)]
    for task, methods in made.items():
        for share in methods[METHODS[0]]:
            least = [min(measure(methods[name][share]) for name in METHODS) for measure in (perplexity, unknown)]
            cells = [cell(methods[name][share], *least) for name in METHODS]
            rows.append(f"| {NAMES.get(task, task)} | {100 * share:g} % | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def cell(point: Point, lowest: float, fewest: float) -> str:
    shown = f"{perplexity(point):,.0f}" if perplexity(point) >= 100 else f"{perplexity(point):.1f}"
    seen = f"{100 * unknown(point):.1f} %"
    return bold(shown, perplexity(point) == lowest) + ", " + bold(seen, unknown(point) == fewest)


def bold(text: str, best: bool) -> str:
    return f"**{text}**" if best else text


def verdict(made: Mapping[str, Task]) -> list[str]:
    """Who is lowest how often, and where it is none of ours; and where ours of single words is behind Moore-Lewis."""
    cases = [(task, share) for task, methods in made.items() for share in methods[METHODS[0]]]
    sentences = []
    measures: Sequence[tuple[str, Callable[[Point], float]]] = (
        ("perplexity is lowest", perplexity),
        ("unknown words are fewest", unknown),
        ("bits are lowest", bits),
    )
    for claim, measure in measures:
        wins = Counter(min(METHODS, key=lambda name: measure(made[task][name][share])) for task, share in cases)
        told = ", ".join(f"{name} {number}" for name, number in wins.most_common())
        sentences.append(f"Of {len(cases)} cases, {claim} with: {told}.")
        lost = [
            f"{NAMES.get(task, task)} at {100 * share:g} %"
            for task, share in cases
            if min(METHODS, key=lambda name: measure(made[task][name][share])) not in OURS
        ]
        if lost:
            sentences.append(f"Not won by any of ours: {', '.join(lost)}.")
    for ours in OURS:
        for other in ("moore-lewis", "dsir"):
            behind = [
                f"{NAMES.get(task, task)} at {100 * share:g} %"
                for task, share in cases
                if perplexity(made[task][other][share]) < perplexity(made[task][ours][share])
            ]
            told = f" ({', '.join(behind)})" if behind else ""
            sentences.append(
                f"The perplexity of {other} is below that of {ours} in {len(behind)} of {len(cases)}{told}."
            )
    return sentences


def insert(page: Path, text: str) -> None:
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, behind = rest.partition(END)
    page.write_text(before + BEGIN + "\n" + text + "\n" + END + behind)


def draw(made: Mapping[str, Task], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "cynical"
    matplotlib.rcParams["svg.fonttype"] = "none"
    columns = 3
    figure, axes = pyplot.subplots(-(-len(made) // columns), columns, figsize=(12, 7), squeeze=False)
    for axis, (task, methods) in zip(axes.flat, made.items(), strict=False):
        for name in METHODS:
            colour, line, marker = STYLES[name]
            shares = list(methods[name])
            heights = [perplexity(methods[name][share]) for share in shares]
            axis.plot(
                [100 * share for share in shares], heights, color=colour, ls=line, marker=marker, ms=4, label=name
            )
        axis.set(xscale="log", yscale="log", title=NAMES.get(task, task))
        axis.set_xticks([0.3, 1, 3, 10], ["0.3", "1", "3", "10"])
        axis.yaxis.set_major_formatter("{x:,.0f}")
        axis.yaxis.set_minor_formatter("{x:,.0f}")
        axis.tick_params(axis="y", which="both", labelsize=7)
        axis.grid(alpha=0.25, which="both")
    for axis in axes[-1]:
        axis.set_xlabel("% of the pool's words")
    for row in axes:
        row[0].set_ylabel("4-gram perplexity")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=len(METHODS), frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
