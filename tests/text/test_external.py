"""Tokenizers of others: SentencePiece, Hugging Face, functions of one's own."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cynical
from cynical.errors import CynicalError
from cynical.text.corpus import Corpus, Part
from cynical.text.external import MARK, open_splitter
from cynical.text.reader import Reader
from cynical.text.tokenizer import Tokenizer
from tests.conftest import Run

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


@pytest.fixture(scope="module")
def sentencepiece_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sentencepiece = pytest.importorskip("sentencepiece", reason="no sentencepiece; pip install 'cynical[spm]'")
    path, model = tmp_path_factory.mktemp("spm") / "tiny.model", io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*RAW, *WANTED] * 20),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    path.write_bytes(model.getvalue())
    return path


class Fast:
    """As transformers has it."""

    def __init__(self, backend_tokenizer: object) -> None:
        self.backend_tokenizer = backend_tokenizer

    def __call__(self, text: str) -> dict[str, list[int]]:
        raise NotImplementedError


class Slow:
    def tokenize(self, text: str) -> list[str]:
        return text.split("a")


def halves(line: str) -> list[str]:
    return [half for half in (line[: len(line) // 2].strip(), line[len(line) // 2 :].strip()) if " " not in half]


def test_a_tokenizer_of_a_library_may_be_an_object(sentencepiece_model: Path, hugging_face_model: Path) -> None:
    sentencepiece, tokenizers = pytest.importorskip("sentencepiece"), pytest.importorskip("tokenizers")
    by_name = cynical.count(RAW, tokenizer=f"spm:{sentencepiece_model}")
    model = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_model))
    assert cynical.count(RAW, tokenizer=model).to_bytes() == by_name.to_bytes()
    by_name = cynical.count(RAW, tokenizer=f"hf:{hugging_face_model}")
    model = tokenizers.Tokenizer.from_file(str(hugging_face_model))
    before = model.to_str()
    for one in (model, Fast(model)):
        counts = cynical.count(RAW, tokenizer=one)
        assert replace(counts, signature=by_name.signature).to_bytes() == by_name.to_bytes()
        assert counts.signature.startswith("tok:hf:")
    assert model.to_str() == before
    jaded = cynical.select(WANTED, RAW, tokenizer=model, lines=2)
    assert (
        jaded.lines.tolist()
        == cynical.select(WANTED, RAW, tokenizer=f"hf:{hugging_face_model}", lines=2).lines.tolist()
    )
    assert jaded.summary.settings["tokenizer"] == "object:tokenizers.Tokenizer"


def test_a_tokenizer_may_be_any_function() -> None:
    by_name = cynical.count(RAW, tokenizer=f"python:{__name__}:halves")
    assert cynical.count(RAW, tokenizer=halves).to_bytes() == by_name.to_bytes()
    assert cynical.count(["banana"], tokenizer=Slow()).total == 3
    assert cynical.count(["a b"], tokenizer=str.split).total == 2
    one, two = (cynical.count(["a-b"], tokenizer=lambda line, by=by: line.split(by)) for by in "-b")
    assert (one.total, two.total) == (2, 1)
    lower = cynical.count(["a b"], tokenizer=lambda line: line.split())
    upper = cynical.count(["a b"], tokenizer=lambda line: line.upper().split())
    assert lower.signature != upper.signature
    with pytest.raises(CynicalError, match="tokenizer is a int; give a name"):
        cynical.count(["a"], tokenizer=3)
    with pytest.raises(CynicalError, match="an object of another Python program"):
        cynical.count(["a"], tokenizer="object:other.thing")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("hf:gpt2", r"hf:gpt2.: no such file; .*from_pretrained\('gpt2'\).*hf:tokenizer.json"),
        ("hf:tests", r"is a folder; give hf:tests/tokenizer.json"),
        ("hf:none.json", r"none\.json.: no such file"),
        ("tokenizer.json", "a Hugging Face tokenizer is hf:tokenizer.json"),
        ("spm.model", "a SentencePiece model is spm:spm.model"),
        ("my:function", "a function of a module is python:my:function"),
        ("word", "unknown tokenizer; choose from"),
    ],
)
def test_a_name_that_is_nearly_right_gets_the_message_that_helps(
    name: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(CynicalError, match=says):
        Tokenizer(name)


@pytest.fixture(scope="module")
def hugging_face_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that cuts, pads, adds marks and omits merges at random, as for training."""
    tokenizers = pytest.importorskip("tokenizers", reason="no tokenizers; pip install 'cynical[hf]'")
    model = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]", dropout=0.5))
    model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=120, special_tokens=["[UNK]", "[CLS]"], show_progress=False)
    model.train_from_iterator([*RAW, *WANTED] * 20, trainer)
    model.add_tokens(["New York"])
    model.post_processor = tokenizers.processors.TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    model.enable_truncation(3)
    model.enable_padding()
    path: Path = tmp_path_factory.mktemp("hf") / "tokenizer.json"
    path.write_text(model.to_str())
    return path


