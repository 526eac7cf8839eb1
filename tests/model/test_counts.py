"""Counts and their file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.model.counts import Counts
from cynical.text.escapes import unescape

SIGNATURE = "tok:whitespace|lower:no"


@given(st.dictionaries(st.binary(min_size=1, max_size=6), st.integers(1, 9), min_size=1), st.integers(0, 5))
def test_any_words_survive_the_file(words: dict[bytes, int], other: int) -> None:
    counts = Counts.from_pairs(list(words.items()), SIGNATURE, lines=3, other=other)
    raw = counts.to_bytes()
    from cynical.model.counts_file import parse

    again = parse(raw, "memory")
    assert dict(zip(again.words, again.count.tolist(), strict=True)) == words
    assert (again.total, again.lines, again.other) == (counts.total, 3, other)
    raw.decode()
    rows = [row for row in raw.split(b"\n")[:-1] if b"\t" in row]
    assert len(rows) == len(words)
    order = [(-int(row.split(b"\t")[1]), unescape(row.split(b"\t")[0])) for row in rows]
    assert order == sorted(order)


def test_folding_keeps_the_total_but_not_the_words(tmp_path: Path) -> None:
    counts = cynical.count(["a a a b b c", "a d"])
    folded = counts.folded(2)
    assert folded.words == [b"a", b"b"]
    assert (folded.total, folded.other, folded.lines) == (8, 2, 2)
    folded.write(tmp_path / "x.counts")
    assert "\n# other: 2\n" in (tmp_path / "x.counts").read_text()
    jaded = cynical.select(str(tmp_path / "x.counts"), ["a", "b c", "c d"], all=True)
    assert jaded.entropy_before + sum(jaded.delta) == pytest.approx(jaded.entropy[-1], abs=1e-12)
    plain = cynical.select(["a a a b b c", "a d"], ["a", "b c", "c d"], all=True)
    assert jaded.gain[0] == plain.gain[0]


def test_counts_of_a_text_select_what_the_text_selects(tmp_path: Path) -> None:
    wanted, pool = ["a b c", "a b", "x"], ["a c", "b", "a b c d", "d e", "x y"]
    cynical.count(wanted).write(tmp_path / "wanted.counts")
    by_text = cynical.select(wanted, pool, all=True, seed=["a"])
    by_counts = cynical.select(str(tmp_path / "wanted.counts"), pool, all=True, seed=cynical.count(["a"]))
    assert by_counts.lines.tolist() == by_text.lines.tolist()
    assert by_counts.delta.tolist() == by_text.delta.tolist()


def test_another_signature_is_an_error_that_says_so() -> None:
    counts = cynical.count(["A b"], lowercase=True)
    with pytest.raises(cynical.CynicalError, match=r"made with tok:whitespace\|lower:yes, but .*lower:no"):
        cynical.select(counts, ["a b"])
    assert cynical.select(counts, ["A B"], lowercase=True, lines=1).lines.tolist() == [0]


GOOD = Counts.from_pairs([(b"a", 3), (b"b", 1)], SIGNATURE, lines=2).to_bytes()


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"", "line 1"),
        (b"the\t3\n", "line 1: expected '# cynical counts 1', found 'the"),
        (GOOD.replace(b"# cynical counts 1", b"# cynical counts 2"), "line 1"),
        (GOOD[:-1], "is incomplete"),
        (GOOD[: GOOD.rindex(b"b\t")], "1 words of 3 tokens, but the header says 2 of 4"),
        (GOOD.replace(b"a\t3", b"a\t2"), "the header says 2 of 4"),
        (GOOD.replace(b"a\t3", b"a 3"), "line 8: expected a word, a tab and its count, found 'a 3'"),
        (GOOD.replace(b"a\t3", b"a\t-3"), "line 8"),
        (GOOD.replace(b"a\t3", b"\\q\t3"), "line 8: an unknown escape"),
        (GOOD.replace(b"a\t3", b"b\t3"), "a word is listed twice"),
        (GOOD.replace(b"# other: 0\n", b""), "lacks 'other'"),
        (GOOD.replace(b"# lines: 2", b"# lines: two"), "not a valid number"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, raw: bytes, what: str) -> None:
    path = tmp_path / "x.counts"
    path.write_bytes(raw)
    with pytest.raises(cynical.CynicalError, match=re.escape(what)) as caught:
        cynical.select(str(path), ["a"])
    assert str(path) in str(caught.value)
    assert "cynical count" in str(caught.value)


def test_counts_that_could_not_be_added_up_raise_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.counts"
    path.write_bytes(GOOD.replace(b"a\t3", b"a\t%d" % 2**61).replace(b"# words: 4", b"# words: %d" % (2**61 + 1)))
    with pytest.raises(cynical.CynicalError, match="a total in the header is not a valid number"):
        cynical.select(["a"], ["a", "b"], seed=[path, path])
    largest = 2**53 - 1
    path.write_bytes(GOOD.replace(b"a\t3", b"a\t%d" % (largest - 1)).replace(b"# words: 4", b"# words: %d" % largest))
    assert cynical.select(["a"], ["a", "b"], seed=[path, path], all=True).summary["seed"]["words"] == 2 * largest
