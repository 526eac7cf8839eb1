"""Messages in the words of the command line and of Python."""

from __future__ import annotations

import pickle

import pytest

from cynical.cli import main as command_line
from cynical.errors import CHOICES, CynicalError, if_one, in_python, number_of, os_error, parameter, tell
from cynical.options.declare import options_of
from tests.test_api import COMMANDS, groups_of


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("--max-copies must be 1", "max_copies must be 1"),
        ("give --with FILE", "give with_=FILE"),
        ("give -r REPR, -a AVAIL or -u", "give representative=REPR, available=AVAIL or unadapted"),
        ("--exclude test.txt --exclude-ngrams 13 excludes", 'exclude="test.txt", exclude_ngrams=13 excludes'),
        ("--exclude 'my test.txt' and --all --price 0.5.", 'exclude="my test.txt" and all, price=0.5.'),
        ("--per word or --weights 0.7,0.3: add up", 'per="word" or weights=[0.7, 0.3]: add up'),
        (
            "--id-key name: none; --format text|tsv, -o OUT.tsv",
            'id_key="name": none; format="text"|"tsv", output="OUT.tsv"',
        ),
        (
            "--text-key title,text: none; --text-template '{a} {b}': x",
            'text_key="title,text": none; text_template="{a} {b}": x',
        ),
        ("--exclude compares lines; --with 12 times", "exclude compares lines; with_ 12 times"),
        (
            "--memory 1.5 GB is little; --tokenizer spm:a.model: x",
            'memory="1.5 GB" is little; tokenizer="spm:a.model": x',
        ),
        ("""--exclude 'it'"'"'s.txt' or -s 'a|b'""", """exclude="it's.txt" or seed="a|b\""""),
        ("""--exclude 'a "b" '"'"'c'"'"''""", """exclude='a "b" \\'c\\''"""),
        (
            "x exists; give another name, or --overwrite to replace it",
            "x exists; give another name, or overwrite=True to replace it",
        ),
        ("(--scratch): full", "(scratch): full"),
        ("a--b and --c.txt and x/--d stay, and so does -1", "a--b and --c.txt and x/--d stay, and so does -1"),
        ("convert it: `iconv -f UTF-16 -t UTF-8`, or -t", "convert it: `iconv -f UTF-16 -t UTF-8`, or held_out"),
        ("let cynical select -o OUT write it; or --lines", "let cynical select -o OUT write it; or lines"),
    ],
)
def test_options_become_parameters(message: str, expected: str) -> None:
    assert in_python(message) == expected


def test_every_option_becomes_the_parameter_that_it_is() -> None:
    names = {
        (flag, one.name)
        for command in COMMANDS
        for group in groups_of(command)
        for one in options_of(group, command)
        for flag in one.all_flags[:2]
    }
    aliases = {
        ("--held-out", "held_out"),
        ("--list", "lists"),
        ("-q", "quiet"),
        ("--tokens", "words"),
        ("--method", "methods"),
        ("--order", "output_order"),
    }  # of which Python has none, or one of another name
    assert len(names) > 70
    assert {(flag, name) for flag, name in names if parameter(flag) != name} <= aliases


def test_every_choice_of_an_option_is_known_as_a_value() -> None:
    groups = {group for command in COMMANDS for group in groups_of(command)}
    assert {choice for group in groups for one in options_of(group) for choice in one.choices} <= CHOICES


def test_an_error_keeps_both_and_can_be_sent() -> None:
    error = CynicalError("--lines 0: give more")
    assert (error.message, str(error)) == ("--lines 0: give more", "lines=0: give more")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, str(again)) == (error.message, str(error))


def test_what_a_terminal_would_obey_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    tell("no column 'a'; it has \x1b[31mred\x07, \x9b2J, äö\ttab\nline")
    assert capsys.readouterr().err == "no column 'a'; it has \\x1b[31mred\\x07, \\x9b2J, äö\ttab\nline\n"


def test_a_connection_that_fails_is_no_missing_file() -> None:
    missing = FileNotFoundError("http://here/x.txt")
    assert os_error("x", missing).message == "x: no such file; check the path"
    missing.__cause__ = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)")
    assert os_error("x", missing).message == "x: connection refused; check the address and the network connection"
    missing.__cause__ = ValueError("500, message='Internal Server Error'")
    assert "500, message='internal server error'; check the address" in os_error("x", missing).message


def test_the_command_names_itself_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*_: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(command_line.cli, "make_context", refuse)
    with pytest.raises(SystemExit):
        command_line.main()
    told = capsys.readouterr().err
    assert told == "cynical: connection refused; check the address and the network connection\n"


def test_one_thing_is_no_several() -> None:
    assert [number_of(number, "line") for number in (0, 1, 2000)] == ["0 lines", "1 line", "2,000 lines"]
    assert [if_one(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]