def test_sentencepiece_pieces_are_those_of_the_library(sentencepiece_model: Path) -> None:
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_model))
    lines = [*RAW, "New\tYork\r", "日\u3000本 \x00 \u2028 x", "  "]
    expected = [model.encode(line.removesuffix("\r"), out_type=str) for line in lines]
    found = lines_read("\n".join(lines).encode(), Tokenizer(f"spm:{sentencepiece_model}"))
    assert found == [[re.sub(r"\s", MARK, piece).encode() for piece in pieces] for pieces in expected]
    assert any(re.search(r"\s", piece) for pieces in expected for piece in pieces), "one was meant to hold white space"


def test_hugging_face_pieces_are_those_of_the_library(hugging_face_model: Path) -> None:
    import tokenizers

    model = tokenizers.Tokenizer.from_file(str(hugging_face_model))
    model.no_truncation()
    model.no_padding()
    model.model.dropout = None
    lines = [*RAW, "I love New York\r", "日本 \x00 \u2028 x"]
    expected = [model.encode(line.removesuffix("\r"), add_special_tokens=False).tokens for line in lines]
    tokenizer = Tokenizer(f"hf:{hugging_face_model}")
    for _ in range(5):
        found = lines_read("\n".join(lines).encode(), tokenizer)
        assert found == [[piece.replace(" ", MARK).encode() for piece in pieces] for pieces in expected]
    assert any(b"New\xe2\x96\x81York" in line for line in found)


