"""The functions of Python: their signatures agree with the declared options, and what they say is Python's."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import cynical
from cynical import api
from cynical.cli.generate import command_of
from cynical.options.declare import Group, Option, options_of

FUNCTIONS = ("select", "rank", "count", "words", "cut", "read", "evaluate", "compare", "report", "plot", "warm_up")
COMMANDS = [name for name in FUNCTIONS if name not in ("read", "warm_up")]
ONLY_PYTHON = {"progress", "overwrite", "output"}  # what only some functions have, and commands always
TASK, POOL = ["a cat sat", "a cat ran"], ["a dog ran", "the bird flew", "a cat"]


def groups_of(command: str) -> list[type[Group]]:
    return command_of(command).groups


def declared(command: str) -> dict[str, Option]:
    return {one.name: one for group in groups_of(command) for one in options_of(group, command) if one.python}


def function(name: str) -> Callable[..., Any]:
    made = getattr(cynical, name)
    assert made is getattr(api, name)
    return made  # type: ignore[no-any-return]


def arguments(command: str) -> int:
    """How many parameters are no options: what the command is given without one."""
    return sum(param.param_type_name == "argument" for param in command_of(command).params)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_function_has_the_options_of_its_command(name: str) -> None:
    parameters = list(inspect.signature(function(name)).parameters)
    options = set(declared(name))
    assert options <= set(parameters)
    assert set(parameters[arguments(name) :]) - options <= ONLY_PYTHON


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_are_those_that_are_declared(name: str) -> None:
    options, parameters = declared(name), inspect.signature(function(name)).parameters
    checked = 0
    for option in options.values():
        default = parameters[option.name].default
        if option.required or default is inspect.Parameter.empty:
            continue
        assert default == option.default or (option.default == () and default is None), option.name
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("name", COMMANDS)
def test_choices_are_those_that_are_declared(name: str) -> None:
    hints = get_type_hints(function(name))
    choices = {option.name: option.choices for option in declared(name).values()}
    for parameter, known in choices.items():
        assert literal(hints[parameter]) == known, parameter
    assert any(choices.values()) or name in ("cut", "plot")


def literal(hint: Any) -> tuple[str, ...]:
    """The choices that a type has."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    found = [literal(one) for one in get_args(hint) if get_origin(one) is Literal]
    return found[0] if found else ()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_explained(name: str) -> None:
    made = function(name)
    text = inspect.getdoc(made) or ""
    section = text.partition("Parameters\n----------\n")[2].partition("\nReturns\n-------\n")[0]
    explained = re.findall(r"^(\w+) : .+\n    \S", section, re.MULTILINE)
    assert explained == list(inspect.signature(made).parameters)
    assert "Examples\n--------\n>>> " in text


def test_the_package_has_these_functions_and_no_others() -> None:
    public = {name for name in cynical.__all__ if inspect.isfunction(getattr(cynical, name))}
    assert public == set(FUNCTIONS)
    assert set(dir(cynical)) == set(cynical.__all__)


def test_errors_are_in_the_words_of_python() -> None:
    with pytest.raises(
        cynical.CynicalError, match=r"^max_copies must be a whole number of at least 1, found 0$"
    ) as caught:
        cynical.select(TASK, POOL, max_copies=0)
    assert caught.value.message == "--max-copies must be a whole number of at least 1, found 0"
    with pytest.raises(cynical.CynicalError, match=r"^strategy=.best.: unknown value; choose from exact, word, batch$"):
        cynical.select(TASK, POOL, strategy="best")  # type: ignore[arg-type]
    with pytest.raises(cynical.CynicalError, match='address applies to a cluster only; give engine="ray" too'):
        cynical.select(TASK, POOL, address="auto")


CALLS: dict[str, Callable[[], object]] = {
    "select": lambda: cynical.select(TASK, POOL, lines=1, patience=0.5),
    "rank": lambda: cynical.rank(TASK, POOL, method="longest", random_seed=1),
    "evaluate": lambda: cynical.evaluate(POOL, POOL),
    "compare": lambda: cynical.compare(TASK, POOL, POOL, shares=[1], methods=["random"]),
    "cut": lambda: cynical.cut(cynical.select(TASK, POOL, lines=1), lines=2),
}


@pytest.mark.parametrize("name", CALLS)
def test_warnings_are_of_the_line_that_called(name: str) -> None:
    with warnings.catch_warnings(record=True, action="always", category=cynical.CynicalWarning) as caught:
        CALLS[name]()
    ours = [one for one in caught if issubclass(one.category, cynical.CynicalWarning)]
    assert ours
    assert {one.filename for one in ours} == {__file__}
    assert not any("--" in str(one.message) for one in ours)


def test_words_are_a_list_and_a_data_frame() -> None:
    found = cynical.words(TASK, POOL, min_count=1)
    frame = found.to_pandas()
    assert len(found) == len(frame) > 4
    assert frame.columns.tolist() == ["word", "class", "representative", "unadapted", "available", "ratio"]
    assert frame.set_index("word").loc["cat", ["class", "representative", "unadapted"]].tolist() == ["meh", 2, 1]
    counted = cynical.words(cynical.count(TASK), available=cynical.count(POOL), min_count=1)
    assert counted.to_pandas().equals(frame)
    with pytest.raises(cynical.CynicalError, match="give unadapted=UNADAPTED, available=AVAIL or both"):
        cynical.words(TASK)


def test_what_is_cut_is_what_fewer_lines_would_have_been(tmp_path: Path) -> None:
    jaded = cynical.select(TASK, POOL, all=True)
    jaded.write(tmp_path / "jaded.tsv")
    for ranking in (jaded, tmp_path / "jaded.tsv"):
        kept = cynical.cut(ranking, lines=2)
        assert kept.texts == cynical.select(TASK, POOL, lines=2).texts
    with pytest.raises(cynical.CynicalError, match="stop and lines=2 cannot be combined"):
        cynical.cut(jaded, lines=2, stop=True)
    with pytest.raises(cynical.CynicalError, match="no cut was given; give lines=N, words=N, share=F, money=M or stop"):
        cynical.cut(jaded)


def test_a_page_and_a_picture_come_back_and_are_written(tmp_path: Path) -> None:
    jaded = cynical.select(TASK, POOL, all=True)
    jaded.write(tmp_path / "jaded.tsv")
    page = cynical.report(tmp_path / "jaded.tsv", tmp_path / "page.html")
    assert page == (tmp_path / "page.html").read_bytes() and b"</html>" in page
    with pytest.raises(cynical.CynicalError, match=r"page.html already exists"):
        cynical.report(jaded, tmp_path / "page.html")
    cynical.report(jaded, tmp_path / "page.html", overwrite=True, price=0.1)
    pytest.importorskip("matplotlib")
    picture = cynical.plot([jaded, tmp_path / "jaded.tsv"], tmp_path / "curve.svg", label=["one", "two"])
    assert picture == (tmp_path / "curve.svg").read_bytes() and b"<svg" in picture
    assert cynical.plot(jaded).startswith(b"\x89PNG")
    with pytest.raises(cynical.CynicalError, match="label was given 1 time for 2 rankings"):
        cynical.plot([jaded, jaded], label="one")
