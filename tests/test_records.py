"""The JSON Schemas in docs/schemas are those of the records; `make schemas` writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cynical.evaluation.records import Comparison, Evaluation
from cynical.jaded.summary import Summary
from cynical.records import Record

SCHEMAS: dict[str, type[Record]] = {"summary": Summary, "evaluation": Evaluation, "comparison": Comparison}
FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def text(record: type[Record]) -> str:
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **record.schema()}, indent=2) + "\n"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_is_that_of_its_record(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text() == text(SCHEMAS[name]), "run `make schemas`"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, record in SCHEMAS.items():
        (FOLDER / f"{name}.json").write_text(text(record))
