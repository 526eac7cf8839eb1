"""Curves for papers: the entropy of one ranking or several, with their stopping points, drawn by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..errors import CynicalError, number_of
from ..evaluation.records import GivenPoint
from ..jaded.bits import BitsOver, bits_over
from ..jaded.jaded import Jaded
from ..options import Reading
from ..text.paths import shown
from . import thinning
from .display import shortened, visible
from .evaluations import GivenEvaluation, GivenText, read_evaluation
from .picks import Picks, from_jaded, read_picks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    Entry = tuple[Line2D, str]  # of a legend

FORMATS = ("png", "svg", "pdf")
STYLE = {
    "svg.hashsalt": "cynical",  # or every file would have names of its own
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "text.usetex": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}
GREY = "#777777"
WIDTH = 5.0  # inches
HANDFUL = 100  # words: the first say little, and would take half of a logarithmic axis
DIFFERENCES = (
    ("held_out", "the held-out text", "evaluate both with the same -t"),
    ("vocabulary", "the size of the vocabulary", "evaluate both with the same --vocabulary-size"),
    ("order", "the order of the n-gram model", "evaluate both with the same --order"),
    ("lm", "the language model", "evaluate both with the same --lm"),
)
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # that all eyes tell apart


def plot_format(path: str | Path) -> str:
    suffix = Path(path).suffix[1:].lower()
    if suffix not in FORMATS:
        raise CynicalError(f"{path}: unknown suffix; use .png, .svg or .pdf")
    return suffix


@dataclass(frozen=True, slots=True)
class PlotOptions:
    """How curves are drawn, and what goes with them."""

    labels: Sequence[str] = ()  # one for each ranking; by default the names of their files
    evaluations: Sequence[str | Path] = ()  # files, one for each ranking, in the same order
    width: float = WIDTH  # inches
    reading: Reading = Reading()

    def check(self, rankings: int) -> None:
        """Do they fit this number of rankings?"""
        if self.labels and len(self.labels) != rankings:
            raise CynicalError(
                f"--label was given {number_of(len(self.labels), 'time')} for {number_of(rankings, 'ranking')}; give "
                "one for each ranking"
            )
        if len(self.evaluations) > rankings:
            raise CynicalError(
                f"--evaluation was given {number_of(len(self.evaluations), 'time')} for "
                f"{number_of(rankings, 'ranking')}; give one for each "
                "ranking"
            )
        if not 1 <= self.width <= 50:
            raise CynicalError(f"--width must be between 1 and 50 inches, found {self.width:g}")


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture, and which of its curves cannot be compared, if there are some."""

    picture: bytes
    notices: list[str]


def run(rankings: Sequence[Jaded | str | Path], format: str, options: PlotOptions) -> Plot:
    """Read rankings and their evaluations, and draw their curves: `cynical plot` without parsing and writing."""
    options.check(len(rankings))
    opened = [from_jaded(one) if isinstance(one, Jaded) else read_picks(one, options.reading) for one in rankings]
    names = [shown(label) for label in options.labels] or [picks.name for picks in opened]
    named = list(zip(names, opened, strict=True))
    evaluations = [read_evaluation(file, picks) for file, picks in zip(options.evaluations, opened, strict=False)]
    return Plot(draw(named, evaluations, format, options.width), incomparable(named, evaluations))


