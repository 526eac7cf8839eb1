"""A comparison as a LaTeX table for a paper, with booktabs."""

from __future__ import annotations

import re

from ..evaluation.records import BudgetPoint, Certainty, Comparison
from .about import short
from .display import visible
from .figures import figure, interval

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
    """A row per method, and for each budget the perplexity with its interval, and unknown words."""
    shares = [point.share for point in made.methods[0].measured]
    head = [f"\\multicolumn{{2}}{{c}}{{{100 * share:g}\\,\\%}}" for share in shares]
    rules = [f"\\cmidrule(lr){{{2 * place + 2}-{2 * place + 3}}}" for place in range(len(shares))]
    rows = [
        " & ".join([escaped(method.name), *(cell for point in method.measured for cell in _cells(point))])
        for method in made.methods
    ]
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering\\small\\setlength{\\tabcolsep}{4pt}",
        f"\\caption{{{_caption(made)}}}",
        f"\\begin{{tabular}}{{l{'rr' * len(shares)}}}",
        "\\toprule",
        " & ".join(["", *head]) + " \\\\",
        " ".join(rules),
        " & ".join(["method", *["ppl & unknown"] * len(shares)]) + " \\\\",
        "\\midrule",
        *(f"{row} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _caption(made: Comparison) -> str:
    said = (
        f"{made.order}-gram perplexity of {short(made.held_out.name)} ({made.held_out.lines:,} lines) and its unknown "
        f"words, by share of the words of {short(made.available.name)}"
    )
    return (
        f"{escaped(said)}. Small: 95\\,\\% intervals from {made.samples:,} samples of the held-out lines. Bold: "
        "lowest; $\\dagger$: within the interval of the lowest on the same samples."
    )


def _cells(point: BudgetPoint) -> tuple[str, str]:
    sure = point.intervals
    if sure is None:
        return "--", "--"
    ends = interval(sure.ngram_perplexity).replace("\u2013", "--")
    perplexity = _marked(figure(point.ngram_perplexity), sure.ngram_perplexity)
    spread = "" if point.spread is None else f" $\\pm$ {figure(point.spread)}"
    unknown = _marked(f"{100 * point.oov_tokens:.2f}\\,\\%", sure.oov_tokens)
    return f"{perplexity}{spread} {{\\scriptsize [{ends}]}}", unknown


def _marked(text: str, sure: Certainty) -> str:
    if sure.above is None:
        return f"\\textbf{{{text}}}"
    return f"{text}$^\\dagger$" if sure.leads else text
