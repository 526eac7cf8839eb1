"""A picture as SVG, on a light card that is readable on a light and on a dark page. Not a script.

Text stays text; every number is rounded, so that the same run draws the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
CARD, EDGE = "#fcfcfb", "#d7d9dc"
INK, SOFT, FAINT = "#1f2933", "#5b6673", "#e4e7eb"
GREEN, BLUE, GREY, RED = "#0b7a53", "#2458c5", "#8a94a0", "#c2410c"
PALE = {GREEN: "#e3f3ec", BLUE: "#e6edfb", GREY: "#f1f3f5", RED: "#fdeee6"}
Place = tuple[float, float]


class Picture:
    """Shapes, in the order in which they were drawn."""

    def __init__(self, width: int, height: int, about: str) -> None:
        self._size, self._about, self._parts = (width, height), about, list[str]()
        self.box((0.5, 0.5), (width - 1, height - 1), fill=CARD, stroke=EDGE, radius=10)

    def box(
        self, at: Place, size: Place, fill: str = "none", stroke: str = "none", radius: float = 6, dashed: bool = False
    ) -> None:
        place = f'x="{number(at[0])}" y="{number(at[1])}" width="{number(size[0])}" height="{number(size[1])}"'
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(f'<rect {place} rx="{number(radius)}" fill="{fill}" stroke="{stroke}"{dashes}/>')

    def text(self, at: Place, text: str, size: float = 14, colour: str = INK, **more: str) -> None:
        """`more`: anchor ("middle", "end"), weight ("600"), mono ("yes"), turned ("-90")."""
        style = f' font-family="{MONO}"' if "mono" in more else ""
        style += f' text-anchor="{more["anchor"]}"' if "anchor" in more else ""
        style += f' font-weight="{more["weight"]}"' if "weight" in more else ""
        x, y = number(at[0]), number(at[1])
        style += f' transform="rotate({more["turned"]} {x} {y})"' if "turned" in more else ""
        kept = escape(text, quote=False).replace("  ", " \u00a0")
        self._parts.append(f'<text x="{x}" y="{y}" font-size="{number(size)}" fill="{colour}"{style}>{kept}</text>')

    def line(
        self,
        places: Iterable[Place],
        colour: str = INK,
        width: float = 1,
        dashes: str = "",
        arrow: bool = False,
    ) -> None:
        points = " ".join(f"{number(x)},{number(y)}" for x, y in places)
        style = f' stroke-dasharray="{dashes}"' if dashes else ""
        style += f' marker-end="url(#{colour.lstrip("#")})"' if arrow else ""
        self._parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
            f'stroke-linejoin="round" stroke-linecap="round"{style}/>'
        )

    def dot(self, at: Place, colour: str, radius: float = 4, hollow: bool = False) -> None:
        fill = CARD if hollow else colour
        self._parts.append(
            f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}" fill="{fill}" stroke="{colour}" '
            'stroke-width="1.5"/>'
        )

    def save(self, path: Path) -> None:
        width, height = self._size
        heads = "".join(
            f'<marker id="{colour.lstrip("#")}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
            for colour in (INK, SOFT, GREEN, BLUE, GREY, RED)
        )
        about = escape(self._about)
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-label="{about}" font-family="{FONT}">\n'
            f"<title>{about}</title>\n<defs>{heads}</defs>\n" + "\n".join(self._parts) + "\n</svg>\n",
            encoding="utf-8",
        )
        print(f"{path}: {path.stat().st_size:,} bytes")


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
