"""The demonstration: sentences about networking, found in the documentation of the Python that runs this."""

from __future__ import annotations

import ast
import re
import shutil
import sys
import sysconfig
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

from .errors import CynicalError, os_error
from .output import Output

NETWORKING = {
    "ftplib", "http", "imaplib", "ipaddress", "nntplib", "poplib", "smtplib", "socket",
    "socketserver", "ssl", "telnetlib", "urllib", "xmlrpc",
}  # fmt: skip
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "__pycache__"}
NAMES = ("representative.txt", "available.txt", "jaded.tsv", "jaded.tsv.json")
SHOWN = 8


def run_demo(folder: Path, lines: int, overwrite: bool, quiet: bool) -> None:
    """Harvest, select, show the first picks and name the files."""
    from .progress import Progress
    from .selecting import Settings, run
    from .selection.budget import Budget

    began = time.perf_counter()
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
    jaded = run(str(paths[0]), str(paths[1]), None, None, Settings(Budget(lines=lines)), Progress(not quiet))
    jaded.write(paths[2], overwrite=True)
    if not quiet:
        print(_table(jaded.delta.tolist(), jaded.best_words, jaded.texts, jaded.summary, folder))
        print(f"\n{time.perf_counter() - began:.1f} s. Next: cynical cut {paths[2]} --stop -o {folder}/best.txt")


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


def _table(
    delta: list[float], words: list[str], texts: list[str], summary: dict[str, dict[str, float]], folder: Path
) -> str:
    """The first picks, as wide as the terminal."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 140)
    best = max(len(word) for word in words[:SHOWN])
    head = f"{'rank':>4}  {'bits':>8}  {'best word':<{max(best, 9)}}  "
    rows = [head + "sentence"]
    for rank in range(min(SHOWN, len(texts))):
        text = textwrap.shorten(texts[rank], max(width - len(head), 20), placeholder=" ...")
        rows.append(f"{rank + 1:>4}  {delta[rank]:>+8.4f}  {words[rank]:<{max(best, 9)}}  {text}")
    before, after = summary["perplexity"]["before"], summary["perplexity"]["after"]
    rows += [
        "",
        "Each line is the best one given all above it: bits are what it takes off the cross-entropy of the",
        f"networking text. After {summary['picked']['lines']:,} of {summary['available']['lines']:,} lines "
        f"its perplexity has gone from {before:,.0f} to {after:,.0f}.",
        "",
        f"{folder}/{NAMES[0]:<20} what we want",
        f"{folder}/{NAMES[1]:<20} what we can choose from",
        f"{folder}/{NAMES[2]:<20} the ranking, with every line's bits and text",
        f"{folder}/{NAMES[3]:<20} its summary: settings, entropies, stopping point",
    ]
    return "\n".join(rows)
