"""Ways to find the next line."""

from __future__ import annotations

from . import batch, exact
from . import word_first as word

STRATEGIES = {"exact": exact.search, "word": word.search, "batch": batch.search}
NEED_CLASSES = ("word", "batch")
NEED_COPIES = ("batch",)
KERNELS = {"exact": "pick", "word": "pick_by_word", "batch": "pick_by_batch"}  # what takes longest to compile
