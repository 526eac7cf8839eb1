"""Lines of one text inside those of another, beside a look at every place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import cynical
from cynical._kernels.sequences import UNKNOWN
from cynical.model.overlap import RUN, WINDOW, Inside, Runs, inside_longer, same_words
from cynical.model.sequences import Sequences
from cynical.progress import Progress
from cynical.selection import excluded
from cynical.selection.excluded import Excluded, leave_excluded_out
from cynical.selection.shards import of_shard
from cynical.text import places
from cynical.text.corpus import Corpus
from cynical.text.places import find_lines
from cynical.text.tokenizer import Tokenizer

lines_of_ids = st.lists(st.lists(st.integers(0, 2), max_size=24), max_size=8)


def sequences(lines: list[list[int]]) -> Sequences:
    return Sequences.of(
        np.array([one for line in lines for one in line], np.uint32), np.array([len(line) for line in lines], np.int64)
    )


def is_inside(line: list[int], longer: list[int]) -> bool:
    places = range(len(longer) - len(line) + 1)
    return len(line) < len(longer) and any(longer[at : at + len(line)] == line for at in places)


@given(lines=lines_of_ids, text=lines_of_ids, cut=st.integers(0, 8))
def test_lines_inside_longer_ones_are_found(lines: list[list[int]], text: list[list[int]], cut: int) -> None:
    lines = [*lines, *(line[1:-1] for line in text)]
    inside = Inside.of(sequences(lines))
    for piece in (text[:cut], text[cut:]):
        inside.look(sequences(piece))
    expected = [len(line) >= WINDOW and any(is_inside(line, one) for one in text) for line in lines]
    assert inside.found.tolist() == inside_longer(sequences(lines), sequences(text)).tolist() == expected


@given(lines=lines_of_ids)
def test_lines_are_compared_word_by_word(lines: list[list[int]]) -> None:
    others = lines[1:] + lines[:1]
    expected = [line == other for line, other in zip(lines, others, strict=True)]
    assert same_words(sequences(lines), sequences(others)).tolist() == expected


def runs_in(lines: list[list[int]], length: int) -> set[tuple[int, ...]]:
    """Slow and obvious: every run of this many words."""
    return {tuple(line[at : at + length]) for line in lines for at in range(len(line) - length + 1)}


@given(lines=lines_of_ids, text=lines_of_ids, length=st.integers(1, 6))
def test_runs_that_are_shared_are_found_on_both_sides(
    lines: list[list[int]], text: list[list[int]], length: int
) -> None:
    """Beside sets of tuples, where one word of the text is unknown; slots are few, so that many runs want the same."""
    text = [[UNKNOWN if word == 2 else word for word in line] for line in text]
    runs = Runs.of(sequences(lines), length)
    there, shared = runs.in_lines(sequences(text)), runs.shared_with(sequences(text))
    assert runs.number == len(runs_in(lines, length))
    assert there.tolist() == [bool(runs_in([line], length) & runs_in(lines, length)) for line in text]
    assert shared.tolist() == [bool(runs_in([line], length) & runs_in(text, length)) for line in lines]


TEST = ["one two three four five six seven eight nine", "a b c"]
POOL = ["zero one two three four five six seven eight nine ten", "a b c d e f g", "one five nine", TEST[0]]


def test_evaluate_compare_and_select_look_inside_documents() -> None:
    made = cynical.select(TEST, POOL, all=True, exclude=TEST)
    said = (
        "1 of the 2 lines of 2 strings is contained in longer lines that were picked: --exclude compares whole lines; "
    )
    assert made.summary.notices[-1].startswith(said) and made.summary.skipped["excluded"] == 1
    assert "inside" not in " ".join(cynical.select(TEST, POOL[1:], all=True, exclude=TEST).summary.notices)
    evaluated = cynical.evaluate(cynical.select(TEST, POOL[:3], all=True), TEST)
    assert any(
        ("1 of the 2 lines of 2 strings is contained in longer lines of") in notice for notice in evaluated.notices
    )
    compared = cynical.compare(TEST * 3, POOL, held_out=TEST, methods=["random"], shares=[1.0], exclude=TEST)
    assert any("contained in longer lines of 4 strings" in notice for notice in compared.notices)
    without = cynical.compare(
        TEST * 3, POOL, held_out=TEST, methods=["random"], shares=[1.0], exclude=TEST, exclude_ngrams=9, lists=[POOL]
    )
    assert not any("held out" in notice for notice in without.notices)
    assert "4 strings: 2 lines were excluded because of --exclude" in without.notices


def test_compare_says_once_which_runs_of_words_exclude_short_lines() -> None:
    options: dict[str, Any] = {"held_out": TEST, "methods": ["cynical", "random"], "shares": [1.0], "exclude": TEST}
    compared = cynical.compare(TEST * 3, POOL, exclude_ngrams=RUN, **options)
    (notice,) = [notice for notice in compared.notices if "contained in longer lines" in notice]
    assert notice.endswith(
        f"it has fewer words than --exclude-ngrams {RUN}; --exclude-ngrams 9 excludes lines that contain it"
    )
    compared = cynical.compare(TEST * 3, POOL, exclude_ngrams=9, **options)
    assert not any("contained in longer lines" in notice for notice in compared.notices)


def test_evaluate_and_compare_look_for_runs_of_words() -> None:
    words = [f"w{number}" for number in range(RUN + 2)]
    test, pool = [" ".join([*words, "end"]), "a b"], [" ".join(["begin", *words[2:], "other"]), "b a"]
    said = f"1 of the 2 lines of 2 strings shares {RUN} consecutive words with lines of "
    evaluated = cynical.evaluate(cynical.select(test, pool, all=True), test)
    assert any(said in notice and f"--exclude-ngrams {RUN}" in notice for notice in evaluated.notices)
    options: dict[str, Any] = {"held_out": test, "methods": ["random"], "shares": [1.0], "exclude": test}
    assert any(said in notice for notice in cynical.compare(test, pool, **options).notices)
    options["exclude_ngrams"] = RUN
    assert not any(said in notice for notice in cynical.compare(test, pool, **options).notices)


class FewShards:
    """Lines in some shards, whose hashes are these; a new worker takes over between questions."""

    def __init__(self, lines: list[list[str]], hashed: Callable[[list[str]], NDArray[np.uint64]]) -> None:
        self.first, self.shards = list(range(len(lines))), []
        for texts in lines:
            index, how = mock.Mock(source=hashed(texts)), mock.Mock(tokenizer=Tokenizer(), jobs=1)
            index.places = (find_lines(corpus(texts), 1, Progress(), "AVAILABLE"),)
            self.shards.append(mock.Mock(index=index, how=how, left_out={}, maybe_excluded=None))

    def ask(self, question: Callable[..., Any], *arguments: object) -> list[Any]:
        self.shards[0].maybe_excluded = None
        return [question(shard, *of_shard(arguments, number)) for number, shard in enumerate(self.shards)]

    tell = ask


def corpus(texts: list[str]) -> Corpus:
    return Corpus.in_memory("texts", [text.encode() for text in texts])


@given(
    lines=st.lists(
        st.lists(st.sampled_from(["a b", "a  b", " b a", "c", "", "a b c"]), max_size=9), min_size=1, max_size=3
    ),
    exclude=st.lists(st.sampled_from(["a b", "a\tb", "b a", "d", "c "]), min_size=1, max_size=9),
    different=st.integers(1, 4),
)
@settings(max_examples=40)
def test_what_is_excluded_is_compared_by_its_words_and_not_by_hashes_alone(
    lines: list[list[str]], exclude: list[str], different: int
) -> None:
    """Where only this many hashes are different, and lines are compared a few at a time."""

    def hashed(texts: list[str]) -> NDArray[np.uint64]:
        return np.array([1 + hash(tuple(text.split())) % different if text.split() else 0 for text in texts], np.uint64)

    available: Any = FewShards(lines, hashed)
    with mock.patch.multiple(places, BATCH=3, BATCH_BYTES=6):
        leave_excluded_out(available, Excluded(hashed(exclude), corpus(exclude)), 1)
    known = [text.split() for text in exclude]
    for shard, texts in zip(available.shards, lines, strict=True):
        found = shard.left_out["excluded"].tolist()
        assert found == [bool(text.split()) and text.split() in known for text in texts]


def test_a_large_text_is_looked_for_in_part_and_picks_some_at_a_time() -> None:
    with mock.patch.multiple(places, BATCH=1), mock.patch.object(excluded, "MOST_WORDS", 5):
        made = cynical.select(TEST, POOL, all=True, exclude=[*TEST, " ".join(f"x{n}" for n in range(9))])
    assert made.summary.notices[-1].startswith("1 of the first 1 line of 3 strings is contained in longer lines")


def test_what_shares_a_run_of_words_is_left_out_inside_documents_too(tmp_path: Path) -> None:
    pool = [{"text": "zero\none two\nthree four"}, {"text": "one two"}, {"text": "three four five"}, {"text": "a b"}]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pool))
    (tmp_path / "test.txt").write_text("one two three\nfour five six\na b c d\nb a\n")
    options: dict[str, Any] = {"text_key": "text", "exclude": tmp_path / "test.txt", "all": True}
    made = cynical.select(["one two a b"], tmp_path / "pool.jsonl", exclude_ngrams=3, **options)
    assert sorted(made.lines.tolist()) == [1, 2, 3] and made.summary.skipped["contaminated"] == 1
    assert made.summary.settings["exclude_ngrams"] == 3 and "|exclude-ngrams:3|" in str(made.summary.signature)
    with pytest.raises(cynical.CynicalError, match="no eligible line is left: 4 contaminated"):
        cynical.select(["one two a b"], tmp_path / "pool.jsonl", exclude_ngrams=2, **options)


def test_a_run_longer_than_every_line_and_one_without_a_text_are_explained() -> None:
    made = cynical.select(TEST, POOL, all=True, exclude=["a b c d e f g", "a b"], exclude_ngrams=10**18)
    said = "no line of 2 strings has that many words (the longest has 7), so only whole lines were compared"
    assert any(notice.endswith(said) for notice in made.summary.notices) and made.summary.skipped["excluded"] == 1
    with pytest.raises(cynical.CynicalError, match="exclude_ngrams needs a text to compare with"):
        cynical.select(TEST, POOL, exclude_ngrams=13)
    with pytest.raises(cynical.CynicalError, match="exclude_ngrams must be a whole number of at least 1, found 0"):
        cynical.select(TEST, POOL, exclude=TEST, exclude_ngrams=0)


def test_a_budget_larger_than_the_pool_and_a_toy_without_picks_are_explained() -> None:
    made = cynical.select(TEST, POOL, words=10**6)
    said = "--words 1000000 is more than AVAILABLE has: all 4 eligible lines were ranked"
    assert said in made.summary.notices
    for budget in ({"words": 10}, {"lines": len(POOL)}, {"words": sum(len(line.split()) for line in POOL)}):
        assert "more than" not in " ".join(cynical.select(TEST, POOL, **budget).summary.notices)  # type: ignore[arg-type]
    toy = cynical.select(["a b"], ["a x y z u v w"])
    assert len(toy) == 0 and "its 2 words may be too few" in " ".join(toy.summary.notices)
