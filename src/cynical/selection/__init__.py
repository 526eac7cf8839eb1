"""Ways to find the next line."""

from __future__ import annotations

from . import exact

STRATEGIES = {"exact": exact.search}
