"""Budgets in money."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import cynical
from cynical.jaded.cut import cut
from cynical.options import Budget
from tests.against_oracle import zipfian

WANTED, POOL = zipfian(60, 1), zipfian(700, 2)


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


def test_prices_may_be_any_kind_of_number() -> None:
    bought = cynical.select(["a b"], ["a", "b"], price=Decimal("0.1"), money=np.float32(0.1))  # type: ignore[arg-type]
    assert bought.words.sum() == 1
