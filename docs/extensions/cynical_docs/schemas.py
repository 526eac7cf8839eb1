"""The directive `schema`: the records of a JSON Schema as tables of their fields."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

COLUMNS = {"field": 3, "type": 5, "default": 2}
Cell = list[nodes.Node]


class Schema(SphinxDirective):
    """Takes the name of a file in docs/schemas."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir, "schemas", self.arguments[0])
        self.env.note_dependency(path)
        schema = json.loads(path.read_text("utf-8"))
        shown: list[nodes.Node] = []
        for name, record in schema["$defs"].items():
            heading = nodes.rubric("", name, ids=[self.anchor(name)])
            shown += [heading, nodes.paragraph("", record.get("description", ""))]
            required = record.get("required", [])
            rows = (self.row(field, of, field in required) for field, of in record.get("properties", {}).items())
            shown.append(table(rows))
        return shown

    def anchor(self, record: str) -> str:
        return f"{Path(self.arguments[0]).stem}-{record}".lower()

    def row(self, name: str, of: dict[str, Any], required: bool) -> list[Cell]:
        default = "required" if required else "" if "default" not in of else json.dumps(of["default"])
        shown = nodes.Text(default) if required or not default else nodes.literal(default, default)
        return [[nodes.literal(name, name)], self.type_of(of), [shown]]

    def type_of(self, of: dict[str, Any]) -> Cell:
        if "$ref" in of:
            record = of["$ref"].rpartition("/")[2]
            return [nodes.reference("", record, refid=self.anchor(record), internal=True)]
        if "anyOf" in of:
            return self.joined(of["anyOf"], " or ")
        if "prefixItems" in of:
            return [nodes.Text("list: "), *self.joined(of["prefixItems"], ", ")]
        if "enum" in of:
            return [nodes.Text(", ".join(map(str, of["enum"])))]
        kind = of.get("type", "any")
        if kind == "array" and "items" in of:
            return [nodes.Text("list of "), *self.type_of(of["items"])]
        if kind == "object" and isinstance(of.get("additionalProperties"), dict):
            return [nodes.Text("object with values: "), *self.type_of(of["additionalProperties"])]
        return [nodes.Text(kind)]

    def joined(self, kinds: list[dict[str, Any]], between: str) -> Cell:
        return [node for one in kinds for node in (nodes.Text(between), *self.type_of(one))][1:]


def table(rows: Iterable[list[Cell]]) -> nodes.table:
    group = nodes.tgroup(cols=len(COLUMNS))
    group += [nodes.colspec(colwidth=width) for width in COLUMNS.values()]
    group += nodes.thead("", row_of([[nodes.Text(name)] for name in COLUMNS]))
    group += nodes.tbody("", *(row_of(row) for row in rows))
    return nodes.table("", group, classes=["schema"])


def row_of(cells: list[Cell]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def setup(app: Sphinx) -> None:
    app.add_directive("schema", Schema)
