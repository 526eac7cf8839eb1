"""The curve of the README: how well a model does that is trained on the first picks of three methods.

    python docs/pictures/curve.py [--scratch DIR]

`cynical compare` ranks the pool of the benchmarks for medical questions, by cynical selection, by Moore-Lewis and at
random, and trains a 4-gram model on the first picks of each, at growing budgets. Needs the corpora of the benchmarks.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

from corpora import arguments, cynical, run, scratch  # noqa: E402
from svg import BLUE, FAINT, GREEN, GREY, INK, SOFT, Picture  # noqa: E402

TASK = "medqa"
SHARES = (0.0005, 0.001, 0.002, 0.004, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08, 0.15, 0.3, 0.6, 1)
METHODS = {
    "cynical-for-model": ("cynical --for model", GREEN),
    "moore-lewis": ("Moore-Lewis", BLUE),
    "random": ("random lines", GREY),
}
NAMED = {"cynical-for-model": (3400, 100), "moore-lewis": (7400, 700), "random": (160_000, 680)}  # where names are
SIZE = (860, 450)
LEFT, RIGHT, TOP, BOTTOM = 74, 164, 74, 58
TICKS = (100, 200, 500, 1000, 2000)
Curve = list[tuple[float, float]]  # words, perplexity


def main() -> None:
    options = arguments(__doc__).parse_args()
    with scratch(options.scratch) as here:
        test, figures = here.test(TASK), here.folder / "curve.json"
        corpora = ("-r", here.train(TASK), "-a", here.pool, "-t", test, "--exclude", test)
        budgets = ("--shares", ",".join(map(str, SHARES)), "--methods", ",".join(METHODS))
        run(cynical("compare", *corpora, *budgets, "--json", figures, "--overwrite", "--quiet"))
        made = json.loads(figures.read_text())
    curves = {
        method["name"]: [(point["words"], point["ngram_perplexity"]) for point in method["points"]]
        for method in made["methods"]
    }
    draw(curves, made["available"]["lines"], made["available"]["words"])


def draw(curves: dict[str, Curve], lines: int, words: int) -> None:
    picture = Picture(
        *SIZE, "Perplexity of held-out medical questions under models of the first picks of three methods, by words"
    )
    lowest, highest = 60, 3200
    first = min(x for curve in curves.values() for x, _ in curve)

    def across(value: float) -> float:
        return LEFT + (SIZE[0] - LEFT - RIGHT) * math.log(value / first) / math.log(words / first)

    def down(value: float) -> float:
        return TOP + (SIZE[1] - TOP - BOTTOM) * math.log(highest / value) / math.log(highest / lowest)

    picture.text((24, 34), "The same number of words, chosen in three ways", 19, weight="600")
    told = "Perplexity of held-out medical questions under a 4-gram model of the words picked"
    told += f"; pool: {lines:,} mixed lines"
    picture.text((24, 55), told, 13.5, SOFT)
    for tick in TICKS:
        picture.line([(LEFT, down(tick)), (SIZE[0] - RIGHT, down(tick))], FAINT)
        picture.text((LEFT - 10, down(tick) + 5), f"{tick:,}", 14, SOFT, anchor="end")
    for value, name in (
        (1e4, "10,000"),
        (1e5, "100,000"),
        (1e6, "1 million"),
        (words, f"all: {words / 1e6:.1f} million"),
    ):
        picture.line([(across(value), SIZE[1] - BOTTOM), (across(value), SIZE[1] - BOTTOM + 5)], SOFT)
        picture.text((across(value), SIZE[1] - BOTTOM + 22), name, 14, SOFT, anchor="middle")
    picture.text(((LEFT + SIZE[0] - RIGHT) / 2, SIZE[1] - 14), "words picked", 14, SOFT, anchor="middle")
    picture.line([(LEFT, SIZE[1] - BOTTOM), (SIZE[0] - RIGHT, SIZE[1] - BOTTOM)], SOFT)
    for name, (label, colour) in reversed(METHODS.items()):
        curve = curves[name]
        picture.line([(across(x), down(y)) for x, y in curve], colour, 3)
        at = NAMED[name]
        picture.text((across(at[0]), down(at[1])), label, 16, colour, weight="600")
    for name, shift in (("cynical-for-model", 24), ("moore-lewis", -13)):
        x, y = min(curves[name], key=lambda point: point[1])
        colour = METHODS[name][1]
        picture.dot((across(x), down(y)), colour, 4.5)
        told = f"{y:.1f}" + (f" with {100 * x / words:.0f} % of the words" if shift > 0 else "")
        picture.text((across(x), down(y) + shift), told, 14, colour, anchor="middle")
    last = curves["random"][-1][1]
    picture.text((SIZE[0] - RIGHT + 10, down(last) + 5), f"the whole pool: {last:.0f}", 14, INK)
    picture.save(HERE / "curve.svg")


if __name__ == "__main__":
    main()
