"""The hint for text whose punctuation is attached to words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.untokenized import attached, hint
from tests.conftest import Run
from tests.text.test_tokenizers import sides

RAW = ["Don't panic, it's only a test.", "The cat (a tabby) sat; the dog ran!", "Über-Straße: 3,14 €", "", "a a a, b"]


@pytest.mark.slow
def test_the_hint_is_for_raw_text_and_not_for_tokenized_text(corpora: Path) -> None:
    for raw, tokenized in sides(corpora):
        assert "--tokenizer words splits punctuation off" in hint("REPRESENTATIVE", [cynical.count(raw)])[0], raw
        assert hint("REPRESENTATIVE", [cynical.count(tokenized)]) == [], tokenized
        assert hint("REPRESENTATIVE", [cynical.count(raw, tokenizer="words")]) == [], raw


@pytest.mark.slow
def test_text_with_punctuation_attached_earns_a_hint_once(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "pool.txt").write_text("\n".join(RAW * 9))
    apart = ["count", "pool.txt", "-o", "pool.counts", "--overwrite", "--tokenizer", "words"]
    assert "notice" not in cynical(*apart).stderr
    assert cynical(*apart[:-2]).stderr.count("--tokenizer words splits punctuation off") == 1
    said = cynical("select", "-r", "pool.counts", "-a", "pool.txt", "-o", "jaded.tsv").stderr
    assert said.count("of the words of REPRESENTATIVE end in punctuation, so") == 1
    assert said.startswith("notice: 33 % of")


@given(st.lists(st.tuples(st.text('aé.,!»”。"1-', min_size=1, max_size=4), st.integers(1, 9)), min_size=1, max_size=9))
def test_the_share_of_attached_punctuation_is_what_a_regular_expression_finds(pairs: list[tuple[str, int]]) -> None:
    words = Counter(dict(pairs))
    counts = cynical.Counts.from_pairs([(word.encode(), n) for word, n in words.items()], "tok:whitespace|lower:no")
    expected = sum(n for word, n in words.items() if re.search(r"[aé1][.,!»”。\"]{1,3}$", word))
    assert attached(counts) == pytest.approx(expected / words.total())
