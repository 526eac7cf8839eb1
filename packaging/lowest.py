"""The lowest versions that pyproject.toml allows, as pip takes them: `pip install $(python packaging/lowest.py)`.

They are those of what the package needs, and of the small extras, without which many tests would be skipped.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

EXTRAS = ("hf", "http", "pandas", "parquet", "plot", "polars", "spm")


def lowest() -> list[str]:
    with (Path(__file__).parents[1] / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    optional = [one for extra in EXTRAS for one in project["optional-dependencies"][extra]]
    return [one.replace(">=", "==") for one in dict.fromkeys([*project["dependencies"], *optional])]


if __name__ == "__main__":
    print(*lowest())
