"""Budgets in money."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.cost import count
from cynical.options import Budget
from cynical.options.budget import PricePer
from cynical.options.ranking import Per, Strategy
from cynical.selection import checkpoint, search
from tests.against_oracle import zipfian
from tests.cutting import cut

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)
MARKS = ["", " .", " , -", "!", " \u2019 \u201c", " ...", " \u0915\u0943"]
MARKED = [line + MARKS[number % len(MARKS)] for number, line in enumerate(POOL)]


def paid_words(text: str) -> int:
    """As an agency counts: what is between spaces, if it has a letter or a digit."""
    return sum(any(one.isalnum() for one in piece) for piece in text.split())


UNITS: dict[str, Callable[[str, int], int]] = {
    "word": lambda text, words: paid_words(text),
    "token": lambda text, words: words,
    "character": lambda text, words: len(text),
    "line": lambda text, words: 1,
}


def most_that_fits(costs: list[Fraction], money: Fraction) -> int:
    return sum(cost <= money for cost in accumulate(costs))


def test_money_buys_whole_words_and_ranks_per_word() -> None:
    bought = cynical.select(WANTED, POOL, price=0.12, money=5)  # 41.67 words
    words = cynical.select(WANTED, POOL, per="word", words=41)
    assert bought.lines.tolist() == words.lines.tolist()
    assert bought.summary["settings"]["per"] == "word"
    assert any("per word" in notice for notice in bought.summary["notices"])
    money = bought.summary["money"]
    assert money["spent"] == pytest.approx(0.12 * bought.words.sum())
    bits = bought.entropy_before - bought.entropy[-1]
    assert money["bits_per_unit"] == pytest.approx(bits / money["spent"])
    assert cynical.select(["a b"], ["a b", "b"], price=0.1, money=0.3).words.sum() == 3  # not 0.3 / 0.1 in doubles
    by_line = cynical.select(WANTED, POOL, price=0.12, money=5, per="line")
    assert by_line.lines.tolist() == cynical.select(WANTED, POOL, words=41).lines.tolist()
    priced = cynical.select(WANTED, POOL, lines=10, price=2)
    assert priced.summary["money"]["spent"] == 2 * priced.words.sum()


def test_a_cut_knows_what_it_costs(tmp_path: Path) -> None:
    jaded = cynical.select(WANTED, POOL, ngrams=2, price=0.5, money=100)
    jaded.write(tmp_path / "whole.tsv")
    cut(tmp_path / "whole.tsv", tmp_path / "one.tsv", Budget(lines=1), False, None, False)
    summary = json.loads((tmp_path / "one.tsv.json").read_text())
    assert summary["money"]["spent"] == jaded.words[0] / 2
    bits = jaded.entropy_before - jaded.entropy[0]
    assert summary["money"]["bits_per_unit"] == pytest.approx(2 * bits / jaded.words[0], rel=1e-6)
    assert jaded.feature_entropy is not None
    assert summary["feature_entropy"]["after"] == pytest.approx(jaded.feature_entropy[0], abs=1e-7)


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        (
            {"money": 0.1, "price": 0.12},
            "best line costs 0.36, more than --money 0.1, .*; give --money 0.36, or --max-",
        ),
        ({"money": 0.1, "price": 0.12, "currency": "EUR", "per": "line"}, "costs 0.36 EUR, .* or --per word or --max-"),
        ({"money": 0.1, "price": 0.12, "price_per": "token"}, "does not fit .*; give a larger budget, or --max-length"),
        ({"words": 2, "per": "word"}, "does not fit into --words 2, .*; give a larger budget, or --max-length N"),
        ({"words": 2}, "give a larger budget, or --per word or --max-length N to put shorter lines first"),
    ],
)
def test_a_budget_too_small_for_the_best_line_says_what_helps(budget: dict[str, Any], says: str) -> None:
    nothing = cynical.select(["a b c", "a b c", "d e"], ["a b c", "x y z v"], **budget)
    assert not len(nothing) and any(re.search(says, notice) for notice in nothing.summary.notices)


@pytest.mark.parametrize(
    ("made_with", "cut_with", "says"),
    [
        ({"money": 5, "price": 0.12}, {"money": 5}, False),
        ({"money": 5, "price": 0.12}, {"money": 4.99, "price": 0.12}, False),
        ({"money": 5, "price": 0.12}, {"money": 5.5}, True),
        ({"money": 5, "price": 0.12}, {"money": 5, "price": 0.1}, True),
        ({"money": 5, "price": 0.12}, {"words": 42}, True),
        ({"words": 50, "per": "word"}, {"words": 49}, False),
        ({"words": 50, "per": "word"}, {"words": 51}, True),
        ({"share": 0.0065, "per": "word"}, {"words": 51}, False),
        ({"words": 50, "per": "word"}, {"share": 0.00655}, True),
    ],
)
def test_a_cut_says_that_a_ranking_is_short_only_where_more_lines_may_fit(
    made_with: dict[str, Any], cut_with: dict[str, Any], says: bool, tmp_path: Path
) -> None:
    jaded = cynical.select(WANTED, POOL, **made_with)
    jaded.write(tmp_path / "made.tsv")
    budget = Budget(**cut_with)
    made = cut(tmp_path / "made.tsv", tmp_path / "cut.tsv", budget, False, None, False)
    assert made.lines == len(jaded)
    assert any("the ranking ends after" in notice for notice in made.notices) == says
    again = cut(tmp_path / "cut.tsv", tmp_path / "again.tsv", budget, False, None, False)
    assert any("the ranking ends after" in notice for notice in again.notices) == says


def test_a_ranking_without_a_summary_is_cut_at_a_price_and_says_what_that_costs(tmp_path: Path) -> None:
    jaded = cynical.select(WANTED, MARKED, with_={"de": POOL}, lines=9)
    jaded.write(tmp_path / "bare.tsv")
    (tmp_path / "bare.tsv.json").unlink()
    units = sum(map(paid_words, jaded.texts[:4]))
    made = cut(tmp_path / "bare.tsv", tmp_path / "buy.txt", Budget(money=units / 2, price=0.5), False, None, False)
    assert made.lines == 4 and made.money is not None
    assert (made.money.units, made.money.spent) == (units, units / 2)
    assert any("only the column `text` is paid for" in notice for notice in made.notices)


def test_prices_may_be_any_kind_of_number() -> None:
    bought = cynical.select(["a b"], ["a", "b"], price=Decimal("0.1"), money=np.float32(0.1))  # type: ignore[arg-type]
    assert bought.words.sum() == 1


@pytest.mark.parametrize("per", UNITS)
@pytest.mark.parametrize("strategy", ["exact", "batch"])
def test_money_buys_the_longest_prefix_that_it_pays_for(per: PricePer, strategy: Strategy, tmp_path: Path) -> None:
    ranked: Per = "line" if per == "line" else "word"
    whole = cynical.select(WANTED, MARKED, all=True, per=ranked, strategy=strategy)
    units = [UNITS[per](text, int(words)) for text, words in zip(whole.texts, whole.words, strict=True)]
    costs = [Fraction("0.1") * unit for unit in units]
    whole.write(tmp_path / "whole.tsv")
    for money in (float(sum(costs[:7])), 0.05, float(sum(costs[:20])) + 0.05):
        bought = cynical.select(
            WANTED, MARKED, price=0.1, money=money, price_per=per, currency="EUR", strategy=strategy
        )
        kept = most_that_fits(costs, Fraction(repr(money)))
        assert bought.lines.tolist() == whole.lines[:kept].tolist()
        assert bought.summary["money"].to_dict() == {
            "price": 0.1,
            "per": per,
            "price_with": None,
            "currency": "EUR",
            "units": sum(units[:kept]),
            "budget": money,
            "spent": float(sum(costs[:kept])),
            "bits_per_unit": bought.summary["money"]["bits_per_unit"],
        }
        assert bought.stop == min(bought.stop, kept) and bought.summary["settings"]["price_per"] == per
        cut = cynical.cut(tmp_path / "whole.tsv", money=money, price=0.1, price_per=per)
        assert cut.lines.tolist() == bought.lines.tolist()
        assert (cut.summary["money"]["spent"], cut.summary["money"]["currency"]) == (float(sum(costs[:kept])), None)


def test_the_stopping_point_of_what_money_buys_is_that_of_its_picks() -> None:
    whole = cynical.select(WANTED, MARKED, all=True)
    for kept in (1, 3, len(whole) // 2):
        money = sum(paid_words(text) for text in whole.texts[:kept])
        bought = cynical.select(WANTED, MARKED, price=1, money=money, per="line")
        stop = bought.summary["stop"]
        lowest = int(np.argmin([whole.entropy_before, *whole.entropy[: len(bought)]]))
        assert (stop["lines"], bought.summary["search"]["ended_by"]) == (lowest, "budget")


def test_a_run_that_resumes_has_only_the_rest_of_the_money(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {"price": 0.1, "money": 90.0, "price_per": "character"}
    whole = cynical.select(WANTED, MARKED, **told)
    told |= {"checkpoint": tmp_path / "kept", "checkpoint_every": 1e-9}
    monkeypatch.setattr(search, "PICKS", 3)
    monkeypatch.setattr(checkpoint, "WAIT", 0)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(search, "_take_back", interrupt)
        cynical.select(WANTED, MARKED, **told)
    again = cynical.select(WANTED, MARKED, **told)
    assert again.lines.tolist() == whole.lines.tolist() and len(whole) > 6
    assert again.summary["money"] == whole.summary["money"]


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_both_sides_that_count_are_paid_for() -> None:
    other = [line.replace("1", "x ,") for line in MARKED]
    both = cynical.select(WANTED, MARKED, with_=other, representative_with=WANTED, price=0.1, money=3)
    texts = [*both.texts, *next(iter(both.sides.values()))]
    assert both.summary["money"]["units"] == sum(map(paid_words, texts)) <= 30
    one = cynical.select(WANTED, MARKED, with_=other, price=0.1, money=3)
    assert one.summary["money"]["units"] == sum(map(paid_words, one.texts)) <= 30
    assert one.cut(lines=2).summary["money"]["units"] == sum(map(paid_words, one.texts[:2]))
    pairs = cynical.select(WANTED, MARKED, with_=other, representative_with=WANTED, price=1, money=3, price_per="line")
    assert len(pairs) == 3


def test_a_cut_needs_a_price_and_takes_that_of_the_ranking(tmp_path: Path) -> None:
    plain, priced = cynical.select(WANTED, MARKED, lines=9), cynical.select(WANTED, MARKED, lines=9, price=2)
    with pytest.raises(cynical.CynicalError, match="money needs a price"):
        plain.cut(money=3)
    money = float(2 * sum(map(paid_words, priced.texts[:4])))
    assert len(priced.cut(money=money)) == 4
    cheap = cynical.cut(priced, money=money, price=1)
    assert len(cheap) > 4
    assert cheap.summary["cut"]["to"] == f"--money {money:g} --price 1 --price-per word"
    assert cheap.summary["signature"].endswith(f"|cut:money:{money:g}:price:1:price-per:word")


@given(st.text(alphabet="ab1\u0915\u0943.,_-' \t\n\u20ac\u4e2d\u3002", max_size=12))
def test_words_are_counted_as_agencies_do(text: str) -> None:
    assert count(text.encode(), "word") == paid_words(text)
    assert count(text.encode(), "character") == len(text)


@pytest.mark.parametrize("per", ["word", "line"])
def test_the_other_side_may_have_a_price_of_its_own(per: PricePer, tmp_path: Path) -> None:
    other = [line.replace("1", "x ,") for line in MARKED]
    told: dict[str, Any] = {"with_": {"de": other}, "representative_with": WANTED}
    whole = cynical.select(WANTED, MARKED, all=True, per="word", **told)
    pairs = zip(whole.texts, whole.sides["de"], strict=True)
    costs = [Fraction("0.1") * UNITS[per](a, 0) + Fraction("0.03") * UNITS[per](b, 0) for a, b in pairs]
    money = float(sum(costs[:9])) + 0.01
    priced: dict[str, Any] = {"price": 0.1, "price_with": 0.03, "price_per": per, "money": money}
    bought = cynical.select(WANTED, MARKED, per="word", **priced, **told)
    assert bought.lines.tolist() == whole.lines[: most_that_fits(costs, Fraction(repr(money)))].tolist()
    assert bought.summary["money"]["spent"] == float(sum(costs[: len(bought)])) <= money
    whole.write(tmp_path / "whole.tsv")
    assert cynical.cut(tmp_path / "whole.tsv", **priced).summary["money"]["spent"] == bought.summary["money"]["spent"]
    with pytest.warns(cynical.CynicalWarning, match="price_with has no effect, because only one side counts"):
        cynical.select(WANTED, MARKED, **priced)
