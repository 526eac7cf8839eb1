"""What a file holds, recognised by its name and its first bytes.

    text      anything else
    jsonl     .jsonl, .ndjson
    parquet   .parquet
    csv, tsv  .csv and .tsv, where a column is named; else they are text like any other
    a ranking and counts   by their header (counts also by the name .counts); they are opened as text

What a file is compressed with, is a question of compression.py; here it is the suffix before .gz that counts.
"""

from __future__ import annotations

from pathlib import Path

from ..errors import CynicalError
from .compression import blocks, inner_suffix
from .paths import is_remote, shown

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".csv": "csv", ".tsv": "tsv"}
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FOREIGN = {
    b"PK\x03\x04": "decompress it first, or give `<(unzip -p FILE)` in its place",
    b"PAR1": "name it .parquet",
    b"\xff\xfe": "convert it first: `iconv -f UTF-16 -t UTF-8 FILE`",
    b"\xfe\xff": "convert it first: `iconv -f UTF-16 -t UTF-8 FILE`",
}  # how files begin that are taken for text by mistake
RANKING_COLUMNS = ("rank", "line", "delta", "penalty", "gain", "entropy", "words", "word")  # more may follow
RANKING_HEADER = "\t".join(RANKING_COLUMNS).encode() + b"\t"  # how every ranking begins
COUNTS_SUFFIX = ".counts"
COUNTS_HEADER = b"# cynical counts 1"  # how every file of counts begins


def kind_of(path: str, *, column_named: bool) -> str:
    """What a file holds: text, jsonl, parquet, csv or tsv; a ranking is text, though a column is named."""
    kind = SUFFIXES.get(inner_suffix(path), "text")
    if kind == "tsv" and (not column_named or is_ranking_file(path)):
        return "text"
    return "text" if kind == "csv" and not column_named else kind


def is_ranking(begin: bytes) -> bool:
    """Is this how a ranking begins?"""
    return begin.startswith(RANKING_HEADER)


def is_ranking_file(path: str) -> bool:
    """Is this file a ranking, compressed or not?"""
    if path == "-" or is_remote(path) or not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        begin = next(blocks(file, shown(path)), b"")
    return is_ranking(begin.removeprefix(BYTE_ORDER_MARK))


def is_counts(name: str, begin: bytes) -> bool:
    """Does a file of this name that begins so hold counts?"""
    return name.endswith(COUNTS_SUFFIX) or begin.startswith(COUNTS_HEADER)


def check_text(begin: bytes, name: str) -> None:
    """Refuse what is known not to be text."""
    for magic, remedy in FOREIGN.items():
        if begin.startswith(magic):
            raise CynicalError(f"{name}: not plain UTF-8 text; {remedy}")


def text_begins(begin: bytes) -> int:
    """Where the text begins: behind a byte-order mark."""
    return len(BYTE_ORDER_MARK) if begin.startswith(BYTE_ORDER_MARK) else 0
