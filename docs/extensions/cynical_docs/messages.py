"""The errors and notices of the package, read off its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .templates import Functions, Scope, templates

ERROR, NOTICE = "error", "notice"
RAISED = "CynicalError"
NOTICES = re.compile(r"notice|without_effect|^unknown$")
LITERAL = re.compile(r"\b[a-z]{2,}\b")  # words that are not put in


class Message(NamedTuple):
    kind: str
    module: str  # "text/records.py"
    text: str

    @property
    def room(self) -> str:
        return self.module.partition("/")[0].removesuffix(".py")


class Source(NamedTuple):
    """The package as syntax trees, and what its names mean."""

    trees: dict[str, ast.Module]
    constants: dict[str, dict[str, ast.expr]]  # by module
    functions: Functions

    @classmethod
    def of(cls, package: Path) -> Source:
        trees = {
            path.relative_to(package).as_posix(): ast.parse(path.read_text("utf-8"))
            for path in sorted(package.rglob("*.py"))
        }
        functions: Functions = {}
        for tree in trees.values():
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    functions.setdefault(node.name, []).append(node)
        return cls(trees, {module: constants_of(tree) for module, tree in trees.items()}, functions)

    def scope(self, module: str) -> Scope:
        """Where a module has no constant of a name, it is another's."""
        every = {name: value for own in self.constants.values() for name, value in own.items()}
        return Scope({}, every | self.constants[module], self.functions)

    def messages(self) -> list[Message]:
        """Every message once, in the order of the source."""
        found: dict[Message, None] = {}
        for module, tree in self.trees.items():
            scope = self.scope(module)
            for function, node in expressions(tree):
                for kind, value in said(function, node):
                    for text in templates(value, scope if function is None else scope.inside(function)):
                        if len(LITERAL.findall(text)) >= 3:
                            found[Message(kind, module, worded(module, text))] = None
        return list(found)


def worded(module: str, text: str) -> str:
    """On one line. What has a name in `options` is an option, elsewhere a file."""
    line = " ".join(text.split())
    return re.sub(r"^(--)?FILE", "OPTION", line) if module.startswith("options/") else line


def constants_of(tree: ast.Module) -> dict[str, ast.expr]:
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: node.value for node in assigned if isinstance(node.targets[0], ast.Name)}


def expressions(
    tree: ast.AST, function: ast.FunctionDef | None = None
) -> Iterator[tuple[ast.FunctionDef | None, ast.AST]]:
    """All nodes, each with the function that it is in."""
    for node in ast.iter_child_nodes(tree):
        yield function, node
        yield from expressions(node, node if isinstance(node, ast.FunctionDef) else function)


def said(function: ast.FunctionDef | None, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a node says to a user: the string of an error, or those of notices."""
    if isinstance(node, ast.Call):
        name = called(node)
        if name == RAISED and node.args:
            yield ERROR, node.args[0]
        elif name == "notice" and node.args:
            yield NOTICE, node.args[0]
        elif name in ("append", "extend") and isinstance(node.func, ast.Attribute) and is_notices(node.func.value):
            yield from ((NOTICE, one) for one in elements(node.args))
    elif isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(is_notices(target) for target in targets):
            yield from ((NOTICE, one) for one in elements([node.value]))
    elif function is not None and NOTICES.search(function.name) and isinstance(node, (ast.Return, ast.Yield)):
        yield from ((NOTICE, one) for one in elements([node.value] if node.value else []))


def elements(values: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """The strings of lists, of choices between lists, and of comprehensions."""
    for value in values:
        if isinstance(value, (ast.List, ast.Tuple)):
            yield from elements(value.elts)
        elif isinstance(value, ast.Starred):
            yield from elements([value.value])
        elif isinstance(value, ast.IfExp):
            yield from elements([value.body, value.orelse])
        elif isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            yield from elements([value.elt])
        else:
            yield value


def is_notices(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return any(is_notices(one) for one in target.elts)
    name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
    return bool(NOTICES.search(name))


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
