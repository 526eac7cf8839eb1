"""From declared options to click's: a command is a function of groups, and its help shows them in sections."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Collection
from typing import Any, get_type_hints

import click
from click.shell_completion import CompletionItem

from ..options.declare import COMMANDS, OUTPUT, SECTIONS, USUAL, Group, Option, options_of, pick
from ..options.values import real_number, whole_number

COLUMN = 26  # of the help texts, where the options before them are no longer
MEANT = {
    "--budget": ("--words", "--lines", "--share", "--money"),
    "--n-grams": ("--ngrams",),
    "--ngram": ("--ngrams",),
    "--target": ("--representative",),
    "--in-domain": ("--representative",),
    "--pool": ("--available",),
    "--input": ("--available",),
    "--corpus": ("--available",),
    "--out": ("--output",),
    "--outfile": ("--output",),
    "--threads": ("--jobs",),
    "--force": ("--overwrite",),
    "--silent": ("--quiet",),
    "--lower": ("--lowercase",),
    **dict.fromkeys(("--percent", "--percentage", "--fraction", "--ratio", "--proportion"), ("--share",)),
    **dict.fromkeys(("--top", "--top-k", "--n", "--num-lines", "--max-lines", "--sentences", "--limit"), ("--lines",)),
    **dict.fromkeys(("--num-words", "--max-words", "--num-tokens", "--max-tokens"), ("--words",)),
    **dict.fromkeys(("--out-file", "--output-file"), ("--output",)),
    "--length": ("--min-length", "--max-length"),
    "--cost": ("--price",),
    "--ram": ("--memory",),
    "--seed": ("--random-seed",),
}  # what people type who know other tools


class FileName(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """The name of a file or folder, which a shell can complete; click does not check whether it can be read."""

    name = "file"

    def __init__(self, kind: str = "file") -> None:
        self._kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type=self._kind)]


class Number(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number as people type it."""

    def __init__(self, name: str, read: Callable[[str], int | float], example: str) -> None:
        self.name, self._read, self._example = name, read, example

    def reading(self, read: Callable[[str], int | float]) -> Number:
        """The same, read in another way."""
        return Number(self.name, read, self._example)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        try:
            return self._read(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{value!r} is not a {self._example}.", param, ctx)


NUMBERS = {
    int: Number("integer", whole_number, "whole number, such as 10000, 10k, 2.5M or 1e7"),
    float: Number("float", real_number, "number, such as 0.12, 5% or 5k"),
}


class Declared(click.Option):
    """An option, and the section of the help that it is in."""

    def __init__(self, option: Option, others: Collection[Option] = ()) -> None:
        """`others` are all options of the command."""
        self.section = USUAL if option.usual else option.section
        flags, more = [*option.flags_beside(others), option.name], _type(option)
        if option.kind is bool and option.optional:
            flags[-2] += f"/--no-{flags[-2][2:]}"
            more["default"] = None
        help, extra = option.help, _extra(option)
        super().__init__(
            flags,
            help=f"{help}  [{extra}]" if extra else help,
            metavar=option.metavar or "|".join(option.choices) or None,
            multiple=option.repeat,
            required=option.required,
            show_default=False,
            **more,
        )

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Without the remarks that click adds: our help has them already."""
        record = super().get_help_record(ctx)
        return None if record is None else (record[0].replace("  ", " "), self.help or "")


def _type(option: Option) -> dict[str, Any]:
    """What click should make of a value; the checks of the option come after it."""
    if option.kind is bool:
        return {"is_flag": True}
    if option.choices:
        return {"type": click.Choice(option.choices)}
    if option.path:
        return {"type": FileName("dir" if option.metavar in ("DIR", "FOLDER") else "file")}
    optional = {} if option.bare is None else {"is_flag": False, "flag_value": option.bare}
    number = NUMBERS.get(option.kind)
    if number is not None and option.read is not None:
        number = number.reading(option.read)
    return {"type": click.STRING if number is None else number, **optional}


def _extra(option: Option) -> str:
    """What follows the help of an option: its default, or that it must be given."""
    if option.required or option.default_help == "required":
        return "required"
    if option.default_help is not None:
        return f"default: {option.default_help}"
    if option.default in (None, False, ()):
        return ""
    shown = ",".join(map(str, option.default)) if isinstance(option.default, tuple) else f"{option.default}"
    return f"default: {shown.removesuffix('.0')}"


class Command(click.Command):
    """A command whose help has sections."""

    groups: list[type[Group]]  # of its options

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                sections[getattr(param, "section", OUTPUT)].append(record)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(f"{flags:<{COLUMN - 4}}", help) for flags, help in rows], col_max=COLUMN - 4)


def command(short_help: str) -> Callable[[Callable[..., None]], Command]:
    """Make a command of a function: groups become their options, other parameters arguments."""

    def make(function: Callable[..., None]) -> Command:
        name = function.__name__.replace("_", "-")
        hints = get_type_hints(function)
        del hints["return"]
        params: list[click.Parameter] = []
        groups = [hint for hint in hints.values() if _is_group(hint)]
        declared = [one for group in groups for one in options_of(group, name)]
        for parameter, hint in hints.items():
            if _is_group(hint):
                params += [Declared(one, declared) for one in options_of(hint, name)]
            else:
                params.append(
                    click.Argument([parameter], nargs=1 if hint is str else -1, required=True, type=FileName())
                )

        def called(**values: Any) -> None:
            given = {key: value for key, value in values.items() if value is not None}
            told = {key: pick(hint, given, name) if _is_group(hint) else given[key] for key, hint in hints.items()}
            function(**told)

        made = Command(name, callback=called, params=params, help=inspect.getdoc(function), short_help=short_help)
        made.groups = groups
        return made

    return make


def _is_group(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Group)


def command_of(name: str) -> Command:
    """A command, from its module."""
    home = name.replace("-", "_")
    made: Command = getattr(importlib.import_module(f".{home}", __package__), home)
    return made


class Commands(click.Group):
    """The command line itself. A command is imported when it is called, from the module of its name; a misspelt one is
    answered with the one that was meant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return command_of(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            close = difflib.get_close_matches(name, COMMANDS, 1, 0.5)
            meant = f"; did you mean {close[0]}?" if close else f"; choose from {', '.join(self.list_commands(ctx))}"
            raise click.UsageError(f"No such command '{name}'{meant}", ctx)
        return super().resolve_command(ctx, args)


def meant(error: click.NoSuchOption) -> str:
    """The options that someone had in mind who typed one that is not there."""
    if error.ctx is None:
        return ""
    typed = error.option_name
    known = [flag for param in error.ctx.command.get_params(error.ctx) for flag in (*param.opts, *param.secondary_opts)]
    close = [flag for flag in MEANT.get(typed, ()) if flag in known]
    if not close and typed.startswith("--"):
        words = set(typed[2:].split("-"))
        close = [flag for flag in known if words <= set(flag.lstrip("-").split("-"))]
        close = close or difflib.get_close_matches(typed, known, 1, 0.6)
    named = [_with_letter(error.ctx, flag) for flag in close[:4]]
    return " or ".join(filter(None, [", ".join(named[:-1]), named[-1]])) if named else ""


def _with_letter(ctx: click.Context, flag: str) -> str:
    """An option with its short name."""
    opts = next(param.opts for param in ctx.command.get_params(ctx) if flag in (*param.opts, *param.secondary_opts))
    short = [one for one in opts if not one.startswith("--")]
    return f"{short[0]} ({flag})" if short and flag not in short else flag
