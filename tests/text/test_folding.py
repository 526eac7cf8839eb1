"""Texts of several lines: read as one unit, given back exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import cynical
from cynical.text.corpus import Corpus
from cynical.text.folding import fold, fold_all, fold_bytes, unfold, unfold_bytes
from cynical.text.reader import Reader
from cynical.text.tokenizer import Tokenizer
from tests.conftest import Run

CODE = "def f(x):\n    return x\n"
ODD = ["a\r", "a\r\nb", "\x0b", "\x0c\x0b\n\x0c", "a\n\nb\n", "", "\ufeffa", "\\n", "tab\there", "a \u2028 b\x85"]
characters = st.text(st.sampled_from("ab \n\r\t\x0b\x0c\\\x00\u2028\u00e9\ufeff"), max_size=12)


@given(characters)
@example("\x0c\t")
def test_a_text_is_folded_to_a_line_and_back(text: str) -> None:
    line = fold(text)
    assert "\n" not in line
    assert "\r" not in line
    assert unfold(line) == text
    assert unfold_bytes(line.encode()) == text.encode()
    assert line.split() == text.split()


@given(st.lists(characters, max_size=6))
def test_texts_are_lines_that_know_whether_they_are_folded(texts: list[str]) -> None:
    lines, folded = fold_all(texts)
    assert [unfold(line) for line in lines.decode().split("\n")[:-1]] == texts
    assert folded == (lines.decode() != "".join(f"{text}\n" for text in texts))
    assert fold_bytes(text.encode() for text in texts) == (lines, folded)


def sources(texts: list[str], folder: Path) -> dict[str, Callable[[], Any]]:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"text": texts})
    parquet.write_table(table, folder / "a.parquet")
    (folder / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return {
        "list": lambda: texts,
        "iterator": lambda: iter(texts),
        "array": lambda: pyarrow.array(texts),
        "table": lambda: table,
        "pandas": lambda: pandas.DataFrame({"text": texts}),
        "series": lambda: pandas.Series(texts),
        "jsonl": lambda: folder / "a.jsonl",
        "parquet": lambda: folder / "a.parquet",
    }


@pytest.mark.parametrize("source", ["list", "iterator", "array", "table", "pandas", "series", "jsonl", "parquet"])
def test_texts_come_back_and_are_written_as_they_were_given(source: str, tmp_path: Path) -> None:
    texts = [CODE, *ODD, "return x"]
    jaded = cynical.select([CODE], sources(texts, tmp_path)[source](), lines=100)
    given = [texts[line] for line in jaded.lines]
    assert CODE in given
    assert {text for text in texts if text.split()} == set(given)
    assert jaded.texts == given
    assert jaded.to_pandas()["text"].tolist() == given
    for name in ("out.tsv", "out.jsonl"):
        jaded.write(tmp_path / name)
        assert cynical.read(tmp_path / name).texts == given
    jaded.write(tmp_path / "out.parquet")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(tmp_path / "out.parquet")["text"].to_pylist() == given


def test_a_ranking_of_strings_resumes_by_its_texts(tmp_path: Path) -> None:
    pool = ["a\nb", "a b c\r", "c\x0bd", "a\\nb"]
    first = cynical.select(["a b c d"], pool, lines=2)
    first.write(tmp_path / "first.tsv")
    for seed in (first, tmp_path / "first.tsv"):
        second = cynical.select(["a b c d"], pool, lines=2, seed=seed)
        assert sorted([*first.lines, *second.lines]) == [0, 1, 2, 3]


def test_as_text_a_pick_is_one_line_and_a_notice_says_so(tmp_path: Path) -> None:
    jaded = cynical.select([CODE], [CODE, "return"], lines=2)
    with pytest.warns(cynical.CynicalWarning, match=r"1 of 2 texts ha[sd] several lines.*\.jsonl"):
        jaded.write(tmp_path / "out.txt")
    assert sorted((tmp_path / "out.txt").read_text().splitlines()) == ["def f(x):     return x ", "return"]


def test_the_notice_of_a_text_file_is_shown_on_the_command_line(tmp_path: Path, cynical: Run) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": CODE}) + "\n")
    done = cynical("select", "-r", "a.jsonl", "-a", "a.jsonl", "--lines", "1", "-o", "out.txt")
    assert (done.returncode, done.stderr.count("notice: 1 of 1 text has several lines")) == (0, 1)
    cynical("select", "-r", "a.jsonl", "-a", "a.jsonl", "--lines", "1", "-o", "out.tsv")
    done = cynical("cut", "out.tsv", "--lines", "1", "-o", "cut.txt")
    assert (done.returncode, done.stderr.count("notice: 1 of 1 text has several lines")) == (0, 1)


def characters_and_breaks(text: str) -> list[str]:
    """A tokenizer that sees line breaks."""
    return [repr(character).strip("'") for character in text if character != " "]


@given(st.lists(characters, min_size=1, max_size=5), st.booleans(), st.sampled_from([None, "nfkc"]))
@settings(max_examples=50)
def test_a_tokenizer_sees_texts_as_they_were_given(texts: list[str], lowercase: bool, normalize: Any) -> None:
    name = f"python:{__name__}:characters_and_breaks"
    reader = Reader(Tokenizer(name, lowercase, normalize=normalize))
    (chunk,) = Corpus.in_memory("texts", [text.encode() for text in texts]).chunks()
    words = reader.read(chunk)
    made = [line.split() for line in words.text[: words.line_end[-1]].tobytes().decode().split("\n")]
    blank = {*"\t\n\x0b\x0c\r \x85\u2028"}
    assert made == [[] if {*text} <= blank else characters_and_breaks(text) for text in texts]


def test_tokens_of_a_library_are_those_of_the_text_as_it_is(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="no tokenizers; pip install 'cynical[hf]'")
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet())
    model.train_from_iterator([CODE], trainer)
    model.save(str(tmp_path / "tokenizer.json"))
    texts = [CODE, "x\n\n\n\ny\r\n", "  return x\n\t\tx"]
    true = sum(len(model.encode(text).ids) for text in texts)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    for source in (texts, tmp_path / "a.jsonl"):
        assert cynical.count(source, tokenizer=f"hf:{tmp_path / 'tokenizer.json'}").total == true
