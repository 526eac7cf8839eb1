"""Messages as the source has them: string expressions as text, with words in capitals for what is put in.

f"{path} line {line}: {what}; make it again"   ->   PATH line LINE: WHAT; make it again
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

Functions = dict[str, list[ast.FunctionDef]]
NUMBERS = ("len", "int", "sum", "max", "min", "round")
DEPTH = 6  # of names and functions that lead to a string


class Scope(NamedTuple):
    """What names mean where an expression is: local strings, the constants and the functions of the package."""

    strings: dict[str, list[ast.expr]]
    constants: dict[str, ast.expr]
    functions: Functions

    def inside(self, function: ast.FunctionDef, call: ast.Call | None = None) -> Scope:
        """With the strings that a function gives names to, and those that a call gives it."""
        parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        found = dict(assigned(function))
        given = dict(zip(parameters, [] if call is None else call.args, strict=False))
        for name in parameters:
            own = given.get(name)
            found[name] = [own] if isinstance(own, ast.Constant) else []
        return self._replace(strings=found)


@cache
def assigned(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """All values that a function gives to each of its names."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in named(target, node.value):
                    found.setdefault(name, []).append(value)
    return found


@cache
def results(function: ast.FunctionDef) -> list[ast.expr]:
    """What a function may return."""
    returns = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return [value for value in returns if value is not None]


def named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names of an assignment with their values: `a, b = x, y` has two."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, own in zip(target.elts, value.elts, strict=True):
            yield from named(one, own)


def templates(node: ast.expr, scope: Scope, depth: int = DEPTH) -> list[str]:
    """All texts that an expression may be; none if it is no string that can be read off the source."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(piece(one, scope, depth) for one in node.values)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = templates(node.left, scope, depth), templates(node.right, scope, depth)
        return [longest(left) + longest(right)] if left and right else []
    if isinstance(node, ast.IfExp):
        return [*templates(node.body, scope, depth), *templates(node.orelse, scope, depth)]
    if depth == 0:
        return []
    if isinstance(node, ast.Name):
        constant = [scope.constants[node.id]] if node.id in scope.constants else []
        known = scope.strings.get(node.id, constant)
        return [text for value in known for text in templates(value, scope, depth - 1)]
    if isinstance(node, ast.Call):
        return [text for value, inner in returned(node, scope) for text in templates(value, inner, depth - 1)]
    return []


def returned(call: ast.Call, scope: Scope) -> Iterator[tuple[ast.expr, Scope]]:
    """What a function of the package returns, if it is called by its name."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    for function in scope.functions.get(name, []):
        inner = scope.inside(function, call)
        yield from ((value, inner) for value in results(function))


def piece(node: ast.expr, scope: Scope, depth: int) -> str:
    """A part of an f-string."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.FormattedValue)
    value = node.value
    if isinstance(value, ast.Name) and isinstance(scope.constants.get(value.id), ast.Constant):
        constant = scope.constants[value.id]
        assert isinstance(constant, ast.Constant)
        return str(constant.value)
    found = templates(value, scope, depth - 1) if depth else []
    return longest(found) if any(found) else placeholder(value, node.format_spec)


def placeholder(value: ast.expr, spec: ast.expr | None) -> str:
    """A word in capitals for what is put in."""
    format = "".join(str(one.value) for one in getattr(spec, "values", []) if isinstance(one, ast.Constant))
    if format.strip(">")[-1:] in (",", "f", "g", "d") or format.endswith(","):
        return "N"
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name) and value.func.id in NUMBERS:
            return "N"
        inner = value.func.value if isinstance(value.func, ast.Attribute) else (value.args or [value.func])[0]
        return "..." if isinstance(inner, (ast.Call, ast.Constant)) else placeholder(inner, None)
    if isinstance(value, ast.BoolOp):
        return placeholder(value.values[0], None)
    if isinstance(value, ast.Subscript):
        return placeholder(value.value, None)
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else "..."
    return {"name": "file", "__name__": "type"}.get(name, name).strip("_").upper().replace("_", " ")


def longest(texts: list[str]) -> str:
    return max(texts, key=len)
