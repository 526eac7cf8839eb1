"""What our Sphinx pages can do: run the commands and the Python that they show, and list what the source says."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from . import examples


def setup(app: Sphinx) -> dict[str, Any]:
    examples.setup(app)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