@pytest.fixture(scope="module")
def hugging_face_models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One of each kind, with unknown letters, and with added tokens that take the white space around them along."""
    tokenizers = pytest.importorskip("tokenizers", reason="no tokenizers; pip install 'cynical[hf]'")
    models, trainers = tokenizers.models, tokenizers.trainers
    kinds = {
        "unigram": (models.Unigram(), trainers.UnigramTrainer),
        "bpe": (models.BPE(unk_token="[UNK]", fuse_unk=True), trainers.BpeTrainer),
        "wordpiece": (models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer),
        "wordlevel": (models.WordLevel(unk_token="[UNK]"), trainers.WordLevelTrainer),
    }
    paths = []
    for name, (kind, trainer) in kinds.items():
        model = tokenizers.Tokenizer(kind)
        model.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
        more = {"unk_token": "[UNK]"} if name == "unigram" else {}
        told = trainer(vocab_size=90, special_tokens=["[UNK]"], show_progress=False, **more)
        model.train_from_iterator([*RAW, *WANTED] * 20, told)
        model.add_tokens([tokenizers.AddedToken("<x>", lstrip=True, rstrip=True), "New York"])
        paths.append(tmp_path_factory.mktemp("hf") / f"{name}.json")
        paths[-1].write_text(model.to_str())
    return paths


@given(
    st.lists(st.text(st.sampled_from("at .,\u00dc\u65e5\u672c<x>NewYork\t\u3000\U0001f600")), min_size=1, max_size=8)
)
def test_pieces_by_number_are_those_of_the_library(
    hugging_face_models: list[Path], sentencepiece_model: Path, lines: list[str]
) -> None:
    import sentencepiece
    import tokenizers

    pieces: dict[str, Callable[[str], list[str]]] = {}
    for path in hugging_face_models:
        model = tokenizers.Tokenizer.from_file(str(path))
        pieces[f"hf:{path}"] = lambda line, model=model: model.encode(line, add_special_tokens=False).tokens  # type: ignore[misc]
    processor = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_model))
    pieces[f"spm:{sentencepiece_model}"] = lambda line: processor.encode(line, out_type=str)
    for name, split in pieces.items():
        expected = [[] if not line.strip() else [re.sub(r"\s", MARK, piece) for piece in split(line)] for line in lines]
        made = open_splitter(name).rewrite([line if line.strip() else "" for line in lines])
        assert made.tobytes().decode() == "\n".join(map(" ".join, expected))


@pytest.fixture(params=["spm", "hf"])
def of_a_library(request: pytest.FixtureRequest) -> str:
    path = request.getfixturevalue("sentencepiece_model" if request.param == "spm" else "hugging_face_model")
    return f"{request.param}:{path}"


def test_models_read_in_threads_and_whatever_the_chunks(of_a_library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"{line} {i}" for i in range(300) for line in (*RAW, "bro\udcffken", "  ")]
    monkeypatch.setattr("cynical.text.corpus.CHUNK", 200)
    one = cynical.count(lines, tokenizer=of_a_library, jobs=1)
    four = cynical.count(lines, tokenizer=of_a_library, jobs=4)
    assert one.to_bytes() == four.to_bytes()
    assert (one.lines, one.broken) == (len(lines), 300)
    jaded = cynical.select(WANTED, lines, tokenizer=of_a_library, lowercase=True, normalize="nfkc", lines=3, jobs=4)
    assert jaded.content.texts(slice(None)) == [lines[i].encode("utf-8", "surrogateescape") for i in jaded.lines]


def test_a_model_is_known_by_what_is_in_it(of_a_library: str, tmp_path: Path) -> None:
    kind, _, path = of_a_library.partition(":")
    copy = tmp_path / "copy"
    copy.write_bytes(Path(path).read_bytes())
    signature = Tokenizer(of_a_library).signature
    assert re.fullmatch(rf"tok:{kind}:[0-9a-f]{{12}}\|lower:no", signature)
    assert Tokenizer(f"{kind}:{copy}").signature == signature
    counts = cynical.count(WANTED, tokenizer=of_a_library)
    with pytest.raises(CynicalError, match=f'give tokenizer="{kind}:FILE" with the file whose SHA-256 starts with'):
        cynical.select(counts, RAW)


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_a_damaged_model_is_an_error_message(of_a_library: str, tmp_path: Path, damage: bytes | None) -> None:
    kind, _, path = of_a_library.partition(":")
    whole = Path(path).read_bytes()
    (tmp_path / "damaged").write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    with pytest.raises(CynicalError, match=r"not a valid .*; check the path, or create the file again"):
        Tokenizer(f"{kind}:{tmp_path / 'damaged'}")


def test_a_model_that_cannot_split_a_text_is_an_error_message(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="no tokenizers; pip install 'cynical[hf]'")
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel({"known": 0}, unk_token="[UNK]"))
    (tmp_path / "tokenizer.json").write_text(model.to_str())
    with pytest.raises(CynicalError, match=r"the model cannot tokenize this text \(.*\[UNK\].*; check the model"):
        cynical.count(["unknown"], tokenizer=f"hf:{tmp_path / 'tokenizer.json'}")


@pytest.mark.parametrize(("name", "package"), [("spm", "sentencepiece"), ("hf", "tokenizers")])
def test_a_missing_package_is_told_with_the_command_that_installs_it(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "model").write_bytes(b"anything")
    with pytest.raises(CynicalError, match=rf"needs the package {package} .*pip install 'cynical\[{name}\]'"):
        Tokenizer(f"{name}:{tmp_path / 'model'}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("word", "--tokenizer word: unknown tokenizer; choose from whitespace, words, characters, spm:MODEL, hf:"),
        ("spm", "--tokenizer spm: a file or function is missing; give spm:MODEL"),
        ("hf:", "--tokenizer hf:: a file or function is missing; give hf:tokenizer.json"),
        ("spm:absent", "--tokenizer spm:absent: no such file or directory; check the path"),
        ("hf:.", "--tokenizer hf:. is a folder; give hf:./tokenizer.json"),
        ("python:absent", "the name of a function is missing; give python:MODULE:FUNCTION"),
        ("python:absent:f", "cannot import absent (ModuleNotFoundError: No module named 'absent'); check its name"),
        ("python:mine:absent", "no 'absent' in mine"),
        ("python:mine:number", "'number' is a int, not a function"),
        ("python:broken:f", "cannot import broken (ZeroDivisionError: division by zero)"),
        ("python:mine:fails", "on the line that begins 'Don\\'t panic, it\\'s only a test.': KeyError: 'x'; it must"),
        ("python:mine:one", "it returned one string; it must return a list of strings"),
        ("python:mine:none", "TypeError: 'NoneType' object is not iterable; it must return a list of strings"),
        ("python:mine:numbers", "it returned 1 as a word; it must return a list of strings"),
        ("python:mine:spaces", 'the word "Don\'t panic" contains white space'),
        ("python:mine:surrogate", "a word cannot be encoded as UTF-8 (surrogates not allowed)"),
    ],
)
def test_what_cannot_be_used_is_an_error_message(cynical: Run, tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "mine.py").write_text(
        "number = 1\n"
        "def fails(line): return {}['x']\n"
        "def one(line): return line\n"
        "def none(line): pass\n"
        "def numbers(line): return [1, 2]\n"
        "def spaces(line): return line.split(',')\n"
        "def surrogate(line): return ['\\ud800']\n"
    )
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "pool.txt").write_text("\n".join(RAW))
    done = cynical("count", "pool.txt", "-o", "out.counts", "--tokenizer", name)
    assert done.returncode == 2
    assert sentence in done.stderr.replace("\"Don't panic, it's only a test.\"", repr_of(sentence))
    assert done.stderr.count("\n") == 1 + ("compiling" in done.stderr)
    assert not (tmp_path / "out.counts").exists()


def repr_of(sentence: str) -> str:
    return "'Don\\'t panic, it\\'s only a test.'" if "begins" in sentence else ""


def test_a_function_of_ones_own_is_in_the_current_folder(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "helping.py").write_text("def halves(word): return [word[:2], word[2:]]\n")
    (tmp_path / "mine.py").write_text(
        "class Cutter:\n"
        "    @staticmethod\n"
        "    def cut(line):\n"
        "        from helping import halves\n"
        "        for word in line.split():\n"
        "            yield from halves(word)\n"
    )
    (tmp_path / "pool.txt").write_bytes(b"abcd ab\r\n \nxy\xff\n\t")
    done = cynical("count", "pool.txt", "-o", "out.counts", "--tokenizer", "python:mine:Cutter.cut")
    assert done.returncode == 0, done.stderr
    counts = cynical_counts(tmp_path / "out.counts")
    assert counts.signature == "tok:python:mine:Cutter.cut|lower:no"
    assert dict(zip(counts.words, counts.count.tolist(), strict=True)) == {b"ab": 2, b"cd": 1, b"xy": 1, b"\xff": 1}
    assert counts.lines == 4


def cynical_counts(path: Path) -> cynical.Counts:
    return cynical.Counts.read(path)


def test_no_output_replaces_a_model(cynical: Run, tmp_path: Path) -> None:
    (tmp_path / "pool.txt").write_text("a")
    (tmp_path / "model").write_bytes(b"a model")
    done = cynical("count", "pool.txt", "-o", "model", "--overwrite", "--tokenizer", "spm:model")
    assert done.returncode == 2
    assert (tmp_path / "model").read_bytes() == b"a model"


def test_a_function_of_a_notebook_is_known_by_its_code() -> None:
    """There a name may mean another function a minute later."""
    signatures = []
    for body in ("line.split()", "line.split()", "[part.lower() for part in line.split()]"):
        here: dict[str, Any] = {"__name__": "__main__"}
        exec(f"def words(line):\n    return {body}", here)
        with mock.patch.object(sys.modules["__main__"], "words", here["words"], create=True):
            signatures.append(cynical.count(["a-b c"], tokenizer=here["words"]).signature)
    assert signatures[0] == signatures[1] != signatures[2]
