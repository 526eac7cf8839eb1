"""A comparison as a LaTeX table for a paper, with booktabs."""

from __future__ import annotations

import re

from ..evaluation.records import BudgetPoint, Certainty, Comparison
from ..text.paths import without_folders
from .display import visible
from .figures import figure, interval, spread

SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u27e8": r"\textless{}",  # of what is made visible
    "\u27e9": r"\textgreater{}",
}
EACH = re.compile("|".join(map(re.escape, SPECIAL)))


def escaped(text: str) -> str:
    """A name as LaTeX prints it, whatever is in it."""
    return EACH.sub(lambda found: SPECIAL[found[0]], visible(text))


def comparison_latex(made: Comparison) -> bytes:
    """A row per method, in a block per budget: perplexity with its interval, unknown words, KL reduction."""
    blocks = []
    for place, first in enumerate(made.methods[0].measured):
        rows = [[escaped(method.name), *_cells(method.measured[place])] for method in made.methods]
        budgets = [f"{100 * first.share:g}\\,\\%", *[""] * (len(rows) - 1)]
        blocks.append([" & ".join([budget, *row]) + " \\\\" for budget, row in zip(budgets, rows, strict=True)])
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering\\small\\setlength{\\tabcolsep}{4pt}",
        f"\\caption{{{_caption(made)}}}",
        "\\begin{tabular}{llrrrr}",
        "\\toprule",
        "words & method & ppl & 95\\,\\% & unknown & KL \\\\",
        *(line for block in blocks for line in ("\\midrule", *block)),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _caption(made: Comparison) -> str:
    said = (
        f"{made.order}-gram perplexity of {without_folders(made.held_out.name)} ({made.held_out.lines:,} lines) and "
        f"its unknown words, by share of the words of {without_folders(made.available.name)}"
    )
    several = _spread(made) is not None
    part = f" Ranked for {100 * made.subsample:g}\\,\\% of the representative text." if made.subsample < 1 else ""
    seeds = f" $\\pm$: standard deviation over {made.seeds} seeds." if several else ""
    drawn = "held-out lines and of the seeds" if several else "held-out lines"
    return (
        f"{escaped(said)}. Intervals from {made.samples:,} samples of the {drawn}; bold: lowest; $\\dagger$: "
        f"not significantly different from the lowest on the same samples. KL: KL reduction, in nats.{seeds}{part}"
    )


def _spread(made: Comparison) -> float | None:
    found = (point.spread for method in made.methods for point in method.measured)
    return next((spread for spread in found if spread is not None), None)


def _cells(point: BudgetPoint) -> list[str]:
    sure = point.intervals
    if sure is None:
        return ["--"] * 4
    seeds = "" if point.spread is None else f" $\\pm$ {spread(point.spread)}"
    return [
        _marked(figure(point.ngram_perplexity), sure.ngram_perplexity) + seeds,
        interval(sure.ngram_perplexity).replace("\u2013", "--"),
        _marked(f"{100 * point.oov_tokens:.2f}\\,\\%", sure.oov_tokens),
        "--" if point.kl_reduction is None else f"${point.kl_reduction:.3f}$",
    ]


def _marked(text: str, sure: Certainty) -> str:
    if sure.above is None:
        return f"\\textbf{{{text}}}"
    return f"{text}$^\\dagger$" if sure.leads else text
