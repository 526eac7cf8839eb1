"""How text is read: what is a word, and which part of a record is the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from ..errors import CynicalError
from .declare import READ, RUNS, Group, option

Normalize = Literal["nfc", "nfkc"]
BadRecords = Literal["error", "skip"]
InputFormat = Literal["text", "jsonl", "csv", "tsv", "parquet"]

BUILT_IN = ("whitespace", "words", "characters")  # tokenizers of our own
EXTERNAL = {"spm": "spm:MODEL", "hf": "hf:tokenizer.json", "python": "python:MODULE:FUNCTION"}
TOKENIZERS = (*BUILT_IN, *EXTERNAL.values())
AS_BEFORE = "as the ranking was made"


def check_tokenizer(name: str, value: Any) -> str:
    """The name alone: files are opened where text is read."""
    if not isinstance(value, str) or (value not in BUILT_IN and value.partition(":")[0] not in EXTERNAL):
        raise CynicalError(f"{name} {value}: unknown tokenizer; choose from {', '.join(TOKENIZERS)}")
    if value not in BUILT_IN and not value.partition(":")[2]:
        raise CynicalError(f"{name} {value}: of what? give {EXTERNAL[value.partition(':')[0]]}")
    return value


def _folder(name: str, value: str | Path) -> str | Path:
    if not Path(value).is_dir():
        raise CynicalError(f"{name} {value}: no such folder; make it first")
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
        "Split lines into words: whitespace (at white space), words (punctuation is split off too), characters, "
        "spm:MODEL (a SentencePiece model), hf:tokenizer.json (a Hugging Face tokenizer), or python:MODULE:FUNCTION "
        "(your own function, from a line to a list of words).",
        metavar="NAME",
        default="whitespace",
        check=check_tokenizer,
        recorded=True,
        short="tok",
    )
    normalize: Normalize | None = option(
        "Bring all text into this Unicode normal form first.", default_help="none", recorded=True, short="norm"
    )
    lowercase: bool = option(
        "Convert all text to lower case first (full Unicode).", default=False, recorded=True, short="lower"
    )

    @property
    def files(self) -> list[str]:
        """What the tokenizer reads."""
        return [self.tokenizer.partition(":")[2]] if self.tokenizer.startswith(("spm:", "hf:")) else []


@dataclass(frozen=True, slots=True)
class Rereading(Group):
    """The same for a text that was read before; None is as it was then."""

    title: ClassVar[str] = READ

    tokenizer: str | None = option(
        "Split lines into words: " + ", ".join(TOKENIZERS) + ".",
        metavar="NAME",
        default_help=AS_BEFORE,
        check=check_tokenizer,
    )
    normalize: Normalize | None = option("Bring all text into this Unicode normal form first.", default_help=AS_BEFORE)
    lowercase: bool | None = option("Convert all text to lower case first.", default_help=AS_BEFORE)


@dataclass(frozen=True, slots=True)
class Reading(Group):
    """How sources are read."""

    title: ClassVar[str] = READ

    text_key: str | None = option(
        "Take the text from this field of JSON lines (a.b is b within a) or this column of Parquet, CSV or TSV; a "
        "number is a column of a table without a header.",
        metavar="KEY",
        default_help="text",
        check=_key,
    )
    bad_records: BadRecords = option("Stop at records that have no text, or skip them.", default="error")
    input_format: InputFormat | None = option(
        "Format of standard input, and of files whose suffix does not tell.", default_help="text, or as it looks"
    )
    scratch: str | Path | None = option(
        "Put temporary files here: decompressed input, and what does not fit --memory.",
        metavar="DIR",
        path=True,
        section=RUNS,
        default_help="TMPDIR",
        check=_folder,
    )
