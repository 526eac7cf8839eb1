"""All options of cynical: each is declared once, as a field of the group it belongs to."""

from __future__ import annotations

from .budget import Budget
from .corpora import Corpora, RankingOutput
from .declare import Group, Option, Recorded, Value, options_of, pick
from .execution import Cluster, Execution, Writing
from .method import Measure, Method
from .output import Layout
from .ranking import Eligibility, Ranking, Thresholds
from .reading import Reading, Rereading, TextOptions
from .settings import Settings, default_settings, not_on_a_cluster

__all__ = [
    "Budget",
    "Cluster",
    "Corpora",
    "Eligibility",
    "Execution",
    "Group",
    "Layout",
    "Measure",
    "Method",
    "Option",
    "Ranking",
    "RankingOutput",
    "Reading",
    "Recorded",
    "Rereading",
    "Settings",
    "TextOptions",
    "Thresholds",
    "Value",
    "Writing",
    "default_settings",
    "not_on_a_cluster",
    "options_of",
    "pick",
]
