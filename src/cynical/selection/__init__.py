"""Ways to find the next line."""

from __future__ import annotations

from . import batch, exact, word

STRATEGIES = {"exact": exact.search, "word": word.search, "batch": batch.search}
NEED_CLASSES = ("word", "batch")
NEED_COPIES = ("batch",)
