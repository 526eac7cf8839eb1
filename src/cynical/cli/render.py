"""What a person reads when a run is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import tell
from ..reports.figures import columns, share


def show(notices: Sequence[str]) -> None:
    for notice in notices:
        tell(f"notice: {notice}")


def closing(summary: dict[str, Any], out: str, format: str, seconds: float) -> str:
    """The closing summary of `cynical select` and `cynical rank`."""
    picked, entropy, perplexity = summary["picked"], summary["entropy"], summary["perplexity"]
    available, stop, skipped = summary["available"], summary["stop"], summary["skipped"]
    covered, most = summary["covered"], summary["available"]["covers"]
    left_out = [
        (f"{number:,}", reason.replace("_", " "))
        for reason, number in skipped.items()
        if number or (reason == "excluded" and summary["exclude"])
    ]
    rows = [
        *_method(summary["settings"]),
        ("available", f"{available['lines']:,} lines", f"{available['words']:,} words"),
        ("picked", f"{picked['lines']:,} lines", f"{picked['words']:,} words"),
        ("", share(picked["share_of_lines"]), share(picked["share_of_words"])),
        *_spent(summary["money"]),
        ("entropy, bits", f"{entropy['before']:.4f}", f"-> {entropy['after']:.4f}"),
        ("perplexity", f"{perplexity['before']:,.1f}", f"-> {perplexity['after']:,.1f}"),
        ("covered", f"{share(covered['types'])} types", f"{share(covered['tokens'])} tokens"),
        ("", "", f"(with all lines: {share(most['types'])} and {share(most['tokens'])})"),
        *_stopping_point(stop, picked["lines"]),
        *(("" if place else "left out", number, reason) for place, (number, reason) in enumerate(left_out)),
        ("took", f"{seconds:.1f} s", memory(summary["memory"])),
    ]
    return columns(rows) + "\n" + next_command(summary, out, format)


def _method(settings: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What ranked the lines, where it was not the bits."""
    if "method" not in settings:
        return []
    seed = settings["random_seed"]
    return [("method", settings["method"], "" if seed is None else f"random seed {seed}")]


def _stopping_point(stop: dict[str, Any], picked: int) -> list[tuple[str, str, str]]:
    """Where the entropy is lowest, unless it just fell as far as the budget went."""
    if not stop["known"] and stop["lines"] == picked:
        return []
    row = ("stopping point", f"{stop['lines']:,} lines", f"{stop['words']:,} words, {stop['entropy']:.4f} bits")
    return [row] if stop["known"] else [row, ("", "", "(the lowest so far; rank further to be sure)")]


def _spent(money: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    if money is None:
        return []
    budget = "" if money["budget"] is None else f"of {money['budget']:,.2f}, "
    bought = "nothing bought" if money["bits_per_unit"] is None else f"{money['bits_per_unit']:.3g} bits a unit"
    return [("spent", f"{money['spent']:,.2f}", f"{budget}{bought}")]


def next_command(summary: dict[str, Any], out: str, format: str) -> str:
    if not summary["picked"]["lines"]:
        return "next: --lines N picks all the same; cynical words shows what the corpora have in common"
    if out == "-" or format != "tsv":
        return "next: -o jaded.tsv keeps the scores too, in a file that cynical cut can cut again"
    if summary["stop"]["known"] and 0 < summary["stop"]["lines"] < summary["picked"]["lines"]:
        return f"next: cynical cut {out} --stop -o best.txt"
    return f"next: cynical cut {out} --lines {summary['picked']['lines']} -o best.txt gives the lines alone"


def memory(used: dict[str, Any]) -> str:
    text = f"{used['peak'] / 1e6:,.0f} MB of memory at most"
    without = used.get("peak_without_mapped_input")
    return text + (f" ({without / 1e6:,.0f} but for mapped files)" if without else "")


def class_table(rows: Sequence[tuple[str, int, float, float]]) -> str:
    """Words by class: types and shares of the probability mass."""
    lines = [f"{'class':<12}{'types':>12}{'representative':>18}{'unadapted':>14}"]
    lines += [f"{name:<12}{types:>12,}{share(wanted):>18}{share(have):>14}" for name, types, wanted, have in rows]
    return "\n".join(lines)
