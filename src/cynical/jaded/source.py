"""The AVAILABLE of a ranking, found through its summary: for whole records, and for ids."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec import UnsetType

from ..errors import CynicalError
from ..options import Reading
from ..text.paths import expand_all
from .content import Content
from .jaded import Jaded
from .kept import PoolRecipe
from .made_from import reading_then
from .ranked_records import AS_TEXT, RecordsContent
from .summary import Summary
from .tsv import TableContent

WITH_RECORDS = ("jsonl", "parquet", "csv")  # formats that have whole records
SOME = 1000  # picks that are compared with AVAILABLE
OWN = {"jsonl": ("jsonl", "csv", "tsv"), "parquet": ("parquet",), "csv": ("csv",), "tsv": ()}  # whose records a file of
# a ranking has, whole and as they were, by its format


def open_available(summary: Summary | None, name: str, reading: Reading | None = None) -> PoolRecipe:
    """How AVAILABLE is opened again, and its other sides: if the files that a summary names are what they were."""
    if summary is None:
        raise CynicalError(f"{name}.json: the summary, which names the files of AVAILABLE, is missing; restore it")
    available = summary.available
    if not available.files or any(not file.path or file.path == "standard input" for file in available.files):
        raise CynicalError(
            f"{name}: AVAILABLE ({available.name}) was not a file, so its records cannot be read again; make the "
            "ranking from files"
        )
    reading = reading_then(summary, Reading() if reading is None else reading)
    if available.format in AS_TEXT:
        reading = replace(reading, text_key=None, text_template=None, unit="document", input_format=None)
    hashes = [available.crc32, *(side.crc32 for side in available.sides)]
    return PoolRecipe(
        [available.files, *(side.files for side in available.sides)],
        available.lines,
        [None if isinstance(one, UnsetType) else one for one in hashes],
        reading,
        None,
        [side.column for side in available.sides],
        None if isinstance(available.id_key, UnsetType) else available.id_key,
        _names(summary),
    )


def _names(summary: Summary) -> list[str] | None:
    """What the files of AVAILABLE were called, if it can be told: a column of the ranking has their names."""
    try:
        files = expand_all(summary.available.name.split(", "))
    except CynicalError:
        return None
    there = [str(Path(file).absolute()) for file in files] == [file.path for file in summary.available.files]
    return files if there else None


def with_records(jaded: Jaded, format: str, reading: Reading | None = None) -> tuple[Jaded, list[str]]:
    """A ranking whose content has whole records, as a format needs them; and what the user should know.

    Where the ranking's own files have not all of a record, or not as it was, records are fetched from AVAILABLE.
    """
    content, summary = jaded.content, jaded.found_summary
    kind = _kind(content)
    if format not in WITH_RECORDS or kind is None:
        return jaded, []
    then = "text" if summary is None else summary.available.format
    if then in (*AS_TEXT, *OWN[kind]):
        return jaded, []
    try:
        fetched = open_available(summary, jaded.name, reading).at(jaded.lines)
        _check_same_texts(content, fetched, jaded.name)
        return jaded.replaced(content=fetched), []
    except CynicalError as error:
        if kind == "tsv":
            raise
        return jaded, [f"records were taken from {jaded.name}, not from AVAILABLE ({error.message})"]


def _check_same_texts(ranked: Content, fetched: Content, name: str) -> None:
    """Raise an error for records of another AVAILABLE, as the summary of another ranking would give."""
    some = slice(0, SOME)
    pairs = list(zip(ranked.texts(some), fetched.texts(some), strict=True))
    if 2 * sum(one != other for one, other in pairs) > len(pairs):  # a few may differ in bytes that a format has not
        raise CynicalError(
            f"{name}: its texts are not on these lines of AVAILABLE, so the summary next to it belongs to another "
            "ranking; restore the right summary"
        )


def _kind(content: Content) -> str | None:
    """The format of the file that has the records of a ranking; None where they are in AVAILABLE, or in memory."""
    if isinstance(content, TableContent):
        return "tsv"
    return content.kind if isinstance(content, RecordsContent) else None
