"""A ranking as a table with tabs: written, and read back."""

from __future__ import annotations

import math
import mmap
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from ..errors import CynicalError, os_error
from ..text.compression import BLOCK, blocks, is_compressed, open_stream
from ..text.escapes import escape_all
from ..text.escapes import unescape as unescape_word
from ..text.kinds import BYTE_ORDER_MARK, is_ranking
from ..text.many_files import LazyFile
from ..text.paths import is_file, is_remote
from ..text.sources import Spool
from .columns import COLUMNS, FEATURE_ENTROPY, SCORE, SHARDS, UNIT, Bits, Columns, Numbers, Rows, WordsInFile, batches
from .content import RECORD, Cells, Content, Json, named, pack, pack_lines
from .scan import DamagedRowError, scan
from .summary import Summary

if TYPE_CHECKING:
    from .._kernels.tsv import Texts

RANK, LINE, DELTA, PENALTY, GAIN, ENTROPY, WORDS, WORD, _ = range(len(COLUMNS))
ESCAPED = re.compile(rb"([^\t\\]|\\[tnr\\])*")
AHEAD = 1 << 14  # bytes of the next rows that are read with a row
MORE = len(COLUMNS) - 1  # where columns that not every ranking has begin


def write_table(columns: Columns, content: Content) -> Iterator[bytes]:
    """The header and the rows, some at a time."""
    from .._kernels import tsv as kernels

    more, best = columns.more, columns.best.coded()
    further = [name for name, _ in named(content, slice(0, 0), list(more))]
    yield "\t".join((*COLUMNS[:-1], *more, *further, *content.sides, COLUMNS[-1])).encode() + b"\n"
    names = pack(escape_all(list(best.vocabulary)))
    longest = int(np.diff(names.start).max(initial=0))
    plain = content.plain
    for rows in batches(len(columns)):
        cells = content.packed(rows, [*range(1, 1 + len(content.sides)), 0]) if plain else _cells(content, rows, more)
        here = columns.take(rows)
        numbers = np.stack([here.delta, here.penalty, here.gain, here.entropy], axis=1)
        others = np.column_stack([np.zeros((len(here), 0)), *here.more.values()])
        out = np.empty(_room(cells, len(here), longest), np.uint8)
        made = kernels.Columns(here.rank, here.line + 1, numbers, here.words, best.place[rows], others)
        yield out[: kernels.write_rows(out, made, names, cells)].tobytes()


def write_lines(content: Content, side: int = 0) -> Iterator[bytes]:
    """The lines of one side alone."""
    from .._kernels import tsv as kernels

    for rows in batches(len(content)):
        lines = content.packed(rows, [side])
        out = np.empty(_room(lines, rows.stop - rows.start, 0), np.uint8)
        yield out[: kernels.write_lines(out, lines)].tobytes()


def _room(cells: Texts, rows: int, longest: int) -> int:
    """Bytes that rows take at most; a byte of a cell may be escaped."""
    from .._kernels.tsv import NUMBER

    return 2 * len(cells.blob) + len(cells.start) + rows * (longest + 9 * (NUMBER + 1) + 2)


