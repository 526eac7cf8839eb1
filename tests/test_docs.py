"""What the documentation shows is true: examples run, commands can be parsed and run, options exist."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import itertools
import json
import pkgutil
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click
import pytest

import cynical
from cynical.cli.main import cli
from cynical.jaded.names import is_pattern, shard_path
from tests.against_oracle import zipfian

ROOT = Path(__file__).parents[1]
DOCS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts]
PAGES = {str(page.relative_to(ROOT)): page for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]}
ELSEWHERE = ("--engine",)  # commands that need more than this machine: they are parsed only
TOOLS = {
    "--interpolate_unigrams",
    "--vocab_pad",
    "--discount_fallback",
    "--cores",
    "--executor",
}  # options of other programs


def text_of(page: Path) -> str:
    return page.read_text() if page.exists() else ""


def blocks(text: str) -> Iterator[list[str]]:
    """Consecutive lines of code: between fences, or indented by four spaces."""
    fenced: list[str] | None = None
    indented: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("```"):
            if fenced is not None:
                yield fenced
            fenced = [] if fenced is None else None
        elif fenced is not None:
            fenced.append(line)
        elif line.startswith("    "):
            indented.append(line[4:])
        elif indented:
            yield indented
            indented = []


def commands(text: str) -> Iterator[list[list[str]]]:
    """The `cynical` commands of each block, as words."""
    for block in blocks(text):
        joined = "\n".join(block).replace("\\\n", " ").splitlines()
        lines = [line.removeprefix("$ ") for line in joined if re.match(r"(\$ )?cynical [a-z]", line)]
        if lines:
            yield [shlex.split(line, comments=True)[1:] for line in lines]


def shown_in(texts: dict[str, str]) -> dict[str, list[list[str]]]:
    return {
        f"{name}, {number}: {' '.join(block[0])[:60]}": block
        for name, text in texts.items()
        for number, block in enumerate(commands(text), 1)
    }


EXAMPLES = re.compile(r"^```\{(?:console|python)\}$.*?^```$", re.MULTILINE | re.DOTALL)  # `make docs` runs these


def without_mistakes(text: str) -> str:
    """A page without the examples that show an error: they may name what does not exist."""
    return EXAMPLES.sub(lambda found: "" if "\n:fails:" in found[0] else found[0], text)


TEXTS = {name: without_mistakes(text_of(page)) for name, page in PAGES.items()}
SHOWN = shown_in(TEXTS)
RUN_HERE = shown_in({name: EXAMPLES.sub("", text) for name, text in TEXTS.items()})


def test_the_readme_is_short_and_its_links_lead_to_files() -> None:
    text = text_of(ROOT / "README.md")
    assert len(text.splitlines()) <= 150
    named = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text)
    paths = {path.partition("#")[0] for pair in named for path in pair if path and "://" not in path}
    assert {path for path in paths if not (ROOT / path).is_file()} == set()
    assert "docs/tutorial.md" in paths


def rows_of(text: str) -> list[list[str]]:
    """The rows of the tables of a page."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def test_the_results_of_the_readme_are_those_of_the_page_about_quality() -> None:
    methods = ["cynical", "cynical-for-model", "moore-lewis", "classifier", "dsir", "random"]
    quality = text_of(ROOT / "docs" / "results" / "quality.md")
    names, *rows = rows_of(quality.partition("from benchmarks/comparison.py")[2].partition("<!--")[0])
    measured = {row[0]: [row[names.index(method)] for method in methods] for row in rows if row[1] == "1 %"}
    shown = {name: cells for name, *cells in rows_of(text_of(ROOT / "README.md")) if name in measured}
    assert len(shown) == 6
    assert shown == measured


def command_of(words: list[str]) -> click.Command:
    made = cli.get_command(click.Context(cli), words[0])
    assert made is not None, f"there is no command {words[0]}"
    return made


def options_of(command: click.Command) -> set[str]:
    context = click.Context(command)
    return {name for one in command.get_params(context) for name in (*one.opts, *one.secondary_opts)}


def test_the_documentation_shows_commands() -> None:
    assert len(SHOWN) >= 10
    assert {words[0] for block in SHOWN.values() for words in block} >= {"select", "cut", "report", "evaluate", "rank"}


@pytest.mark.parametrize("shown", SHOWN)
def test_every_command_that_is_shown_can_be_parsed(shown: str) -> None:
    for words in SHOWN[shown]:
        command = command_of(words)
        context = click.Context(command, info_name=words[0])
        left = command.make_parser(context).parse_args(list(words[1:]))[1]
        arguments = [one for one in command.params if isinstance(one, click.Argument)]
        assert not left or any(one.nargs < 0 for one in arguments), f"{' '.join(words)}: what is {left}?"


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_is_named_exists(page: str) -> None:
    known = {name for name in cli.list_commands(click.Context(cli)) for name in options_of(command_of([name]))}
    known |= options_of(cli) | TOOLS
    text = TEXTS[page]
    spans = [*re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text), *("\n".join(block) for block in blocks(text))]
    ours = [span for span in spans if not re.search(r"\b(pip|git|make|ray|docker|python3?|benchmarks)\b", span)]
    named = {name for span in ours for name in re.findall(r"(?<![\w-])--[a-z][\w-]*", span)}
    assert named - known == set()


