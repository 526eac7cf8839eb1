"""Options are declared once: what follows from the declarations."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Literal

import pytest

from cynical.errors import CynicalError, whole
from cynical.options import Budget, Corpora, Eligibility, Measure, Method, Reading, Settings, not_on_a_cluster
from cynical.options.commands import Comparing
from cynical.options.declare import OUTPUT, SECTIONS, Group, option, options_of, pick
from cynical.options.settings import GROUPS
from cynical.reports.about import changed
from tests.test_api import COMMANDS, groups_of


@dataclass(frozen=True, slots=True)
class Example(Group):
    title: ClassVar[str] = OUTPUT

    digits: int | None = option("Print N digits.", metavar="N", check=whole)
    colour: Literal["red", "blue"] = option("Colour.", default="red", commands=("select",))
    names: tuple[str, ...] = option("A name.", default=(), flags=("-n", "--name"), repeat=True)
    loud: bool | None = option("Shout.", default_help="as before")


def test_a_declaration_knows_what_its_field_says() -> None:
    digits, colour, names, loud = options_of(Example)
    assert (digits.kind, digits.optional, digits.flag, digits.section) == (int, True, "--digits", OUTPUT)
    assert (colour.choices, colour.default, colour.optional) == (("red", "blue"), "red", False)
    assert (names.all_flags, names.flag, names.repeat) == (("-n", "--name"), "--name", True)
    assert (loud.kind, loud.optional) == (bool, True)
    assert options_of(Example, "rank") == (digits, names, loud)
    assert (digits.shown(3), digits.shown(0.5), loud.shown(True)) == ("--digits 3", "--digits 0.5", "--loud")


def test_values_are_checked_when_a_group_is_made() -> None:
    assert pick(Example, {"digits": 3, "colour": "blue", "other": 1}) == Example(3, "blue")
    with pytest.raises(CynicalError, match="digits must be a whole number of at least 1, found 0"):
        Example(digits=0)
    with pytest.raises(CynicalError, match='colour="green": unknown value; choose from red, blue'):
        pick(Example, {"colour": "green"})


def test_every_option_has_help_a_section_and_one_name_in_a_command() -> None:
    for command in COMMANDS:
        options = [one for group in groups_of(command) for one in options_of(group, command)]
        flags = [flag for one in options for flag in one.flags_beside(options)]
        assert len(flags) == len(set(flags)), command
        assert len(options) == len({one.name for one in options}), command
        for one in options:
            assert one.help.endswith(".") and one.section in SECTIONS, one.name
            assert one.metavar or one.choices or one.kind is bool, one.name


def test_settings_are_made_of_flat_values() -> None:
    settings = Settings.of(lines=5, ngrams=2, min_length=3, tokenizer="words", memory="8G", min_count=1)
    assert (settings.budget.lines, settings.ranking.ngrams, settings.eligibility.min_length) == (5, 2, 3)
    assert (settings.text.tokenizer, settings.memory_limit, settings.thresholds.min_count) == ("words", 8 * 10**9, 1)
    assert settings.method == "cynical" and Settings.of(method="dsir").method == "dsir"
    with pytest.raises(TypeError, match="unknown settings: line"):
        Settings.of(line=5)
    assert set(GROUPS) == {one.name for one in fields(Settings)} - {"baseline"}


def test_what_is_recorded_is_what_is_in_force() -> None:
    known = [
        *("lines", "words", "share", "all", "price", "money", "patience", "strategy", "vocabulary", "per", "ngrams"),
        *("smoothing", "min_count", "ratio_threshold", "min_length", "max_length", "max_copies", "tokenizer"),
        *("normalize", "lowercase"),
    ]  # in every summary so far, in this order
    assert [name for name in Settings().recorded() if name in known] == known
    assert (Settings().recorded()["patience"], Settings().recorded()["per"]) == (0.1, "line")
    paid = Settings.of(money=5, price=1, lines=None).recorded()
    assert (paid["per"], paid["patience"]) == ("word", None)
    assert Settings.of(patience="all", lines=None).recorded()["patience"] == "all"
    assert Settings.of(lines=10**30).recorded()["lines"] == 2**62
    ranked = Settings.of(method="random", ngrams=2).recorded()
    assert list(ranked)[:5] == ["method", "random_seed", "buckets", "order", "lines"]
    assert (ranked["random_seed"], ranked["buckets"], ranked["all"]) == (0, None, True)
    assert not ranked.keys() & {"strategy", "vocabulary", "per", "min_count", "money"}


def test_what_differs_from_the_defaults_is_known_to_the_summary_and_the_page() -> None:
    settings = Settings.of(lines=5, per="word", lowercase=True)
    assert settings.changed() == {"lines": 5, "patience": None, "stop": None, "per": "word", "lowercase": True}
    assert changed(settings.recorded()) == ["--lines 5", "--per word", "--lowercase"]
    assert changed(Settings.of(method="dsir", buckets=7).recorded(), "dsir") == ["--buckets 7"]
    assert Settings().changed() == {} == Settings.of(method="longest").changed()


def test_options_without_effect_are_said_once_for_each_reason() -> None:
    settings = Settings.of(min_count=1, ratio_threshold=2.0, patience=0.5, lines=3)
    assert settings.without_effect == [
        "--patience has no effect with --lines 3",
        "--min-count and --ratio-threshold have no effect with --strategy exact and --vocabulary full",
    ]
    assert Settings.of(min_count=1, vocabulary="classes").without_effect == []
    assert Settings.of(method="dsir", order=2, buckets=3).without_effect == ["--order has no effect with --method dsir"]


def test_what_a_cluster_does_not_support_is_declared() -> None:
    assert not_on_a_cluster(Settings()) == []
    assert not_on_a_cluster(Settings.of(lines=5, ngrams=2, vocabulary="classes", max_copies=1, memory="1G")) == []
    (sentence,) = not_on_a_cluster(Settings.of(strategy="word"))
    assert sentence.startswith("--strategy word is not available with --engine ray: it would need a message")


@pytest.mark.parametrize(
    ("group", "values", "says"),
    [
        (Budget, {"lines": 1, "words": 1}, "--lines and --words cannot be combined"),
        (Budget, {"share": 1.5}, "--share must be more than 0 and at most 1"),
        (Budget, {"patience": "some"}, "--patience must be a fraction of AVAILABLE's words, or 'all', found 'some'"),
        (Budget, {"patience": -1}, "--patience must be a fraction of AVAILABLE's words greater than 0"),
        (
            Budget,
            {"price": 1, "price_with": 1, "price_per": "token"},
            "--price-with and --price-per token cannot be combined",
        ),
        (Budget, {"currency": "a b\n"}, "expected a short name such as EUR"),
        (Eligibility, {"min_length": 3, "max_length": 2}, "leave no possible length"),
        (Reading, {"scratch": "no-such-folder"}, "--scratch no-such-folder: no such folder"),
        (Reading, {"text_key": ""}, "--text-key is empty"),
        (Corpora, {"weights": "1,x"}, "--weights 1,x: expected numbers separated by commas"),
        (Method, {"order": 6}, "--order must be 1 to 5, found 6"),
        (
            Comparing,
            {"random_seed": 2**64 - 2, "seeds": 3},
            "--random-seed plus --seeds must be less than 2^64",
        ),
        (Comparing, {"seeds": 0}, "--seeds must be a whole number of at least 1, found 0"),
        (Measure, {"at": "1,x"}, "--at 1,x: expected whole numbers separated by commas"),
        (Measure, {"at": [0]}, "--at must be a whole number of at least 1, found 0"),
        (Measure, {"lm": "kenlm", "order": 1}, "KenLM cannot train unigram models"),
    ],
)
def test_what_cannot_be_raises_an_error(group: type[Group], values: dict[str, object], says: str) -> None:
    with pytest.raises(CynicalError) as caught:
        pick(group, values)
    assert says in caught.value.message
