"""All settings of a run, except its corpora."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ..errors import CynicalError
from .budget import Budget, StopBy
from .declare import Group, Option, Recorded, options_of, pick
from .execution import Execution
from .method import Method
from .ranking import GOALS, NEED_CLASSES, NEED_COPIES, Eligibility, Ranking, Thresholds
from .reading import TextOptions

GROUPS: dict[str, type[Group]] = {
    "budget": Budget,
    "ranking": Ranking,
    "thresholds": Thresholds,
    "eligibility": Eligibility,
    "text": TextOptions,
    "execution": Execution,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of `select`, by group; with a baseline, those of `rank`."""

    budget: Budget = Budget()
    ranking: Ranking = Ranking()
    thresholds: Thresholds = Thresholds()
    eligibility: Eligibility = Eligibility()
    text: TextOptions = TextOptions()
    execution: Execution = Execution()
    baseline: Method | None = None

    def __post_init__(self) -> None:
        if self.baseline is not None and self.budget.open:  # a baseline has no stopping point
            object.__setattr__(self, "budget", replace(self.budget, all=True))
        if self.budget.money is not None and self.budget.price is None:
            raise CynicalError("--money needs a price; give --price P too")
        if self.eligibility.max_share_of_document is not None and self.ranking.strategy != "exact":
            raise CynicalError(
                "--max-share-of-document needs --strategy exact; it is not available with --strategy "
                f"{self.ranking.strategy}"
            )

    @classmethod
    def of(cls, **values: object) -> Settings:
        """Settings from flat values, as the functions of Python get them; with `method`, those of a baseline."""
        unknown = values.keys() - {one.name for one in _options_of_all()}
        if unknown:
            raise TypeError(f"unknown settings: {', '.join(sorted(unknown))}")
        return cls.picked(values)

    @classmethod
    def picked(cls, values: Mapping[str, object]) -> Settings:
        """The same where there are values for others too."""
        groups: dict[str, Any] = {name: pick(group, values) for name, group in GROUPS.items()}
        return cls(**groups, baseline=pick(Method, values) if "method" in values else None)

    @property
    def command(self) -> str:
        return "select" if self.baseline is None else "rank"

    @property
    def method(self) -> str:
        """What ranks the lines."""
        return "cynical" if self.baseline is None else self.baseline.method

    @property
    def per_word(self) -> bool:
        """Does delta per word decide, not delta?"""
        by_line = self.budget.money is None or self.budget.paid_per == "line"
        return self.ranking.per == "word" or (self.ranking.per is None and not by_line)

    @property
    def stop(self) -> StopBy | None:
        """What says where to stop, if anything does: with n-grams, a model of the picks."""
        if self.budget.stop is not None or not self.budget.open or self.baseline is not None:
            return self.budget.stop
        return "model" if self.ranking.ngrams > 1 else "entropy"

    @property
    def needs_classes(self) -> bool:
        ranking = self.ranking
        return self.baseline is None and (ranking.vocabulary == "classes" or ranking.strategy in NEED_CLASSES)

    @property
    def needs_copies(self) -> bool:
        return self.baseline is None and self.ranking.strategy in NEED_COPIES

    @property
    def memory_limit(self) -> int | None:
        """In bytes."""
        memory = self.execution.memory
        return None if memory is None else int(memory)  # the check has made a number of what was given

    @property
    def small_runs(self) -> list[str]:
        """Which small runs call the kernels that this run needs."""
        return [
            "rank" if self.baseline is not None else self.ranking.strategy,
            *(["ngrams"] if self.ranking.ngrams > 1 else []),
            *(["widen"] if self.ranking.widen else []),
            *(["stop"] if self.stop == "model" else []),
            *(["exclude"] if self.eligibility.exclude_ngrams is not None else []),
        ]

    def values(self) -> Iterator[tuple[Option, Any]]:
        """Every option of the command with its value."""
        groups: Iterable[Group | None] = (self.baseline, *(getattr(self, name) for name in GROUPS))
        for group in groups:
            for one in options_of(type(group), self.command) if group is not None else ():
                yield one, getattr(group, one.name)

    def recorded(self) -> Recorded:
        """What the summary says of them: as they are in force."""
        return {
            one.name: value if one.recorded is True else one.recorded(self)
            for one, value in self.values()
            if one.recorded
        }

    def changed(self) -> Recorded:
        """The same, of those that differ from what the method has by default."""
        usual = default_settings(self.method).recorded()
        return {name: value for name, value in self.recorded().items() if value != usual[name]}

    @property
    def without_effect(self) -> list[str]:
        """A sentence on options that were given and do nothing, for each reason."""
        reasons: dict[str, list[str]] = {}
        implied = GOALS[self.ranking.for_]  # not given, though the value may differ from the default
        for one, value in self.values():
            given = value != implied.get(one.name, one.default)
            why = one.no_effect(self) if one.no_effect is not None and given else ""
            if why:
                reasons.setdefault(why, []).append(one.flag)
        return [
            f"{' and '.join(flags)} {'has' if len(flags) == 1 else 'have'} no effect {why}"
            for why, flags in reasons.items()
        ]


def default_settings(method: str) -> Settings:
    """What a method has by default."""
    return Settings() if method == "cynical" else Settings.of(method=method)


def check_recorded(recorded: Recorded) -> None:
    """Raise an error where a number that a summary has for an option is none that the option could have."""
    for one in _options_of_all():
        value = recorded.get(one.name)
        if value is None or one.kind not in (int, float):
            continue
        if isinstance(value, bool) or not isinstance(value, int if one.kind is int else (int, float)):
            raise CynicalError(f"{one.name} is {value!r}")
        one.checked(value)


def not_on_a_cluster(settings: Settings) -> list[str]:
    """A sentence on each of the settings that a cluster does not support."""
    return [
        f"{one.shown(value)} is not available with --engine ray: {why}"
        for one, value in settings.values()
        if one.cluster is not None and (why := one.cluster(value))
    ]


def _options_of_all() -> Iterator[Option]:
    for group in (*GROUPS.values(), Method):
        yield from options_of(group)


assert list(GROUPS) == [one.name for one in fields(Settings)][:-1]
