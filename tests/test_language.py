"""Plain technical English: words of our own stay out of what a user reads, and out of comments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import cynical
from cynical.cli.main import cli

TESTS, SOURCES = Path(__file__).parent, Path(cynical.__file__).parent
ROOT = TESTS.parent
TEMPLATE = (".html", ".js", ".css")
MEASURED = (
    "bits|bytes|cents|euros|files|labels|messages|microseconds|ms|numbers|once|one( (file|name|number|path|word))?|"
    "seconds|times|words"
)
PER = "batch|byte|character|command|core|document|file|heap|line|machine|pair|pick|row|second|sentence|shard|side"

# What to keep out, as a regular expression in lower case, and what to write instead. A space matches any white space.
WORDS = {
    r"by lot|lots are drawn|draws? lots|the lot": "random, at random",
    r"by chance|chances?": "random, a random selection, a probability",
    r"packed|unpacked|unpacks?|unpacking": "compressed, decompressed",
    r"(file|files) without a name": "temporary file",
    r"but for (memory-)?mapped|what is mapped": "excluding memory-mapped input",
    r"go on|goes on|going on|went on|gone on": "continue, resume",
    r"so many|as many as there are": "N, at most N, how many",
    rf"(?:{MEASURED}|\d|n|\}}) an? (?:{PER}|token|unit|word|worker)(?! (?:changes|has|is|of|that))": "per line",
    r"(is|are|was|were|be|been|being) refused|refus(e|es|ing|als?)": "raises an error, is not supported, rejects",
    r"put right|puts? (it|them) right": "fix",
    r"no such thing|cannot be had|can be had": "unknown value, not available, available",
    r"stands?(?! for)|stood|standing(?! for)": "is, is listed, is stored",
    r"lies|lying|lie in": "is, is stored",
    r"anew|afresh": "again",
    r"mend(s|ed|ing)?": "fix, repair",
    r"dear(er|est|ly)?": "expensive, more expensive",
    r"(set|sets|setting) (\w+ ){0,3}apart": "separates, splits off",
    r"behind": "after",
    r"as ever": "as before, unchanged",
    r"all that": "everything that, all, the ones that",
    r"in (its|their|the) order (it|they) (is|are) in": "in the original order",
}

# Where an ordinary meaning is right: the file (or folder), the phrase in its sentence, and why.
ALLOWED = {
    ("docs/contributing", "unpacked sdist"): "the usual term",
}

SPACE = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)"  # within a paragraph
GROUPS = (rf"(?P<w{number}>(?<![\w.`-])(?:{word})(?![\w-]))" for number, word in enumerate(WORDS))
PATTERN = re.compile("|".join(GROUPS).replace(" ", SPACE), re.IGNORECASE)


class Text(NamedTuple):
    file: Path
    line: int
    text: str


def strings(file: Path, tree: ast.Module) -> Iterator[Text]:
    """Every string, docstrings included; what an f-string fills in is {}."""
    parts: set[int] = set()
    for node in ast.walk(tree):  # an f-string is met before its parts
        if isinstance(node, ast.JoinedStr):
            parts.update(id(part) for part in node.values)
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield Text(file, node.lineno, said)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield Text(file, node.lineno, node.value)


def comments(file: Path, source: str) -> Iterator[Text]:
    """Comments, those of consecutive lines together (a # in a string does no harm: strings are read anyway)."""
    began, block = 0, ""
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        found = re.search(r"(?:^|\s)#(.*)", line)
        if found and block and line.lstrip().startswith("#"):
            block += "\n" + found[1]
            continue
        if block:
            yield Text(file, began, block)
        began, block = number, found[1] if found else ""


def names_of_tests(file: Path, tree: ast.Module) -> Iterator[Text]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Text(file, node.lineno, node.name.replace("_", " "))


def helps() -> Iterator[Text]:
    """The pages of --help, as they are shown."""
    top = click.Context(cli, info_name="cynical")
    for name in cli.list_commands(top):
        command = cli.get_command(top, name)
        assert command is not None
        text = command.get_help(click.Context(command, info_name=f"cynical {name}", terminal_width=80))
        yield Text(Path(f"cynical {name} --help"), 1, text)


def package() -> Iterator[Text]:
    for file in sorted(SOURCES.rglob("*.py")):
        source = file.read_text()
        yield from strings(file, ast.parse(source))
        yield from comments(file, source)


def page() -> Iterator[Text]:
    for file in sorted(SOURCES.rglob("*")):
        if file.suffix in TEMPLATE:
            yield Text(file, 1, file.read_text())


def of_tests() -> Iterator[Text]:
    for file in sorted({*TESTS.rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")} - {Path(__file__)}):
        source = file.read_text()
        tree = ast.parse(source)
        yield from names_of_tests(file, tree)
        yield from comments(file, source)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
                yield Text(file, getattr(node, "lineno", 1), str(ast.get_docstring(node)))


def documentation() -> Iterator[Text]:
    for file in sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}):
        yield Text(file, 1, file.read_text())


def found_in(texts: Iterator[Text]) -> Iterator[str]:
    """Where a word is, what it is, and what to write instead."""
    for file, line, text in texts:
        name = str(file.relative_to(ROOT) if file.is_absolute() else file)
        for found in PATTERN.finditer(text):
            around = " ".join(text[max(0, found.start() - 40) : found.end() + 40].split())
            if any(name.startswith(where) and phrase in around for where, phrase in ALLOWED):
                continue
            instead = list(WORDS.values())[int(str(found.lastgroup)[1:])]
            at = line + text.count("\n", 0, found.start())
            yield f"{name}:{at}: {' '.join(found[0].split())!r} in '...{around}...'; write: {instead}"


@pytest.mark.parametrize("texts", [package, page, helps, of_tests, documentation], ids=lambda one: one.__name__)
def test_plain_words(texts: object) -> None:
    assert callable(texts)
    said = "\n".join(found_in(texts()))
    assert not said, f"\n{said}"


def test_every_exception_is_needed() -> None:
    everything = [" ".join(one.text.split()) for texts in (package, page, of_tests, documentation) for one in texts()]
    unused = [phrase for _, phrase in ALLOWED if not any(phrase in text for text in everything)]
    assert unused == []
