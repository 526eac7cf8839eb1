"""The closing summary of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import number_of, tell
from ..options.budget import shortest
from ..reports.figures import columns, share

if TYPE_CHECKING:
    from ..jaded.summary import Memory, Money, Picked, Shares, Summary
    from ..options import Recorded, Value

Row = tuple[str, str, str]


def show(notices: Sequence[str]) -> None:
    for notice in notices:
        tell(f"notice: {notice}")


def closing(summary: Summary, out: str, format: str, seconds: float) -> str:
    """The closing summary of `cynical select` and `cynical rank`."""
    from ..jaded.bits import bits_over
    from ..jaded.summary import perplexity_of

    available, entropy = summary.available, summary.entropy
    left_out = [
        (f"{number:,}", reason.replace("_", " "))
        for reason, number in summary.skipped.items()
        if number or (reason == "excluded" and summary.exclude is not None)
    ]
    rows = [
        *_method(summary.settings),
        ("available", number_of(available.lines, "line"), number_of(available.words, "word")),
        *_picked(summary.picked),
        *money_spent(summary.money),
        ("entropy, bits", f"{entropy.before:.4f}", f"-> {entropy.after:.4f}, over {bits_over(summary).units}"),
        ("perplexity", f"{perplexity_of(entropy.before):,.1f}", f"-> {perplexity_of(entropy.after):,.1f}"),
        *_covered(summary.covered, available.covers),
        *_stopping_point(summary),
        *(("" if place else "left out", number, reason) for place, (number, reason) in enumerate(left_out)),
        ("took", f"{seconds:.1f} s", memory(summary.memory)),
    ]
    width = max(len(name) for name, *_ in rows)
    signature = "" if summary.signature is None else f"\n{'signature':<{width}}  {summary.signature}"
    return f"{columns(rows)}{signature}\n{next_command(summary, out, format)}"


def _picked(picked: Picked | None) -> list[Row]:
    if picked is None:
        return []
    return [
        ("picked", number_of(picked.lines, "line"), number_of(picked.words, "word")),
        ("", share(picked.share_of_lines), share(picked.share_of_words)),
    ]


def _covered(covered: Shares | None, most: Shares | None) -> list[Row]:
    if covered is None or most is None:
        return []
    return [
        ("covered", f"{share(covered.types)} types", f"{share(covered.tokens)} tokens"),
        ("", "", f"(all lines: {share(most.types)} and {share(most.tokens)})"),
    ]


def _method(settings: Recorded) -> list[Row]:
    """What ranked the lines, where it was not the bits."""
    if "method" not in settings:
        return []
    seed = settings["random_seed"]
    return [("method", str(settings["method"]), "" if seed is None else f"random seed {seed}")]


def _stopping_point(summary: Summary) -> list[Row]:
    """Where a model is best, if that was requested; and where the entropy is lowest, unless it fell up to the end of
    the budget."""
    stop, model, picked = summary.stop, summary.stop_for_model, summary.picked
    rows: list[Row] = []
    if model is not None:
        found = f"{number_of(model.words, 'word')}, held-out perplexity {model.perplexity:,.1f}"
        rows.append(("stopping point", number_of(model.lines, "line"), found))
        if not model.known:
            rows.append(("", "", "(the best so far; rank more lines to be sure)"))
    if not stop.known and (picked is None or stop.lines == picked.lines):
        return rows
    name = "stopping point" if summary.lowest_entropy is None else "lowest entropy"
    rows.append((name, number_of(stop.lines, "line"), f"{number_of(stop.words, 'word')}, {stop.entropy:.4f} bits"))
    return rows if stop.known else [*rows, ("", "", "(the lowest so far; rank more lines to be sure)")]


def money_spent(money: Money | None) -> list[Row]:
    if money is None:
        return []
    unit = f" {money.currency}" if money.currency else ""
    said = [] if money.budget is None else [f"of {money.budget:,.2f}{unit}"]
    said += [] if money.units is None else [f"for {money.units:,} {money.per}{'' if money.units == 1 else 's'}"]
    if money.bits_per_unit is not None:
        said.append(f"{money.bits_per_unit:.3g} bits per{unit or ' unit'}")
    return [("spent", f"{money.spent:,.2f}{unit}", ", ".join(said))]


def next_command(summary: Summary, out: str, format: str) -> str:
    """What to do next."""
    lines = 0 if summary.picked is None else summary.picked.lines
    if not lines:
        return "next: use --lines N to pick N lines in any case; cynical words shows which words the corpora share"
    if out == "-" or format in ("text", "scores"):
        return "next: use -o jaded.tsv to keep the scores too, in a file that cynical cut can read"
    out, stop, settings = shlex.quote(out), summary.stopping_point, summary.settings
    if settings.get("all") and stop is not None and stop.known and 0 < stop.lines < lines:
        return f"next: cynical cut {out} --stop -o best{'.txt' if format == 'tsv' else f'.{format}'}"
    if format != "tsv":
        return f"next: cynical report {out} makes a page to look at the picks"
    given = {name: settings.get(name) for name in ("words", "share", "money")}
    budgets = (f"--{name} {_typed(value)}" for name, value in given.items() if value is not None)
    return f"next: cynical cut {out} {next(budgets, f'--lines {lines}')} -o best.txt writes the lines only"


def _typed(value: Value) -> str:
    """A number as it would be typed."""
    return shortest(value) if isinstance(value, float) else str(value)


def memory(used: Memory | None) -> str:
    """The peak memory of a run."""
    if used is None:
        return ""
    text, without = f"{used.peak / 1e6:,.0f} MB of memory at peak", used.peak_without_mapped_input
    return text + (f" ({without / 1e6:,.0f} MB excluding memory-mapped input)" if without else "")


def class_table(rows: Sequence[tuple[str, int, float, float]]) -> str:
    """Words by class: types and shares of the probability mass."""
    lines = [f"{'class':<12}{'types':>12}{'representative':>18}{'unadapted':>14}"]
    lines += [f"{name:<12}{types:>12,}{share(wanted):>18}{share(have):>14}" for name, types, wanted, have in rows]
    return "\n".join(lines)
