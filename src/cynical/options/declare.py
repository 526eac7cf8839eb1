"""How an option is declared: once, as a field of the group that it belongs to.

    lines: int | None = option("Pick at most N lines.", metavar="N", check=whole, recorded=True)

Everything else about options loops over these declarations: the command line and its help, the settings in a summary,
what a cluster does not support, what has no effect, the settings that a page shows.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..errors import CynicalError

if TYPE_CHECKING:
    from .settings import Settings

COMMANDS = (
    "select",
    "rank",
    "score",
    "count",
    "words",
    "cut",
    "evaluate",
    "compare",
    "report",
    "plot",
    "demo",
    "warm-up",
)

# The sections of --help, in their order.
USUAL = "Common options"
GOES_IN = "Input"
HOW_MUCH = "Budget"
RANKED = "Ranking"
PICKED = "Eligible lines"
MEASURED = "Measurement"
READ = "Reading text"
RUNS = "Execution"
OUTPUT = "Output"
SECTIONS = (USUAL, GOES_IN, HOW_MUCH, RANKED, PICKED, MEASURED, READ, RUNS, OUTPUT)

Value = int | float | str | bool | None
Recorded = dict[str, Value]  # options as the summary has them, by name
Check = Callable[[str, Any], Any]  # the option and its value to what it means, or a CynicalError
Of = TypeVar("Of", bound="Group")
_known: dict[type[Group], tuple[Option, ...]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option as it was declared."""

    help: str
    flags: tuple[str, ...] = ()  # short and other names; its own name comes by itself
    metavar: str | None = None
    default_help: str | None = None  # what the help says where the default is no plain value
    section: str = ""  # of the help, if not that of its group
    usual: bool = False  # one of the few that everyone needs
    required: bool = False
    bare: Value = None  # what it means on the command line where no value follows; None: one must
    repeat: bool = False  # may be given several times
    path: bool = False  # its value is the name of a file or a folder
    commands: tuple[str, ...] = ()  # those that have it; by default every command that has its group
    python: bool = True  # do the functions of Python have it?
    read: Callable[[str], float] | None = None  # how the command line reads a number, if not like others of its kind
    check: Check | None = None
    recorded: bool | Callable[[Settings], Value] = False  # in the summary: as it is, or as this says
    short: str = ""  # what it is called in a run's signature, if not by its name
    no_effect: Callable[[Settings], str] | None = None  # why it does nothing, say "with --lines 5"; else ""
    cluster: Callable[[Any], str] | None = None  # why --engine ray does not support a value; empty if it does
    name: str = ""  # the rest is taken from the field
    kind: type = str
    default: Any = None
    choices: tuple[str, ...] = ()
    optional: bool = False  # may it be None?

    @property
    def flag(self) -> str:
        """What messages call it."""
        return next(flag for flag in self.all_flags if flag.startswith("--"))

    @property
    def all_flags(self) -> tuple[str, ...]:
        """Its names on the command line, short ones first."""
        return self.flags if any(flag.startswith("--") for flag in self.flags) else (*self.flags, self._own)

    @property
    def _own(self) -> str:
        return "--" + self.name.strip("_").replace("_", "-")

    def flags_beside(self, others: Iterable[Option]) -> list[str]:
        """Its names in a command that has other options too: without those that are the own name of another."""
        taken = {other._own for other in others if other.name != self.name}
        return [flag for flag in self.all_flags if flag not in taken]

    def checked(self, value: Any) -> Any:
        """What a value means."""
        if self.choices and value not in self.choices:
            raise CynicalError(f"{self.flag} {value}: unknown value; choose from {', '.join(self.choices)}")
        return value if self.check is None else self.check(self.flag, value)

    def shown(self, value: object) -> str:
        """As it would be typed."""
        if value is True:
            return self.flag
        return f"{self.flag} {value:g}" if isinstance(value, float) else f"{self.flag} {value}"


def option(help: str, *, default: Any = None, **told: Any) -> Any:
    """Declare an option; for what it can be told, see Option."""
    return field(default=default, metadata={"option": Option(help=help, **told)})


def output_option(help: str, metavar: str = "OUT", **told: Any) -> Any:
    """Declare -o, where the result of a command goes."""
    return option(help, flags=("-o",), metavar=metavar, usual=True, path=True, **told)


class Group:
    """Options that belong together; subclasses are frozen dataclasses. Values are checked when a group is made."""

    __slots__ = ()
    title: ClassVar[str]  # the section of the help

    def __post_init__(self) -> None:
        for one in options_of(type(self)):
            value = getattr(self, one.name)
            if value is not None:
                object.__setattr__(self, one.name, one.checked(value))
        self.check()

    def check(self) -> None:
        """Raise an error where options contradict each other."""


def options_of(group: type[Group], command: str | None = None) -> tuple[Option, ...]:
    """The options of a group, or those that a command has."""
    return tuple(one for one in _declared(group) if command is None or command in (one.commands or (command,)))


def pick(group: type[Of], values: Mapping[str, object], command: str | None = None) -> Of:
    """A group from flat values, of which others are left aside; those that are not there, or that a command does not
    have, keep their defaults."""
    return group(**{one.name: values[one.name] for one in options_of(group, command) if one.name in values})


def _declared(group: type[Group]) -> tuple[Option, ...]:
    if group not in _known:
        _known[group] = tuple(_read(group))
    return _known[group]


def _read(group: type[Group]) -> Iterator[Option]:
    hints = get_type_hints(group)
    for one in fields(group):  # type: ignore[arg-type]
        declared: Option = one.metadata["option"]
        kinds = _members(hints[one.name])
        plain = [kind for kind in kinds if kind is not type(None)]
        first = plain[0] if len(plain) == 1 else str
        choices = get_args(first) if get_origin(first) is Literal else ()
        yield replace(
            declared,
            name=one.name,
            kind=first if first in (int, float, bool) else str,
            default=one.default,
            choices=choices,
            optional=len(plain) < len(kinds),
            section=declared.section or group.title,
        )


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
