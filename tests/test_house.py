"""What holds for every module and every test: each has its room, and no test can pass without asserting anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import cynical

TESTS, SOURCES = Path(__file__).parent, Path(cynical.__file__).parent
FLAT = {"__init__", "__main__", "api", "errors", "memory", "progress", "records", "small_runs", "version"}
ABOUT_ALL = {
    "test_benchmarks",
    "test_docs",
    "test_docs_extension",
    "test_fuzz",
    "test_house",
    "test_language",
    "test_packaging",
    "test_process",
}  # tests that are of no room
HELPERS = {
    "cutting",
    "remote_store",
    "__init__",
    "conftest",
    "oracle",
    "against_oracle",
    "files",
    "fuzz_inputs",
    "fuzz_mutate",
    "fuzz_problems",
}
RAISES = {"raises", "warns", "fail"}  # of pytest


def rooms(folder: Path) -> set[str]:
    return {path.parent.name.lstrip("_") for path in folder.glob("*/__init__.py")}


def test_every_room_has_its_tests() -> None:
    assert rooms(SOURCES) <= rooms(TESTS)
    for room in rooms(SOURCES):
        assert list((TESTS / room).glob("test_*.py")), f"tests/{room} has no tests"


def test_every_test_is_in_a_room_or_of_a_module_that_is_in_none() -> None:
    flat = {path.stem for path in SOURCES.glob("*.py")}
    assert flat <= FLAT, "give the module a room"
    assert {path.stem for path in TESTS.glob("*.py")} <= ABOUT_ALL | HELPERS | {f"test_{name}" for name in flat}
    assert rooms(TESTS) <= rooms(SOURCES)


class Functions:
    """All functions of all tests by their names, and whether each is sure to assert something."""

    def __init__(self, files: list[Path]) -> None:
        self.tests: dict[str, ast.FunctionDef] = {}
        self._by_name: dict[str, list[ast.FunctionDef]] = {}
        self._known: dict[ast.FunctionDef, bool] = {}
        for file in files:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.FunctionDef):
                    self._by_name.setdefault(node.name, []).append(node)
                    if node.name.startswith("test_"):
                        self.tests[f"{file.relative_to(TESTS)}:{node.lineno} {node.name}"] = node

    def asserts(self, function: ast.FunctionDef) -> bool:
        if function not in self._known:
            self._known[function] = False  # if it calls itself
            self._known[function] = self._body(function.body) == (False, False)
        return self._known[function]

    def _body(self, body: list[ast.stmt]) -> tuple[bool, bool]:
        """Is there a way to the end without an assertion, and is there one to a return?"""
        end, returns = True, False
        for statement in body:
            if end:
                end, returned = self._statement(statement)
                returns = returns or returned
        return end, returns

    def _statement(self, statement: ast.stmt) -> tuple[bool, bool]:
        """The same for one statement; a loop is taken to run."""
        if isinstance(statement, ast.Return):
            return False, self._silent(statement)
        if isinstance(statement, ast.If):
            return self._either(statement.body, statement.orelse)
        if isinstance(statement, ast.With):
            entered = all(map(self._silent, statement.items))
            return self._body(statement.body) if entered else (False, False)
        if isinstance(statement, (ast.For, ast.While)):
            return self._body(statement.body)
        if isinstance(statement, ast.Try):
            return self._either(statement.body + statement.orelse, *(one.body for one in statement.handlers))
        if isinstance(statement, (ast.Assert, ast.Raise)):
            return False, False
        return self._silent(statement), False

    def _either(self, *ways: list[ast.stmt]) -> tuple[bool, bool]:
        found = [self._body(way) for way in ways]
        return any(end for end, _ in found), any(returns for _, returns in found)

    def _silent(self, node: ast.AST) -> bool:
        """No call of something that asserts?"""
        return isinstance(node, (ast.FunctionDef, ast.ClassDef)) or not self._calls(node)

    def _calls(self, node: ast.AST) -> bool:
        """Is there a call of something that asserts?"""
        for inside in ast.walk(node):
            if isinstance(inside, ast.Call):
                name = inside.func.attr if isinstance(inside.func, ast.Attribute) else getattr(inside.func, "id", "")
                of_pytest = isinstance(inside.func, ast.Attribute) and name in RAISES
                if of_pytest or any(self.asserts(one) for one in self._by_name.get(name, [])):
                    return True
        return False


def silent() -> Iterator[str]:
    functions = Functions(sorted(TESTS.rglob("*.py")))
    assert len(functions.tests) > 300
    return (name for name, test in functions.tests.items() if not functions.asserts(test))


def test_no_test_can_pass_without_asserting() -> None:
    assert list(silent()) == []
