"""cynical demo: text about networking, found in the documentation of the Python that runs this."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import CynicalError, os_error
from ..options import Measure, Rereading, Settings, Writing
from ..options.commands import Demonstration
from . import demo_screen as screen
from .demo_texts import DemoTexts, find_texts
from .generate import command

if TYPE_CHECKING:
    from ..evaluation.records import Point
    from ..jaded.jaded import Jaded
    from ..progress import Progress

TEXTS = ("task.txt", "pool.txt", "test.txt")
NAMES = (*TEXTS, "pool.modules", "jaded.tsv", "jaded.tsv.json", "evaluation.json", "report.html")
HOW = {"for_": "model", "tokenizer": "words", "lowercase": True}


@command("Try it on the documentation of your own Python.")
def demo(told: Demonstration, writing: Writing) -> None:
    """Pick text about networking from the documentation of your own Python, and measure what it is worth.

    It takes less than a minute, needs no network, and writes its files to one folder.

    \b
    Example:
      cynical demo
    """
    run_demo(Path(told.output), told.lines, told.open, writing)


def run_demo(folder: Path, lines: int, open_page: bool | None, writing: Writing) -> None:
    """Find the texts, select, measure, make the page, and say at each step what is shown."""
    from .._kernels.ahead import compile_ahead
    from ..progress import Progress

    began, progress = time.perf_counter(), Progress(not writing.quiet)
    say = (lambda text: None) if writing.quiet else _say
    files = _prepare(folder, writing.overwrite)
    say(screen.opening())
    texts = find_texts()
    if lines >= len(texts.pool):
        raise CynicalError(f"--lines {lines}: the pool of the demo has {len(texts.pool):,} lines; give fewer than that")
    for name, sentences in zip(TEXTS, texts, strict=True):
        _write(files[name], (one.text for one in sentences))
    _write(files["pool.modules"], (one.module for one in texts.pool))
    say(screen.introduced(folder, texts))
    settings = Settings.of(lines=lines, **HOW)
    say(screen.chosen(files, lines))
    compile_ahead([*settings.small_runs, "evaluate"], progress)
    jaded = _select(files, settings, progress)
    say(screen.picks(jaded, texts))
    say(screen.measured(_measure(jaded, texts, files, progress), len(texts.pool)))
    _report(files, progress)
    say(screen.ending(files, time.perf_counter() - began))
    if screen.wants_page(files["report.html"], open_page, asking=not writing.quiet):
        click.launch(str(files["report.html"]))


def _say(text: str) -> None:
    """Show a text now; what a stage of the run writes comes after it."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # a terminal of long ago
        text = text.replace(screen.FULL, "#").encode(encoding, "replace").decode(encoding)
    click.echo(text)
    sys.stdout.flush()


def _prepare(folder: Path, overwrite: bool) -> dict[str, Path]:
    """The files by name, in a folder that is there."""
    files = {name: folder / name for name in NAMES}
    taken = [path for path in files.values() if path.exists()]
    if taken and not overwrite:
        raise CynicalError(f"{taken[0]} already exists; give another folder with -o, or --overwrite to replace it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise os_error(folder, error) from error
    return files


def _write(path: Path, lines: Iterable[str]) -> None:
    from ..text.atomic_file import Output

    with Output(path, overwrite=True) as output:
        output.write("".join(f"{line}\n" for line in lines).encode())


def _select(files: Mapping[str, Path], settings: Settings, progress: Progress) -> Jaded:
    from ..selection.inputs import gather
    from ..selection.run import run

    jaded = run(gather([str(files["task.txt"])], str(files["pool.txt"])), settings, progress)
    jaded.write(files["jaded.tsv"], overwrite=True)
    return jaded


def _measure(jaded: Jaded, texts: DemoTexts, files: Mapping[str, Path], progress: Progress) -> list[Point]:
    """4-gram models of the picks, of as many words of random lines, and of the whole pool, on the text held out."""
    from ..evaluation.evaluate import EvaluationInputs, run
    from ..text.atomic_file import Output

    test = str(files["test.txt"])
    lines = [one.text for one in texts.pool]
    random.Random(0).shuffle(lines)
    shuffled = EvaluationInputs(lines, test, overrides=Rereading(tokenizer="words", lowercase=True))
    others = run(shuffled, Measure(at=(int(jaded.words.sum()), sys.maxsize)), None, progress.part())
    same_size = Measure(vocabulary_size=others.vocabulary)  # or perplexities could not be compared
    ours = run(EvaluationInputs(jaded, test), same_size, None, progress.part())
    with Output(files["evaluation.json"], overwrite=True) as output:
        output.write(ours.to_json())
    return [ours.points[-1], *others.points]


def _report(files: Mapping[str, Path], progress: Progress) -> None:
    from ..reports.report import ReportInputs, run
    from ..text.atomic_file import Output

    inputs = ReportInputs(held_out=files["test.txt"], labels=files["pool.modules"], evaluation=files["evaluation.json"])
    made = run(files["jaded.tsv"], inputs, progress.part())
    with Output(files["report.html"], overwrite=True) as output:
        output.write(made.page)
