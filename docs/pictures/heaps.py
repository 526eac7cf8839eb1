"""What a heap and a bound are: one pick of the exact search, on lines of `cynical demo`.

    python docs/pictures/heaps.py

The gains are real: the lines are some of three lengths, some picks have been made, and every line still has the gain
that it had when it was scored last.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cynical.cli.demo_texts import find_texts, words_of
from svg import BLUE, EDGE, GREEN, GREY, INK, PALE, SOFT, Picture

HERE = Path(__file__).resolve().parent
SMOOTHING = 0.01
LENGTHS = (5, 8, 11)
PER_HEAP = 5
PICKED, SCORED = 72, 68  # lines picked by now, and when all lines were scored last
SIZE = (1000, 622)


class Row(NamedTuple):
    """A line with its utility, penalty + gain, in bits: by its last known gain, and by its gain now."""

    text: str
    bound: float
    now: float
    turn: int  # in which it is scored in this step, from 1; 0: never


class Search:
    """The method in plain Python, for a few lines: see docs/explanation/method.md."""

    def __init__(self, task: list[list[str]]) -> None:
        counts = Counter(word for line in task for word in line)
        total = counts.total()
        self.share = {word: number / total for word, number in counts.items()}
        self.types = len(counts) + 1
        self.picked: Counter[str] = Counter()
        self.words = 0

    def pick(self, line: list[str]) -> None:
        self.picked.update(line)
        self.words += len(line)

    def gain(self, line: list[str]) -> float:
        before = {word: self.picked[word] + SMOOTHING for word in line}
        return sum(
            self.share.get(word, 0) * math.log2(before[word] / (before[word] + number))
            for word, number in Counter(line).items()
        )

    def penalty(self, length: int) -> float:
        before = self.words + SMOOTHING * self.types
        return math.log2((before + length) / before)


def searched() -> tuple[dict[int, list[Row]], int, int]:
    """The first lines of the heaps in a step, how many lines the heaps have, and how many of these were scored."""
    texts = find_texts()
    search = Search([words_of(one.text) for one in texts.task])
    pool = {one.text: words_of(one.text) for one in texts.pool}
    lines = {text: words for text, words in pool.items() if len(words) in LENGTHS and fits(text)}
    known: dict[str, float] = {}
    for step in range(PICKED):
        if step == SCORED:
            known = {text: search.gain(words) for text, words in lines.items()}
        best = min(lines, key=lambda text: search.gain(lines[text]) + search.penalty(len(lines[text])))
        search.pick(lines.pop(best))
        known.pop(best, None)
    penalty = {length: search.penalty(length) for length in LENGTHS}
    bounds = {text: penalty[len(words)] + known[text] for text, words in lines.items()}
    now = {text: penalty[len(words)] + search.gain(words) for text, words in lines.items()}
    turns: dict[str, int] = {}
    utility = dict(bounds)
    while (best := min(utility, key=utility.__getitem__)) not in turns:
        turns[best] = len(turns) + 1
        utility[best] = now[best]
    heaps = {
        length: [
            Row(text, bounds[text], now[text], turns.get(text, 0))
            for text in sorted((text for text in lines if len(lines[text]) == length), key=bounds.__getitem__)
        ]
        for length in LENGTHS
    }
    return {length: heap[:PER_HEAP] for length, heap in heaps.items()}, len(lines), len(turns)


def fits(text: str) -> bool:
    """Is there room for a line in the picture?"""
    return len(text) < 52 and text.isascii()


def draw(heaps: dict[int, list[Row]], lines: int, scored: int) -> None:
    picture = Picture(*SIZE, "Lines in heaps by length, with the bounds that show which of them need not be scored")
    picture.text((24, 34), "One pick: which line is best, without scoring all of them?", 19, weight="600")
    told = f"Real lines, after {PICKED} picks. A gain only shrinks as lines are picked, so the gain that a line had"
    picture.text((24, 56), told + " when it was", 14, SOFT)
    picture.text(
        (24, 75), "scored last, plus the penalty of its length, is a bound: it cannot be better now.", 14, SOFT
    )
    rows = [row for heap in heaps.values() for row in heap]
    seen = [row.bound for row in rows] + [row.now for row in rows if row.turn]
    low, high = min(seen), max(seen)
    left, right, top, step = 486, 850, 112, 23
    best = min((row for row in rows if row.turn), key=lambda row: row.now)

    def across(value: float) -> float:
        return left + (right - left) * (value - low) / (high - low)

    y: float = top + 18
    for length, heap in heaps.items():
        picture.box((20, y - 18), (960, PER_HEAP * step + 12), PALE[GREY], EDGE)
        picture.text((32, y + 3), "heap of", 12.5, SOFT)
        picture.text((32, y + 20), f"{length} words", 13.5, INK, weight="600")
        for row in heap:
            draw_row(picture, row, y, across, row is best)
            y += step
        y += 24
    picture.line([(across(best.now), top - 4), (across(best.now), y - 24)], GREEN, 1.5, "5 4")
    base = SIZE[1] - 72
    picture.dot((32, base), GREY, 4.5, hollow=True)
    picture.text((44, base + 5), "bound", 13.5, SOFT)
    picture.dot((112, base), BLUE, 4.5)
    picture.text((124, base + 5), "scored now", 13.5, SOFT)
    picture.line([(222, base), (248, base)], GREEN, 1.5, "5 4")
    picture.text(
        (256, base + 5), "the best line. All other bounds are higher, so no other line can be better.", 13.5, SOFT
    )
    told = f"The search scores the line with the lowest bound, until one that was scored is lowest: {scored} lines of"
    picture.text((24, base + 32), f"{told} the {lines:,} in these heaps.", 13.5, INK)
    picture.text((24, base + 53), f"Bits, lower is better: {low:.4f} on the left, {high:.4f} on the right.", 13.5, SOFT)
    picture.save(HERE / "heaps.svg")


def draw_row(picture: Picture, row: Row, y: float, across: Callable[[float], float], won: bool) -> None:
    colour = GREEN if won else BLUE if row.turn else GREY
    ink = GREEN if won else INK if row.turn else SOFT
    picture.text((112, y + 3), row.text, 13, ink, weight="600" if won else "400")
    begin, end = across(row.bound), across(row.now)
    if row.turn:
        if end - begin > 24:
            picture.line([(begin + 5, y - 1), (end - 5, y - 1)], colour, 2, arrow=True)
        picture.dot((end, y - 1), colour, 4.5)
        told = f"scored {ordinal(row.turn)}" + (": the best" if won else "")
        picture.text((end + 10, y + 4), told, 12.5, colour, weight="600")
    picture.dot((begin, y - 1), colour, 4.5, hollow=True)


def ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


if __name__ == "__main__":
    draw(*searched())
