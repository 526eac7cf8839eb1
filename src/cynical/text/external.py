"""External tokenizers: SentencePiece models, Hugging Face tokenizers, and user-defined functions; by name, or as
objects.

Each turns lines into pieces, strings without white space. A model is known by what is in its file, not by the file's
name. SentencePiece and Hugging Face tokenizers may be called by several threads at once; functions are called by one.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import operator
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from ..errors import CynicalError, os_error
from ..options.reading import EXTERNAL, objects
from .paths import is_folder
from .pieces import Bytes, Pieces
from .unicode import WHITE, encoded

MARK = "\u2581"  # what SentencePiece writes for a space
SHOWN = 40  # characters of a line, or a token, in a message
white, blank = re.compile(f"[{WHITE}]"), re.compile(f"[{WHITE}]*")


class Splitter(Protocol):
    signature: str

    def rewrite(self, lines: list[str]) -> Bytes:
        """The pieces of each line with spaces between, each line but the last with its end; empty lines have none."""
        ...


def open_splitter(name: str) -> Splitter:
    """The tokenizer of a name such as spm:MODEL."""
    if name in objects:
        return _of_object(name, objects[name])
    kind, _, rest = name.partition(":")
    if kind == "python":
        return Function(name, *_function(name, rest))
    if is_folder(rest):
        inside = f"hf:{rest.rstrip('/')}/tokenizer.json" if kind == "hf" else "the file of the model in it"
        raise CynicalError(f"--tokenizer {name} is a folder; give {inside}")
    try:
        content = Path(rest).read_bytes()
    except FileNotFoundError as error:
        if kind != "hf" or rest.endswith(".json"):
            raise os_error(f"--tokenizer {name}", error) from error
        save = f"tokenizers.Tokenizer.from_pretrained({rest!r}).save('tokenizer.json')"
        raise CynicalError(
            f"--tokenizer {name}: no such file; save a tokenizer of the Hugging Face hub to a file with "
            f'`python -c "import tokenizers; {save}"` and give hf:tokenizer.json'
        ) from None
    except OSError as error:
        raise os_error(f"--tokenizer {name}", error) from error
    return _load(kind, name, content)


def _of_object(name: str, given: Any) -> Splitter:
    """A tokenizer of a library, known by its content; or any function from a line to its words."""
    if hasattr(given, "serialized_model_proto"):
        return _load("spm", name, given.serialized_model_proto())
    model = getattr(given, "backend_tokenizer", given)  # of transformers, those that are fast
    if hasattr(model, "encode_batch") and hasattr(model, "to_str"):
        return _load("hf", name, model.to_str().encode())
    function = given.tokenize if hasattr(given, "tokenize") else given
    return Function(name, _signature_of(function), function, str(Path.cwd()))


def _signature_of(function: Any) -> str:
    """That of a function by its name, where an imported module has it under that name; else its code is part of it, as
    in a notebook, where a name may mean another function a minute later."""
    home = function if hasattr(function, "__qualname__") else type(function)
    module, called = getattr(home, "__module__", None) or "builtins", home.__qualname__
    try:
        if module != "__main__" and operator.attrgetter(called)(sys.modules[module]) is function:
            return f"python:{module}:{called}"
    except (AttributeError, KeyError):
        pass
    code = getattr(function, "__code__", None)
    told = repr(function) if code is None else repr(_content_of(code))
    plain = re.sub(r" at 0x[0-9a-f]+", "", told)  # which differs from one run to the next
    return f"python:{module}:{called}:{hashlib.sha256(plain.encode()).hexdigest()[:12]}"


def _content_of(code: CodeType) -> tuple[Any, ...]:
    """What code does, without where it is."""
    constants = [_content_of(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.co_code, constants, code.co_names


@lru_cache(maxsize=4)  # a model takes a while to load; each is small
def _load(kind: str, name: str, content: bytes) -> Splitter:
    signature = f"{kind}:{hashlib.sha256(content).hexdigest()[:12]}"
    return SentencePiece(name, content, signature) if kind == "spm" else HuggingFace(name, content, signature)


class SentencePiece:
    def __init__(self, name: str, content: bytes, signature: str) -> None:
        sentencepiece = _package("sentencepiece", name, "spm")
        self.signature, self._name = signature, name
        try:
            self._model = sentencepiece.SentencePieceProcessor()
            self._model.LoadFromSerializedProto(content)
            if not self._model.get_piece_size():
                raise ValueError("the file is empty")
        except Exception as error:
            raise _damaged(name, "SentencePiece model", error) from None

        known = [self._model.id_to_piece(number) for number in range(self._model.get_piece_size())]
        self._pieces = Pieces(known, [self._model.unk_id()], _marked)

    def rewrite(self, lines: list[str]) -> Bytes:
        given = _whole(lines)
        try:
            ids = self._model.encode(given, out_type=int, num_threads=1)  # each reader has a thread
            return self._pieces.join(
                lines, ids, lambda some: self._model.encode([given[one] for one in some], out_type=str, num_threads=1)
            )
        except Exception as error:
            raise _refused(self._name, error) from error


class HuggingFace:
    def __init__(self, name: str, content: bytes, signature: str) -> None:
        tokenizers = _package("tokenizers", name, "hf")
        self.signature, self._name = signature, name
        try:
            self._model = tokenizers.Tokenizer.from_buffer(content)
        except Exception as error:
            raise _damaged(name, "tokenizer.json", error) from None
        self._model.no_truncation()
        self._model.no_padding()
        if getattr(self._model.model, "dropout", None):  # the same text must give the same pieces
            self._model.model.dropout = None
        self._pieces = Pieces(*_pieces_of(self._model, content), _marked)
        # numbers alone, without strings and places; tokenizers has it since 0.20
        self._encode = getattr(self._model, "encode_batch_fast", self._model.encode_batch)

    def rewrite(self, lines: list[str]) -> Bytes:
        given = _whole(lines)
        try:
            ids = [one.ids for one in self._encode(given, add_special_tokens=False)]
            return self._pieces.join(lines, ids, lambda some: self._strings([given[one] for one in some]))
        except Exception as error:
            raise _refused(self._name, error) from error

    def _strings(self, lines: list[str]) -> list[list[str]]:
        return [one.tokens for one in self._model.encode_batch(lines, add_special_tokens=False)]


def _pieces_of(model: Any, content: bytes) -> tuple[list[str], set[int]]:
    """The pieces by their numbers, and which numbers stand for various pieces: what is not known, and what was added,
    whose white space around it may belong to it."""
    told = json.loads(content)
    various = {added["id"] for added in told.get("added_tokens") or []}
    unknown = told["model"].get("unk_id"), model.token_to_id(str(told["model"].get("unk_token")))
    various.update(number for number in unknown if number is not None)
    numbers = {*model.get_vocab(with_added_tokens=True).values(), *various}
    return [model.id_to_token(number) or "" for number in range(max(numbers, default=-1) + 1)], various


class Function:
    """A function of the user's own: a line to its words. Empty words are left out.

    While it runs, modules in its folder can be imported, but none there hides one that is installed.
    """

    def __init__(self, name: str, signature: str, function: Callable[[str], Iterable[str]], folder: str) -> None:
        self.signature = signature
        self._name, self._function, self._folder, self._lock = name, function, folder, threading.Lock()

    def rewrite(self, lines: list[str]) -> Bytes:
        with self._lock, _importable(self._folder, first=False):  # nobody has told its author of threads
            return encoded("\n".join(" ".join(self._split(line)) if line else "" for line in lines))

    def _split(self, line: str) -> list[str]:
        try:
            made = self._function(line)
            words = None if isinstance(made, str) else list(made)
        except Exception as error:
            raise self._wrong(line, f"{_said(error)}; it must return a list of strings") from error
        if words is None:
            raise self._wrong(line, "it returned one string; it must return a list of strings")
        for word in words:
            if not isinstance(word, str):
                raise self._wrong(line, f"it returned {_shown(word)} as a word; it must return a list of strings")
        joined = "".join(words)
        if white.search(joined):
            word = next(word for word in words if white.search(word))
            raise self._wrong(
                line, f"the word {_shown(word)} contains white space; split it, or replace the space by {MARK}"
            )
        try:
            joined.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise self._wrong(
                line, f"a word cannot be encoded as UTF-8 ({error.reason}); remove such characters"
            ) from None
        return [word for word in words if word]

    def _wrong(self, line: str, what: str) -> CynicalError:
        return CynicalError(f"--tokenizer {self._name}: on the line that begins {_shown(line)}: {what}")


def _function(name: str, rest: str) -> tuple[str, Callable[[str], Iterable[str]], str]:
    """A signature, the function, and the current folder, which its module may be in."""
    module, _, attribute = rest.partition(":")
    if not module or not attribute:
        raise CynicalError(f"--tokenizer {name}: the name of a function is missing; give {EXTERNAL['python']}")
    here = str(Path.cwd())
    try:
        with _importable(here, first=True):
            home = importlib.import_module(module)
    except Exception as error:
        remedy = "check its name, and that it is installed or in the current folder"
        raise CynicalError(f"--tokenizer {name}: cannot import {module} ({_said(error)}); {remedy}") from error
    try:
        function = operator.attrgetter(attribute)(home)
    except AttributeError:
        raise CynicalError(
            f"--tokenizer {name}: no {attribute!r} in {module} ({getattr(home, '__file__', module)}); check its name"
        ) from None
    if not callable(function):
        raise CynicalError(
            f"--tokenizer {name}: {attribute!r} is a {type(function).__name__}, not a function; give a function from "
            "a line to a list of words"
        )
    return f"python:{module}:{attribute}", function, here


@contextmanager
def _importable(folder: str, *, first: bool) -> Iterator[None]:
    """Let modules of a folder be imported, before all others or after them; the search path is put back at the end.

    What a module imports only when it is called is imported under here as well: see Function.
    """
    sys.path.insert(0 if first else len(sys.path), folder)
    try:
        yield
    finally:
        places = range(len(sys.path)) if first else range(len(sys.path) - 1, -1, -1)
        ours = next((place for place in places if sys.path[place] == folder), None)
        if ours is not None:  # a module may have changed the path
            del sys.path[ours]


def _package(package: str, name: str, extra: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise CynicalError(
            f"--tokenizer {name}: needs the package {package} ({error}); pip install 'cynical[{extra}]'"
        ) from None


def _damaged(name: str, what: str, error: Exception) -> CynicalError:
    return CynicalError(
        f"--tokenizer {name}: not a valid {what} ({_said(error)}); check the path, or create the file again"
    )


def _refused(name: str, error: Exception) -> CynicalError:
    return CynicalError(f"--tokenizer {name}: the model cannot tokenize this text ({_said(error)}); check the model")


def _whole(lines: Sequence[str]) -> list[str]:
    """Those that are not empty, so that they can be written as UTF-8: what was broken in them becomes the character
    that stands for that."""
    return [line if line.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", line) for line in lines if line]


def _marked(piece: str) -> str:
    """White space within a piece becomes the mark."""
    return white.sub(MARK, piece)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _shown(what: object) -> str:
    text = what if isinstance(what, str) else repr(what)
    shown = text[:SHOWN].encode("utf-8", "backslashreplace").decode()
    return f"{shown!r}" + ("..." if len(text) > SHOWN else "") if isinstance(what, str) else shown
