"""Whatever a file or an option holds, it is used, or raises an error with a message: one function for each kind of
input.

Each takes random numbers and a folder for its files, makes one input and gives it to the code that reads such input.
What it raises, other than CynicalError and the usage errors of the command line, is a fault.
"""

from __future__ import annotations

import io
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any

import click
import numpy as np

import cynical
from cynical.cli.main import cli
from cynical.errors import CynicalError
from cynical.jaded.summary_file import read_summary
from cynical.model.counts_file import parse
from cynical.options import Reading, TextOptions
from cynical.options.declare import options_of
from cynical.options.values import number, size
from cynical.progress import Progress
from cynical.selection.checkpoint import RunIdentity, WhatWasRead, open_checkpoint
from cynical.text import streams
from cynical.text.corpus import Corpus
from cynical.text.fields import Field
from cynical.text.kinds import is_counts
from cynical.text.partition import Piece
from cynical.text.places import find_lines
from cynical.text.sources import open_corpus
from cynical.text.streams import Told, batches_of
from cynical.text.tokenizer import Tokenizer
from tests import oracle
from tests.files import KINDS, PACK
from tests.fuzz_mutate import PIECES, VALUES, mutated, mutated_json
from tests.test_api import COMMANDS, groups_of

LINES = [
    "a cat ran home",
    "",
    "the dog sat",
    "plain cat 3 \t tab",
    "\u4e2d\u6587 \u0915\u0943\u092a\u092f\u093e",
    "a cat",
]
TASK = ["a cat ran home"]
SOUND = (CynicalError, click.exceptions.ClickException, click.exceptions.Exit)
NOT_TRIED = ("ray", "-", "../..")  # would start a cluster, wait for somebody to type, or read all files there are
Input = Callable[[random.Random, Path], None]


def read_corpus(rng: random.Random, folder: Path) -> None:
    """A corpus of any format, compressed or not: its lines, its records, one field of them."""
    path, reading = _corpus(rng, folder)
    corpus = open_corpus(path, "AVAILABLE", reading)
    places = find_lines(corpus, 1, Progress(), "AVAILABLE")
    every = np.arange(len(places))
    assert len(places.texts(every)) == len(places)
    for part in corpus.parts:
        if part.records is not None and len(places):
            part.records.dicts(list(range(min(len(places), 3))))
            part.records.fields([0], Field("id"))


def stream_corpus(rng: random.Random, folder: Path) -> None:
    """The same as a stream: the same lines, or an error too. Of Parquet, columns are read that may be damaged alone."""
    path, reading = _corpus(rng, folder)
    told, before = Told([]), streams.BLOCK
    streams.BLOCK = rng.choice((1, 40, 200))
    try:
        streamed = _texts_or_none(lambda: list(batches_of([Piece(0, str(path))], reading, "AVAILABLE", told)))
    finally:
        streams.BLOCK = before
    whole = _texts_or_none(lambda: [open_corpus(path, "AVAILABLE", reading)])
    counts = whole is not None and is_counts(path.name, b"\n".join(whole))
    nothing = not any(streamed or ()) and (whole is None or counts or told.kind == "parquet")
    assert streamed == whole or nothing, (streamed, whole)


def _texts_or_none(read: Callable[[], list[Corpus]]) -> list[bytes] | None:
    """The lines of corpora; None if they cannot be read."""
    try:
        made = [find_lines(corpus, 1, Progress(), "AVAILABLE") for corpus in read()]
    except CynicalError:
        return None
    return [text for places in made for text in places.texts(np.arange(len(places)))]


