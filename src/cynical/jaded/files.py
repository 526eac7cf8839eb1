"""The files of a ranking: their names and formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import CynicalError
from ..text.compression import inner_suffix
from ..text.paths import exists, is_file, is_remote
from .names import folder_and_name

FORMATS = ("tsv", "text", "jsonl", "parquet", "csv", "ids", "scores")
SUFFIXES = {".tsv": "tsv", ".txt": "text", ".text": "text", ".tok": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SUFFIXES |= {".parquet": "parquet", ".csv": "csv", ".ids": "ids", ".scores": "scores"}
OTHERS: tuple[str, ...] = (
    ".json",
    ".counts",
    ".xlsx",
    ".xls",
    ".ods",
    ".feather",
    ".arrow",
    ".ipc",
    ".orc",
    ".avro",
    ".pkl",
    ".npy",
)
OTHERS += (
    ".html",
    ".htm",
    ".pdf",
    ".doc",
    ".docx",
    ".odt",
    ".rtf",
    ".ppt",
    ".pptx",
    ".xlsm",
    ".xliff",
    ".xlf",
    ".md",
    ".xml",
    ".tmx",
    ".tar",
    ".tgz",
    ".zip",
    ".db",
    ".sqlite",
)  # what people expect to be their format


def output_format(path: str | Path, format: str | None) -> str:
    """The format asked for, else the one of the suffix, else TSV."""
    if format is not None:
        if format not in FORMATS:
            raise CynicalError(f"--format {format}: unknown format; choose from {', '.join(FORMATS)}")
        return format
    suffix = inner_suffix(path)
    if suffix in OTHERS:
        raise CynicalError(
            f"{path}: unknown suffix {suffix}; use .tsv, .txt or .jsonl, or give --format {'|'.join(FORMATS)}"
        )
    return SUFFIXES.get(suffix, "tsv")


def unknown_suffix(path: str | Path, format: str | None) -> list[str]:
    """What to say of a name whose suffix does not tell its format, where nothing else did."""
    suffix = inner_suffix(path)
    if format is not None or not suffix or suffix in SUFFIXES:
        return []
    return [
        (
            f"{path}: unknown suffix {suffix}, so a table (tsv) was written; choose the format with --format "
            f"{'|'.join(FORMATS)}"
        )
    ]


def has_summary(path: str | Path) -> bool:
    """A summary is beside a file, not beside a stream."""
    return is_remote(path) or (str(path) != "-" and (is_file(path) or not exists(path)))


def side_paths(path: str | Path, columns: Sequence[str], replaces: Sequence[str]) -> list[str]:
    """Where the lines of the other sides go when those of AVAILABLE go to `path`."""
    if columns and not has_summary(path):
        raise CynicalError(f"{path}: text format needs one file per side; give -o FILE, or --format tsv")
    return [side_path(path, column, replaced) for column, replaced in zip(columns, replaces, strict=True)]


def side_path(path: str | Path, column: str, replaced: str) -> str:
    """out.en makes out.de where 'de' is in place of 'en'; out.txt makes out.txt.de."""
    folder, name = folder_and_name(path)
    fields = name.split(".")
    if replaced and replaced in fields[1:]:
        fields[len(fields) - 1 - fields[::-1].index(replaced)] = column
        return folder + ".".join(fields)
    return f"{folder}{name}.{column}"
