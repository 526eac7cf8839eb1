"""Ways to find the next line."""

from __future__ import annotations

from .exact import search as exact

STRATEGIES = {"exact": exact}
