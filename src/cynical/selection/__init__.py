"""Ways to find the next line."""

from __future__ import annotations

from . import batch, exact
from . import word_first as word

STRATEGIES = {"exact": exact.search, "word": word.search, "batch": batch.search}
