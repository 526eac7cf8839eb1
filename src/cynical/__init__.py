"""cynical: pick the lines of a large corpus that teach a model most about the language you want.

>>> import cynical
>>> jaded = cynical.select(["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"], lines=2)
>>> jaded.texts
['a cat', 'a dog ran']
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from .errors import CynicalError, CynicalWarning
from .version import __version__

if sys.platform == "win32":
    raise ImportError(
        "cynical runs on Linux and macOS; on Windows, install it in WSL: https://learn.microsoft.com/windows/wsl"
    )

if TYPE_CHECKING:
    from .api import compare, count, cut, evaluate, plot, rank, read, report, select, warm_up, words
    from .evaluation.records import Comparison, Evaluation
    from .jaded.jaded import Jaded
    from .model.counts import Counts
    from .model.word_list import WordList
    from .scoring.lines import Scores
    from .scoring.scorer import Scorer

_FUNCTIONS = ("compare", "count", "cut", "evaluate", "plot", "rank", "read", "report", "select", "warm_up", "words")
_HOMES = {
    "Comparison": "evaluation.records",
    "Counts": "model.counts",
    "Evaluation": "evaluation.records",
    "Jaded": "jaded.jaded",
    "Scorer": "scoring.scorer",
    "Scores": "scoring.lines",
    "WordList": "model.word_list",
    **dict.fromkeys(_FUNCTIONS, "api"),
}

__all__ = [
    "Comparison",
    "Counts",
    "CynicalError",
    "CynicalWarning",
    "Evaluation",
    "Jaded",
    "Scorer",
    "Scores",
    "WordList",
    "__version__",
    "compare",
    "count",
    "cut",
    "evaluate",
    "plot",
    "rank",
    "read",
    "report",
    "select",
    "warm_up",
    "words",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    """Import what is asked for only now: numpy and numba take longer to load than a help text should."""
    if name not in _HOMES:
        raise AttributeError(f"module 'cynical' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