def draw(
    rankings: Sequence[tuple[str, Picks]], evaluations: Sequence[GivenEvaluation], format: str, width: float = WIDTH
) -> bytes:
    """A picture of the entropy against the words picked; below it, of the held-out perplexity if that is known.

    Entropies that cannot be compared have axes of their own.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise CynicalError("cynical plot needs matplotlib: pip install 'cynical[plot]'") from None
    with matplotlib.rc_context(cast(Any, STYLE)):
        apart = by_vocabulary([picks for _, picks in rankings])
        rows = len(apart) + bool(evaluations)
        figure = Figure(figsize=(width, 0.62 * width * rows), layout="constrained")
        axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
        legends: list[list[Entry]] = [[] for _ in axes]
        begin = _begin([picks for _, picks in rankings], evaluations)
        for (over, numbers), one, said in zip(apart.items(), axes, legends, strict=False):
            for number in numbers:
                said.append(_entropy(one, *rankings[number], COLOURS[number % len(COLOURS)], begin))
            one.set_ylabel("entropy, bits per word")
            if over is not None:
                one.set_title(_named(f"over {over.sentence}"), loc="left", fontsize=8, parse_math=False)
            if any(rankings[number][1].lowest for number in numbers):
                lowest = one.plot([], [], "o", color=GREY, markersize=5)
                said.append((lowest[0], "where the entropy is lowest"))
        for number, evaluation in enumerate(evaluations):
            colour = COLOURS[number % len(COLOURS)]
            legends[-1].append(_perplexity(axes[-1], rankings[number][0], evaluation, colour, begin))
        if evaluations:
            axes[-1].set_ylabel("held-out n-gram perplexity")
            axes[-1].set_yscale("log")
            if any(_best(evaluation) for evaluation in evaluations):
                best = axes[-1].plot([], [], "D", color=GREY, markersize=5)
                legends[-1].append((best[0], "best cut: the lowest perplexity"))
        axes[-1].set_xlabel("words picked")
        axes[-1].set_xscale("log")
        for one, said in zip(axes, legends, strict=True):
            _legend(one, said)
        out = io.BytesIO()
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        figure.savefig(out, format=format, dpi=200, metadata=dates[format])
    return out.getvalue()


def by_vocabulary(rankings: Sequence[Picks]) -> dict[BitsOver | None, list[int]]:
    """Which rankings have bits over the same thing; None where no summary says what they are over."""
    apart: dict[BitsOver | None, list[int]] = {}
    for number, picks in enumerate(rankings):
        apart.setdefault(None if picks.summary is None else bits_over(picks.summary), []).append(number)
    return apart


def incomparable(rankings: Sequence[tuple[str, Picks]], evaluations: Sequence[GivenEvaluation]) -> list[str]:
    """Why curves of one picture cannot be compared, as sentences."""
    notices = []
    apart = by_vocabulary([picks for _, picks in rankings])
    if len(apart) > 1:
        said = "; ".join(
            f"{', '.join(rankings[number][0] for number in numbers)}: over "
            + ("unknown, for lack of a summary" if over is None else over.sentence)
            for over, numbers in apart.items()
        )
        notices.append(
            f"the entropies cannot be compared, so each kind has its own axes ({said}); rank with the same -r, "
            "--vocabulary and --tokenizer, or compare the rankings on held-out text with `cynical evaluate`"
        )
    for field, what, remedy in DIFFERENCES:
        found = [_said(evaluation, field) for evaluation in evaluations]
        different = list(dict.fromkeys(value for value in found if value is not None))
        if len(different) > 1:
            notices.append(
                f"the evaluations differ in {what} ({', '.join(map(str, different))}), so their perplexities cannot "
                f"be compared; {remedy}"
            )
    return notices


def _said(evaluation: GivenEvaluation, field: str) -> int | str | None:
    """What an evaluation says of how it was made, if it does; a text is its name."""
    value = getattr(evaluation, field) or None
    return value.name if isinstance(value, GivenText) else value


def _begin(rankings: Sequence[Picks], evaluations: Sequence[GivenEvaluation]) -> int:
    """The words from which on all curves have left their first handful; the lowest points are never left out."""
    begin, first, marked = HANDFUL, 1, []
    for picks in rankings:
        if not len(picks):
            raise CynicalError(
                f"{picks.name}: the ranking has no lines, so there is no curve; pick some with --lines N"
            )
        words = np.cumsum(picks.words)
        first = max(first, int(words[0]))
        marked.append(int(words[picks.lowest - 1]) if picks.lowest else int(words[-1]))
        marked.append(int(words[-1]) // 10)
    marked += [best[0] for best in map(_best, evaluations) if best is not None]
    return min(max(begin, first), *marked)


def _legend(axes: Axes, said: Sequence[Entry]) -> None:
    """Names as they are: never maths, and not left out for what they begin with."""
    legend = axes.legend([line for line, _ in said], ["?"] * len(said))
    for text, (_, name) in zip(legend.get_texts(), said, strict=True):
        text.set_parse_math(False)
        text.set_text(name)


def _named(name: str) -> str:
    return visible(shortened(name))


def _entropy(axes: Axes, name: str, picks: Picks, colour: str, begin: int) -> Entry:
    """Draw a curve; what stands for it in the legend, and its name there."""
    cuts = thinning.cuts(picks.path_of_entropy, [picks.lowest])[1:]
    words, lowest = np.cumsum(picks.words), picks.lowest
    cuts = cuts[words[cuts - 1] >= begin]
    line = axes.plot(words[cuts - 1], picks.entropy[cuts - 1], color=colour, linewidth=1.3)[0]
    if lowest:
        axes.plot([words[lowest - 1]], [picks.entropy[lowest - 1]], "o", color=colour, markersize=5)
    return line, f"{_named(name)} (lowest at {number_of(lowest, 'line')})" if lowest else _named(name)


def _perplexity(axes: Axes, name: str, evaluation: GivenEvaluation, colour: str, begin: int) -> Entry:
    places = [place for place in map(_place, evaluation.points) if place is not None and place[0] >= begin]
    line = axes.plot(
        [words for words, _ in places], [perplexity for _, perplexity in places], ".-", color=colour, linewidth=1.1
    )[0]
    best = _best(evaluation)
    if best is not None:
        axes.plot([best[0]], [best[1]], "D", color=colour, markersize=5)
    return line, _named(name)


def _best(evaluation: GivenEvaluation) -> tuple[int, float] | None:
    """Where the best cut is, if the evaluation names it."""
    return _place(evaluation.best) if evaluation.best and evaluation.best.words else None


def _place(point: GivenPoint) -> tuple[int, float] | None:
    """The words of a point, and its perplexity if that is known."""
    return (point.words, point.ngram_perplexity) if point.ngram_perplexity else None
