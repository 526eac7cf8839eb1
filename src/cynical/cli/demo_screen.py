"""What the demonstration shows: the texts, the command, the first picks, what they are worth, and what to do next."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..reports.figures import figure, share
from .demo_texts import words_of

if TYPE_CHECKING:
    from ..evaluation.records import Point
    from ..jaded.jaded import Jaded
    from .demo_texts import DemoTexts

FIRST, SHOWN = 3, 12  # picks
AS_READ = "--tokenizer words --lowercase"
WIDEST = 120
EXAMPLE = re.compile(r"[A-Z][a-z ,]{25,50}\.")  # what is shown of a text
TYPICAL = 4
BAR = 20  # characters of the longest bar
FULL = "\u2588"
Files = Mapping[str, Path]


def width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, WIDEST)


def coloured() -> bool:
    """Is there a terminal, and does nobody mind colours?"""
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def styled(text: str, **how: Any) -> str:
    return click.style(text, **how) if coloured() else text


def title(text: str) -> str:
    return styled(text, bold=True)


def filled(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), width())


def opening() -> str:
    version = ".".join(map(str, sys.version_info[:3]))
    told = f"""You have a small text of the language you want, and a large pool to choose from. cynical picks the
        lines of the pool that teach a model most about that language. Here the texts are the documentation
        of your own Python {version}: we want more text about networking."""
    return f"{title('cynical demo')}\n{filled(told)}\n"


def introduced(folder: Path, texts: DemoTexts) -> str:
    """The texts, with examples."""
    rows = (
        ("task.txt", texts.task, 2, "what we want: http, socket, ssl, urllib, ..."),
        ("pool.txt", texts.pool, 3, "what we can choose from: all other modules"),
        ("test.txt", texts.test, 0, "more of what we want, kept to test with"),
    )
    lines = [title(f"1. Three texts, in {folder}/")]
    for name, sentences, number, about in rows:
        lines.append(f"  {name}  {len(sentences):>6,} lines  {about}")
        plain = [one.text for one in sentences if EXAMPLE.fullmatch(one.text)]
        examples = random.Random(0).sample(plain, min(number, len(plain)))
        lines += [styled(f'{"":26}"{text}"', dim=True) for text in examples]
    return "\n".join(lines) + "\n"


def chosen(files: Files, lines: int) -> str:
    """What is done next, and the command that does it."""
    return f"{title(f'2. The {lines:,} best lines of the pool')}\n" + styled(
        f"  $ {select_command(files, lines)}", fg="cyan"
    )


def select_command(files: Files, lines: int) -> str:
    """What the demonstration does, as a person would type it."""
    task, pool, jaded = (shlex.quote(str(files[name])) for name in ("task.txt", "pool.txt", "jaded.tsv"))
    parts = (f"cynical select -r {task} -a {pool}", f"--for model --lines {lines} {AS_READ}", f"-o {jaded}")
    return " \\\n      ".join(parts)


def picks(jaded: Jaded, texts: DemoTexts) -> str:
    """Some of the first picks, as wide as the terminal."""
    shown = [*range(min(FIRST, len(jaded))), *_about(jaded, typical_words(texts))][:SHOWN]
    modules = [texts.pool[line].module for line in jaded.lines[shown]]
    column = max(len("module"), *map(len, modules))
    head = f"{'rank':>6}  {'bits':>7}  {'module':<{column}}  "
    rows = [styled(f"{head}sentence", dim=True)]
    room = max(width() - len(head), 20)
    for place, module in zip(shown, modules, strict=True):
        short = marked(textwrap.shorten(jaded.texts[place], room, placeholder=" ..."), jaded.best_words[place])
        rows.append(f"{place + 1:>6}  {jaded.delta[place]:>7.4f}  {module:<{column}}  {short}")
    told = f"""Bits: the change of the cross-entropy of task.txt by this line, given all lines before it. Highlighted:
        the word that it gains most from. The first {FIRST} lines have the most frequent words of all; the others
        here are the first for words of networking. A word that the picks have already is worth less each time."""
    return "\n".join(["", *rows, filled(told), ""])


def _about(jaded: Jaded, wanted: Collection[str]) -> Iterator[int]:
    """The places, after the first ones, of picks that are there for one of these words, each of them once."""
    left = set(wanted)
    for place in range(FIRST, len(jaded)):
        found = left.intersection(jaded.best_words[place].split())
        if found:
            left -= found
            yield place


def typical_words(texts: DemoTexts) -> set[str]:
    """Words that the text we want has often, and several times as often as the pool does."""
    wanted, others = (Counter(word for one in text for word in words_of(one.text)) for text in texts[:2])
    often = wanted.total() / 2000
    ratio = TYPICAL * wanted.total() / others.total()
    return {word for word, n in wanted.items() if word.isalpha() and n >= often and n > ratio * others[word]}


def marked(text: str, word: str) -> str:
    """A sentence with a word, or a pair of words, highlighted."""
    parts = [re.escape(part) for part in word.split() if part not in ("<s>", "</s>")]
    pattern = r"\s*".join(parts)
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if parts and word[0].isalnum() else None
    found = found or (re.search(pattern, text, re.IGNORECASE) if parts else None)
    if found is None:
        return text
    shown = styled(found[0], fg="green", bold=True) if coloured() else f"*{found[0]}*"
    return text[: found.start()] + shown + text[found.end() :]


def measured(points: Sequence[Point], lines: int) -> str:
    """Three models beside each other: of the picks, of random lines, of everything."""
    names = ("the picks", "random lines", f"all {lines:,} lines")
    longest = max(point.ngram_perplexity for point in points)
    rows = []
    for name, point in zip(names, points, strict=True):
        bar = FULL * max(1, round(BAR * point.ngram_perplexity / longest))
        bar = styled(bar, fg="green" if name == names[0] else "bright_black")
        figures = f"{point.words:>9,}  {share(point.oov_tokens):>13}  {figure(point.ngram_perplexity):>10}"
        rows.append(f"  {name:<18}{figures}  {bar}")
    head = styled(f"  {'trained on':<18}{'words':>9}  {'unknown words':>13}  {'perplexity':>10}", dim=True)
    ours, others, everything = points
    told = f"""Perplexity: how many words a 4-gram model hesitates between at each word of test.txt, which it has never
        seen. Lower is better. The picks are {share(ours.words / everything.words)} of the words of the pool, and give
        a perplexity {share(1 - ours.ngram_perplexity / others.ngram_perplexity)} below that of random lines."""
    return f"{title('3. What they are worth to a model')}\n{head}\n" + "\n".join(rows) + f"\n{filled(told)}\n"


def ending(files: Files, seconds: float) -> str:
    """What there is to look at, and what to do next."""
    page, jaded = str(files["report.html"]), str(files["jaded.tsv"])
    longest = max(len(page), len(jaded))
    task, pool, test = (shlex.quote(str(files[name])) for name in ("task.txt", "pool.txt", "test.txt"))
    return f"""{title("4. Look at it")}
  {page:<{longest}}  the ranking as a page, for a browser
  {jaded:<{longest}}  the ranking: every line with its bits
All of this took {seconds:.0f} s.

{title("next:")} the same against Moore-Lewis, a classifier and DSIR
  cynical compare -r {task} -a {pool} \\
      -t {test} {AS_READ}
or with files of your own
  cynical select -r wanted.txt -a pool.txt --for model --share 0.01 \\
      --tokenizer words -o jaded.tsv"""


def wants_page(page: Path, told: bool | None, asking: bool) -> bool:
    """Should the page be opened? As told; else a person at a terminal with a browser is asked."""
    if told is not None:
        return told
    if not asking or not has_browser():
        return False
    return click.confirm(f"\nOpen {page} in your browser?", default=True)


def has_browser() -> bool:
    """Is somebody at a terminal of a machine with a screen? Not in a job, and not on a machine far away."""
    at_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    if not at_terminal or os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
