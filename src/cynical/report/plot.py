"""Curves for papers: the entropy of one ranking or several, with their stopping points, drawn by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CynicalError
from . import thinning
from .picks import Picks

FORMATS = ("png", "svg", "pdf")
STYLE = {
    "svg.hashsalt": "cynical",  # or every file would have names of its own
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # that all eyes tell apart


def plot_format(path: str | Path) -> str:
    suffix = Path(path).suffix[1:].lower()
    if suffix not in FORMATS:
        raise CynicalError(f"{path}: no picture is called so; name it .png, .svg or .pdf")
    return suffix


def draw(
    rankings: Sequence[tuple[str, Picks]], evaluations: Sequence[dict[str, Any]], format: str, width: float = 5.0
) -> bytes:
    """A picture of the entropy against the words picked; below it, of the held-out perplexity if that is known."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        rows = 2 if evaluations else 1
        figure = Figure(figsize=(width, 0.62 * width * rows), layout="constrained")
        axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
        for number, (name, picks) in enumerate(rankings):
            _entropy(axes[0], name, picks, COLOURS[number % len(COLOURS)])
        axes[0].set_ylabel("entropy, bits a word")
        for number, evaluation in enumerate(evaluations):
            _perplexity(axes[1], rankings[number][0], evaluation, COLOURS[number % len(COLOURS)])
        if evaluations:
            axes[1].set_ylabel("held-out n-gram perplexity")
            axes[1].set_yscale("log")
        axes[-1].set_xlabel("words picked")
        axes[-1].set_xscale("log")
        for one in axes:
            if one.get_legend_handles_labels()[0]:
                one.legend()
        out = io.BytesIO()
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        figure.savefig(out, format=format, dpi=200, metadata=dates[format])
    return out.getvalue()


def _entropy(axes: Any, name: str, picks: Picks, colour: str) -> None:
    cuts = thinning.cuts(picks.path_of_entropy, [picks.stop])[1:]
    if not len(cuts):
        raise CynicalError(f"{picks.name}: a ranking without lines has no curve; pick some with --lines N")
    words, stop = np.cumsum(picks.words), picks.stop
    label = f"{name} (lowest at {stop:,} lines)" if stop else name
    axes.plot(words[cuts - 1], picks.entropy[cuts - 1], color=colour, label=label, linewidth=1.3)
    if stop:
        axes.plot([words[stop - 1]], [picks.entropy[stop - 1]], "o", color=colour, markersize=5)


def _perplexity(axes: Any, name: str, evaluation: dict[str, Any], colour: str) -> None:
    points = [point for point in evaluation["points"] if point.get("ngram_perplexity") and point["words"]]
    axes.plot(
        [point["words"] for point in points],
        [point["ngram_perplexity"] for point in points],
        ".-",
        color=colour,
        label=name,
        linewidth=1.1,
    )
    best = evaluation.get("best") or {}
    if best.get("ngram_perplexity"):
        axes.plot([best["words"]], [best["ngram_perplexity"]], "D", color=colour, markersize=5)


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise CynicalError("cynical plot needs matplotlib: pip install 'cynical[plot]'") from None
    return matplotlib
