"""Tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence


def html_table(caption: str, rows: Sequence[Mapping[str, bool | int | float | str | None]]) -> str:
    """Rows with the same keys as an HTML table; names of files and methods are never markup."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in (rows[0] if rows else {}))
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(_cell(cell))}</td>' for cell in row.values())}</tr>" for row in rows
    )
    return (
        f"<table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value: bool | int | float | str | None) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "\u2713"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else value
