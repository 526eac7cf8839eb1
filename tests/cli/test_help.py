"""What the command line says: help in sections, hints for what was misspelt, completion."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from cynical.cli.generate import command_of
from cynical.options.declare import COMMANDS
from tests.conftest import Run

HERE = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
SECTIONS = [
    *("Common options", "Input", "Budget", "Ranking", "Eligible lines"),
    *("Reading text", "Execution", "Output"),
]


@pytest.mark.parametrize("width", [80, 100])
def test_help_has_sections_and_what_everyone_needs_comes_first(cynical: Run, width: int) -> None:
    shown = cynical("select", "--help", env={**HERE, "COLUMNS": f"{width}"}).stdout
    assert re.findall(r"^(\w.*):$", shown, re.MULTILINE) == SECTIONS
    usual = shown.partition("Common options:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (-\w, )?--([\w-]+)", usual, re.MULTILINE) == [
        *(("-r, ", "representative"), ("-a, ", "available"), ("-o, ", "output")),
        *(("", "lines"), ("", "words"), ("", "share"), ("", "for")),
    ]
    together = " ".join(shown.split())
    assert "[default: 0.01]" in together and "[default: AVAILABLE]" in together and together.count("[required]") == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_every_option_in_it(cynical: Run, command: str) -> None:
    shown = cynical(command, "--help", env={**HERE, "COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.startswith(f"Usage: cynical {command} ")
    flags = {flag for param in command_of(command).params if isinstance(param, click.Option) for flag in param.opts}
    assert flags <= set(re.findall(r"--?[\w-]+", shown))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("select --budget 5", "--budget; did you mean --words, --lines, --share or --money?"),
        ("cut --budget 5", "--budget; did you mean --words, --lines, --share or --money?"),
        ("select --n-grams 2", "--n-grams; did you mean --ngrams?"),
        ("select --target a", "--target; did you mean -r (--representative)?"),
        ("select --out a", "--out; did you mean -o (--output)?"),
        ("select --percent 5", "--percent; did you mean --share?"),
        ("cut a --num-lines 5", "--num-lines; did you mean --lines?"),
        ("select --lins 5", "--lins; did you mean --lines?"),
        ("select --length 5", "--length; did you mean --min-length or --max-length?"),
        ("evaluate --heldout-text a", "--heldout-text; did you mean -t (--heldout)?"),
        ("rank --seed 1", "--seed; did you mean --random-seed?"),
        ("select --xyzzy", "No such option: --xyzzy; see cynical select --help"),
        ("slect", "No such command 'slect'; did you mean select? Or see cynical --help"),
        ("xyzzy", "No such command 'xyzzy'; choose from select, rank, score, count,"),
        ("select --strategy best", "'--strategy': 'best' is not one of 'exact', 'word', 'batch'; see"),
        ("rank --method best", "'best' is not one of 'random', 'in-order', 'longest', 'dsir', 'classifier'"),
        ("select --lines ten", "'ten' is not a whole number"),
        ("select --patience some", "--patience must be a fraction of AVAILABLE's words, or 'all', found 'some'"),
        ("select", "Missing option '-r' / '--representative'; see cynical select --help"),
    ],
)
def test_a_slip_is_answered_in_one_line_with_what_was_meant(cynical: Run, arguments: str, says: str) -> None:
    needed = "" if arguments.endswith("select") or "--patience" not in arguments else " -r a -a b -o c"
    done = cynical(*(arguments + needed).split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and says in done.stderr


def completed(cynical: Run, shell: str, typed: str) -> list[str]:
    words = typed.split(" ")
    asked = {"_CYNICAL_COMPLETE": f"{shell}_complete", "COMP_WORDS": typed, "COMP_CWORD": f"{len(words) - 1}"}
    if shell == "fish":
        asked["COMP_CWORD"] = words[-1]
    done = cynical(env={**HERE, **asked})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_commands_options_choices_and_files(cynical: Run, shell: str) -> None:
    source = cynical(env={**HERE, "_CYNICAL_COMPLETE": f"{shell}_source"})
    assert source.returncode == 0 and "_CYNICAL_COMPLETE" in source.stdout

    def found(typed: str) -> str:
        return "\n".join(completed(cynical, shell, typed))

    assert "select" in found("cynical sel")
    assert "--strategy" in found("cynical select --str") and "--tokenizer" not in found("cynical select --str")
    assert all(name in found("cynical select --strategy ") for name in ("exact", "word", "batch"))
    assert "moore-lewis" in found("cynical rank --method mo")
    assert "file" in found("cynical select -r ")
    assert "dir" in found("cynical select --scratch ")
    assert "file" in found("cynical cut ")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_completion_is_set_up_as_the_documentation_says(cynical: Run, tmp_path: Path) -> None:
    source = cynical(env={**HERE, "_CYNICAL_COMPLETE": "bash_source"}).stdout
    (tmp_path / "complete.sh").write_text(source)
    done = subprocess.run(["bash", "-c", "source complete.sh; complete -p cynical"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0 and b"cynical" in done.stdout
    page = (Path(__file__).parents[2] / "docs" / "reference" / "commands.md").read_text()
    assert 'eval "$(_CYNICAL_COMPLETE=bash_source cynical)"' in page
