"""What our Sphinx pages can do: run the commands and the Python that they show, and list what the source says."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import commands, examples, listing, schemas


def setup(app: Sphinx) -> dict[str, Any]:
    app.setup_extension("sphinx_click")
    for one in (commands, examples, listing, schemas):
        one.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