def write(folder: Path, name: str, lines: list[str]) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("".join(line + "\n" for line in lines))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the documentation speaks of."""
    import zstandard

    folder = tmp_path_factory.mktemp("docs")
    pool = [line or "w1" for line in zipfian(3500, 2)]
    for number, name in enumerate(("task.txt", "have.txt", "test.txt", "medical-questions.tok", "a.txt", "b.txt")):
        write(folder, name, [line or "w2 w3" for line in zipfian(60, 10 + number, words=80)])
    for name in ("pool.txt", "pool.tok", "stream.txt", "web.txt", "web/1.txt", "pool/1.txt"):
        write(folder, name, pool)
    write(folder, "pool.domains", [f"domain {number % 3}" for number in range(len(pool))])
    for name in ("task", "pool", "have"):
        lines = pool if name == "pool" else zipfian(40, 3, words=80)
        write(folder, f"{name}.en", [line or "w1" for line in lines])
        write(folder, f"{name}.de", [f"{line} x1" for line in lines])
    (folder / "crawl").mkdir()
    records = "".join(json.dumps({"id": f"r{i}", "text": line}) + "\n" for i, line in enumerate(pool))
    (folder / "crawl" / "1.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(records.encode()))
    documents = [
        {"id": f"d{i}", "title": line, "body": f"{line}\n\n{pool[-1 - i]}", "meta": {"source": "w9"}}
        for i, line in enumerate(pool[:300])
    ]
    write(folder, "docs.jsonl", list(map(json.dumps, documents)))
    chats = [{"messages": [{"role": "user", "content": one["title"]}, {"content": one["body"]}]} for one in documents]
    write(folder, "chats.jsonl", list(map(json.dumps, chats)))
    for name, options in (("jaded.tsv", {"all": True}), ("other.tsv", {"all": True, "ngrams": 2})):
        cynical.select(folder / "task.txt", folder / "pool.txt", **options).write(folder / name)
    return folder


def train(folder: Path) -> None:
    """The model that `--tokenizer spm:model/spm.model` names."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="no sentencepiece; pip install 'cynical[spm]'")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(zipfian(400, 2)),
        model_writer=model,
        vocab_size=100,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (folder / "model").mkdir()
    (folder / "model" / "spm.model").write_bytes(model.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize("shown", RUN_HERE)
def test_every_command_that_is_shown_runs(
    shown: str, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after another in a folder with the files that it names; outputs that are there are replaced."""
    block = RUN_HERE[shown]
    if any(option in words for words in block for option in ELSEWHERE):
        pytest.skip("this needs a cluster")
    shutil.copytree(texts, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if any("spm:model/spm.model" in words for words in block):
        train(tmp_path)
    for words in block:
        more = ["--overwrite"] if "--overwrite" in options_of(command_of(words)) else []
        run(*words, *more)
        for option, name in itertools.pairwise(words):
            if option in ("-o", "--output", "--report"):
                made = shard_path(name, 0) if is_pattern(name) else name
                assert Path(made).exists(), f"{' '.join(words)}: made no {made}"


def run(*words: str) -> None:
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()) as said:
        with cli.make_context("cynical", list(words)) as context:
            cli.invoke(context)
        assert "Traceback" not in said.getvalue()


class Column:
    """What of a Hugging Face dataset the documentation relies on."""

    column_names = ("id", "text")

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def __getitem__(self, name: str) -> list[str]:
        return self._lines if name == "text" else [str(number) for number in range(len(self._lines))]

    def select(self, lines: Any) -> Column:
        return Column([self._lines[line] for line in lines])


PYTHON = {
    f"{name}, {number}: {found.strip().splitlines()[0][:60]}": found
    for name, text in TEXTS.items()
    for number, found in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL), 1)
}


@pytest.mark.parametrize("shown", PYTHON)
def test_every_python_block_runs(shown: str, texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "nemo_curator" in PYTHON[shown]:
        pytest.skip("tests/adapters/test_workflows.py runs this, where nemo-curator is installed")
    for adapter in re.findall(r"from (cynical\.adapters\.\w+) import", PYTHON[shown]):
        pytest.importorskip(adapter, exc_type=ImportError)
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    shutil.copytree(texts, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jaded.tsv").unlink()
    (tmp_path / "jaded.tsv.json").unlink()
    names: dict[str, Any] = {"cynical": cynical, "task": {"train": Column(zipfian(40, 1))}}
    names["web"] = {"train": Column(zipfian(300, 2))}
    smaller = PYTHON[shown].replace("1_000_000", "1_000")  # as the texts are
    exec(compile(smaller, shown, "exec"), names)
    assert names.keys() - {"cynical", "task", "web", "__builtins__"}


def modules() -> list[str]:
    found = [one.name for one in pkgutil.walk_packages(cynical.__path__, "cynical.")]
    return ["cynical", *(name for name in found if "_kernels" not in name and name != "cynical.__main__")]


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_the_docstrings_are_true(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    adapter = name.startswith("cynical.adapters.")
    module = pytest.importorskip(name, exc_type=ImportError) if adapter else importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
    assert sys.modules[name] is module


@pytest.mark.parametrize("name", cynical.__all__)
def test_public_functions_show_an_example(name: str) -> None:
    public = getattr(cynical, name)
    assert not inspect.isfunction(public) or ">>> " in (public.__doc__ or "")
