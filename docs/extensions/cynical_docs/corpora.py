"""The small corpus that every page starts with: sentences from the docstrings of the Python that builds the pages.

They are the sentences of `cynical demo`: those of the networking modules are the text we want.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard

from cynical.cli.demo_texts import NETWORKING, Sentence, harvest, words_of

HELD_OUT = 10  # every tenth line of the text we want is in test.txt
OWNED = 15  # every fifteenth of the other lines is in have.txt
GERMAN = {
    "the": "die", "a": "ein", "an": "eine", "is": "ist", "are": "sind", "be": "sein", "of": "von", "to": "zu",
    "and": "und", "or": "oder", "not": "nicht", "for": "für", "with": "mit", "from": "aus", "this": "dieses",
    "that": "das", "if": "wenn", "it": "es", "on": "auf", "by": "durch", "as": "als", "at": "bei", "all": "alle",
    "no": "kein", "one": "eins", "new": "neu", "when": "wann", "which": "welche", "can": "kann", "has": "hat",
}  # fmt: skip
SPELLING = str.maketrans({"c": "k", "d": "t", "v": "w", "w": "f", "y": "ie", "x": "chs", "z": "s"})


def rewrite(line: str) -> str:
    """A made-up other side of a line, word for word."""
    return " ".join(GERMAN.get(word) or word.translate(SPELLING) + "en" * word.isalpha() for word in line.split())


def make(folder: Path) -> None:
    """Write all files of the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [Sentence(module, " ".join(words_of(text))) for module, text in harvest()]
    wanted = [line for module, line in found if module in NETWORKING]
    others = [one for one in found if one[0] not in NETWORKING]
    task = [line for number, line in enumerate(wanted) if number % HELD_OUT]
    pool = [one for number, one in enumerate(others) if number % OWNED]
    write(folder / "task.txt", task)
    write(folder / "test.txt", wanted[::HELD_OUT])
    write(folder / "have.txt", (line for _, line in others[::OWNED]))
    write(folder / "pool.txt", (line for _, line in pool))
    write(folder / "pool.domains", (module for module, _ in pool))
    write(folder / "costs.txt", (f"{cost(module, line):.2f}" for module, line in pool))
    for name, lines in (("task", task), ("pool", [line for _, line in pool])):
        write(folder / f"{name}.en", lines)
        write(folder / f"{name}.de", map(rewrite, lines))
    records = [json.dumps(record(number, *one)) for number, one in enumerate(pool, 1)]
    write(folder / "pool.jsonl", records)
    compressed = zstandard.ZstdCompressor().compress((folder / "pool.jsonl").read_bytes())
    (folder / "pool.jsonl.zst").write_bytes(compressed)
    write(folder / "chats.jsonl", (json.dumps(chat(number, *pair)) for number, pair in enumerate(pairs(pool), 1)))


def write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def cost(module: str, line: str) -> float:
    """What it would cost to translate a line: a price per word that depends on the module."""
    return (0.08 + 0.01 * (len(module) % 8)) * len(line.split())


def record(number: int, module: str, line: str) -> dict[str, object]:
    return {"id": f"s{number}", "title": module, "text": line, "meta": {"source": module, "words": len(line.split())}}


def pairs(pool: list[Sentence]) -> Iterator[tuple[Sentence, Sentence]]:
    """Every fifth line, with the one after it as an answer."""
    return zip(pool[::5], pool[1::5], strict=False)


def chat(number: int, asked: Sentence, answered: Sentence) -> dict[str, object]:
    said = [{"role": "user", "content": asked[1]}, {"role": "assistant", "content": answered[1]}]
    return {"id": f"c{number}", "messages": said}
