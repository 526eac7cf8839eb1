"""Tokenizers: what each makes of a text, what tells their counts apart, and the error message when one is not
available."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cynical
from cynical.errors import CynicalError
from cynical.text.corpus import Corpus, Part
from cynical.text.reader import Reader
from cynical.text.tokenizer import Tokenizer, options_to_read
from tests import oracle
from tests.conftest import Run
from tests.text.test_reader import texts

RAW = ["Don't panic, it's only a test.", "The cat (a tabby) sat; the dog ran!", "Über-Straße: 3,14 €", "", "a a a, b"]
WANTED = ["The cat ran.", "It's a test, isn't it?"]


def lines_read(raw: bytes, tokenizer: Tokenizer) -> list[list[bytes]]:
    """The tokens of each line, as the reader gives them."""
    reader, made = Reader(tokenizer), []
    for chunk in Corpus("text", [Part.in_memory("text", raw)]).chunks():
        words = reader.read(chunk)
        assert len(words.line_end) == len(words.line_start)
        made += [line.split() for line in words.text[: words.line_end[-1]].tobytes().split(b"\n")]
    return made


def sides(folder: Path) -> list[tuple[Path, Path]]:
    raw = [*folder.glob("*.txt"), *folder.glob("repr/*.txt")]
    pairs = [(path, path.with_suffix(".tok")) for path in raw]
    for path in folder.glob("parallel/*"):
        if ".tok." not in path.name:
            pairs.append((path, path.with_name(f"{path.stem}.tok{path.suffix}")))
    return pairs


@pytest.mark.slow
def test_words_of_raw_text_are_the_tokens_of_the_tokenized_text(corpora: Path) -> None:
    pairs = sides(corpora)
    assert len(pairs) > 20
    for raw, tokenized in pairs:
        found = lines_read(raw.read_bytes(), Tokenizer("words", lowercase=True))
        expected = lines_read(tokenized.read_bytes(), Tokenizer())  # which were made without UAX #29
        for line, made, plain in zip(raw.read_bytes().split(b"\n"), found, expected, strict=False):
            if made != plain:
                assert made == oracle.words_of(line, tokenizer="words", lowercase=True)
                assert {"mark", "format", "space"} & {oracle.kind_of(one) for one in line.decode().lower() if one > "~"}
        assert len(found) == len(expected)
        assert sum(made != plain for made, plain in zip(found, expected, strict=True)) < len(found) / 100, raw


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["words", "characters"])
def test_every_character_is_of_the_kind_that_python_says(tokenizer: str) -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1) if code != 10 and not 0xD800 <= code <= 0xDFFF]
    lines = [f"a{char}{char}b" for char in every]
    found = lines_read("\n".join(lines).encode(), Tokenizer(tokenizer))
    for line, tokens in zip(lines, found, strict=True):
        assert tokens == oracle.words_of(line.encode(), tokenizer=tokenizer)


@pytest.mark.slow
@given(
    st.lists(texts.map(lambda text: text.replace(b"\n", b" ")), max_size=6),
    st.sampled_from(["whitespace", "words", "characters"]),
    st.sampled_from([None, "nfc", "nfkc"]),
    st.booleans(),
    st.integers(1, 3),
)
@settings(max_examples=150)
def test_selecting_is_the_same_as_from_a_text_whose_tokens_are_apart(
    lines: list[bytes], tokenizer: str, normalize: str | None, lowercase: bool, ngrams: int
) -> None:
    how: dict[str, Any] = {"tokenizer": tokenizer, "normalize": normalize, "lowercase": lowercase}
    lines = [*lines, b"a b", b"\xef\xb7\xba" * 9, b" \xc4\xb0" * 9]
    apart = [b" ".join(oracle.words_of(line, **how)) for line in lines]
    raw = cynical.select(memory(lines), memory(lines), all=True, ngrams=ngrams, jobs=1, **how)
    cooked = cynical.select(memory(apart), memory(apart), all=True, ngrams=ngrams, jobs=1)
    assert raw.lines.tolist() == cooked.lines.tolist()
    assert raw.delta.tolist() == cooked.delta.tolist()
    assert raw.words.tolist() == cooked.words.tolist() == [len(apart[line].split()) for line in raw.lines]
    assert raw.content.texts(slice(None)) == [lines[line].removesuffix(b"\r") for line in raw.lines]


def memory(lines: list[bytes]) -> Corpus:
    return Corpus("lines", [Part.in_memory("lines", b"".join(line + b"\n" for line in lines))])


def many(line: str) -> list[str]:
    """Far more words than the line has bytes."""
    return [f"{line[0]}{i % 500}" for i in range(100 * len(line))]


@pytest.mark.parametrize("ngrams", [1, 2, 3])
def test_a_tokenizer_may_make_much_of_a_little_text(ngrams: int) -> None:
    lines = [chr(97 + i % 26) * (1 + i % 7) for i in range(60)]
    raw = cynical.select(lines, lines, all=True, tokenizer=f"python:{__name__}:many", ngrams=ngrams)
    cooked_lines = [" ".join(many(line)) for line in lines]
    cooked = cynical.select(cooked_lines, cooked_lines, all=True, ngrams=ngrams)
    assert raw.lines.tolist() == cooked.lines.tolist()
    assert raw.entropy.tolist() == cooked.entropy.tolist()


def test_a_side_that_only_goes_along_is_not_tokenized() -> None:
    def refuses(line: str) -> list[str]:
        if "zwei" in line:
            raise ValueError
        return line.split()

    globals()["refuses"] = refuses
    jaded = cynical.select(["a"], ["a", "b"], with_=["eins", "zwei"], all=True, tokenizer=f"python:{__name__}:refuses")
    assert jaded.sides["side2"] == ["eins", "zwei"]


def test_signatures_of_before_are_what_they_were() -> None:
    assert Tokenizer().signature == "tok:whitespace|lower:no"
    assert Tokenizer("whitespace", True, 2).signature == "tok:whitespace|lower:yes|ngrams:2"
    assert Tokenizer("words", True, 2, "nfkc").signature == "tok:words|lower:yes|norm:nfkc|ngrams:2"


@pytest.mark.parametrize(
    ("made", "remedy"),
    [
        ({"tokenizer": "words"}, 'give tokenizer="words", or'),
        ({"lowercase": True}, "give lowercase, or"),
        ({"normalize": "nfc"}, 'give normalize="nfc", or'),
        ({"ngrams": 2}, "give ngrams=2, or"),
        ({"tokenizer": "words", "lowercase": True}, 'give tokenizer="words" and give lowercase, or'),
    ],
)
def test_counts_of_another_tokenizer_are_told_with_the_option_to_change(made: dict[str, Any], remedy: str) -> None:
    with pytest.raises(CynicalError, match=remedy):
        cynical.select(cynical.count(RAW, **made), RAW)
    with pytest.raises(CynicalError, match=r"omit .*|give tokenizer=.whitespace.|give ngrams=1"):
        cynical.select(cynical.count(RAW), RAW, **made)
    assert len(cynical.select(cynical.count(RAW, **made), RAW, all=True, **made))


def test_counts_with_a_strange_signature_raise_an_error_too() -> None:
    with pytest.raises(CynicalError, match="use the same options for both, or count again"):
        cynical.select(cynical.Counts.from_pairs([(b"a", 1)], "any"), RAW)


def test_settings_and_summary_name_the_tokenizer() -> None:
    summary = cynical.select(WANTED, RAW, tokenizer="words", normalize="nfc", all=True).summary
    assert summary["text_signature"] == "tok:words|lower:no|norm:nfc"
    assert (summary["settings"]["tokenizer"], summary["settings"]["normalize"]) == ("words", "nfc")


@pytest.mark.slow
def test_every_command_that_reads_text_takes_a_tokenizer(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "pool.txt").write_text("\n".join(RAW))
    (tmp_path / "task.txt").write_text("\n".join(WANTED))
    how = ("--tokenizer", "words", "--normalize", "nfc", "--lowercase")
    done = [
        cynical("count", "task.txt", "-o", "task.counts", *how),
        cynical("words", "-r", "task.txt", "-u", "pool.txt", "-o", "words.tsv", *how),
        cynical("select", "-r", "task.counts", "-a", "pool.txt", "--all", "-o", "jaded.tsv", *how),
    ]
    assert [one.returncode for one in done] == [0, 0, 0], [one.stderr for one in done]
    hint = "next: cynical select -r task.counts -a pool.txt --tokenizer words --lowercase --normalize nfc -o jaded.tsv"
    assert hint in done[0].stderr
    assert "# signature: tok:words|lower:yes|norm:nfc\n" in (tmp_path / "task.counts").read_text()
    assert ".\tuseful" in (tmp_path / "words.tsv").read_text() or ".\tdubious" in (tmp_path / "words.tsv").read_text()
    assert {row.split("\t")[8] for row in (tmp_path / "jaded.tsv").read_text().splitlines()[1:]} == {*RAW} - {""}
    assert json.loads((tmp_path / "jaded.tsv.json").read_text())["settings"]["tokenizer"] == "words"


def test_a_hint_names_the_model_of_a_tokenizer_if_that_is_known() -> None:
    made = "tok:spm:41b3da9b7a8d|lower:no|ngrams:2"
    assert options_to_read(made, "spm:my model") == ["--tokenizer 'spm:my model'", "--ngrams 2"]
    assert options_to_read(made, "whitespace") == ["--tokenizer spm:FILE", "--ngrams 2"]
    assert options_to_read("tok:whitespace|lower:no", "whitespace") == []


def test_a_normal_form_that_does_not_exist_is_told() -> None:
    with pytest.raises(CynicalError, match='normalize="nfd": unknown value; choose from nfc, nfkc'):
        cynical.count(["a"], normalize="nfd")  # type: ignore[arg-type]
