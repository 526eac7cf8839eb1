"""How a ranking flows: from two texts to a ranking, and what is done with it. The figures are those of `cynical demo`.

python docs/pictures/flow.py
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import NamedTuple

import cynical
from cynical.cli.demo_texts import find_texts
from svg import BLUE, EDGE, GREEN, GREY, INK, PALE, SOFT, Picture

HERE = Path(__file__).resolve().parent
SIZE = (1000, 470)


class Run(NamedTuple):
    """What a picture shows of a run."""

    task: int  # lines
    pool: int
    words: int  # of the pool
    types: int  # of the task
    lengths: int  # of lines, in words
    jaded: cynical.Jaded


def measured() -> Run:
    texts = find_texts()
    with tempfile.TemporaryDirectory() as folder:
        task, pool = Path(folder, "task.txt"), Path(folder, "pool.txt")
        for path, lines in ((task, texts.task), (pool, texts.pool)):
            path.write_text("".join(f"{one.text}\n" for one in lines), encoding="utf-8")
        jaded = cynical.select(task, pool, tokenizer="words", lowercase=True)
        every = cynical.select(task, pool, tokenizer="words", lowercase=True, all=True)
    summary = jaded.summary
    wanted = summary.representative
    assert wanted is not None
    lengths = len(set(every.words.tolist()))
    return Run(len(texts.task), len(texts.pool), summary.available.words, wanted.types, lengths, jaded)


def draw(made: Run) -> None:
    picture = Picture(*SIZE, "From texts to words, counts, heaps and a ranking, which is cut, evaluated and shown")
    picture.text((24, 34), "How a ranking is made", 19, weight="600")
    picture.text(
        (24, 55), "The figures are those of cynical demo: sentences from the documentation of Python", 14, SOFT
    )
    top, height = 82, 196
    columns = ((24, 158), (210, 168), (406, 182), (616, 178), (822, 154))
    heads = ("texts", "words", "counts", "heaps", "ranking")
    for (x, width), head in zip(columns, heads, strict=True):
        colour = GREEN if head == "ranking" else BLUE if head == "texts" else GREY
        picture.box((x, top), (width, height), PALE[colour], colour if colour != GREY else EDGE)
        picture.text((x + 14, top + 26), head, 16, INK, weight="600")
    for (x, width), (following, _) in itertools.pairwise(columns):
        picture.line([(x + width + 4, top + height / 2), (following - 4, top + height / 2)], SOFT, 2, arrow=True)

    def lines(column: int, texts: tuple[tuple[str, str], ...], begin: float = 52, step: float = 20) -> None:
        for place, (kind, text) in enumerate(texts):
            at = columns[column][0] + 14, top + begin + place * step
            if kind == "code":
                picture.text(at, text, 12.5, INK, mono="yes")
            else:
                picture.text(at, text, 13, SOFT)

    lines(
        0,
        (
            ("code", "task.txt"),
            ("", f"{made.task:,} lines:"),
            ("", "what we want"),
            ("code", "pool.txt"),
            ("", f"{made.pool:,} lines: what"),
            ("", "we can choose from"),
        ),
        step=23,
    )
    lines(
        1,
        (
            ("code", "send|data|to|the|"),
            ("code", "socket|."),
            ("", "Split by a tokenizer;"),
            ("", "with --ngrams 2, pairs"),
            ("", f"too. {made.words:,} in"),
            ("", "the pool, each read"),
            ("", "once."),
        ),
    )
    lines(
        2,
        (
            ("code", "p"),
            ("code", "C"),
            ("", f"{made.types:,} types of words."),
            ("", "Gain of a line: what its"),
            ("", "words bring, by p and C."),
            ("", "Penalty: what its length"),
            ("", "costs."),
        ),
    )
    for place, text in enumerate(("share in task.txt", "number in the picks")):
        picture.text((columns[2][0] + 34, top + 52 + place * 20), text, 13, SOFT)
    lines(
        3,
        (
            ("", f"One for each of {made.lengths}"),
            ("", "lengths of lines, by the"),
            ("", "last known gain."),
            ("", "Take the best bound and"),
            ("", "score its line. If it is still"),
            ("", "first, it is the best of all"),
            ("", "lines that are left."),
        ),
    )
    rows = [("rank", "line", "bits")] + [
        (str(rank), f"{line + 1:,}", f"{delta:.3f}")
        for rank, line, delta in zip(
            range(1, 5), made.jaded.lines[:4].tolist(), made.jaded.delta.tolist(), strict=False
        )
    ]
    rows += [("...", "", ""), (f"{len(made.jaded):,}", "", f"{made.jaded.delta[-1]:.0e}".replace("e-0", "e-"))]
    for place, row in enumerate(rows):
        colour = SOFT if place == 0 else INK
        for text, shift in zip(row, (26, 82, 138), strict=True):
            at = columns[4][0] + shift + 6, top + 52 + place * 20
            picture.text(at, text, 12.5, colour, anchor="end", **({} if place == 0 else {"mono": "yes"}))
    below, back = top + height + 2, top + height + 16
    counts, ranking = columns[2][0] + 91, columns[4][0] + 60
    picture.line([(ranking, below), (ranking, back), (counts, back), (counts, below + 2)], SOFT, 1.5, arrow=True)
    picture.text(((counts + ranking) / 2, back + 17), "each pick changes C", 13, SOFT, anchor="middle")
    uses = (
        ("cynical cut", "the lines alone, for a budget", "of lines, words or money"),
        ("cynical evaluate", "perplexity of held-out text,", "and where to cut"),
        ("cynical report", "a page with curve, words,", "lines and a slider"),
        ("cynical plot", "curves of several rankings,", "for a paper"),
    )
    y, width = 364, 226
    for place, (name, first, second) in enumerate(uses):
        left = 24 + place * (width + 16)
        picture.box((left, y), (width, 82), PALE[GREEN], GREEN)
        picture.text((left + 14, y + 26), name, 14, INK, mono="yes", weight="600")
        picture.text((left + 14, y + 48), first, 13, SOFT)
        picture.text((left + 14, y + 67), second, 13, SOFT)
    middle = 342
    picture.line([(950, top + height + 2), (950, middle), (137, middle)], GREEN, 1.5)
    for place in range(len(uses)):
        centre = 24 + place * (width + 16) + width / 2
        picture.line([(centre, middle), (centre, y - 4)], GREEN, 1.5, arrow=True)
    picture.save(HERE / "flow.svg")


if __name__ == "__main__":
    draw(measured())
