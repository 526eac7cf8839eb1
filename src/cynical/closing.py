"""What a person reads when a run is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def closing(summary: dict[str, Any], out: str, seconds: float) -> str:
    """The closing summary of `cynical select`."""
    picked, entropy, perplexity = summary["picked"], summary["entropy"], summary["perplexity"]
    available, stop, skipped = summary["available"], summary["stop"], summary["skipped"]
    rows = [
        ("available", f"{available['lines']:,} lines", f"{available['words']:,} words"),
        ("picked", f"{picked['lines']:,} lines", f"{picked['words']:,} words"),
        ("", share(picked["share_of_lines"]), share(picked["share_of_words"])),
        ("entropy, bits", f"{entropy['before']:.4f}", f"-> {entropy['after']:.4f}"),
        ("perplexity", f"{perplexity['before']:,.1f}", f"-> {perplexity['after']:,.1f}"),
        ("covered", f"{share(summary['covered']['types'])} types", f"{share(summary['covered']['tokens'])} tokens"),
        ("stopping point", f"{stop['lines']:,} lines", f"{stop['words']:,} words, {stop['entropy']:.4f} bits"),
        ("skipped", f"{skipped['blank']:,} blank", f"{skipped['too_long']:,} too long"),
        ("took", f"{seconds:.1f} s", memory(summary["memory"])),
    ]
    if not any(skipped.values()):
        rows = [row for row in rows if row[0] != "skipped"]
    if not stop["known"]:
        rows.insert(-1, ("", "", "(so far: the path is too short to know)"))
    return columns(rows) + "\n" + next_command(summary, out)


def next_command(summary: dict[str, Any], out: str) -> str:
    picked, stop = summary["picked"]["lines"], summary["stop"]
    if out == "-":
        return "next: -o jaded.tsv keeps the ranking in a file that cynical cut can cut again"
    if 0 < stop["lines"] < picked:
        return f"next: cynical cut {out} --stop -o best.txt"
    if picked:
        return f"next: cynical cut {out} --lines {max(picked // 2, 1)} -o best.txt"
    return "next: cynical words shows what the corpora have in common"


def columns(rows: Sequence[tuple[str, str, str]]) -> str:
    """A name, a figure aligned to the right and another beside it."""
    width = [max(len(row[i]) for row in rows) for i in range(2)]
    return "\n".join(f"{a:<{width[0]}}  {b:>{width[1]}}  {c}".rstrip() for a, b, c in rows)


def share(fraction: float) -> str:
    percent = 100 * fraction
    digits = 1 if percent >= 1 or percent == 0 else 3
    return f"{percent:.{digits}f} %"


def memory(used: dict[str, Any]) -> str:
    text = f"{used['peak'] / 1e6:,.0f} MB at most"
    without = used.get("peak_without_mapped_input")
    return text + (f", {without / 1e6:,.0f} without the mapped input" if without else "")


def class_table(rows: Sequence[tuple[str, int, float, float]]) -> str:
    """Words by class: types and shares of the probability mass."""
    lines = [f"{'class':<12}{'types':>12}{'representative':>18}{'unadapted':>14}"]
    lines += [f"{name:<12}{types:>12,}{share(wanted):>18}{share(have):>14}" for name, types, wanted, have in rows]
    return "\n".join(lines)
