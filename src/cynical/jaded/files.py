"""The files of a ranking: their names and formats, and how they are written, whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import CynicalError
from ..text.atomic_file import Output, check_different, check_output
from ..text.compression import inner_suffix
from .summary import Summary, read_summary, summary_path

FORMATS = ("tsv", "text", "jsonl", "parquet", "csv", "ids")
SUFFIXES = {".tsv": "tsv", ".txt": "text", ".text": "text", ".tok": "text", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SUFFIXES |= {".parquet": "parquet", ".csv": "csv", ".ids": "ids"}
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
    """The format asked for, else the one that the suffix stands for, else TSV."""
    if format is not None:
        if format not in FORMATS:
            raise CynicalError(f"--format {format}: no such format; choose from {', '.join(FORMATS)}")
        return format
    suffix = inner_suffix(path)
    if suffix in OTHERS:
        raise CynicalError(
            f"{path}: no format for {suffix}; name it .tsv, .txt or .jsonl, or give --format {'|'.join(FORMATS)}"
        )
    return SUFFIXES.get(suffix, "tsv")


def unknown_suffix(path: str | Path, format: str | None) -> list[str]:
    """What to say of a name whose suffix does not tell its format, where nothing else did."""
    suffix = inner_suffix(path)
    if format is not None or not suffix or suffix in SUFFIXES:
        return []
    return [f"{path}: no format goes by {suffix}, so this is a table (tsv); --format {'|'.join(FORMATS)} says which"]


def has_summary(path: str | Path) -> bool:
    """A summary stands beside a file, not beside a stream."""
    return str(path) != "-" and (Path(path).is_file() or not Path(path).exists())


def side_paths(path: str | Path, columns: Sequence[str], replaces: Sequence[str]) -> list[Path]:
    """Where the lines of the other sides go when those of AVAILABLE go to `path`."""
    if columns and not has_summary(path):
        raise CynicalError(f"{path}: as text, each side needs a file of its own; give -o FILE, or --format tsv")
    return [side_path(path, column, replaced) for column, replaced in zip(columns, replaces, strict=True)]


def side_path(path: str | Path, column: str, replaced: str) -> Path:
    """out.en makes out.de where 'de' is in place of 'en'; out.txt makes out.txt.de."""
    fields = Path(path).name.split(".")
    if replaced and replaced in fields[1:]:
        fields[len(fields) - 1 - fields[::-1].index(replaced)] = column
        return Path(path).with_name(".".join(fields))
    return Path(path).with_name(f"{Path(path).name}.{column}")


def check_paths(paths: Sequence[str | Path], *, overwrite: bool) -> None:
    """Refuse outputs that are there already, and a summary's place that something else has taken."""
    for path in paths:
        check_output(path, overwrite=overwrite)
    path = paths[0]
    beside = summary_path(path)
    check_different([*paths, beside] if has_summary(path) else paths)
    if has_summary(path):
        check_output(beside, overwrite=True)
    if has_summary(path) and Path(beside).is_dir():
        raise CynicalError(f"{beside}: the summary goes here, but it is a folder; choose another name for the output")
    if has_summary(path) and Path(beside).exists() and not overwrite and read_summary(path) is None:
        raise CynicalError(
            f"{beside}: the summary goes here, but it is another file; choose another name for the output"
        )


def write_with_summary(
    files: Sequence[tuple[str | Path, Iterable[bytes]]], summary: Summary | None, *, overwrite: bool
) -> None:
    """Write a ranking's files and the summary beside the first: all are whole before any gets its name."""
    path = files[0][0]
    with contextlib.ExitStack() as stack:
        beside = None
        if summary is not None and has_summary(path):
            beside = stack.enter_context(Output(summary_path(path), overwrite=True))
        outputs = [stack.enter_context(Output(file, overwrite=overwrite)) for file, _ in reversed(files)]
        for output, (_, pieces) in zip(reversed(outputs), files, strict=True):
            for data in pieces:
                output.write(data)
            output.flush()
        if beside is not None and summary is not None:
            beside.write(summary.to_json())
            beside.flush()
