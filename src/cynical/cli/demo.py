"""The demonstration: sentences about networking, found in the documentation of the Python that runs this."""

from __future__ import annotations

import ast
import random
import re
import shlex
import shutil
import sys
import sysconfig
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CynicalError, os_error
from ..options import Settings, Writing
from ..options.commands import Demonstration
from .generate import command

if TYPE_CHECKING:
    from ..jaded.jaded import Jaded

NETWORKING = {
    "ftplib", "http", "imaplib", "ipaddress", "nntplib", "poplib", "smtplib", "socket",
    "socketserver", "ssl", "telnetlib", "urllib", "xmlrpc",
}  # fmt: skip
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "__pycache__"}
NAMES = ("representative.txt", "available.txt", "jaded.tsv", "jaded.tsv.json")
SHOWN = 14


@command("See what it is about.")
def demo(told: Demonstration, writing: Writing) -> None:
    """Pick sentences about networking from the documentation of your own Python.

    \b
    Example:
      cynical demo
    """
    run_demo(Path(told.output), told.lines, writing.overwrite, writing.quiet)


def run_demo(folder: Path, lines: int, overwrite: bool, quiet: bool) -> None:
    """Harvest, select, show the first picks and name the files."""
    from ..progress import Progress
    from ..selection.inputs import gather
    from ..selection.run import run
    from ..text.atomic_file import Output

    began = time.perf_counter()
    settings = Settings.of(lines=lines)
    wanted, pool = harvest()
    paths = _prepare(folder, overwrite)
    for path, sentences in zip(paths[:2], (wanted, pool), strict=True):
        with Output(path, overwrite=True) as output:
            output.write("".join(sentence + "\n" for sentence in sentences).encode())
    if not quiet:
        version = ".".join(map(str, sys.version_info[:3]))
        print(f"The docstrings of Python {version} hold {len(wanted) + len(pool):,} sentences.")
        print(f"We want more like the {len(wanted):,} about networking (REPRESENTATIVE),")
        print(f"and can choose from the {len(pool):,} others (AVAILABLE).\n")
        sys.stdout.flush()
    jaded = run(gather([str(paths[0])], str(paths[1])), settings, Progress(not quiet))
    jaded.write(paths[2], overwrite=True)
    if not quiet:
        print(_table(jaded))
        print(_verdict(jaded, perplexity_at_random(str(paths[0]), pool, int(jaded.words.sum())), folder))
        ranking, best = shlex.quote(str(paths[2])), shlex.quote(f"{folder}/best.txt")
        print(f"\n{time.perf_counter() - began:.1f} s. Next: cynical cut {ranking} --stop -o {best}")


def harvest() -> tuple[list[str], list[str]]:
    """The sentences of the networking modules, and those of all others."""
    root = Path(sysconfig.get_path("stdlib"))
    wanted: list[str] = []
    pool: list[str] = []
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        if LEFT_OUT.isdisjoint(inside.parts):
            family = wanted if inside.parts[0].removesuffix(".py") in NETWORKING else pool
            family.extend(_sentences_of(path))
    if not wanted or not pool:
        raise CynicalError(f"{root}: this Python has no source files to take docstrings from; run another Python")
    return wanted, pool


def _sentences_of(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from split_sentences(ast.get_docstring(node) or "")


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of at least three words, in lower case, words and punctuation apart."""
    for paragraph in re.split(r"\n\s*\n", text):
        if ">>>" in paragraph:
            continue
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split())):
            tokens = re.findall(r"\w+|[^\w\s]", sentence.lower())
            if sum(token[0].isalpha() for token in tokens) >= 3:
                yield " ".join(tokens)


def _prepare(folder: Path, overwrite: bool) -> list[Path]:
    paths = [folder / name for name in NAMES]
    taken = [path for path in paths if path.exists()]
    if taken and not overwrite:
        raise CynicalError(f"{taken[0]}: exists already; give another folder with -o, or --overwrite to replace it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise os_error(folder, error) from error
    return paths


def perplexity_at_random(wanted: str, pool: list[str], words: int) -> float:
    """What as many words of AVAILABLE would have done, had nobody chosen."""
    from ..api import select

    lines = random.Random(0).sample(pool, len(pool))
    left, taken = words, []
    while lines and left > 0:
        taken.append(lines.pop())
        left -= len(taken[-1].split())
    return float(2 ** select(wanted, pool[:1000], seed=taken, lines=1).entropy_before)


def _table(jaded: Jaded) -> str:
    """The first picks, as wide as the terminal."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 140)
    words, texts = jaded.best_words[:SHOWN], jaded.texts[:SHOWN]
    best = max(9, *(len(word) for word in words))
    head = f"{'rank':>4}  {'bits':>7}  {'best word':<{best}}  "
    rows = [head + "sentence"]
    for rank, (delta, word, text) in enumerate(zip(jaded.delta.tolist(), words, texts, strict=False), 1):
        short = textwrap.shorten(text, max(width - len(head), 20), placeholder=" ...")
        rows.append(f"{rank:>4}  {delta:>7.4f}  {word:<{best}}  {short}")
    return "\n".join(rows)


def _verdict(jaded: Jaded, at_random: float, folder: Path) -> str:
    entropy, available = jaded.summary.entropy, jaded.summary.available
    before, after = 2.0**entropy.before, 2.0**entropy.after
    return f"""
Bits are what a line takes off the cross-entropy of the networking text, given all lines above it; the best word
is the one that helps most. {len(jaded):,} of {available.lines:,} lines took the perplexity from \
{before:,.0f} to {after:,.0f};
as many words taken at random would have taken it to {at_random:,.0f}.

{folder / NAMES[0]!s:<34} what we want
{folder / NAMES[1]!s:<34} what we can choose from
{folder / NAMES[2]!s:<34} the ranking: every line with its bits
{folder / NAMES[3]!s:<34} its summary: settings, entropies, stopping point"""
