"""One reader for every file that holds a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import CynicalError, os_error
from ..options import Reading
from ..text.corpus import File, Part
from ..text.paths import is_remote
from .columns import Columns, Numbers
from .content import PREFIX, Content
from .find import RankingFiles, find_ranking, rankings_in
from .ids import find_ids, line_numbers, read_ids, without_bits
from .jaded import Jaded
from .kept import Recipe, portable, reading_of
from .ranked_records import RecordsContent, read_records
from .source import open_available
from .summary import Summary, is_there
from .summary_file import summary_of_file
from .tsv import TableContent, entropy_before, open_table, read_table


def read_ranking(path: str | Path, reading: Reading | None = None) -> Jaded:
    """A ranking by the name of its file, of its shards or of its summary; see find.py."""
    return open_found(find_ranking(path), Reading() if reading is None else reading)


def take_rankings(source: Any, reading: Reading) -> tuple[list[Jaded], Any]:
    """The rankings among the files that a source names, opened, and what is left of it (None if nothing is)."""
    found, rest = rankings_in(source)
    return [open_found(one, reading) for one in found], rest


def open_found(found: RankingFiles, reading: Reading) -> Jaded:
    """A ranking whose files were found."""
    kind, summary = found.kind, found.summary
    try:
        if kind == "tsv":
            columns, content = _table(found, reading)
        elif kind == "ids":
            columns, content = _ids(found, reading)
        else:
            columns, content = _records(found, kind, reading)
        sizes = [0 if is_remote(file) else Path(file).stat().st_size for file in found.files]
    except OSError as error:
        raise os_error(found.name, error) from error
    return _put_together(columns, content, summary, File(path=found.name, bytes=sum(sizes)))


def _table(found: RankingFiles, reading: Reading) -> tuple[Columns, Content]:
    return read_table(found.name, open_table(found.files, reading.scratch), found.summary)


def _records(found: RankingFiles, kind: str, reading: Reading) -> tuple[Columns, Content]:
    try:
        return read_records(found.name, found.files, kind, reading, found.summary)
    except CynicalError:
        told = reading.text_key is not None or reading.text_template is not None
        if kind != "csv" or told or found.summary is None or found.summary.reading.text_key is None:
            raise
    # The text is deep within a field, which is but a string in CSV; AVAILABLE has it.
    by_number = Reading(PREFIX + "rank", scratch=reading.scratch)
    columns, _ = read_records(found.name, found.files, kind, by_number, found.summary)
    return columns, open_available(found.summary, found.name, reading).at(columns.line)


def _ids(found: RankingFiles, reading: Reading) -> tuple[Columns, Content]:
    """Ids have no texts and no bits; texts are in AVAILABLE."""
    summary, ids = found.summary, read_ids(found.files)
    if summary is not None and summary.written and summary.written.order != "rank":
        raise CynicalError(
            f"{found.name}: the ids were written with --order {summary.written.order}, so their ranks are unknown; "
            "write them with --order rank, or use another format"
        )
    recipe = open_available(summary, found.name, reading)
    available = recipe.at(None)
    lines = line_numbers(ids, found.name) if recipe.id_key is None else find_ids(ids, available, found.name)
    if len(lines) and not 0 <= int(lines.min()) <= int(lines.max()) < recipe.lines:
        raise CynicalError(
            f"{found.name}: a line number is greater than the {recipe.lines:,} lines of AVAILABLE; make the ranking "
            "again"
        )
    return without_bits(lines), available.take(lines)


def read_part(part: Part) -> Jaded:
    """A ranking (TSV) that has been opened already, as text, and the summary beside it, if it is a file."""
    summary = None if part.path is None else summary_of_file(str(part.path))
    columns, content = read_table(part.name, part.content, summary)
    return _put_together(columns, content, summary, File(path=part.name, bytes=part.size))


def _put_together(columns: Columns, content: Content, summary: Summary | None, file: File) -> Jaded:
    last = 0 if not len(columns) else int(columns.line.max()) + 1
    if summary is not None and last > summary.available.lines:
        raise CynicalError(
            f"{file.path}: line {last:,} is ranked, but AVAILABLE had {summary.available.lines:,} lines, so the "
            "summary next to it belongs to another ranking; restore the right summary, or remove it"
        )
    before = entropy_before(columns, summary)
    known = summary is not None and summary.chosen_stop.lines <= len(columns)
    stop = summary.chosen_stop.lines if summary is not None and known else columns.lowest(before)
    return Jaded(columns, content, summary, before, stop, file)


@dataclass(frozen=True, slots=True, eq=False)
class FileRecipe:
    """The texts of picks are in the ranking's own file: which, and which ranks they have, from 0."""

    file: File
    reading: Reading
    row: Numbers

    def open(self) -> Content:
        if not is_there(self.file):
            raise CynicalError(
                f"{self.file.path} has changed since the ranking was read, so its texts cannot be read; restore the "
                "file, or read the ranking again"
            )
        return read_ranking(self.file.path, self.reading).content.take(self.row)


def recipe_of(jaded: Jaded) -> Recipe:
    """How a ranking finds its texts after it was pickled."""
    content, file = jaded.content, jaded.file
    if file is not None and is_there(file):
        file = file.replaced(path=str(Path(file.path).absolute()))
        if isinstance(content, TableContent):
            return FileRecipe(file, Reading(), jaded.columns.rank - 1)
        if isinstance(content, RecordsContent):
            return FileRecipe(file, reading_of(content.pool.places[0].corpus), jaded.columns.rank - 1)
    return portable(content)
