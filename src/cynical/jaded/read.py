"""One reader for every file that holds a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import CynicalError, os_error
from ..options import Reading
from ..text.compression import inner_suffix
from ..text.corpus import File, Part
from ..text.kinds import SUFFIXES
from .columns import Columns, Numbers
from .content import Content
from .jaded import Jaded
from .json_lines import JsonContent, read_json_lines
from .kept import Recipe, portable, reading_of
from .summary import Summary, is_there, read_summary
from .tsv import TableContent, entropy_before, read_table


def read(path: str | Path, *, text_key: str | None = None) -> Jaded:
    """Read a ranking that was written as TSV or JSON lines, compressed or not, and the summary beside it.

    Of JSON lines, `text_key` is the field that is the text; by default that of the run, else `text`. What comes back
    is what `select` returned: texts, words and records are fetched from the file when somebody asks for them.
    Positions in AVAILABLE (`lines`) count from 0, though the column `line` of the file counts from 1.
    """
    return read_ranking(path, Reading(text_key))


def read_ranking(path: str | Path, reading: Reading | None = None) -> Jaded:
    """`read` with its settings together."""
    kind = SUFFIXES.get(inner_suffix(path), "tsv")
    if kind in ("csv", "parquet"):
        raise CynicalError(f"{path}: a ranking is read from .tsv or .jsonl; let cynical select write one of these")
    summary = read_summary(path)
    columns, content = read_json_lines(path, reading, summary) if kind == "jsonl" else read_table(path, summary=summary)
    try:
        file = File(path=str(path), bytes=Path(path).stat().st_size)
    except OSError as error:
        raise os_error(path, error) from error
    return _put_together(columns, content, summary, file)


def read_part(part: Part) -> Jaded:
    """A ranking (TSV) that has been opened already, as text, and the summary beside it, if it is a file."""
    summary = None if part.path is None else read_summary(part.path)
    columns, content = read_table(part.name, part.content, summary)
    return _put_together(columns, content, summary, File(path=part.name, bytes=part.size))


def _put_together(columns: Columns, content: Content, summary: Summary | None, file: File) -> Jaded:
    before = entropy_before(columns, summary)
    known = summary is not None and summary.chosen_stop.lines <= len(columns)
    stop = summary.chosen_stop.lines if summary is not None and known else columns.lowest(before)
    return Jaded(columns, content, summary, before, stop, file)


@dataclass(frozen=True, slots=True, eq=False)
class FileRecipe:
    """The texts of picks are in the ranking's own file: which, and in which rows."""

    file: File
    reading: Reading
    row: Numbers

    def open(self) -> Content:
        if not is_there(self.file):
            raise CynicalError(
                f"{self.file.path}: not what it was when the ranking was read, so its texts cannot be fetched; put the "
                "file back, or read the ranking again"
            )
        return read_ranking(self.file.path, self.reading).content.take(self.row)


def recipe_of(jaded: Jaded) -> Recipe:
    """How a ranking finds its texts after it was pickled."""
    content, file = jaded.content, jaded.file
    if file is not None and is_there(file):
        file = file.replaced(path=str(Path(file.path).absolute()))
        if isinstance(content, TableContent):
            return FileRecipe(file, Reading(), content.row)
        if isinstance(content, JsonContent):
            return FileRecipe(file, reading_of(content.pool.places[0].corpus), content.pool.line)
    return portable(content)