def _corpus(rng: random.Random, folder: Path) -> tuple[Path, Reading]:
    """A corpus, and how it is read."""
    kind, packed = rng.choice(list(KINDS)), rng.choice(("", "", "", *PACK))
    content = PACK[packed](mutated(rng, KINDS[kind](LINES))) if rng.random() < 0.8 else _damaged(rng, kind, packed)
    path = folder / f"x.{kind if rng.random() < 0.9 else 'dat'}{packed}"
    path.write_bytes(content)
    format: Any = rng.choice((None, None, None, "text", "jsonl", "csv", "tsv", "parquet"))
    bad: Any = rng.choice(("skip", "error"))
    key = rng.choice((None, "text", "text", "id", "n", "1", "id,text", "text[].text", "a.b[],text"))
    template = rng.choice(("{id} {text}", "{text}\n{n}", "{text[]}")) if key is None and rng.random() < 0.3 else None
    unit: Any = rng.choice(("document", "document", "paragraph", "line"))
    return path, Reading(key, template, unit, bad, input_format=format)


def _damaged(rng: random.Random, kind: str, packed: str) -> bytes:
    """Damage to the compressed bytes themselves."""
    return mutated(rng, PACK[packed](KINDS[kind](LINES)))


def read_counts(rng: random.Random, folder: Path) -> None:
    """Counts of which anything was changed, or one word, so that their totals are still right."""
    content = _counts()
    if rng.random() < 0.5:
        content = content.replace(b"cat", mutated(rng, b"cat").translate(None, b" \n\t"))
    else:
        content = mutated(rng, content)
    made = parse(content, "x.counts")
    made.to_bytes()
    if len(made):
        cynical.select(made, LINES, all=True, ngrams=2)


@cache
def _counts() -> bytes:
    return cynical.count([*TASK, *LINES], ngrams=2).to_bytes()


def read_ranking(rng: random.Random, folder: Path) -> None:
    """A ranking, of which its file or its summary was changed: read, cut, written, and resumed from."""
    kind = rng.choice(("tsv", "jsonl", "csv", "parquet", "ids"))
    ranking, summary = _ids(folder) if kind == "ids" else _ranking(kind)
    path = folder / f"x.{kind}"
    changed = rng.random() < 0.6
    path.write_bytes(mutated(rng, ranking) if changed else ranking)
    if not changed or rng.random() < 0.2:
        summary = json.dumps(mutated_json(rng, json.loads(summary))).encode()
    Path(f"{path}.json").write_bytes(mutated(rng, summary) if rng.random() < 0.1 else summary)
    read_summary(path)
    jaded = cynical.read(path)
    repr(jaded), jaded._repr_html_(), jaded.stop, jaded.texts
    for format in ("tsv", "text", "jsonl", "csv", "parquet", "ids"):
        with suppress(CynicalError):  # such as records that fit no table
            b"".join(jaded.to_bytes(format))
    if len(jaded):
        jaded.cut(lines=1).summary.to_json()
    with suppress(CynicalError):
        cynical.select(TASK, LINES, seed=path, lines=1)


@cache
def _ranking(kind: str) -> tuple[bytes, bytes]:
    records = [{"id": place, "text": line} for place, line in enumerate(LINES)]
    jaded = cynical.select(TASK, LINES if kind == "tsv" else records, all=True, ngrams=2)
    return b"".join(jaded.to_bytes(kind)), jaded.summary.to_json()


def _ids(folder: Path) -> tuple[bytes, bytes]:
    """Ids, whose texts are in a file."""
    (folder / "task.txt").write_text("\n".join(TASK))
    (folder / "pool.txt").write_text("\n".join(LINES))
    jaded = cynical.select(folder / "task.txt", folder / "pool.txt", all=True, ngrams=2)
    return b"".join(jaded.to_bytes("ids")), jaded.summary.to_json()


def read_checkpoint(rng: random.Random, folder: Path) -> None:
    """A checkpoint of which a file was changed: picks that a run could have made, and no line twice."""
    home = folder / "checkpoint"
    run = RunIdentity("1", {"strategy": "batch"}, WhatWasRead(100, 9, 50, "0", "x"))
    for path in home.iterdir() if home.exists() else ():
        path.unlink()
    one = open_checkpoint(home, run)
    lines = np.array(rng.sample(range(100), 30))
    one.add(lines, lines % 50, None)
    one.write(np.arange(100))
    one.finish(2)
    one.close()
    for path in list(home.iterdir()):
        if rng.random() < 0.5:
            path.write_bytes(mutated(rng, path.read_bytes()))
    other = open_checkpoint(home, run)
    other.close()
    assert other.lines.tolist() == lines[: len(other)].tolist()


