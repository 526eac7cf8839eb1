"""The demonstration."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from cynical.cli import demo, demo_screen, demo_texts
from cynical.cli.main import cli
from tests.conftest import Run


@pytest.mark.slow
def test_the_demo_shows_that_its_picks_are_better_than_random_lines(cynical: Run, tmp_path: Path) -> None:
    done = cynical("demo", "--lines", "400")
    assert done.returncode == 0, done.stderr
    files = {name: tmp_path / "cynical-demo" / name for name in demo.NAMES}
    assert all(path.stat().st_size > 0 for path in files.values())
    assert len(files["jaded.tsv"].read_text().splitlines()) == 401
    assert len(files["pool.txt"].read_text().splitlines()) > 10_000
    assert set(files["test.txt"].read_text().splitlines()).isdisjoint(files["pool.txt"].read_text().splitlines())
    found = re.findall(r"^  (the picks|random lines|all).*? ([\d.]+)  \u2588+$", done.stdout, re.MULTILINE)
    picked, at_random, everything = (float(perplexity) for _, perplexity in found)
    assert picked < 0.8 * at_random
    assert everything < at_random
    assert "\x1b[" not in done.stdout  # no colours where there is no terminal
    shown = re.findall(r"^ +(?:\$ )?cynical (.*)", done.stdout.replace("\\\n", ""), re.MULTILINE)
    assert [one.split()[0] for one in shown] == ["select", "compare", "select"]
    for one in shown:
        name, *words = shlex.split(one)
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert command.make_parser(click.Context(command)).parse_args(words)[1] == []
    again = cynical("demo")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr


def test_sentences_of_at_least_three_words_are_taken_and_no_code() -> None:
    text = "Open a socket. It may fail!\n\n>>> code(1)\n\nTwo words. The Server-side reads\n(all) data"
    assert list(demo_texts.sentences(text)) == ["Open a socket.", "It may fail!", "The Server-side reads (all) data"]
    assert demo_texts.words_of("The Server-side") == ["the", "server", "-", "side"]


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("server", "Serverless: the *Server*."),
        ("the server", "Serverless: *the Server*."),
        ("<s> serverless", "*Serverless*: the Server."),
        (". </s>", "Serverless: the Server*.*"),
        ("client", "Serverless: the Server."),
    ],
)
def test_the_word_that_a_line_was_picked_for_is_highlighted(word: str, shown: str) -> None:
    assert demo_screen.marked("Serverless: the Server.", word) == shown


@pytest.mark.parametrize("given", [{"CI": "true"}, {"SSH_CONNECTION": "there"}, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}])
def test_a_browser_is_offered_only_to_a_person_at_a_screen(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CI", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("sys.platform", "linux")
    asked: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        asked.append(text)
        return True

    monkeypatch.setattr(click, "confirm", confirm)
    assert not demo_screen.wants_page(tmp_path, None, asking=True)  # standard output is no terminal
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    assert demo_screen.wants_page(tmp_path, None, asking=True)
    assert len(asked) == 1
    assert not demo_screen.wants_page(tmp_path, None, asking=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert not demo_screen.wants_page(tmp_path, None, asking=True)
    assert demo_screen.wants_page(tmp_path, True, asking=False)
    assert len(asked) == 1


def test_the_demo_picks_fewer_lines_than_its_pool_has(cynical: Run) -> None:
    done = cynical("demo", "--lines", "10000000")
    assert done.returncode == 2 and "give fewer than that" in done.stderr
