"""One HTML file that needs nothing else: the template with its style, its script and the figures put in.

All figures are JSON within the page, and its script shows them. Text of corpora is in there only as JSON strings, with
`<` written as an escape, and the script makes text nodes of it, so whatever it says, it is never markup. The policy in
the page's head lets no other script run than this one, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from importlib import resources

import orjson

from ..records import Record
from .display import visible

STYLES = ("page.css",)
SCRIPTS = ("numbers.js", "charts.js", "cut.js", "tables.js", "start.js")


def fill(title: str, made: Record) -> bytes:
    """The page with these figures."""
    template = _read("template.html")
    style, script = "\n".join(map(_read, STYLES)), "\n".join(map(_read, SCRIPTS))
    pieces = {
        "title": html.escape(visible(title)),
        "policy": f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "script": script,
        "figures": as_json(made.to_dict()),
    }
    out, at = [], 0
    for name in _marks(template, pieces):
        mark = f"{{{{{name}}}}}"
        place = template.index(mark, at)
        out += [template[at:place], pieces[name]]
        at = place + len(mark)
    return "".join([*out, template[at:]]).encode("utf-8", "replace")


def _marks(template: str, names: Iterable[str]) -> Sequence[str]:
    """The pieces in the order in which the template wants them; each goes in once, and nothing goes into a piece."""
    return sorted(names, key=lambda name: template.index(f"{{{{{name}}}}}"))


def as_json(made: object) -> str:
    """JSON for a script element: no content can end the element."""
    text = orjson.dumps(made).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(content: str) -> str:
    """A script or style as the page's policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return resources.files(__package__).joinpath("template", name).read_text(encoding="utf-8")
