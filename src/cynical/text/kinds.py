"""What a file holds, recognised by its name, by --input-format, and by its first bytes.

    jsonl     .jsonl, .ndjson
    parquet   .parquet
    csv, tsv  .csv and .tsv, where a column is named; else they are text like any other
    text      .txt, .text, .tok
    a ranking and counts   by their header (counts also by the name .counts); they are opened as text

Any other name, and standard input, is what --input-format says. Without it, it is text; but where --text-key names a
field, what begins like records that have it is records. What a file is compressed with, is a question of
compression.py; here it is the suffix before .gz that counts.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

from ..errors import CynicalError
from ..options import Reading
from .compression import inner_suffix
from .fields import TextKey, text_key
from .paths import shown

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".csv": "csv", ".tsv": "tsv"}
TEXT_SUFFIXES = (".txt", ".text", ".tok")
FORMATS = "jsonl|csv|tsv|parquet"  # of records, as --input-format has them
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FOREIGN = {
    b"PK\x03\x04": "decompress it first, or give `<(unzip -p FILE)` instead",
    b"PAR1": "rename it to .parquet, or give --input-format parquet",
    b"\xff\xfe": "convert it first: `iconv -f UTF-16 -t UTF-8 FILE`",
    b"\xfe\xff": "convert it first: `iconv -f UTF-16 -t UTF-8 FILE`",
}  # how files begin that are taken for text by mistake
TAR = slice(257, 262)  # where every tar file says "ustar"
RANKING_COLUMNS = ("rank", "line", "delta", "penalty", "gain", "entropy", "words", "word")  # more may follow
RANKING_HEADER = "\t".join(RANKING_COLUMNS).encode() + b"\t"  # how every ranking begins
COUNTS_SUFFIX = ".counts"
SCORES_SUFFIX = ".scores"  # of a number for each line
COUNTS_HEADER = b"# cynical counts 1"  # how every file of counts begins
TABLE = 3  # lines: fewer lines with the same number of tabs may be a coincidence
BEGIN = 1 << 16  # bytes that tell what a text looks like


def kind_of(path: str, reading: Reading, begin: Callable[[], bytes]) -> str:
    """What a file holds: text, jsonl, parquet, csv or tsv; `begin` reads how it begins, if that matters."""
    suffix, told = inner_suffix(path), reading.input_format
    key = text_key(reading) if reading.text_key is not None or reading.text_template is not None else None
    named = SUFFIXES.get(suffix) or ("text" if suffix in (*TEXT_SUFFIXES, COUNTS_SUFFIX) else None)
    if named in ("jsonl", "parquet"):
        return named
    if key is None and told is None:
        return "text"
    first = begin()
    if is_ranking(first) or is_counts(path, first):
        return "text"
    if named in ("csv", "tsv"):
        return named if key is not None or told == named else "text"
    if named is None and told is not None:
        return told
    guessed = _guess(first, key)
    if guessed == told or (key is not None and guessed != "text"):
        return guessed
    if named is None and key is not None and (path == "-" or not suffix):
        raise CynicalError(
            f"{'standard input' if path == '-' else shown(path)}: {key.given} names a field of records, but this "
            f"looks like plain text; give --input-format {FORMATS}, or --input-format text if it is plain text"
        )
    return "text"


def _guess(begin: bytes, key: TextKey | None) -> str:
    """What a file that begins so holds, if it is records that have the fields of `key`."""
    if begin.startswith(b"PAR1"):
        return "parquet"
    first = first_line(begin)
    if _is_json_object(first):
        return "jsonl"
    header = first.decode("utf-8", "replace")
    for kind, cells in (("tsv", header.split("\t")), ("csv", _csv_cells(header))):
        if len(cells) > 1 and key is not None and key.fits(cells):
            return kind
    return "text"


def _csv_cells(header: str) -> list[str]:
    """The cells of a row of CSV; none if it is no such row."""
    try:
        return next(csv.reader([header]), [])
    except csv.Error:  # a carriage return within it
        return []


def looks_like(path: str, begin: bytes) -> str | None:
    """What a text that begins so seems to be, and what to do, for a notice; None for text as people write it."""
    first = first_line(begin)
    if SUFFIXES.get(inner_suffix(path)) in ("csv", "tsv"):
        return "is a table, but whole lines were read as text; give --text-key NAME to read one column"
    if _is_json_object(first):
        return f"looks like JSON lines, but was read as plain text; give --text-key KEY, or --input-format {FORMATS}"
    if re.match(rb"\[\s*(\{|\[|\"|$)", first) and re.match(rb"\[\s*[\{\"]", begin):
        return "looks like a JSON array, but was read as plain text; convert it to JSON lines (`jq -c '.[]' FILE`)"
    if re.match(rb"<\?xml|<tmx|<!doctype|<html", first, re.IGNORECASE):
        what = "TMX" if b"<tmx" in begin else "XML or HTML"
        return f"looks like {what}, but was read as plain text, including the tags; extract the text first"
    tabs = {line.count(b"\t") for line in _lines(begin)}
    if len(_lines(begin)) >= TABLE and len(tabs) == 1 and max(tabs) > 0:
        columns = f"a table of {max(tabs) + 1} columns"
        return (
            f"looks like {columns}, but whole lines were read as text; give --text-key N or NAME and --input-format tsv"
        )
    return None


def first_line(begin: bytes) -> bytes:
    """The first line that is not blank."""
    lines = begin.removeprefix(BYTE_ORDER_MARK).lstrip()
    return lines.partition(b"\n")[0].rstrip(b"\r")


def _lines(begin: bytes) -> list[bytes]:
    """Whole lines that are not blank."""
    return [line for line in begin.split(b"\n")[: -1 if len(begin) >= BEGIN else None] if line.strip()]


def _is_json_object(line: bytes) -> bool:
    return re.match(rb'\{\s*("([^"\\]|\\.)*"\s*:|\})', line) is not None


def is_ranking(begin: bytes) -> bool:
    """Is this how a ranking begins?"""
    return begin.removeprefix(BYTE_ORDER_MARK).startswith(RANKING_HEADER)


def is_counts(name: str, begin: bytes) -> bool:
    """Does a file of this name that begins so hold counts?"""
    return name.endswith(COUNTS_SUFFIX) or begin.removeprefix(BYTE_ORDER_MARK).startswith(COUNTS_HEADER)


def check_text(begin: bytes, name: str) -> None:
    """Raise an error for what is known not to be text."""
    for magic, remedy in FOREIGN.items():
        if begin.startswith(magic):
            raise CynicalError(f"{name}: not plain UTF-8 text; {remedy}")
    if begin[TAR] == b"ustar":
        raise CynicalError(f"{name}: this is a tar archive; extract it first (`tar xf FILE`) and give the folder")


def parquet_of_stream(name: str) -> CynicalError:
    return CynicalError(
        f"{name}: Parquet cannot be read from a stream; save it to a file and give the name of the file"
    )


def text_begins(begin: bytes) -> int:
    """Where the text begins: after a byte-order mark."""
    return len(BYTE_ORDER_MARK) if begin.startswith(BYTE_ORDER_MARK) else 0
