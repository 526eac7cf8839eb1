"""Outputs of examples, kept from one build to the next as long as the page's examples and the package stay the same."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import cynical

from . import corpora
from .sandbox import Ran


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def state() -> str:
    """What decides the outputs besides the examples: the package, the corpus, and the version of Python."""
    package = Path(cynical.__file__).parent
    own = [Path(corpora.__file__).with_name(name) for name in ("corpora.py", "interpreter.py", "sandbox.py")]
    files = [*sorted(package.rglob("*.py")), *sorted(package.glob("*/template/*")), *own]
    return digest(sys.version, *(f"{path.name} {content(path)}" for path in files))


def content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def corpus(folder: Path) -> Path:
    """The folder with the corpus, which is made when it is missing."""
    demo = Path(cynical.__file__).parent / "cli" / "demo_texts.py"
    made = folder / f"corpus-{digest(sys.version, content(demo), content(Path(corpora.__file__)))}"
    if not made.exists():
        unfinished = made.with_suffix(".unfinished")
        corpora.make(unfinished)
        unfinished.rename(made)
    return made


class Outputs:
    """What each example wrote, by its key, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> list[Ran] | None:
        path = self._folder / f"{key}.json"
        return [Ran(*one) for one in json.loads(path.read_text("utf-8"))] if path.exists() else None

    def keep(self, key: str, ran: Iterable[Ran]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{key}.json").write_text(json.dumps(list(ran)), "utf-8")
