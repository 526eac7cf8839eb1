"""Evaluations and comparisons as tables: for people, and for spreadsheets."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from ..evaluation.records import FIGURES, Comparison, Evaluation, Point
from ..options import Value
from .figures import figure, lined_up, share


def evaluation_table(made: Evaluation) -> str:
    """A row per prefix; the best cut and the stopping point are marked."""
    wanted = made.representative is not None
    total = made.ranking.available_words
    head = ["lines", "words"] + ([] if total is None else ["share"])
    head += ["length", "bits", "perplexity", "unknown", "seen"] + (["repr. seen"] if wanted else [])
    head += [f"{made.order}-gram ppl", "known", ""]
    rows = [_row(point, made, total, wanted) for point in made.points]
    held_out = made.held_out
    first = (
        f"{held_out.name}: {held_out.lines:,} lines, {held_out.words:,} words, {held_out.types:,} types, "
        f"{held_out.mean_length:.1f} words a line; a language of {made.vocabulary:,} words"
    )
    return "\n".join([first, "", *lined_up(head, rows), "", *_legend(made, wanted)])


def _row(point: Point, made: Evaluation, total: int | None, wanted: bool) -> list[str]:
    marks = [] if point != made.best else ["best cut"]
    marks += ["stopping point"] if point == made.stop else []
    covered = point.representative_coverage
    known = point.ngram_perplexity_known
    return [
        f"{point.lines:,}",
        f"{point.words:,}",
        *([] if total is None else [share(point.words / total)]),
        f"{point.mean_length:.1f}",
        f"{point.entropy:.4f}",
        figure(point.perplexity),
        share(point.oov_tokens),
        share(point.heldout_coverage),
        *([] if not wanted else ["-" if covered is None else share(covered)]),
        figure(point.ngram_perplexity),
        "-" if known is None else figure(known),
        f"<- {', '.join(marks)}" if marks else "",
    ]


def _legend(made: Evaluation, wanted: bool) -> list[str]:
    model = f"{made.order}-gram ppl, known"
    lines = [
        "bits, perplexity   what a held-out word costs under the words of so many lines alone, without their order",
        "unknown, seen      words of the held-out text that these lines lack, and types of words that they have",
        f"{model}  the same under a Kneser-Ney model of these lines, with unknown words and without",
        f"best cut           the lowest {made.order}-gram ppl",
    ]
    return lines + (["repr. seen         types of REPRESENTATIVE that they have"] if wanted else [])


def to_csv(made: Evaluation) -> bytes:
    """The points, one per row, with the best cut and the stopping point named."""
    return _csv([*FIGURES, "best", "stop"], made.rows())


def comparison_table(made: Comparison) -> str:
    """A row per method and budget; the best of each column of a budget is marked."""
    held_out, available = made.held_out, made.available
    first = (
        f"{held_out.name}: {held_out.lines:,} lines, {held_out.words:,} words; chosen from "
        f"{available.lines:,} lines, {available.words:,} words"
    )
    ppl = f"{made.order}-gram ppl "
    head = ["share", "method", "words", "bits ", "unknown ", "unknown types ", ppl, "seconds", ""]
    rows = []
    for place, (amount, _) in enumerate(made.methods[0].points):
        block = [method.points[place][1] for method in made.methods]
        measured = [_measures(point) for point in block if point.words]
        least = [min(column) for column in zip(*measured, strict=True)] if measured else [math.nan] * 4
        for number, (method, point) in enumerate(zip(made.methods, block, strict=True)):
            shown = [f"{point.entropy:.4f}", share(point.oov_tokens), share(point.oov_types)]
            shown = [*shown, figure(point.ngram_perplexity)] if point.words else ["-"] * 4
            columns = zip(shown, _measures(point), least, strict=True)
            marked = [text + ("*" if value == low and point.words else " ") for text, value, low in columns]
            seconds = f"{method.seconds:.1f}" if method.seconds else "-"
            rows.append([share(amount) if number == 0 else "", method.name, f"{point.words:,}", *marked, seconds, ""])
        rows.append([""] * len(head))
    return "\n".join([first, "", *lined_up(head, rows[:-1], left=2), "", *_verdict(made)])


def comparison_csv(made: Comparison) -> bytes:
    """A row per method and budget."""
    return _csv(["method", "seconds", "share", *FIGURES], made.rows())


def _csv(head: Sequence[str], rows: Sequence[Mapping[str, Value]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        cells = (row[name] for name in head)
        writer.writerow(["" if cell is None else int(cell) if isinstance(cell, bool) else cell for cell in cells])
    return out.getvalue().encode()


def _measures(point: Point) -> tuple[float, ...]:
    return point.entropy, point.oov_tokens, point.oov_types, point.ngram_perplexity


def _verdict(made: Comparison) -> list[str]:
    """For each measure who is best how often."""
    budgets = len(made.methods[0].points)
    sentences = []
    for place, claim in (
        (3, f"{made.order}-gram perplexity is lowest"),
        (1, "unknown words are fewest"),
        (0, "bits are lowest"),
    ):
        wins = Counter[str]()
        for budget in range(budgets):
            points = {method.name: method.points[budget][1] for method in made.methods}
            values = {name: _measures(point)[place] for name, point in points.items() if point.words}
            wins.update(name for name, value in values.items() if value == min(values.values()))
        told = ", ".join(f"{name} ({number} of {budgets})" for name, number in wins.most_common())
        sentences.append(f"* {claim} with {told}")
    return sentences