def split_words(rng: random.Random, folder: Path) -> None:
    """Any bytes, with every tokenizer of our own: the words that the oracle finds."""
    ranges = ((0, 0x300), (0, 0xD800), (0xE000, 0x110000))
    strange = "".join(chr(rng.randrange(*rng.choice(ranges))) for _ in range(9))
    text = mutated(rng, "\n".join(LINES).encode()) + strange.encode()
    path = folder / "words.text"
    path.write_bytes(b"x\n" + text)  # neither a ranking, nor compressed
    name = rng.choice(("whitespace", "words", "characters"))
    lowercase = rng.random() < 0.5
    form: Any = rng.choice((None, "nfc", "nfkc"))
    counts = cynical.count(path, tokenizer=name, lowercase=lowercase, normalize=form)
    lines = [line.removesuffix(b"\r") for line in (b"x\n" + text).split(b"\n")]
    expected = Counter(word for line in lines for word in oracle.words_of(line, lowercase, name, form))
    assert dict(zip(counts.words, counts.count.tolist(), strict=True)) == dict(expected)


def parse_options(rng: random.Random, folder: Path) -> None:
    """A command with any options, none of whose files is there."""
    command = rng.choice(COMMANDS)
    declared = [one for group in groups_of(command) for one in options_of(group, command)]
    typed = [command]
    for one in rng.sample(declared, min(len(declared), rng.randrange(6))):
        typed += [rng.choice(one.all_flags), *([] if one.kind is bool else [_value(rng, one.choices)])]
    needed = [one for one in declared if one.required and not set(one.all_flags) & set(typed)]
    missing = [part for one in needed for part in (one.flag, one.choices[0] if one.choices else "no.txt")]
    missing += ["no.txt"] if command in ("count", "cut", "evaluate", "report", "plot") else []
    stream = io.TextIOWrapper(io.BytesIO())
    with (
        redirect_stdout(stream),
        redirect_stderr(io.StringIO()),
        cli.make_context("cynical", [*typed, *missing]) as context,
    ):
        cli.invoke(context)


def _value(rng: random.Random, choices: tuple[str, ...]) -> str:
    """What somebody could type."""
    if choices and rng.random() < 0.5:
        made = rng.choice(choices)
    elif rng.random() < 0.4:
        made = "".join(rng.choice("0123456789.,_e+-kKMG%in") for _ in range(rng.randrange(1, 12)))
    else:
        made = str(rng.choice((*VALUES, *(piece.decode("utf-8", "replace") for piece in PIECES))))
    made = made.replace("python:", "").replace("\x00", "0")
    return "no.txt" if made in NOT_TRIED or made.startswith("-") else made


def parse_values(rng: random.Random, folder: Path) -> None:
    """Numbers and names as people type them."""
    typed, kind = _value(rng, ()), rng.randrange(3)
    if kind == 0:
        size("--memory", typed)
    elif kind == 1:
        Tokenizer.of(TextOptions(tokenizer=typed))
    else:
        with suppress(ValueError):
            number(typed)


INPUTS: dict[str, Input] = {
    "corpus": read_corpus,
    "stream": stream_corpus,
    "ranking": read_ranking,
    "counts": read_counts,
    "checkpoint": read_checkpoint,
    "words": split_words,
    "options": parse_options,
    "values": parse_values,
}


def try_input(name: str, seed: int, case: int, folder: Path) -> bool:
    """Try one input, the same whenever it is asked for; was it used, not refused?"""
    rng = random.Random(f"{name} {seed} {case}")
    with warnings.catch_warnings(action="ignore"):
        try:
            INPUTS[name](rng, folder)
        except SOUND as error:
            said = error.message if isinstance(error, CynicalError) else str(error)
            assert "Traceback" not in said, said
            return False
    sys.stdout.flush()
    return True
