"""Does cynical selection beat Moore-Lewis, a classifier and DSIR? `cynical compare` on six corpora at four budgets.

    python benchmarks/comparison.py [--scratch DIR] [--lm own|kenlm] [--seeds N] [--subsample F] [--json FILE]
        [--docs DIR] [TASK ...]

REPRESENTATIVE is a corpus' train part, the held-out text its test part, AVAILABLE the pool without the lines of that
test part (--exclude), the budgets are 0.3, 1, 3 and 10 % of the pool's words. Methods that draw random numbers do so
with several seeds, from 0 on; their figures are the means. With --subsample all methods have seeds, each of which
ranks for another random fraction F of REPRESENTATIVE, and the intervals include what that changes.

Prints, in Markdown, a task and a budget a row: perplexity of the held-out text under a 4-gram model of what was picked,
and the words of it that were never seen. The lowest of each row is bold, and what is within the interval of the lowest
(paired samples of the held-out lines) has a \u2248. Below it, who is ahead how often, and where `--for model` is not.
With --docs, DIR/quality.md gets this between its two marks, and DIR/quality.svg the picture (which needs
matplotlib).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora import Scratch, arguments, cynical, note, run, scratch

METHODS = (
    *("cynical", "cynical-per-word", "cynical-2-grams", "cynical-for-model"),
    *("moore-lewis", "classifier", "dsir", "random"),
)
BASE, FOR_MODEL = "cynical-2-grams", "cynical-for-model"
SHARES = "0.003,0.01,0.03,0.1"
MARKS = "<!-- from benchmarks/comparison.py -->\n", "<!-- to here -->"
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
    "cynical-for-model": ("#eab308", "--", "s"),
    "moore-lewis": ("#1d4ed8", "-", "^"),
    "classifier": ("#db2777", "-", "D"),
    "dsir": ("#7c3aed", "-", "v"),
    "random": ("#6b7280", ":", "."),
}
Point = Mapping[str, Any]
Task = dict[str, dict[float, Point]]  # by method and share
Case = dict[str, Point]  # by method, of one task and budget


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--lm", default="own", help="the judge: own, or kenlm where lmplz is on the PATH (own)")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of methods that draw random numbers (3)")
    parser.add_argument("--subsample", type=float, default=1.0, metavar="F", help="share of REPRESENTATIVE by seed (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    parser.add_argument("--docs", type=Path, metavar="DIR", help="write quality.md and quality.svg here")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="such as medqa (all)")
    options = parser.parse_args()
    with scratch(options.scratch) as here:
        how = ("--lm", options.lm, "--seeds", str(options.seeds), "--subsample", str(options.subsample))
        made = {task: compared(here, task, how) for task in options.tasks or here.tasks()}
    text = table(made) + "\n\n" + "\n".join(f"- {sentence}" for sentence in verdict(made)) + "\n"
    print(text)
    if options.json:
        options.json.write_text(json.dumps(made, indent=1) + "\n")
    if options.docs:
        insert(options.docs / "quality.md", text)
        draw(made, options.docs / "quality.svg")


def compared(here: Scratch, task: str, how: Sequence[str]) -> Task:
    note(f"{task} ...")
    figures, test = here.folder / "compared.json", here.test(task)
    corpora = ("-r", here.train(task), "-a", here.pool, "-t", test, "--exclude", test)
    what = ("--shares", SHARES, "--methods", ",".join(METHODS))
    run(cynical("compare", *corpora, *what, *how, "--json", figures, "--overwrite", "--quiet"))
    methods: list[dict[str, Any]] = json.loads(figures.read_text())["methods"]
    return {method["name"]: {point["share"]: point for point in method["points"]} for method in methods}


def perplexity(point: Point) -> float:
    return float(point["ngram_perplexity"])


def unknown(point: Point) -> float:
    return float(point["oov_tokens"])


def leads(point: Point, figure: str) -> bool:
    return bool(point["intervals"][figure]["leads"])


def cases(made: Mapping[str, Task]) -> Iterator[tuple[str, Case]]:
    """Every task at every budget, with a name."""
    for task, methods in made.items():
        for share in methods[METHODS[0]]:
            yield f"{NAMES.get(task, task)} at {100 * share:g} %", {name: methods[name][share] for name in METHODS}


def table(made: Mapping[str, Task]) -> str:
    rows = ["| text wanted | budget | " + " | ".join(METHODS) + " |", "|---|---|" + "---|" * len(METHODS)]
    for task, methods in made.items():
        for share in methods[METHODS[0]]:
            cells = [cell(methods[name][share]) for name in METHODS]
            rows.append(f"| {NAMES.get(task, task)} | {100 * share:g} % | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def cell(point: Point) -> str:
    shown = f"{perplexity(point):,.0f}" if perplexity(point) >= 100 else f"{perplexity(point):.1f}"
    return f"{marked(shown, point, 'ngram_perplexity')}, {marked(f'{100 * unknown(point):.1f} %', point, 'oov_tokens')}"


def marked(text: str, point: Point, figure: str) -> str:
    sure = point["intervals"][figure]
    return f"**{text}**" if sure["above"] is None else f"\u2248{text}" if sure["leads"] else text


def verdict(made: Mapping[str, Task]) -> list[str]:
    """Who is ahead how often; where ours are not; and what `--for model` changes."""
    every = list(cases(made))
    sentences = []
    claims = (
        ("ngram_perplexity", "perplexity"),
        ("oov_tokens", "unknown words"),
        ("entropy", "bits"),
    )
    for figure, claim in claims:
        led = {name: [where for where, case in every if leads(case[name], figure)] for name in METHODS}
        alone = Counter(name for _, case in every if len(first := leading(case, figure)) == 1 for name in first)
        lowest = Counter(name for name in METHODS for _ in led[name])
        told = ", ".join(f"{name} {number}" for name, number in lowest.most_common())
        ahead = ", ".join(f"{name} {number}" for name, number in alone.most_common()) or "nobody"
        sentences.append(f"Of {len(every)} cases, {claim} lowest or within the interval of the lowest: {told}.")
        sentences.append(f"Ahead of all others in {claim}: {ahead}.")
    behind = [where for where, case in every if not leads(case[FOR_MODEL], "ngram_perplexity")]
    told = f"; not at: {', '.join(behind)}" if behind else ""
    sentences.append(f"{FOR_MODEL} is within the interval of the lowest in {len(every) - len(behind)}{told}.")
    above = [perplexity(case[FOR_MODEL]) / perplexity(case[BASE]) - 1 for _, case in every]
    fewer = sum(unknown(case[FOR_MODEL]) <= unknown(case[BASE]) for _, case in every)
    sentences.append(
        f"Beside {BASE}, its perplexity is {100 * min(above):+.1f} to {100 * max(above):+.1f} %, and its unknown words "
        f"are no more in {fewer} of {len(every)}."
    )
    for ours in (METHODS[0], BASE):
        for other in ("moore-lewis", "classifier", "dsir"):
            below = [where for where, case in every if perplexity(case[other]) < perplexity(case[ours])]
            told = f" ({', '.join(below)})" if below else ""
            sentences.append(
                f"The perplexity of {other} is below that of {ours} in {len(below)} of {len(every)}{told}."
            )
    return sentences


def leading(case: Case, figure: str) -> list[str]:
    return [name for name in METHODS if leads(case[name], figure)]


def insert(page: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Put a text between two marks of a page."""
    begin, end = marks
    before, _, rest = page.read_text().partition(begin)
    _, _, behind = rest.partition(end)
    page.write_text(before + begin + "\n" + text + "\n" + end + behind)


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