def _cells(content: Content, rows: slice, more: Iterable[str]) -> Texts:
    """The columns of a table after its numbers: further columns, the other sides and the text."""
    columns = [column for _, column in named(content, rows, list(more))]
    columns += [content.texts(rows, side) for side in range(1, 1 + len(content.sides))]
    texts = content.texts(rows)
    columns.append([escape_field(text) for text in texts] if content.escaped else texts)
    return pack([cell for row in zip(*columns, strict=True) for cell in row])


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The bytes of a table, and where its rows and columns are."""

    raw: bytes | mmap.mmap | LazyFile
    starts: Numbers  # where each row begins, and where the last one ends
    width: int  # columns
    place: dict[str, int]  # columns that not every ranking has, by name

    def cells(self, rows: Iterable[int], column: int, escaped: bool) -> Iterator[bytes]:
        """One column of some rows."""
        last, block, at = self.width - 1, b"", 0
        for row in rows:
            begin, end = self.starts[row : row + 2].tolist()
            if not at <= begin <= end <= at + len(block):  # consecutive rows are read together
                block, at = self.raw[begin : max(end, begin + AHEAD)], begin
            field = block[begin - at : end - 1 - at].split(b"\t", last)[column]
            yield unescape(field) if escaped else field

    def head(self, rows: int) -> Iterator[bytes]:
        """The header and the first rows, as they are."""
        end = int(self.starts[rows])
        return (self.raw[begin : min(begin + BLOCK, end)] for begin in range(0, end, BLOCK))

    def best_words(self, rows: Numbers) -> list[bytes]:
        """The word of each row that gains most."""
        return [_word(cell) for cell in self.cells(rows.tolist(), WORD, False)]


@dataclass(frozen=True, slots=True, eq=False)
class TableContent:
    """Picks whose texts are in the table itself."""

    table: Table
    row: Numbers
    sides: Sequence[str]
    escaped: bool
    split: bool
    plain = False
    text_key = "text"

    def __len__(self) -> int:
        return len(self.row)

    @property
    def of_records(self) -> bool:
        return self.escaped

    @property
    def in_order(self) -> bool:
        """Are these the first rows of the table, in their order?"""
        return bool((self.row == np.arange(len(self.row))).all())

    def take(self, rows: Rows) -> TableContent:
        return replace(self, row=self.row[rows])

    def texts(self, rows: Rows, side: int = 0) -> list[bytes]:
        column = self.table.place[self.sides[side - 1]] if side else self.table.width - 1
        return list(self.table.cells(self.row[rows].tolist(), column, self.escaped or side > 0))

    def packed(self, rows: slice, sides: Sequence[int]) -> Texts:
        return pack_lines(self, rows, sides)

    def further(self, rows: Rows) -> Cells:
        names = [name for name in self.table.place if name not in (FEATURE_ENTROPY, SCORE, *self.sides)]
        return [(name, self._column(rows, name)) for name in names]

    def _column(self, rows: Rows, name: str) -> list[bytes]:
        return list(self.table.cells(self.row[rows].tolist(), self.table.place[name], True))

    def records(self, rows: Rows) -> list[Json]:
        ours = SHARDS if self.split else SHARDS[:3]
        columns = {name: cells for name, cells in self.further(rows) if name not in ours} | {"text": self.texts(rows)}
        own = {name.removeprefix(RECORD): cells for name, cells in columns.items()}
        found = zip(*([cell.decode("utf-8", "replace") for cell in cells] for cells in own.values()), strict=True)
        return [dict(zip(own, row, strict=True)) for row in found]

    def json_records(self, rows: Rows) -> list[bytes]:
        return [orjson.dumps(record) for record in self.records(rows)]

    def fields(self, rows: Rows, key: str) -> list[Any] | None:
        name = next((one for one in (key, f"{RECORD}{key}") if one in self.table.place), None)
        return None if name is None else [cell.decode("utf-8", "replace") for cell in self._column(rows, name)]

    def ids(self, rows: Rows) -> list[str] | None:
        if SHARDS[2] not in self.table.place:
            return None
        return [cell.decode("utf-8", "replace") for cell in self._column(rows, SHARDS[2])]

    def arrow(self, rows: Rows) -> Any:
        return None


def read_table(
    path: str | Path, raw: bytes | mmap.mmap | LazyFile, summary: Summary | None = None
) -> tuple[Columns, TableContent]:
    """A table; `raw` is what its file holds. The summary tells more of its columns."""
    if raw[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK:
        raw = bytes(raw[len(BYTE_ORDER_MARK) :])
    end = raw.find(b"\n")
    header = raw[: max(end, 0)].rstrip(b"\r").split(b"\t")
    if not is_ranking(raw[: max(end, 0)]) or header[-1] != b"text":
        raise CynicalError(
            f"{path} line 1: expected the header of a ranking ({' '.join(COLUMNS[:3])} ...); give a .tsv file "
            "written by `cynical select`"
        )
    more = [name.decode(errors="replace") for name in header[MORE:-1]]
    place = {name: number for number, name in enumerate(more, MORE)}
    numbers = [DELTA, PENALTY, GAIN, ENTROPY, *([place[FEATURE_ENTROPY]] if FEATURE_ENTROPY in place else [])]
    try:
        scanned = scan(raw, end + 1, len(header), (RANK, LINE, WORDS), numbers)
    except DamagedRowError as damaged:
        raise CynicalError(
            f"{path} line {damaged.row + 2}: expected {len(header)} columns with numbers, found "
            f"{b' '.join(damaged.fields)[:40].decode(errors='replace')!r}; the ranking is damaged: make it again"
        ) from None
    rank, line, words = scanned.whole
    order = places_by_rank(path, rank, 2)
    table = Table(raw, scanned.starts, len(header), place)
    delta, penalty, gain, entropy, *features = scanned.real
    columns = Columns(
        rank=rank,
        line=line - 1,
        delta=delta,
        penalty=penalty,
        gain=gain,
        entropy=entropy,
        words=words,
        best=WordsInFile(table.best_words, np.arange(len(rank))),
        feature_entropy=features[0] if features else None,
        score=_scores(table, summary),
    )
    known = (FEATURE_ENTROPY, SCORE, *SHARDS)
    sides = [name for name in more if name not in known]
    if summary is not None:
        sides = [one.column for one in summary.available.sides if one.column in place]
    escaped = looks_escaped(table) if summary is None else summary.available.format != "text"
    split = UNIT in place and (summary is None or bool(summary.reading.unit))
    content = TableContent(table, np.arange(len(rank)), sides, escaped, split)
    return (columns, content) if order is None else (columns.take(order), content.take(order))


def looks_escaped(table: Table) -> bool:
    """Are tabs, newlines and backslashes of texts escaped? With no summary only the texts tell: some have escapes, and
    none has a tab, or a backslash that is no escape."""
    if table.raw.find(b"\\") < 0:
        return False
    texts = list(table.cells(range(len(table.starts) - 1), table.width - 1, False))
    return any(b"\\" in text for text in texts) and all(ESCAPED.fullmatch(text) for text in texts)


def places_by_rank(path: str | Path, rank: Numbers, first: int) -> Numbers | None:
    """Where the picks are in a file, best first; None if they are in this order. The file's first row is its line
    `first`. It may be in another order, but every rank must be there once."""
    strange = np.flatnonzero(rank != np.arange(1, len(rank) + 1))
    if not len(strange):
        return None
    order = np.argsort(rank, kind="stable")
    wrong = np.flatnonzero(rank[order] != np.arange(1, len(rank) + 1))
    if not len(wrong):
        return order
    row = int(strange[0])
    raise CynicalError(
        f"{path} line {row + first}: expected rank {row + 1}, found {int(rank[row])}, and rank {int(wrong[0]) + 1} "
        "is missing; rows are missing or duplicated: give the ranking as it was written, with all of its files"
    )


def _scores(table: Table, summary: Summary | None) -> Bits | None:
    """What lines were ranked by; a column of that name may also be one of AVAILABLE."""
    first = MORE + (FEATURE_ENTROPY in table.place)
    if table.place.get(SCORE) != first or (summary is not None and summary.method == "cynical"):
        return None
    try:
        return np.array([float(cell) for cell in table.cells(range(len(table.starts) - 1), first, False)])
    except ValueError:
        return None


def entropy_before(columns: Columns, summary: Summary | None) -> float:
    """The entropy before the first pick; not a number where neither the columns nor a summary tell."""
    if summary is not None:
        return summary.entropy.before
    if not len(columns) or columns.feature_entropy is not None:
        return math.nan
    return float(columns.entropy[0] - columns.delta[0])


def escape_field(text: bytes) -> bytes:
    """A text as a column holds it: without tabs and newlines."""
    text = text.replace(b"\\", b"\\\\").replace(b"\t", b"\\t")
    return text.replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def unescape(field: bytes) -> bytes:
    """What a column holds whose tabs, newlines and backslashes were escaped."""
    if b"\\" not in field:
        return field
    meaning = {b"\\t": b"\t", b"\\n": b"\n", b"\\r": b"\r", b"\\\\": b"\\"}
    return re.sub(rb"\\[tnr\\]", lambda found: meaning[found[0]], field)


def _word(cell: bytes) -> bytes:
    try:
        return unescape_word(cell)
    except ValueError:  # not written by us; shown as it is
        return cell


def open_table(files: Sequence[str], scratch: str | Path | None = None) -> bytes | mmap.mmap | LazyFile:
    """The bytes of a table, decompressed; those of one plain file are read when they are asked for, and several files
    with one header become one in --scratch."""
    if len(files) == 1:
        return _opened(files[0])
    spool, header = Spool(scratch), None
    for file in files:
        raw = _opened(file)
        begin = raw.find(b"\n") + 1
        if header is not None and raw[:begin] != header:
            raise CynicalError(f"{file}: the header differs from that of {files[0]}; give the files of one ranking")
        begin, header = begin if header is not None else 0, raw[:begin]
        for at in range(begin, len(raw), BLOCK):
            spool.write(raw[at : at + BLOCK])
        spool.end_line()
    return spool.mapped()


def _opened(path: str) -> bytes | LazyFile:
    try:
        if not is_remote(path) and is_file(path) and not is_compressed(path):
            return LazyFile.at(path, path) if Path(path).stat().st_size else b""
        with open_stream(path) as stream:
            return b"".join(blocks(stream, path))
    except OSError as error:
        raise os_error(path, error) from error
