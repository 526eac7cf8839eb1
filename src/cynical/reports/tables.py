"""Evaluations and comparisons as tables: for people, and for spreadsheets."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping, Sequence

from ..errors import number_of
from ..evaluation.records import COMPARED, FIGURES, BudgetPoint, Certainty, Comparison, Contender, Evaluation, Point
from ..evaluation.verdict import verdict
from ..options import Value
from .figures import figure, interval, lined_up, share
from .figures import spread as deviation

WIDTH = 80  # columns of a terminal


def evaluation_table(made: Evaluation) -> str:
    """A row per prefix; the best cut, the stopping point and the lowest entropy are marked."""
    wanted = made.representative is not None
    total = made.ranking.available_words
    head = ["lines", "words"] + ([] if total is None else ["share"])
    head += ["length", "bits", "perplexity", "unknown", "seen"] + (["repr. seen"] if wanted else [])
    head += [f"{made.order}-gram ppl", "known", ""]
    rows = [_row(point, made, total, wanted) for point in made.points]
    held_out = made.held_out
    first = (
        f"{held_out.name}: {number_of(held_out.lines, 'line')}, {number_of(held_out.words, 'word')}, "
        f"{number_of(held_out.types, 'type')}, {held_out.mean_length:.1f} words per line; vocabulary of "
        f"{number_of(made.vocabulary, 'word')}"
    )
    return "\n".join([first, "", *lined_up(head, rows), "", *_legend(made, wanted)])


def _row(point: Point, made: Evaluation, total: int | None, wanted: bool) -> list[str]:
    marks = [] if point != made.best else ["best cut"]
    marks += ["stopping point"] if point == made.stop else []
    marks += ["lowest entropy"] if point == made.lowest_entropy else []
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
        "bits, perplexity   of a held-out word under a unigram model of these lines",
        "unknown, seen      words of the held-out text that are not in these lines, and types that are",
        f"{model}  perplexity under a Kneser-Ney model of these lines, with and without unknown words",
        f"best cut           the lowest {made.order}-gram ppl",
    ]
    if made.lowest_entropy is not None:
        lines.append(
            "lowest entropy     where the ranking's entropy of single words is lowest, often too early for a model"
        )
    return lines + (["repr. seen         types of REPRESENTATIVE that are in these lines"] if wanted else [])


def to_csv(made: Evaluation) -> bytes:
    """The points, one per row, with the best cut, the stopping point and the lowest entropy named."""
    return _csv([*FIGURES, "best", "stop", "lowest_entropy"], made.rows())


def comparison_table(made: Comparison) -> str:
    """A block per budget, a row per method; what leads is marked. It fits into 80 columns."""
    held_out, available = made.held_out, made.available
    first = (
        f"{held_out.name}: {number_of(held_out.lines, 'line')}, {number_of(held_out.words, 'word')}\n"
        f"chosen from {number_of(available.lines, 'line')}, {number_of(available.words, 'word')}"
    )
    spread = any(point.spread is not None for method in made.methods for point in method.measured)
    head = ["method", "ppl ", "95 %", *(["seeds"] if spread else []), "unknown ", "bits ", "KL", "s", ""]
    shares = [point.share for point in made.methods[0].measured]
    rows = [
        [method.name, *_compared(method, method.measured[place], spread), ""]
        for place in range(len(shares))
        for method in made.methods
    ]
    heading, *lines = lined_up(head, rows, left=1)
    blocks = [first, heading]
    for place, amount in enumerate(shares):
        block = lines[place * len(made.methods) : (place + 1) * len(made.methods)]
        blocks.append("\n".join([f"{100 * amount:g} % of the words", *block]))
    blocks.append("\n".join(_legend_of_comparison(made, spread)))
    blocks.append("\n".join(textwrap.fill(sentence, WIDTH, subsequent_indent="  ") for sentence in verdict(made)))
    return "\n\n".join(blocks)


def _compared(method: Contender, point: BudgetPoint, spread: bool) -> list[str]:
    """The cells of a method at a budget."""
    seconds, sure = f"{method.seconds:.1f}" if method.seconds else "-", point.intervals
    if sure is None:
        return ["-"] * (6 if spread else 5) + [seconds]
    shown = (
        (figure(point.ngram_perplexity), sure.ngram_perplexity),
        (share(point.oov_tokens), sure.oov_tokens),
        (f"{point.entropy:.3f}", sure.entropy),
    )
    perplexity, *others = (text + _mark(one) for text, one in shown)
    by_seed = ["" if point.spread is None else f"\u00b1{deviation(point.spread)}"] if spread else []
    nearer = "-" if point.kl_reduction is None else f"{point.kl_reduction:.3f}"
    return [perplexity, interval(sure.ngram_perplexity), *by_seed, *others, nearer, seconds]


def _mark(sure: Certainty) -> str:
    return "*" if sure.above is None else "~" if sure.leads else " "


def _legend_of_comparison(made: Comparison, spread: bool) -> list[str]:
    lines = [
        f"ppl      perplexity of the held-out text under a {made.order}-gram model of the picks",
        f"95 %     95 % interval of ppl over samples of the held-out lines{' and of the seeds' if spread else ''}",
        "unknown  words of the held-out text that are not in the picks",
        "bits     bits per held-out word under a unigram model of the picks",
        "KL       KL reduction of hashed words and word pairs, in nats; higher is better",
        "s        seconds to rank",
        "*  lowest at its budget    ~  not significantly different from the lowest",
    ]
    more = [f"seeds    standard deviation of ppl over {made.seeds} random seeds"] if spread else []
    part = f"ranked for {100 * made.subsample:g} % of REPRESENTATIVE{', another part with each seed' if spread else ''}"
    return [*lines[:2], *more, *lines[2:], *([part] if made.subsample < 1 else [])]


def comparison_csv(made: Comparison) -> bytes:
    """A row per method and budget."""
    return _csv(COMPARED, made.rows())


def _csv(head: Sequence[str], rows: Sequence[Mapping[str, Value]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        cells = (row[name] for name in head)
        writer.writerow(["" if cell is None else int(cell) if isinstance(cell, bool) else cell for cell in cells])
    return out.getvalue().encode()
