"""Texts counted over the n-grams that another text has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cynical.errors import CynicalError
from cynical.model.count import count_words
from cynical.model.counts import Counts, union
from cynical.model.known import count_over
from cynical.progress import Progress
from cynical.text.corpus import Corpus
from cynical.text.tokenizer import Tokenizer

words = st.lists(st.sampled_from(["a", "b", "c", "longer-than-eight", "\u00e9"]), max_size=6).map(" ".join)
texts = st.lists(words, min_size=1, max_size=8)


def corpus_of(lines: list[str]) -> Corpus:
    return Corpus.in_memory("text", [line.encode() for line in lines])


def whole(lines: list[str], ngrams: int) -> Counts:
    return count_words(corpus_of(lines), Tokenizer(ngrams=ngrams), 2, Progress(), "text", may_be_empty=True)


def over(known: Counts, lines: list[str]) -> Counts:
    return count_over(known, corpus_of(lines), Tokenizer(ngrams=known.ngrams), 2, Progress(), "text", may_be_empty=True)


@given(texts, texts, texts, st.integers(1, 3))
def test_what_is_known_is_counted_as_if_all_was(wanted: list[str], a: list[str], b: list[str], ngrams: int) -> None:
    known = whole(wanted, ngrams)
    for complete, some in (
        (whole(a, ngrams), over(known, a)),
        (union([whole(a, ngrams), whole(b, ngrams)]), union([over(known, a), over(known, b)])),
    ):
        assert known.aligned(some).tolist() == known.aligned(complete).tolist()
        assert (some.totals, some.lines, some.signature) == (complete.totals, complete.lines, complete.signature)
        assert (some.words, some.count.tolist()) == (complete.words, complete.count.tolist())
        sizes = zip(some.sizes[1:], complete.sizes[1:], strict=True)
        assert all(kept <= all_of_them for kept, all_of_them in sizes)


def test_n_grams_that_are_not_known_are_known_by_their_number() -> None:
    known = whole(["a b c"], 2)
    counted = over(known, ["a b x", "", "x b c c"])
    assert counted["a b"] == 1
    assert counted["b c"] == 1
    assert counted.sizes[1] == 4  # and the first and the last of a line: a, c
    assert counted.totals == (7, 9)
    assert counted.others == (0, 5)


def test_a_text_without_words_is_an_error() -> None:
    known = whole(["a b"], 2)
    with pytest.raises(CynicalError, match="no word"):
        count_over(known, corpus_of([""]), Tokenizer(ngrams=2), 1, Progress(), "UNADAPTED")
