"""The texts of the demonstration: sentences from the docstrings of the Python that runs this."""

from __future__ import annotations

import ast
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import CynicalError

NETWORKING = {
    "ftplib", "http", "imaplib", "ipaddress", "nntplib", "poplib", "smtplib", "socket",
    "socketserver", "ssl", "telnetlib", "urllib", "xmlrpc",
}  # fmt: skip
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "__pycache__"}
HELD_OUT = 10  # every tenth sentence about networking is kept to test with


class Sentence(NamedTuple):
    module: str
    text: str


class DemoTexts(NamedTuple):
    """What we want, what there is to choose from, and what we test with."""

    task: list[Sentence]
    pool: list[Sentence]
    test: list[Sentence]


def find_texts() -> DemoTexts:
    """The sentences of the networking modules, some of them kept to test with, and different ones of all others."""
    wanted: list[Sentence] = []
    others: dict[str, Sentence] = {}
    for one in harvest():
        if one.module in NETWORKING:
            wanted.append(one)
        else:
            others.setdefault(one.text, one)
    if not wanted or not others:
        where = sysconfig.get_path("stdlib")
        raise CynicalError(f"{where}: this Python has no source files to take docstrings from; run another Python")
    test = wanted[::HELD_OUT]
    known = {" ".join(words_of(one.text)) for one in test}
    pool = [one for one in others.values() if " ".join(words_of(one.text)) not in known]
    return DemoTexts([one for number, one in enumerate(wanted) if number % HELD_OUT], pool, test)


def harvest() -> Iterator[Sentence]:
    """The sentences of all docstrings of the standard library, each with its module."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        if LEFT_OUT.isdisjoint(inside.parts):
            module = inside.parts[0].removesuffix(".py")
            yield from (Sentence(module, text) for text in _sentences_of(path))


def _sentences_of(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from sentences(ast.get_docstring(node) or "")


def sentences(text: str) -> Iterator[str]:
    """The sentences of at least three words."""
    for paragraph in re.split(r"\n\s*\n", text):
        if ">>>" in paragraph:
            continue
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split())):
            if sum(word[0].isalpha() for word in words_of(sentence)) >= 3:
                yield sentence


def words_of(sentence: str) -> list[str]:
    """Its words and punctuation marks, in lower case."""
    return re.findall(r"\w+|[^\w\s]", sentence.lower())
