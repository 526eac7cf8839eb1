"""The lowest versions that pyproject.toml allows, as pip takes them: `pip install $(python packaging/lowest.py)`."""

from __future__ import annotations

import tomllib
from pathlib import Path

with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
    needed = tomllib.load(file)["project"]["dependencies"]
print(*(one.replace(">=", "==") for one in needed))
