"""How text is read: what is a word, and which part of a record is the text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from ..errors import CynicalError
from .declare import READ, RUNS, Group, option

Normalize = Literal["nfc", "nfkc"]
BadRecords = Literal["error", "skip"]
TokenizerObject = Callable[[str], Iterable[str]] | Any  # or a tokenizer of a library
InputFormat = Literal["text", "jsonl", "csv", "tsv", "parquet"]
Unit = Literal["document", "paragraph", "line"]

BUILT_IN = ("whitespace", "words", "characters")  # tokenizers of our own
EXTERNAL = {"spm": "spm:MODEL", "hf": "hf:tokenizer.json", "python": "python:MODULE:FUNCTION"}
TOKENIZERS = (*BUILT_IN, *EXTERNAL.values())
OBJECT = "object:"  # how the name begins of a tokenizer that is an object of a Python program
METHODS = (
    "encode_batch",
    "backend_tokenizer",
    "serialized_model_proto",
    "tokenize",
)  # that tokenizers of libraries have
objects: dict[str, Any] = {}  # the tokenizers that were given as objects, by their names
AS_BEFORE = "as for the ranking"


def check_tokenizer(name: str, value: Any) -> str:
    """The name alone: files are opened where text is read. An object gets a name."""
    if not isinstance(value, str):
        return _name_object(name, value)
    if value in BUILT_IN or value in objects:
        return value
    kind, _, rest = value.partition(":")
    if value.startswith(OBJECT):
        raise CynicalError(
            f"{name} {value}: this name refers to an object of another Python program; pass the object itself"
        )
    if kind not in EXTERNAL:
        raise CynicalError(f"{name} {value}: unknown tokenizer; {_meant(value)}choose from {', '.join(TOKENIZERS)}")
    if not rest:
        raise CynicalError(f"{name} {value}: a file or function is missing; give {EXTERNAL[kind]}")
    return value


def _meant(value: str) -> str:
    """What someone had in mind who left the kind of a tokenizer out."""
    if value.endswith(".json"):
        return f"a Hugging Face tokenizer is hf:{value}; "
    if value.endswith((".model", ".spm")):
        return f"a SentencePiece model is spm:{value}; "
    return f"a function of a module is python:{value}; " if ":" in value else ""


def _name_object(name: str, value: Any) -> str:
    """A name by which a tokenizer that is an object is found when text is read."""
    known = next((known for known, one in objects.items() if one is value), None)
    if known is not None:
        return known
    if not callable(value) and not any(hasattr(value, method) for method in METHODS):
        raise CynicalError(
            f"{name} is a {type(value).__name__}; give a name ({', '.join(TOKENIZERS)}), a function from a line to its "
            "words, or a tokenizer of tokenizers, transformers or sentencepiece"
        )
    home = value if hasattr(value, "__qualname__") else type(value)
    called = f"{OBJECT}{getattr(home, '__module__', None) or 'builtins'}.{home.__qualname__}"
    unused = next(one for number in range(1, len(objects) + 2) if (one := _numbered(called, number)) not in objects)
    objects[unused] = value
    return unused


def _numbered(called: str, number: int) -> str:
    return called if number == 1 else f"{called}:{number}"


def _folder(name: str, value: str | Path) -> str | Path:
    if not os.path.isdir(value):  # noqa: PTH112 - any string may come here, also one that no path can be
        raise CynicalError(f"{name} {value}: no such folder; create it first")
    return value


def _key(name: str, value: str) -> str:
    if not value:
        raise CynicalError(f"{name} is empty; name the field that holds the text")
    return value


@dataclass(frozen=True, slots=True)
class TextOptions(Group):
    """What a word is."""

    title: ClassVar[str] = READ

    tokenizer: str = option(
        "How to split lines into words. whitespace: at white space. words: punctuation is also split off. "
        "characters: every character is a word. spm:MODEL: a SentencePiece model. hf:tokenizer.json: a Hugging Face "
        "tokenizer. python:MODULE:FUNCTION: your own function from a line to a list of words.",
        metavar="NAME",
        default="whitespace",
        check=check_tokenizer,
        recorded=True,
        short="tok",
    )
    normalize: Normalize | None = option(
        "Unicode normal form to convert all text to.", default_help="none", recorded=True, short="norm"
    )
    lowercase: bool = option(
        "Convert all text to lower case (full Unicode).", default=False, recorded=True, short="lower"
    )

    def __reduce__(self) -> tuple[Any, ...]:
        """With a tokenizer that is an object, so that other processes have it too."""
        return _with_object, (self.tokenizer, objects.get(self.tokenizer), self.normalize, self.lowercase)

    @property
    def files(self) -> list[str]:
        """What the tokenizer reads."""
        return [self.tokenizer.partition(":")[2]] if self.tokenizer.startswith(("spm:", "hf:")) else []


def _with_object(tokenizer: str, value: Any, normalize: Normalize | None, lowercase: bool) -> TextOptions:
    """Options that were pickled, in a process that may not know the tokenizer yet."""
    if value is not None:
        objects.setdefault(tokenizer, value)
    return TextOptions(tokenizer, normalize, lowercase)


@dataclass(frozen=True, slots=True)
class Rereading(Group):
    """The same for a text that was read before; None is as it was then."""

    title: ClassVar[str] = READ

    tokenizer: str | None = option(
        "How to split lines into words: " + ", ".join(TOKENIZERS) + ".",
        metavar="NAME",
        default_help=AS_BEFORE,
        check=check_tokenizer,
    )
    normalize: Normalize | None = option("Unicode normal form to convert all text to.", default_help=AS_BEFORE)
    lowercase: bool | None = option("Convert all text to lower case.", default_help=AS_BEFORE)


@dataclass(frozen=True, slots=True)
class Reading(Group):
    """How sources are read."""

    title: ClassVar[str] = READ

    text_key: str | None = option(
        "Field of JSON lines (a.b: field b of a; a[].b: field b of every item of list a) or column of Parquet, CSV "
        "or TSV that holds the text. A number is a column of a table without a header. title,body joins both fields "
        "with a line break.",
        metavar="KEY",
        default_help="text",
        check=_key,
    )
    text_template: str | None = option(
        r"Instead of --text-key: a template of several fields, such as '{instruction}\n{output}'.",
        metavar="TEMPLATE",
        check=_key,
    )
    unit: Unit = option(
        "Unit of selection: the whole text of a record, each paragraph (separated by blank lines), or each line.",
        default="document",
    )
    bad_records: BadRecords = option(
        ("What to do with records that have no text: stop with an error, or skip them."), default="error"
    )
    input_format: InputFormat | None = option(
        "Format of standard input, and of files whose suffix does not say it.",
        default_help="text, or detected from the content",
    )
    scratch: str | Path | None = option(
        "Folder for temporary files: decompressed input, and data that does not fit into --memory.",
        metavar="DIR",
        path=True,
        section=RUNS,
        default_help="TMPDIR",
        check=_folder,
    )

    def check(self) -> None:
        if self.text_key is not None and self.text_template is not None:
            raise CynicalError("--text-key and --text-template cannot be combined; give one of them")
