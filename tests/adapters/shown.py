"""What the documentation shows of other tools."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "pipelines.md"


def shown(heading: str, kind: str = "yaml") -> str:
    """The first block of a kind under a heading."""
    section = PAGE.read_text().partition(f"### {heading}\n")[2]
    found = re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)
    assert found is not None, heading
    return found.group(1)
